import { type BidHistory, type BidLot, lotsByBidder, type MarketHabits } from './bid-history.ts';
import { LOSING } from './bid-likelihood.ts';
import { type BidderWeight, LEAST_LOTS, marketRates, type Rates, weighBidders } from './bidder-weights.ts';
import { customs } from './customs.ts';

/**
 * Whoever is likelier to keep to a seller than not, by this logarithm, does; and so many are several where such customers
 * win, and where they never do.
 */
const KEEPING = { ratio: 1, among: 3, inVain: 2 } as const;

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
  readonly rates: Rates;
  readonly byBidder: ReturnType<typeof lotsByBidder>;
  readonly weights: readonly BidderWeight[];
}

const BIDS = new WeakMap<BidHistory['lots'], SellerBids>();

function bidsAt({ lots, lotsOf }: OtherSeller, market: number, rates: Rates): SellerBids {
  const known = BIDS.get(lots);
  const isOfMarket = known?.lotsOf === lotsOf && known.market === market;
  if (isOfMarket && known.rates.every((rate, i) => rate === rates[i])) return known;
  const weights = weighBidders({ lots, lotsOf, market }, 'by-taste', rates);
  const bids = { lotsOf, market, rates, byBidder: lotsByBidder(lots), weights };
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
  const rates = ratesIn(sellers, market);
  for (const other of sellers) {
    const { lots, lotsOf } = other;
    for (const [bidder, at] of bidsAt(other, market, rates).byBidder) {
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
  const asked = bidsAt(own, market, rates).weights;
  const pairs = unsuspected(sellers.map((other) => [other, bidsAt(other, market, rates).weights]));
  const weighed = notAmong(pairs, asked, ({ planted, ordinary }) => planted - ordinary);
  const weights = weighed.map(({ planted, ordinary }) => Math.round(10 * (planted - ordinary)) / 10);
  const { loyal, occasional, vain } = customs(
    notAmong(pairs, asked, ({ loyal: keeps, ordinary }) => keeps - ordinary),
  );
  return {
    bidders: all.size,
    once: once.size,
    returning: returning.size,
    attached: attached.size,
    losing: losing.size,
    weights: weights.filter((weight) => weight > 0).sort((one, other) => other - one),
    pairs: weighed.length,
    ...{ loyal: short(loyal), occasional: short(occasional), vain: short(vain), rates },
  };
}

function ratesIn(sellers: readonly OtherSeller[], market: number): Rates {
  const often = new Map<string, number>();
  for (const { lots, lotsOf } of sellers)
    for (const { bids } of lots)
      for (const { bidder } of bids) often.set(bidder, (lotsOf[bidder] ?? 1) / Math.max(1, market));
  // In two digits they are the same for nearly all sellers of a market, whose bidders are then weighed once for all.
  const [a, b] = marketRates([...often.values()]);
  return [Number(a.toPrecision(2)), Number(b.toPrecision(2))];
}

/** What evidence keeps is short, and judged as it is kept. */
function short(value: number): number {
  return Number(value.toPrecision(5));
}

/** Who keeps to a seller, on how many decided lots of it they bid, and how many of those they won between them. */
interface Devoted {
  readonly who: ReadonlySet<string>;
  readonly decided: number;
  readonly won: number;
}

function devotedOf({ lots }: OtherSeller, weights: readonly BidderWeight[]): Devoted {
  const who = new Set(
    weights.filter(({ loyal, ordinary }) => loyal - ordinary >= KEEPING.ratio).map(({ bidder }) => bidder),
  );
  const decided = lots.filter(
    ({ bids, winner }) => winner !== null && bids.some(({ bidder }) => who.has(bidder)),
  );
  const won = decided.filter(({ winner }) => winner !== null && who.has(winner)).length;
  return { who, decided: decided.length, won };
}

function isInVain(devoted: readonly Devoted[]): boolean {
  const sum = (of: (one: Devoted) => number): number => devoted.reduce((all, one) => all + of(one), 0);
  const decided = sum((one) => one.decided);
  return decided > 0 && sum(({ won }) => won) <= LOSING.wins * decided;
}

/**
 * The bidders of other sellers without those who may be in the same question, and are no measure of what is common: several
 * who keep to one seller, and between them win next to nothing of it. Where customers keep to houses, some of them win: in
 * a market where next to nobody who keeps to a seller does, two are several.
 */
function unsuspected(sellers: readonly (readonly [OtherSeller, readonly BidderWeight[]])[]): BidderWeight[] {
  const devoted = sellers.map(([other, weights]) => devotedOf(other, weights));
  const several = isInVain(devoted) ? KEEPING.inVain : KEEPING.among;
  return sellers.flatMap(([, weights], i) => {
    const own = devoted[i]!;
    const suspected = own.who.size >= several && isInVain([own]);
    return suspected ? weights.filter(({ bidder }) => !own.who.has(bidder)) : weights;
  });
}

/** Those at other sellers, without who stands out at the seller in question. */
function notAmong(
  elsewhere: readonly BidderWeight[],
  asked: readonly BidderWeight[],
  ratioOf: (weight: BidderWeight) => number,
): BidderWeight[] {
  const out = new Set(asked.filter((weight) => ratioOf(weight) > 0).map(({ bidder }) => bidder));
  return elsewhere.filter(({ bidder }) => !out.has(bidder));
}
