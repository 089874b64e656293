import type { Comparable } from './comparables.ts';

/** What the money outside of deals tells of the two sides of a sale. */
export interface SaleTie {
  /** The comparable's id. */
  readonly id: string;
  /** The beneficial owner behind each side: an owner, or the purse from which several have most of their money. */
  readonly seller: string;
  readonly buyer: string;
  /** The larger share of one side's money that came from the other or from where the other's is from, 0 to 1. */
  readonly share: number;
}

/** From this share on the two are one, and their sale tells no price. */
const ONE = 0.5;

/** How much a sale counts beside its age: 1 unless its sides are close. */
export function shareOf({ weight }: Pick<Comparable, 'weight'>): number {
  return weight ?? 1;
}

/**
 * Weighs sales down by how close their sides are in the money trail, from 1 where no money joins them to nothing where half
 * of it does, and counts only the newest of each pair of beneficial owners. Sales of which nothing is told stay as they are.
 */
export function weighedByTies(comparables: readonly Comparable[], ties: readonly SaleTie[]): Comparable[] {
  const tieOf = new Map(ties.map((tie) => [tie.id, tie]));
  const repeats = new Set<string>();
  const pairs = new Set<string>();
  const newest = [...comparables].sort((a, b) =>
    a.soldAt === b.soldAt ? (a.id < b.id ? -1 : 1) : a.soldAt > b.soldAt ? -1 : 1,
  );
  for (const { id, dropped } of newest) {
    const tie = tieOf.get(id);
    if (tie === undefined || dropped !== null) continue;
    const pair = [tie.seller, tie.buyer].sort().join(' ');
    if (pairs.has(pair)) repeats.add(id);
    pairs.add(pair);
  }
  return comparables.map((sale) => {
    const tie = tieOf.get(sale.id);
    if (tie === undefined || sale.dropped !== null) return sale;
    if (tie.share >= ONE || tie.seller === tie.buyer) return { ...sale, dropped: 'related' };
    if (repeats.has(sale.id)) return { ...sale, dropped: 'repeat' };
    return tie.share === 0 ? sale : { ...sale, weight: Math.round(20 * (1 - tie.share / ONE)) / 20 };
  });
}
