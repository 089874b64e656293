import { type Address, type Hex, parseEventLogs, toEventSelector, zeroAddress } from 'viem';
import { agentNftAbi } from './abi/agent-nft.ts';
import { spendPolicyAbi } from './abi/spend-policy.ts';
import type { Deployment } from './deployment.ts';
import type { ChainReader } from './readers/reader.ts';

/** An agent went from one owner to another; its mint is none. */
export interface AgentTransfer {
  readonly tokenId: bigint;
  readonly from: Address;
  readonly to: Address;
  readonly block: bigint;
  readonly tx: Hex;
}

/** Public nodes refuse wider ranges. */
const SPAN = 5_000n;

const TRANSFER = toEventSelector(
  agentNftAbi.find((item) => item.type === 'event' && item.name === 'Transfer') as never,
);

const PAUSED = toEventSelector(
  spendPolicyAbi.find((item) => item.type === 'event' && item.name === 'PausedSet') as never,
);

/** The agents whose pause was set or lifted between two blocks, at most as many as one request may look at. @throws ReaderError */
export async function pausesChanged(
  reader: ChainReader,
  { policy: address }: Pick<Deployment, 'policy'>,
  fromBlock: bigint,
  toBlock: bigint,
): Promise<readonly bigint[]> {
  if (toBlock < fromBlock) return [];
  const logs = await reader.logs({ address, fromBlock, toBlock, topics: [PAUSED] });
  return [...new Set(logs.map((log) => BigInt(log.topics[1] ?? 0)))];
}

/**
 * The transfers of agents from one block to another, oldest first, or to as far as one request may look.
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
    const [event] = parseEventLogs({ abi: agentNftAbi, eventName: 'Transfer', logs: [log as never] });
    if (event === undefined || event.args.from === zeroAddress) return [];
    const { from, to, tokenId } = event.args;
    return [{ tokenId, from, to, block: log.blockNumber, tx: log.transactionHash }];
  });
  return { transfers, upTo };
}
