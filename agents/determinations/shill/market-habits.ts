import { type BidHistory, type BidLot, lotsByBidder, type MarketHabits } from './bid-history.ts';
import { LOSING } from './bid-likelihood.ts';
import { LEAST_LOTS, weighBidders } from './bidder-weights.ts';

/** One lot of a category that was bid on. */
export interface MarketLot {
  readonly lot: string;
  readonly seller: string;
  readonly bidders: readonly string[];
  readonly winner: string | null;
}

/** The lots of one other seller, and how many lots of the market each of their bidders bid on. */
type OtherSeller = Pick<BidHistory, 'lots' | 'lotsOf'>;

interface Population {
  /** All other sellers of the category, with the same names for the same bidders, without the seller in question. */
  readonly sellers: readonly OtherSeller[];
  /** How many lots of the category were bid on. */
  readonly market: number;
  /** The seller's own lots: whoever comes back to them is in question, and is no measure of what is common. */
  readonly own: BidHistory['lots'];
}

/** What a seller's bids are reckoned against: all lots of its category, its own among them. */
export function populationOf(
  lots: readonly MarketLot[],
  seller: string,
): { lotsOf: Record<string, number>; market: number; habits: Required<MarketHabits> } {
  const live = lots.filter(({ bidders }) => bidders.length > 0);
  const lotsOf: Record<string, number> = {};
  const sellers = new Map<string, BidLot[]>();
  for (const lot of live) {
    const bidders = [...new Set(lot.bidders)];
    for (const bidder of bidders) lotsOf[bidder] = (lotsOf[bidder] ?? 0) + 1;
    // What the seller bids at others is no measure for those who bid at the seller.
    const counted = lot.seller === seller ? bidders : bidders.filter((bidder) => bidder !== seller);
    sellers.set(lot.seller, [...(sellers.get(lot.seller) ?? []), bidLot(lot, counted)]);
  }
  const own = sellers.get(seller) ?? [];
  sellers.delete(seller);
  const others = [...sellers.values()].map((sold) => ({ lots: sold, lotsOf }));
  return { lotsOf, market: live.length, habits: habitsOf({ sellers: others, market: live.length, own }) };
}

function bidLot({ lot, winner }: MarketLot, bidders: readonly string[]): BidLot {
  const bids = bidders.map((bidder) => ({ bidder, minute: 0, amount: null }));
  return { lot, minutes: 0, bids, winner, priceToAsk: null };
}

/**
 * How common it is in a market to come back to one seller and to bid on little else, to win next to nothing there, and to
 * bid just once; and how far others stand out at other sellers.
 */
export function habitsOf({ sellers, market, own }: Population): Required<MarketHabits> {
  const all = new Set<string>();
  const once = new Set<string>();
  const returning = new Set<string>();
  const attached = new Set<string>();
  const losing = new Set<string>();
  for (const { lots, lotsOf } of sellers) {
    for (const [bidder, at] of lotsByBidder(lots)) {
      all.add(bidder);
      if ((lotsOf[bidder] ?? at.size) === 1) once.add(bidder);
      if (at.size < LEAST_LOTS) continue;
      returning.add(bidder);
      if (at.size < LOSING.attached * (lotsOf[bidder] ?? at.size)) continue;
      attached.add(bidder);
      const won = [...at].filter((i) => lots[i]!.winner === bidder).length;
      if (won <= LOSING.wins * at.size) losing.add(bidder);
    }
  }
  const weighed = weighedElsewhere({ sellers, market, own });
  return {
    bidders: all.size,
    once: once.size,
    returning: returning.size,
    attached: attached.size,
    losing: losing.size,
    weights: weighed.filter((weight) => weight > 0),
    pairs: weighed.length,
  };
}

/** The likelihood ratios of bidders at other sellers, as logarithms in tenths, largest first. */
function weighedElsewhere({ sellers, market, own }: Population): number[] {
  const asked = new Set(
    [...lotsByBidder(own)].filter(([, at]) => at.size >= LEAST_LOTS).map(([bidder]) => bidder),
  );
  return sellers
    .flatMap(({ lots, lotsOf }) => weighBidders({ lots, lotsOf, market }, 'by-taste'))
    .filter(({ bidder }) => !asked.has(bidder))
    .map(({ planted, ordinary }) => Math.round(10 * (planted - ordinary)) / 10)
    .sort((one, other) => other - one);
}
