import type { PriceCommon } from '../../../../agents/determinations/price/price-evidence.ts';
import { OWN_SALES } from '../../../../agents/determinations/price/price-sources.ts';
import {
  type SaleSides,
  sidesOfSales,
  tiesOfSales,
} from '../../../../agents/determinations/price/sale-ties.ts';
import { TRAIL_HOPS } from '../../../../agents/determinations/shill/payers.ts';
import type { Comparable } from '../../../../agents/market/pricing/comparables.ts';
import { type SaleTie, weighedByTies } from '../../../../agents/market/pricing/sale-weight.ts';
import { parseUsd } from '../../../../agents/money.ts';
import { caip2, type EvidenceDeps } from '../../deps.ts';
import { followMoney } from '../shill/bidder-money.ts';
import { sidesOfMatches } from './sides-of-sales.ts';

/** The money of so many owners is followed: those of the sales nearest to the lot, and of the newest of these. */
export const MOST_OWNERS = 200;

type Chained = SaleSides & { readonly chainId: number };

/** What the money behind some sales tells of them. */
export interface FollowedSales {
  readonly ties: readonly SaleTie[];
  /** Why some of that money could not be followed; null where all could. */
  readonly fault: string | null;
  /** From which blocks on transfers are kept, where there are older ones. */
  readonly late: readonly string[];
}

/**
 * Weighs the platform's own sales in a price's evidence by how close their two sides are in the money outside of deals.
 * Evidence stays as it is where no transfers are followed.
 */
export async function withTies(deps: EvidenceDeps, evidence: PriceCommon): Promise<PriceCommon> {
  const { comparables = [], leftOut = 0 } = evidence;
  const followed = await followSales(deps, comparables);
  if (followed === null) return evidence;
  const { ties, fault, late } = followed;
  const weighed = weighedBy(comparables, followed);
  return {
    ...evidence,
    comparables: weighed,
    leftOut: leftOut + comparables.length - weighed.length,
    ties: {
      ...{ hops: TRAIL_HOPS, sales: ties.length, fault },
      ...(late.length === 0 ? {} : { from: late.join(' and ') }),
    },
  };
}

/** Follows the money of both sides of the platform's own sales. @returns null where none of it is followed */
export async function followSales(
  deps: EvidenceDeps,
  comparables: readonly Comparable[],
): Promise<FollowedSales | null> {
  const own = comparables.filter(isWeighed).map((c) => c.id);
  const prices = new Map(comparables.map(({ id, priceUsd }) => [id, parseUsd(priceUsd, 'priceUsd')]));
  const sides = (await sidesOfMatches(deps.db, own)).map((sale) => ({
    ...sale,
    price: prices.get(sale.id)!,
  }));
  const sales = nearest(own, sides);
  const ties: SaleTie[] = [];
  const faults = new Set<string>();
  const late: string[] = [];
  for (const chainId of [...new Set(sales.map((s) => s.chainId))].sort((a, b) => a - b)) {
    const there = sales.filter((s) => s.chainId === chainId);
    const money = await followMoney(deps, { chainId, sides: sidesOfSales(there) });
    if (money == null) return null;
    if ('fault' in money) faults.add(money.fault);
    else {
      ties.push(...tiesOfSales(there, money));
      if (money.from !== null) late.push(`block ${money.from} of ${caip2(chainId)}`);
    }
  }
  if (sales.length === 0) return null;
  return { ties, fault: faults.size === 0 ? null : [...faults].sort().join('; '), late };
}

/**
 * The sales by what their money tells. Where it is followed, sales whose sides' money is not are left out: otherwise enough
 * of them would hide the rest.
 */
export function weighedBy(
  comparables: readonly Comparable[],
  { ties, fault }: FollowedSales,
): readonly Comparable[] {
  const followed = new Set(ties.map((tie) => tie.id));
  const kept = fault === null ? comparables.filter((c) => !isWeighed(c) || followed.has(c.id)) : comparables;
  return weighedByTies(kept, ties);
}

/** Whether it is a sale of the platform's own that counts. */
export function isWeighed({ source, dropped }: Comparable): boolean {
  return source === OWN_SALES && dropped === null;
}

/** The first sales by their order among comparables, until they have as many owners as are followed. */
function nearest(ids: readonly string[], sales: readonly Chained[]): Chained[] {
  const byId = new Map(sales.map((sale) => [sale.id, sale]));
  const owners = new Set<string>();
  return ids.flatMap((id) => {
    const sale = byId.get(id);
    if (sale === undefined) return [];
    const both = new Set([...owners, sale.seller, sale.buyer]);
    if (both.size > MOST_OWNERS) return [];
    owners.add(sale.seller).add(sale.buyer);
    return [sale];
  });
}
