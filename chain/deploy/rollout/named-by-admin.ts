import { type Address, decodeEventLog, encodeEventTopics, getAddress, zeroAddress } from 'viem';
import { agentNftAbi } from '../../abi/agent-nft.ts';
import { settlementAbi } from '../../abi/settlement.ts';
import { spendPolicyAbi } from '../../abi/spend-policy.ts';
import type { Deployment } from '../deployment.ts';
import { headTime, type Node, time } from './node.ts';
import { pastLogs } from './past-logs.ts';

/** The policies and settlements that the admin has named; nothing takes such a name back. */
export type Admissions = readonly { readonly kind: 'policy' | 'settlement'; readonly address: Address }[];

/**
 * Whether another vault waits for the fees. What was proposed once lapses by nothing, also not with the role of the admin
 * who proposed it, and anybody may take it into use when its time has come.
 */
export async function inspectNextVault(
  node: Node,
  deployment: Deployment,
): Promise<{ readonly says: string; readonly ok: boolean }> {
  const { settlement } = deployment;
  const [[vault, from], now] = await Promise.all([
    node.read(settlement, settlementAbi, 'nextVault'),
    headTime(node),
  ]);
  if (vault === zeroAddress) return { says: 'none', ok: true };
  const sender = await proposer(node, deployment);
  const by = sender === null ? '' : `, proposed by ${sender}`;
  const since = from <= now ? `since ${time(from)}` : `from ${time(from)} on`;
  const says = `${vault}${by}: anyone may send the fees there ${since}, unless the admin sends Settlement.proposeVault(${zeroAddress})`;
  return { says, ok: false };
}

/** Who sent the newest proposal; null when the node does not tell. */
async function proposer(
  node: Node,
  { settlement: address, deployedAtBlock: fromBlock }: Deployment,
): Promise<Address | null> {
  const topics = [encodeEventTopics({ abi: settlementAbi, eventName: 'VaultProposed' })[0]!];
  const newest = (await pastLogs(node, { address, topics, fromBlock }))?.at(-1);
  if (newest === undefined) return null;
  const sent = await node.ask<{ from: Address } | null>('eth_getTransactionByHash', [newest.transactionHash]);
  return sent === null ? null : getAddress(sent.from);
}

/** Reads what the admin has named for owners to bind their agents to; null when the node does not search its logs. */
export async function admissionsOf(node: Node, deployment: Deployment): Promise<Admissions | null> {
  const { agentNft, policy, deployedAtBlock: fromBlock } = deployment;
  const [policies, settlements] = await Promise.all([
    pastLogs(node, {
      address: agentNft,
      topics: [encodeEventTopics({ abi: agentNftAbi, eventName: 'PolicyAdmitted' })[0]!],
      fromBlock,
    }),
    pastLogs(node, {
      address: policy,
      topics: [encodeEventTopics({ abi: spendPolicyAbi, eventName: 'SettlementAdmitted' })[0]!],
      fromBlock,
    }),
  ]);
  if (policies === null || settlements === null) return null;
  const unique = new Map<string, Admissions[number]>();
  for (const log of policies) {
    const { args } = decodeEventLog({ abi: agentNftAbi, eventName: 'PolicyAdmitted', ...log });
    unique.set(`policy ${args.policy}`, { kind: 'policy', address: args.policy });
  }
  for (const log of settlements) {
    const { args } = decodeEventLog({ abi: spendPolicyAbi, eventName: 'SettlementAdmitted', ...log });
    unique.set(`settlement ${args.settlement}`, { kind: 'settlement', address: args.settlement });
  }
  return [...unique.values()];
}
