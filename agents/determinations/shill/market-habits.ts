import { type BidHistory, type BidLot, lotsByBidder, type MarketHabits } from './bid-history.ts';
import { LOSING } from './bid-likelihood.ts';
import { type BidderWeight, LEAST_LOTS, weighBidders } from './bidder-weights.ts';
import { loyalShare } from './loyal-share.ts';

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
  /** The seller itself: whoever stands out there is in question, and is no measure of what is common. */
  readonly own: OtherSeller;
}

/** The lots of a market by their sellers, and on how many of them each bidder bid. */
interface Grouped {
  readonly lotsOf: Readonly<Record<string, number>>;
  readonly market: number;
  readonly sellers: ReadonlyMap<string, readonly MarketLot[]>;
  readonly asBid: ReadonlyMap<string, readonly BidLot[]>;
}

/** A market is grouped once, however many of its sellers are asked about. */
const GROUPED = new WeakMap<readonly MarketLot[], Grouped>();

function grouped(lots: readonly MarketLot[]): Grouped {
  const known = GROUPED.get(lots);
  if (known !== undefined) return known;
  const live = lots.filter(({ bidders }) => bidders.length > 0);
  const lotsOf: Record<string, number> = {};
  const sellers = new Map<string, MarketLot[]>();
  for (const lot of live) {
    for (const bidder of new Set(lot.bidders)) lotsOf[bidder] = (lotsOf[bidder] ?? 0) + 1;
    const sold = sellers.get(lot.seller) ?? [];
    sold.push(lot);
    sellers.set(lot.seller, sold);
  }
  const asBid = new Map([...sellers].map(([by, sold]) => [by, sold.map((lot) => bidLot(lot))]));
  const all = { lotsOf, market: live.length, sellers, asBid };
  GROUPED.set(lots, all);
  return all;
}

/** What a seller's bids are reckoned against: all lots of its category, its own among them. */
export function populationOf(
  lots: readonly MarketLot[],
  seller: string,
): { lotsOf: Readonly<Record<string, number>>; market: number; habits: Required<MarketHabits> } {
  const { lotsOf, market, sellers, asBid } = grouped(lots);
  const own = asBid.get(seller) ?? [];
  const others = [...sellers].flatMap(([by, sold]) => {
    if (by === seller) return [];
    // What the seller bids at others is no measure for those who bid at the seller.
    const bidsHere = sold.some(({ bidders }) => bidders.includes(seller));
    return { lots: bidsHere ? sold.map((lot) => bidLot(lot, seller)) : asBid.get(by)!, lotsOf };
  });
  return { lotsOf, market, habits: habitsOf({ sellers: others, market, own: { lots: own, lotsOf } }) };
}

function bidLot({ lot, bidders, winner }: MarketLot, without: string | null = null): BidLot {
  const counted = [...new Set(bidders)].filter((bidder) => bidder !== without);
  const bids = counted.map((bidder) => ({ bidder, minute: 0, amount: null }));
  return { lot, minutes: 0, bids, winner, priceToAsk: null };
}

/** What follows from the lots of one seller, for as long as they are the same ones of the same market. */
interface SellerBids {
  readonly lotsOf: OtherSeller['lotsOf'];
  readonly market: number;
  readonly byBidder: ReturnType<typeof lotsByBidder>;
  readonly weights: readonly BidderWeight[];
}

const BIDS = new WeakMap<BidHistory['lots'], SellerBids>();

function bidsAt({ lots, lotsOf }: OtherSeller, market: number): SellerBids {
  const known = BIDS.get(lots);
  if (known?.lotsOf === lotsOf && known.market === market) return known;
  const byBidder = lotsByBidder(lots);
  const bids = { lotsOf, market, byBidder, weights: weighBidders({ lots, lotsOf, market }, 'by-taste') };
  BIDS.set(lots, bids);
  return bids;
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
  for (const other of sellers) {
    const { lots, lotsOf } = other;
    for (const [bidder, at] of bidsAt(other, market).byBidder) {
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
  const asked = bidsAt(own, market).weights;
  const elsewhere = sellers.flatMap((other) => bidsAt(other, market).weights);
  const weighed = notAmong(elsewhere, asked, ({ planted, ordinary }) => planted - ordinary);
  const kept = notAmong(elsewhere, asked, ({ loyal, ordinary }) => loyal - ordinary);
  return {
    bidders: all.size,
    once: once.size,
    returning: returning.size,
    attached: attached.size,
    losing: losing.size,
    weights: weighed.filter((weight) => weight > 0),
    pairs: weighed.length,
    loyal: Math.round(100_000 * loyalShare(kept)) / 100_000,
  };
}

/**
 * The likelihood ratios of bidders at other sellers, as logarithms in tenths, largest first; without those who stand out by
 * them at the seller in question.
 */
function notAmong(
  elsewhere: readonly BidderWeight[],
  asked: readonly BidderWeight[],
  ratioOf: (weight: BidderWeight) => number,
): number[] {
  const out = new Set(asked.filter((weight) => ratioOf(weight) > 0).map(({ bidder }) => bidder));
  return elsewhere
    .filter(({ bidder }) => !out.has(bidder))
    .map((weight) => Math.round(10 * ratioOf(weight)) / 10)
    .sort((one, other) => other - one);
}
