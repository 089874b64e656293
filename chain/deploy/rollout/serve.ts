import type { Address } from 'viem';
import { accessManagerAbi } from '../../abi/access-manager.ts';
import type { Deployment } from '../deployment.ts';
import { ROLE_IDS } from '../roles.ts';
import { openNode } from './node.ts';

/** Whose key acts for a role, and the setting that names it. */
interface Holder {
  readonly address: Address;
  readonly setting: string;
}

/**
 * Checks at the start whether a service with these keys can mint and anchor on a deployment; otherwise the first paid
 * mint would find out.
 * @throws Error with one sentence; its cause is RpcSilence when the node did not answer, so that nothing is known
 */
export async function requireServable(
  rpcUrl: string,
  deployment: Deployment,
  holders: Readonly<Record<'minter' | 'recorder', Holder>>,
): Promise<void> {
  const { chainId, agentNft, ledger, manager } = deployment;
  const node = await openNode(rpcUrl, chainId);
  for (const address of [agentNft, ledger, manager]) {
    if ((await node.code(address)) !== '0x') continue;
    throw new Error(`no contract stands at ${address} on chain ${chainId}: run "deploy status" on its file`);
  }
  for (const [role, what] of [
    ['minter', 'mint agents'],
    ['recorder', 'anchor records'],
  ] as const) {
    const { address, setting } = holders[role];
    const [holds] = await node.read(manager, accessManagerAbi, 'hasRole', [ROLE_IDS[role], address]);
    if (holds) continue;
    throw new Error(
      `${setting} is ${address}'s, which may not ${what} on chain ${chainId}: run "deploy rotate ${role} ${address}", or use the ${role}'s key`,
    );
  }
}
