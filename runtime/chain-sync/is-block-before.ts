import type { ChainReader } from '../../chain/rpc/reader.ts';

/**
 * Whether a block was mined before something was written down here. One of several nodes behind a URL may be some blocks
 * behind: what its newest block does not show yet has not been undone.
 * @throws ReaderError
 */
export async function isBlockBefore(reader: ChainReader, block: bigint, written: Date): Promise<boolean> {
  // A block tells whole seconds: it was mined within the one that it tells.
  return (Number(await reader.timestamp(block)) + 1) * 1_000 <= written.getTime();
}
