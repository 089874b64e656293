import { type Address, getAbiItem, type Hex, parseEventLogs, toEventSelector, zeroAddress } from 'viem';
import { agentNftAbi } from '../abi/agent-nft.ts';
import { spendPolicyAbi } from '../abi/spend-policy.ts';
import type { Deployment } from '../deploy/deployment.ts';
import { type ChainReader, viemLog } from '../rpc/reader.ts';

/** The transfer of an agent between two owners; its mint does not count. */
export interface AgentTransfer {
  readonly tokenId: bigint;
  readonly from: Address;
  readonly to: Address;
  readonly block: bigint;
  readonly tx: Hex;
}

/** Public nodes refuse wider ranges. */
const SPAN = 5_000n;

const TRANSFER = toEventSelector(getAbiItem({ abi: agentNftAbi, name: 'Transfer' }));

const PAUSED = toEventSelector(getAbiItem({ abi: spendPolicyAbi, name: 'PausedSet' }));
const ALL_PAUSED = toEventSelector(getAbiItem({ abi: spendPolicyAbi, name: 'AllPaused' }));

/**
 * Finds the agents that were paused or resumed from one block to another, or as far as one request may look.
 * @returns 'all' when the guardian stopped or resumed all agents
 * @throws ReaderError
 */
export async function pausesChanged(
  reader: ChainReader,
  { policy: address }: Pick<Deployment, 'policy'>,
  fromBlock: bigint,
  toBlock: bigint,
): Promise<readonly bigint[] | 'all'> {
  if (toBlock < fromBlock) return [];
  const logs = await reader.logs({ address, fromBlock, toBlock, topics: [[PAUSED, ALL_PAUSED]] });
  if (logs.some((log) => log.topics[0] === ALL_PAUSED)) return 'all';
  return [...new Set(logs.map((log) => BigInt(log.topics[1] ?? 0)))];
}

/**
 * Finds the transfers of agents from one block to another, or as far as one request may look, the oldest first.
 * @throws ReaderError
 */
export async function agentTransfers(
  reader: ChainReader,
  { agentNft: address }: Pick<Deployment, 'agentNft'>,
  fromBlock: bigint,
  head: bigint,
): Promise<{ readonly transfers: readonly AgentTransfer[]; readonly upTo: bigint }> {
  const upTo = fromBlock + SPAN - 1n < head ? fromBlock + SPAN - 1n : head;
  if (upTo < fromBlock) return { transfers: [], upTo: head };
  const logs = await reader.logs({ address, fromBlock, toBlock: upTo, topics: [TRANSFER] });
  const transfers = logs.flatMap((log) => {
    const [event] = parseEventLogs({ abi: agentNftAbi, eventName: 'Transfer', logs: [viemLog(log)] });
    if (event === undefined || event.args.from === zeroAddress) return [];
    const { from, to, tokenId } = event.args;
    return [{ tokenId, from, to, block: log.blockNumber, tx: log.transactionHash }];
  });
  return { transfers, upTo };
}
