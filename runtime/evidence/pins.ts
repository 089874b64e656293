import type { PinnedBlocks } from '../../agents/determinations/types.ts';
import type { ChainReader } from '../../chain/readers/reader.ts';
import { type ChainReaders, caip2, type EvidenceDeps, SEAT_TIMEOUT_MS, within } from './deps.ts';

/**
 * One block a chain for every seat: the lower of the two clients' heads, so that both have it. A chain whose head
 * neither client tells is left out, and everything read from it is INCONCLUSIVE.
 */
export async function pinBlocks(deps: EvidenceDeps, chainIds: readonly number[]): Promise<PinnedBlocks> {
  const pinned = await Promise.all(
    chainIds.map(async (id) => {
      const readers = deps.readers.get(id);
      const head =
        readers === undefined ? null : await lowerHead(readers, deps.seatTimeoutMs ?? SEAT_TIMEOUT_MS);
      return head === null ? null : ([caip2(id), head] as const);
    }),
  );
  return Object.fromEntries(pinned.filter((p) => p !== null));
}

async function lowerHead({ viem, ethers }: ChainReaders, ms: number): Promise<PinnedBlocks[string] | null> {
  const read = async (reader: ChainReader) => within(reader.head(), ms, `the head over ${reader.client}`);
  const heads = (await Promise.allSettled([read(viem), read(ethers)])).flatMap((r) =>
    r.status === 'fulfilled' ? [r.value] : [],
  );
  const [first, second] = heads;
  if (first === undefined) return null;
  const lower = second !== undefined && second.number < first.number ? second : first;
  return {
    number: lower.number.toString(),
    hash: lower.hash,
    at: new Date(Number(lower.timestamp) * 1000).toISOString(),
  };
}

/** @throws when no block of this chain could be read */
export function pinnedNumber(blocks: PinnedBlocks, chainId: number): bigint {
  const pin = blocks[caip2(chainId)];
  if (pin === undefined) throw new Error(`no block of ${caip2(chainId)} could be read`);
  return BigInt(pin.number);
}

/** @throws when this reader knows the pinned block by another hash: what it read belongs to another history */
export async function requirePinned(reader: ChainReader, blocks: PinnedBlocks): Promise<void> {
  const pin = blocks[caip2(reader.chainId)];
  if (pin === undefined) throw new Error(`no block of ${caip2(reader.chainId)} could be read`);
  const hash = await reader.blockHash(BigInt(pin.number));
  if (hash.toLowerCase() !== pin.hash.toLowerCase()) {
    throw new Error(`block ${pin.number} is ${hash} here, and ${pin.hash} to the other client`);
  }
}
