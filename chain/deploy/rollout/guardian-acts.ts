import { type Abi, type Address, encodeFunctionData, isAddressEqual, zeroAddress } from 'viem';
import { agentNftAbi } from '../../abi/agent-nft.ts';
import { spendPolicyAbi } from '../../abi/spend-policy.ts';
import { RpcRefusal } from '../../rpc/json-rpc.ts';
import type { Deployment } from '../deployment.ts';
import { type Acts, holding } from './acts.ts';
import { holdsNow } from './holders.ts';
import { headTime, type Node, time } from './node.ts';

/** The longest that the guardian may pause anything, and how long after a pause none may begin, in seconds (`Brakes.sol`). */
export const MAX_PAUSE_SECONDS = 72 * 3_600;
export const COOL_DOWN_SECONDS = 7 * 86_400;

/** What the contracts let the guardian do. */
export type GuardianAct =
  | { readonly is: 'pause-all'; readonly seconds: number }
  | { readonly is: 'resume-all' }
  | { readonly is: 'pause' | 'resume'; readonly tokenId: bigint }
  | { readonly is: 'revoke-key'; readonly tokenId: bigint; readonly key: Address }
  | { readonly is: 'delist'; readonly tokenId: bigint; readonly asset: Address; readonly assetId: bigint };

/** How the guardian's pauses stand, in unix seconds; 0 where there was none. */
export interface Pauses {
  readonly now: number;
  /** When the last pause of all ends or ended. */
  readonly allUntil: number;
  /** When the last pause of the agent ends or ended. */
  readonly agentUntil: number;
}

interface Asked {
  readonly node: Node;
  readonly deployment: Deployment;
  /** Who will send it, if known. */
  readonly sender: Address | null;
}

/** The session keys that one call pauses: an agent whose owner stayed with another policy is paused by itself. */
export function allUnder(policy: string): string {
  return `all session keys under the policy ${policy}`;
}

/**
 * Plans one act of the guardian by what the chain says now. What stands already needs no call.
 * @throws Error with one sentence where the contracts would refuse it: no such agent, no such key, or too soon after a pause
 */
export async function guardianActs(asked: Asked, act: GuardianAct): Promise<Acts> {
  const { node, deployment } = asked;
  if (act.is === 'pause-all' || act.is === 'resume-all') {
    const pauses = await pausesOf(node, deployment.policy, null);
    const isPaused = pauses.now < pauses.allUntil;
    const said = saidOfPause(allUnder(deployment.policy), pauses.now, pauses.allUntil);
    if (act.is === 'resume-all')
      return isPaused
        ? await due(asked, deployment.policy, 'resume all session keys', 'resumeAll', [])
        : done(said);
    if (isPaused) return done(said);
    requireCooled(pauses.now, pauses.allUntil);
    const name = `pause all session keys for ${act.seconds} s`;
    return await due(asked, deployment.policy, name, 'pauseAll', [BigInt(act.seconds)]);
  }
  const { policy, owner } = await placeOf(node, deployment, act.tokenId);
  const isOwner = asked.sender !== null && isAddressEqual(owner, asked.sender);
  const agent = `agent ${act.tokenId}`;
  if (act.is === 'revoke-key') {
    const args = [act.tokenId, act.key] as const;
    const [epoch, validUntil] = await node.read(policy, spendPolicyAbi, 'keys', args);
    if (epoch === 0)
      throw new Error(`${agent} never had the session key ${act.key}: its page names the one it has`);
    if (validUntil === 0) return done(`the session key ${act.key} of ${agent} is revoked`);
    return await due(asked, policy, `revoke the session key ${act.key} of ${agent}`, 'revokeKey', args);
  }
  if (act.is === 'delist') {
    const args = [act.tokenId, act.asset, act.assetId] as const;
    const { token } = await node.read(policy, spendPolicyAbi, 'offerOf', args);
    const what = `token ${act.assetId} of ${act.asset} by ${agent}`;
    if (token === zeroAddress) return done(`${what} is not listed`);
    return await due(asked, policy, `take back the listing of ${what}`, 'delist', args);
  }
  const { now, allUntil, agentUntil } = await pausesOf(node, policy, act.tokenId);
  const said = saidOfPause(`the session keys of ${agent}`, now, agentUntil);
  if (isOwner)
    throw new Error(
      `${asked.sender} owns ${agent}, and the contract takes its pause for the owner's: pause it as its owner, or as guardian by another key`,
    );
  if (act.is === 'resume') {
    const name = `resume the session keys of ${agent}`;
    return now < agentUntil ? await due(asked, policy, name, 'setPaused', [act.tokenId, false]) : done(said);
  }
  if (now < agentUntil) return done(said);
  requireCooled(now, Math.max(agentUntil, allUntil));
  const name = `pause the session keys of ${agent} for ${MAX_PAUSE_SECONDS} s`;
  return await due(asked, policy, name, 'setPaused', [act.tokenId, true]);
}

