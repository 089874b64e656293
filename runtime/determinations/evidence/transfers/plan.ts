import type { PinnedBlocks } from '../../../../agents/determinations/panel/types.ts';
import type { DollarToken } from '../../../../chain/known-chains.ts';
import { type HeldRange, transferRanges } from '../../../../store/chain-sync/transfers.ts';
import type { Database } from '../../../../store/database.ts';
import { caip2, dollarTokens, type EvidenceDeps } from '../../deps.ts';
import { endOf, type Indexed } from './indexed.ts';

/** How the transfers of an address are read on one chain. */
export interface TransferPlan {
  readonly chainId: number;
  /** The pinned block, up to which everything is read. */
  readonly block: bigint;
  readonly tokens: readonly DollarToken[];
  /** Less than this of the native currency is dust, about a dollar. */
  readonly nativeDust: bigint;
  readonly source: 'index' | 'explorer' | 'none';
  /** Of the index: its first block. */
  readonly indexFrom: bigint | null;
  readonly indexed: Indexed;
  /** The last block of the dollar tokens' history; the blocks after it are read by each seat. Null: none before them. */
  readonly historyTo: bigint | null;
  readonly tailFrom: bigint;
  /** From here on each seat reads the native currency itself, if there are few blocks; null: a source lists it all. */
  readonly nativeFrom: bigint | null;
  /** From here on nothing is missing, because the chain, or the token on it, is no older. */
  readonly origin: bigint;
  /** Why the source cannot be used; null when it can. */
  readonly fault: string | null;
}

/** Public nodes refuse wider ranges. */
const TAIL_BLOCKS = 5_000n;
/** An explorer has had so many blocks to take a transfer in. */
const EXPLORER_TAIL = 2_000n;

/** By chain id, what the index holds of it; null: nothing. */
export type HeldRanges = ReadonlyMap<number, HeldRange | null>;

/** What the index holds of these chains. It may be read before blocks are pinned: each seat reads what came after. */
export async function heldRanges(db: Database, chainIds: readonly number[]): Promise<HeldRanges> {
  const held = await transferRanges(db);
  return new Map(chainIds.map((id) => [id, held.get(id) ?? null]));
}

/** Plans what is read on each pinned chain: the index where there is one, else the explorer, else recent logs alone. */
export function planTransfers(
  deps: EvidenceDeps,
  held: HeldRanges,
  blocks: PinnedBlocks,
): ReadonlyMap<number, TransferPlan> {
  const pinned = [...held].filter(([id]) => blocks[caip2(id)] !== undefined);
  return new Map(
    pinned.map(([id, range]) => [id, planChain(deps, id, BigInt(blocks[caip2(id)]!.number), range)]),
  );
}

function planChain(
  deps: EvidenceDeps,
  chainId: number,
  block: bigint,
  range: HeldRange | null,
): TransferPlan {
  const tokens = dollarTokens(deps, chainId);
  const origin = BigInt(deps.deployments.get(chainId)?.deployedAtBlock ?? 0);
  const latest = (blocks: bigint): bigint => {
    const from = block - blocks + 1n;
    return from > origin ? from : origin;
  };
  const common = { chainId, block, tokens, nativeDust: nativeDust(deps, chainId), origin };
  if (range !== null && range.fromBlock <= block) {
    const historyTo = range.toBlock < block ? range.toBlock : block;
    const isBehind = block - historyTo > TAIL_BLOCKS;
    return {
      ...{ ...common, source: 'index', indexFrom: range.fromBlock, historyTo },
      indexed: endOf(range),
      tailFrom: isBehind ? latest(TAIL_BLOCKS) : historyTo + 1n,
      nativeFrom: historyTo + 1n,
      fault: isBehind ? `it is ${block - historyTo} blocks behind the chain` : null,
    };
  }
  const explorer = deps.explorers?.has(chainId) === true;
  const tailFrom = latest(explorer ? EXPLORER_TAIL : TAIL_BLOCKS);
  return {
    ...{ ...common, source: explorer ? 'explorer' : 'none', indexFrom: null, indexed: null },
    nativeFrom: explorer ? null : tailFrom,
    ...{ tailFrom, historyTo: explorer && tailFrom > origin ? tailFrom - 1n : null, fault: null },
  };
}

/** Micro-dollars of an amount in a token's smallest unit. */
export function microOf(amount: bigint, { decimals }: Pick<DollarToken, 'decimals'>): bigint {
  return (amount * 1_000_000n) / 10n ** BigInt(decimals);
}

/** About a dollar of the currencies that pay for gas, in wei; that of Ethereum where nothing else is known. */
const NATIVE_DUST: Readonly<Record<string, bigint>> = {
  ETH: 5n * 10n ** 14n,
  BNB: 2n * 10n ** 15n,
  AVAX: 5n * 10n ** 16n,
  XDAI: 10n ** 18n,
  POL: 4n * 10n ** 18n,
  CELO: 4n * 10n ** 18n,
};

function nativeDust(deps: EvidenceDeps, chainId: number): bigint {
  return NATIVE_DUST[deps.known?.get(chainId)?.native ?? 'ETH'] ?? NATIVE_DUST.ETH!;
}
