import type { PinnedBlocks } from '../../agents/determinations/panel/types.ts';
import { StaleHead } from '../../chain/rpc/fresh-head.ts';
import { type ChainReader, type Head, type Place, ReaderError } from '../../chain/rpc/reader.ts';
import { type ChainReaders, caip2, chainTimeoutMs, type EvidenceDeps, faultOf, within } from './deps.ts';

export interface Pinning {
  readonly blocks: PinnedBlocks;
  /** For each CAIP-2 chain without a pinned block, the reason. */
  readonly faults: Readonly<Record<string, string>>;
}

/**
 * Pins one block of each chain for all seats: the lower of the two clients' heads, so that both have it, and only if
 * both report the same hash for it. A chain is left out if neither client reports its head, the clients disagree, or
 * one of them is stuck. Everything read from it is then INCONCLUSIVE. A lower head is pinned only if it lags a little.
 */
export async function pinBlocks(deps: EvidenceDeps, chainIds: readonly number[]): Promise<PinnedBlocks> {
  return (await pinChains(deps, chainIds)).blocks;
}

/**
 * As `pinBlocks`, with the reason for each chain that was left out. Determinations of one moment share their blocks.
 * @param anew the blocks that were pinned before are gone
 */
export async function pinChains(
  deps: EvidenceDeps,
  chainIds: readonly number[],
  { anew = false } = {},
): Promise<Pinning> {
  const ms = chainTimeoutMs(deps);
  if (anew) deps.pins?.forget();
  const headOf = (id: number, readers: ChainReaders): Promise<Head> => {
    const head = deps.pins?.heads.get(id) ?? commonHead(readers, ms);
    deps.pins?.heads.set(id, head);
    return head;
  };
  const blocks: Record<string, PinnedBlocks[string]> = {};
  const faults: Record<string, string> = {};
  await Promise.all(
    chainIds.map(async (id) => {
      const readers = deps.readers.get(id);
      if (readers === undefined) return;
      try {
        const { number, hash, timestamp } = await headOf(id, readers);
        const at = new Date(Number(timestamp) * 1000).toISOString();
        blocks[caip2(id)] = { number: number.toString(), hash, at };
      } catch (error) {
        faults[caip2(id)] = faultOf(error);
      }
    }),
  );
  return { blocks, faults };
}

/** Heads that disagree may be caused by a reorganisation in progress, so they are read once more. */
async function commonHead(readers: ChainReaders, ms: number): Promise<Head> {
  try {
    return await lowerHead(readers, ms);
  } catch (error) {
    if (!disagrees(error)) throw error;
    return await lowerHead(readers, ms);
  }
}

/** @throws ReaderError disagreeing, or the error with which both clients failed */
async function lowerHead({ viem, ethers }: ChainReaders, ms: number): Promise<Head> {
  const head = (reader: ChainReader) => within(reader.head(), ms, `the head over ${reader.client}`);
  const [one, two] = await Promise.allSettled([head(viem), head(ethers)]);
  for (const failed of [one, two]) {
    if (failed.status === 'rejected' && (disagrees(failed.reason) || failed.reason instanceof StaleHead))
      throw failed.reason;
  }
  if (one.status === 'rejected' && two.status === 'rejected') throw one.reason;
  // When one client is silent, the other's head is used; the seats of the silent client report that themselves.
  if (one.status === 'rejected') return (two as PromiseFulfilledResult<Head>).value;
  if (two.status === 'rejected') return one.value;
  const isBehind = two.value.number < one.value.number;
  const [lower, other] = isBehind ? [two.value, viem] : [one.value, ethers];
  const same = one.value.number === two.value.number;
  const hash = same ? two.value.hash : await hashOver(other, lower.number, ms);
  if (hash !== null && hash.toLowerCase() !== lower.hash.toLowerCase()) {
    const told = isBehind ? [hash, lower.hash] : [lower.hash, hash];
    throw new ReaderError(
      'disagreeing',
      `block ${lower.number} is ${told[0]} over viem, and ${told[1]} over ethers`,
    );
  }
  return lower;
}

async function hashOver(reader: ChainReader, block: bigint, ms: number): Promise<string | null> {
  try {
    return await within(reader.blockHash(block), ms, `block ${block} over ${reader.client}`);
  } catch (error) {
    if (disagrees(error)) throw error;
    return null;
  }
}

function disagrees(error: unknown): boolean {
  return error instanceof ReaderError && error.kind === 'disagreeing';
}

/** The pinned block by its number and hash. @throws when no block of this chain could be read */
export function pinnedPlace(blocks: PinnedBlocks, chainId: number): Exclude<Place, bigint> {
  const { number, hash } = pinOf(blocks, chainId);
  return { number: BigInt(number), hash };
}

/**
 * @throws ReaderError reorganised, when the pinned block now has another hash: what was read belongs to another history
 */
export async function requirePinned(reader: ChainReader, blocks: PinnedBlocks): Promise<void> {
  const { number, hash } = pinOf(blocks, reader.chainId);
  await reader.confirm({ number: BigInt(number), hash });
}

function pinOf(blocks: PinnedBlocks, chainId: number): PinnedBlocks[string] {
  const pin = blocks[caip2(chainId)];
  if (pin === undefined)
    throw new Error(`no block of now of ${caip2(chainId)} could be read by both clients alike`);
  return pin;
}
