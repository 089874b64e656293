import type { Address, Hex } from 'viem';
import type { ChainLog, ChainReader } from '../rpc/reader.ts';

/** Public nodes refuse wider ranges. */
const SPAN = 5_000n;

/**
 * Finds the newest matching log with these topics from `fromBlock` to `toBlock`. It searches from the newest block
 * back, because the log is usually recent.
 * @throws ReaderError
 */
export async function findLog(
  reader: ChainReader,
  query: { address: Address; topics: readonly (Hex | null)[]; fromBlock: bigint; toBlock: bigint },
  matches: (log: ChainLog) => boolean = () => true,
): Promise<ChainLog | null> {
  const { fromBlock } = query;
  for (let toBlock = query.toBlock; toBlock >= fromBlock; toBlock -= SPAN) {
    const from = toBlock - SPAN + 1n > fromBlock ? toBlock - SPAN + 1n : fromBlock;
    const found = await reader.logs({ ...query, fromBlock: from, toBlock });
    const newest = found.findLast(matches);
    if (newest) return newest;
  }
  return null;
}
