import type { SettledSale } from '../../../../store/market/comparables.ts';

/** The newest settled sales of a category, or of one kind of its goods. */
export interface NewestSales {
  /** The newest first. */
  readonly sales: readonly SettledSale[];
  /** Whether there may be older ones that were not read. */
  readonly cut: boolean;
}

/** @param limit how many were asked for */
export function newestSales(read: readonly SettledSale[], limit: number): NewestSales {
  return { sales: [...read].sort(inOrder), cut: read.length >= limit };
}

/**
 * The same after some sales have changed.
 * @param changed what became of them; null for one that is a sale no more
 * @param held how many are kept at most, and since when: what is older is of no use any more
 * @returns null where the change leaves room for an older sale that was not read: then they must be read again
 */
export function withChanges(
  { sales, cut }: NewestSales,
  changed: ReadonlyMap<string, SettledSale | null>,
  { limit, since }: { readonly limit: number; readonly since: Date },
): NewestSales | null {
  const oldest = sales.at(-1);
  // Where older ones were not read, nobody knows which of them a change would stand among.
  const isKnown = (sale: SettledSale): boolean =>
    !cut || (oldest !== undefined && inOrder(sale, oldest) <= 0);
  const fresh = [...changed.values()].filter((sale): sale is SettledSale => sale !== null && isKnown(sale));
  const all = [...sales.filter((sale) => !changed.has(sale.matchId)), ...fresh].sort(inOrder);
  if (cut && all.length < limit) return null;
  const newest = all.slice(0, limit);
  const young = newest.slice(0, countSince(newest, since));
  // What comes after one that is too old is too old as well.
  const isCut = (cut || all.length > limit) && young.length === newest.length;
  return { sales: young, cut: isCut };
}

/** How many of these, newest first, are newer than a time. */
export function countSince(sales: readonly Pick<SettledSale, 'soldAt'>[], since: Date): number {
  let count = sales.length;
  while (count > 0 && sales[count - 1]!.soldAt.getTime() <= since.getTime()) count -= 1;
  return count;
}

function inOrder(a: SettledSale, b: SettledSale): number {
  const later = b.soldAt.getTime() - a.soldAt.getTime();
  return later !== 0 ? later : a.matchId < b.matchId ? -1 : a.matchId > b.matchId ? 1 : 0;
}
