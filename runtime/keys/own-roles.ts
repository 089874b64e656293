import type { Logger } from 'pino';
import type { Address } from 'viem';
import type { Deployment } from '../../chain/deploy/deployment.ts';
import { hasRole } from '../../chain/deploy/roles.ts';
import type { ChainReader } from '../../chain/rpc/reader.ts';
import { latestReading } from './latest-reading.ts';

/** Roles whose acts wait while the service's key does not hold them on chain; all else goes on. */
const WAITING_ACTS = {
  minter: 'agents are not minted',
  recorder: 'records are not anchored',
  issuer: 'certificates are neither issued nor marked void',
} as const;

export type OwnRole = keyof typeof WAITING_ACTS;

/** Whose key acts for each of them. */
const KEY_OF = { minter: 'minter', recorder: 'recorder', issuer: 'operator' } as const;

interface Home extends Readonly<Record<(typeof KEY_OF)[OwnRole], { readonly address: Address }>> {
  readonly chainId: number;
  readonly readers: { readonly viem: ChainReader };
  readonly deployment: Deployment;
}

/** What `/health` shows of a role of the service. */
export interface RoleFacts {
  readonly role: OwnRole;
  readonly address: string;
  /** False while the key may not act for the role: what it would do waits. */
  readonly held: boolean;
}

/** True when the service's key for a role holds it at the head of the chain. @throws ReaderError */
export async function holdsRole(home: Omit<Home, 'chainId'>, role: OwnRole): Promise<boolean> {
  const { number } = await home.readers.viem.head();
  return await hasRole(home.readers.viem, home.deployment, role, home[KEY_OF[role]].address, number);
}

/** Says why an act of a role waits, and what ends the wait. */
export function roleRests(home: Omit<Home, 'readers' | 'deployment'>, role: OwnRole): string {
  const { address } = home[KEY_OF[role]];
  return `${address} does not hold the role ${role} on chain ${home.chainId} now: ${WAITING_ACTS[role]} until a key of the service does. "deploy rotate ${role} 0x<key>" gives it: to this key, or, if it was taken from this key, to a fresh one with which the service is started`;
}

/**
 * Watches whether the service's keys hold their roles. Warns once each time that one does not.
 * @throws ReaderError while there was no reading yet
 */
export function ownRoles(home: Home, log: Pick<Logger, 'warn'>): () => Promise<readonly RoleFacts[]> {
  const told = new Set<OwnRole>();
  return latestReading(() =>
    Promise.all(
      (Object.keys(WAITING_ACTS) as OwnRole[]).map(async (role) => {
        const held = await holdsRole(home, role);
        if (!held && !told.has(role)) log.warn({ role, chainId: home.chainId }, roleRests(home, role));
        if (held) told.delete(role);
        else told.add(role);
        return { role, address: home[KEY_OF[role]].address, held };
      }),
    ),
  );
}
