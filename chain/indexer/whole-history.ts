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

/** What an agent was given on chain in these blocks: its last mandate, if any, and every session key, the oldest first. */
export interface Given {
  readonly mandateHash: Hex | null;
  readonly keys: readonly Address[];
}

const MANDATE = toEventSelector(getAbiItem({ abi: spendPolicyAbi, name: 'MandateSet' }));
const KEY = toEventSelector(getAbiItem({ abi: spendPolicyAbi, name: 'KeyGranted' }));

/** The last mandate and the session keys of each agent that was given any. @throws ReaderError */
export async function givenIn(
  reader: ChainReader,
  { policy: address }: Deployment,
  blocks: Blocks,
): Promise<ReadonlyMap<bigint, Given>> {
  const given = new Map<bigint, Given>();
  const logs = await logsBySpans(reader, { address, topics: [[MANDATE, KEY]], ...blocks });
  for (const { args, eventName } of parseEventLogs({ abi: spendPolicyAbi, logs: logs.map(viemLog) })) {
    if (eventName !== 'MandateSet' && eventName !== 'KeyGranted') continue;
    const { mandateHash, keys } = given.get(args.agentId) ?? { mandateHash: null, keys: [] };
    given.set(
      args.agentId,
      eventName === 'MandateSet'
        ? { mandateHash: args.mandateHash, keys }
        : { mandateHash, keys: [...keys, args.key] },
    );
  }
  return given;
}
