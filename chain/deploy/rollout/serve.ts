import { type Address, isAddressEqual } from 'viem';
import type { Deployment } from '../deployment.ts';
import { holdersOf, holdsNow } from './holders.ts';
import { rolesOf } from './inspect.ts';
import { type Node, openNode, time } from './node.ts';

type ServingRole = 'minter' | 'recorder' | 'issuer';

/** Whose key acts for a role, and the setting that names it. */
export interface RoleHolder {
  readonly address: Address;
  readonly setting: string;
}

/** What a service does by each role, and what waits while the role rests. */
const ACTS = {
  minter: { does: 'mint agents', waits: 'no agent is minted, and what was paid for waits' },
  recorder: { does: 'anchor records', waits: 'no record is anchored' },
  issuer: { does: 'issue certificates', waits: 'no certificate is issued or marked void' },
} as const satisfies Record<ServingRole, { does: string; waits: string }>;

/**
 * Checks at the start whether a service with these keys can mint, anchor and certify on a deployment; otherwise the first
 * paid mint would find out. A key that never was to have its role is a mistake in the settings. One whose grant waits, or
 * from which the role was taken, as from a stolen key, is none: the service starts, and what the role does waits. The
 * issuer's key is guardian as well where nobody else is to be: owners do without.
 * @param unset what mends a key of the settings that never was to have the role, beside its grant
 * @returns a sentence for each role that rests
 * @throws Error with one sentence; its cause is RpcSilence when the node did not answer, so that nothing is known
 */
export async function requireServable(
  rpcUrl: string,
  deployment: Deployment,
  holders: Readonly<Record<ServingRole, RoleHolder>>,
  unset: (role: ServingRole) => string = (role) => `use the ${role}'s key`,
): Promise<string[]> {
  const { chainId, agentNft, ledger, certificates, manager } = deployment;
  const node = await openNode(rpcUrl, chainId);
  for (const address of [agentNft, ledger, certificates, manager]) {
    if ((await node.code(address)) !== '0x') continue;
    throw new Error(`no contract stands at ${address} on chain ${chainId}: run "deploy status" on its file`);
  }
  const resting: string[] = [];
  for (const role of Object.keys(ACTS) as ServingRole[]) {
    const { address, setting } = holders[role];
    if (await holdsNow(node, deployment, role, address)) continue;
    const until = await restsUntil(node, deployment, role, address);
    if (until === null)
      throw new Error(
        `${setting} is ${address}'s, which may not ${ACTS[role].does} on chain ${chainId}: run "deploy rotate ${role} ${address}", or ${unset(role)}`,
      );
    resting.push(
      `${setting} is ${address}'s, which may not ${ACTS[role].does} on chain ${chainId} ${until}; until then ${ACTS[role].waits}`,
    );
  }
  const { address, setting } = holders.issuer;
  if (!(await holdsNow(node, deployment, 'guardian', address)))
    resting.push(
      `${setting} is ${address}'s, which is not guardian on chain ${chainId}: owners have to take back listings that are over and to end session keys that were replaced; "deploy rotate guardian ${address}" makes it guardian, too`,
    );
  return resting;
}

/** @returns null when nothing says that the key ever was to have the role */
async function restsUntil(
  node: Node,
  deployment: Deployment,
  role: ServingRole,
  address: Address,
): Promise<string | null> {
  const { waiting, delayed, former } = await holdersOf(node, deployment.manager, role, {
    fromBlock: deployment.deployedAtBlock,
    likely: [address],
  });
  const grant = waiting.find(({ who }) => isAddressEqual(who, address));
  if (grant !== undefined) return `before ${time(grant.from)}, when its grant counts`;
  const slow = delayed.map(({ who }) => who);
  const had = [...former, ...slow, rolesOf(deployment)[role]].some((who) => isAddressEqual(who, address));
  return had
    ? `any more: run "deploy rotate ${role} 0x<fresh>", start with the fresh key, and it may two days later`
    : null;
}

/**
 * Says that payments go to the treasury that the deployment file names, and that the role was taken from it, as from a
 * stolen key; null where it holds the role, and for any other address. No logs are searched: a start would wait for them.
 * @param payTo null for the treasury of the deployment file
 * @throws Error with one sentence; its cause is RpcSilence when the node did not answer
 */
export async function formerTreasury(
  rpcUrl: string,
  deployment: Deployment,
  payTo: Address | null,
): Promise<string | null> {
  const { chainId, treasury } = deployment;
  if (payTo !== null && !isAddressEqual(payTo, treasury)) return null;
  if (await holdsNow(await openNode(rpcUrl, chainId), deployment, 'treasury', treasury)) return null;
  return `${treasury}, to which payments on every chain go, is not the treasury of chain ${chainId} any more`;
}