/** Reads the guardian's pauses: of all, and of one agent where one is named. */
export async function pausesOf(node: Node, policy: Address, tokenId: bigint | null): Promise<Pauses> {
  const [now, all, agent] = await Promise.all([
    headTime(node),
    node.read(policy, spendPolicyAbi, 'allPausedUntil'),
    tokenId === null ? 0n : node.read(policy, spendPolicyAbi, 'guardianPauseOf', [tokenId]),
  ]);
  return { now, allUntil: Number(all), agentUntil: Number(agent) };
}

/**
 * Who owns an agent, and the policy that it is under, to which its owner may have moved it.
 * @throws Error where there is no such agent
 */
export async function placeOf(
  node: Node,
  { agentNft, chainId }: Deployment,
  tokenId: bigint,
): Promise<{ readonly owner: Address; readonly policy: Address }> {
  try {
    const [owner, policy] = await Promise.all([
      node.read(agentNft, agentNftAbi, 'ownerOf', [tokenId]),
      node.read(agentNft, agentNftAbi, 'policyOf', [tokenId]),
    ]);
    return { owner, policy };
  } catch (error) {
    if (!(error instanceof RpcRefusal)) throw error;
    throw new Error(`there is no agent ${tokenId} on chain ${chainId}: its page names its number (tokenId)`, {
      cause: error,
    });
  }
}

/** One line about a pause that ends or ended at a time. */
export function saidOfPause(what: string, now: number, until: number): string {
  if (until === 0) return `the guardian never paused ${what}`;
  const next = `the next pause may begin at ${time(until + COOL_DOWN_SECONDS)}`;
  if (now < until) return `${what} are paused until ${time(until)}, which is made no longer; ${next}`;
  const isCooled = now >= until + COOL_DOWN_SECONDS;
  return `${what} are not paused by the guardian: the last pause ended at ${time(until)}${isCooled ? '' : `; ${next}`}`;
}

function requireCooled(now: number, until: number): void {
  if (until === 0 || now >= until + COOL_DOWN_SECONDS) return;
  throw new Error(
    `the last pause ends or ended at ${time(until)}, and none begins before ${time(until + COOL_DOWN_SECONDS)}, whoever is guardian: revoke session keys one by one meanwhile (guardian revoke-key)`,
  );
}

const done = (line: string): Acts => ({ due: [], done: [line] });

async function due(
  { node, deployment, sender }: Asked,
  to: Address,
  name: string,
  functionName: string,
  args: readonly unknown[],
): Promise<Acts> {
  // Asked first: to search a whole chain for who else is guardian takes minutes that an emergency does not have.
  const isSenders = sender !== null && (await holdsNow(node, deployment, 'guardian', sender));
  const by = isSenders ? sender : (await holding(node, deployment, 'guardian')).addresses[0];
  if (by === undefined)
    throw new Error(
      `nobody who is known is guardian on chain ${deployment.chainId}: the admin names one by "deploy rotate guardian 0x…"`,
    );
  return {
    due: [{ name, by, to, data: encodeFunctionData({ abi: spendPolicyAbi as Abi, functionName, args }) }],
    done: [],
  };
}
