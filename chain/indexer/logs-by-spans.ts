import type { Address, Hex } from 'viem';
import type { ChainLog, ChainReader } from '../rpc/reader.ts';

/** Public nodes refuse wider ranges. */
const SPAN = 5_000n;

interface LogsQuery {
  readonly address: Address;
  readonly topics: readonly (Hex | readonly Hex[] | null)[];
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
}

/** Every matching log of these blocks, the oldest first, both ends included, however many blocks these are. @throws ReaderError */
export async function logsBySpans(reader: ChainReader, query: LogsQuery): Promise<ChainLog[]> {
  const all: ChainLog[] = [];
  for (let fromBlock = query.fromBlock; fromBlock <= query.toBlock; fromBlock += SPAN) {
    const end = fromBlock + SPAN - 1n;
    const toBlock = end < query.toBlock ? end : query.toBlock;
    all.push(...(await reader.logs({ ...query, fromBlock, toBlock })));
  }
  return all;
}
