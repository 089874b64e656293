import { type Address, encodeEventTopics, getAbiItem, type Hex, parseEventLogs, toEventSelector } from 'viem';
import { agentNftAbi } from '../abi/agent-nft.ts';
import { settlementAbi } from '../abi/settlement.ts';
import { spendPolicyAbi } from '../abi/spend-policy.ts';
import type { Deployment } from '../deploy/deployment.ts';
import { type ChainReader, viemLog } from '../rpc/reader.ts';
import { readSettled, type SettlementTerms } from './find-settlement.ts';
import { logsBySpans } from './logs-by-spans.ts';

/** All that the contracts told of from one block to another, for whoever has lost what the database said of it. */

export interface Blocks {
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
}

/** The mint of an agent. `paymentRef` is the hash of the checkout's id. */
export interface MintEvent {
  readonly tokenId: bigint;
  readonly account: Address;
  readonly owner: Address;
  readonly paymentRef: Hex;
  readonly tx: Hex;
}

/** Every mint, the oldest first. @throws ReaderError */
export async function mintsIn(
  reader: ChainReader,
  { agentNft: address }: Deployment,
  blocks: Blocks,
): Promise<MintEvent[]> {
  const topics = encodeEventTopics({ abi: agentNftAbi, eventName: 'AgentMinted' }) as Hex[];
  const logs = await logsBySpans(reader, { address, topics, ...blocks });
  return parseEventLogs({ abi: agentNftAbi, eventName: 'AgentMinted', logs: logs.map(viemLog) }).map(
    ({ args: { agentId: tokenId, account, owner, paymentRef }, transactionHash: tx }) => ({
      ...{ tokenId, account, owner, paymentRef, tx },
    }),
  );
}

export interface SettlementEvent extends SettlementTerms {
  readonly tx: Hex;
  readonly block: bigint;
}

/** Every settlement, the oldest first. `dealId` is the hash of the deal's. @throws ReaderError */
export async function settlementsIn(
  reader: ChainReader,
  { settlement: address }: Deployment,
  blocks: Blocks,
): Promise<SettlementEvent[]> {
  const topics = encodeEventTopics({ abi: settlementAbi, eventName: 'DealSettled' }) as Hex[];
  return (await logsBySpans(reader, { address, topics, ...blocks })).flatMap((log) => {
    const terms = readSettled(log);
    return terms === null ? [] : [{ ...terms, tx: log.transactionHash, block: log.blockNumber }];
  });
}

/** What an agent was last given on chain; null where nothing was in these blocks. */
export interface LastGiven {
  readonly mandateHash: Hex | null;
  readonly key: Address | null;
}

const MANDATE = toEventSelector(getAbiItem({ abi: spendPolicyAbi, name: 'MandateSet' }));
const KEY = toEventSelector(getAbiItem({ abi: spendPolicyAbi, name: 'KeyGranted' }));

/** The last mandate and the last session key of each agent that was given one. @throws ReaderError */
export async function lastGivenIn(
  reader: ChainReader,
  { policy: address }: Deployment,
  blocks: Blocks,
): Promise<ReadonlyMap<bigint, LastGiven>> {
  const given = new Map<bigint, LastGiven>();
  const logs = await logsBySpans(reader, { address, topics: [[MANDATE, KEY]], ...blocks });
  for (const { args, eventName } of parseEventLogs({ abi: spendPolicyAbi, logs: logs.map(viemLog) })) {
    if (eventName !== 'MandateSet' && eventName !== 'KeyGranted') continue;
    const before = given.get(args.agentId) ?? { mandateHash: null, key: null };
    const next = eventName === 'MandateSet' ? { mandateHash: args.mandateHash } : { key: args.key };
    given.set(args.agentId, { ...before, ...next });
  }
  return given;
}
