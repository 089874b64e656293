import type { Address } from 'viem';
import { accessManagerAbi } from '../abi/access-manager.ts';
import type { ChainReader } from '../rpc/reader.ts';
import type { Deployment } from './deployment.ts';

/** The platform's roles, by their ids in the manager (`Roles.sol`). */
export const ROLE_IDS = {
  admin: 0n,
  minter: 1n,
  recorder: 2n,
  issuer: 3n,
  guardian: 4n,
  treasury: 5n,
} as const;

export type Role = keyof typeof ROLE_IDS;

export const ROLE_NAMES = Object.keys(ROLE_IDS) as readonly Role[];

/** How many seconds pass before the grant of a role takes effect, on embedded chains and with `deploy`. */
export const GRANT_DELAY_SECONDS = 2 * 24 * 60 * 60;

/** True when an address has a role at a block. @throws ReaderError */
export async function hasRole(
  reader: ChainReader,
  { manager }: Deployment,
  role: Role,
  who: Address,
  block: bigint,
): Promise<boolean> {
  const args = [ROLE_IDS[role], who];
  const call = { address: manager, abi: accessManagerAbi, functionName: 'hasRole', args, block };
  const held = await reader.read(call);
  const [member, delay] = Array.isArray(held)
    ? (held as [boolean, number])
    : [(held as { isMember: boolean }).isMember, (held as { executionDelay: number }).executionDelay];
  return member && Number(delay) === 0;
}
