import { type Address, type Hex, type Log, numberToHex } from 'viem';
import { RpcRefusal } from '../../rpc/json-rpc.ts';
import type { Node } from './node.ts';

/** A log as a node tells it, of which its place is known. */
export type PastLog = Pick<Log, 'data' | 'topics' | 'transactionHash'>;

/**
 * Every matching log up to the head, the oldest first.
 * @returns null when the node refuses to search its logs
 */
export async function pastLogs(
  node: Node,
  query: { address: Address; topics: readonly (Hex | readonly Hex[])[]; fromBlock: number },
): Promise<PastLog[] | null> {
  const { address, topics, fromBlock } = query;
  const found: PastLog[] = [];
  const head = Number(await node.ask<Hex>('eth_blockNumber'));
  let span = head - fromBlock + 1;
  for (let from = fromBlock; from <= head; ) {
    const to = Math.min(from + span - 1, head);
    const filter = { address, topics, fromBlock: numberToHex(from), toBlock: numberToHex(to) };
    try {
      found.push(...(await node.ask<PastLog[]>('eth_getLogs', [filter])));
      from = to + 1;
    } catch (error) {
      if (!(error instanceof RpcRefusal)) throw error;
      // Nodes limit how many blocks one search may cover.
      if (span <= 500) return null;
      span = Math.ceil(span / 4);
    }
  }
  return found;
}
