import { type ChainReader, type Hex, type Place, ReaderError } from '../../../../chain/rpc/reader.ts';
import type { HeldRange } from '../../../../store/chain-sync/transfers.ts';
import { type ChainReaders, within } from '../../deps.ts';

/**
 * Of the index: the block up to which the chain was read for it. What it holds is true only of a chain on which that block
 * stands. Null: it is not known.
 */
export type Indexed = Exclude<Place, bigint> | null;

export function endOf({ toBlock: number, hash }: HeldRange): Indexed {
  return hash === null ? null : { number, hash: hash as Hex };
}

const UNKNOWN = 'the block up to which the index of transfers was read is not known';

/**
 * Asked while or after the index is read: a chain that goes another way later has its new blocks in the index, which are
 * as true.
 * @throws ReaderError reorganised, when the reader sees another chain than the one that was indexed
 */
export async function requireIndexed(reader: ChainReader, indexed: Indexed): Promise<void> {
  if (indexed === null) throw new Error(UNKNOWN);
  await reader.confirm(indexed);
}

/** For what both seats get alike: one client must see the indexed chain, and neither another one. @throws ReaderError */
export async function requireIndexedByOne(
  { viem, ethers }: ChainReaders,
  indexed: Indexed,
  ms: number,
): Promise<void> {
  const asked = [viem, ethers].map((reader) =>
    within(requireIndexed(reader, indexed), ms, `the indexed block over ${reader.client}`),
  );
  const faults = (await Promise.allSettled(asked)).flatMap((told) =>
    told.status === 'rejected' ? [told.reason as unknown] : [],
  );
  const gone = faults.find((fault) => fault instanceof ReaderError && fault.kind === 'reorganised');
  if (gone !== undefined) throw gone;
  if (faults.length === asked.length) throw faults[0];
}
