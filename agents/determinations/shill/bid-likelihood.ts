import { type BidHistory, lotsByBidder, type MarketHabits } from './bid-history.ts';
import { binomialTail, logBeta, logChoose, logMean, logSum } from './chances.ts';
import { shareOfMarket, WIDE } from './loyalty.ts';

/** Bidders who are likelier the seller's than chance, and the habits of this market, explain. */
export interface LikelyGroup {
  readonly members: readonly string[];
  /** Natural logarithm of the likelihood ratio, less that of how many such groups could have been chosen. */
  readonly weight: number;
}

interface Likelihood {
  readonly bidder: string;
  readonly weight: number;
}

/** Whoever bids for a seller bids on such a share of its lots, and on such a share of everybody else's. */
const ZEALS = [0.3, 0.45, 0.6, 0.75, 0.9] as const;
const COVERS = [0.002, 0.02, 0.08] as const;
/** Whoever bids for a seller wins about so many of its lots, by accident or to buy back. */
const SELDOM = 0.1;
/** Whoever came once may have come by chance. */
const LEAST_LOTS = 2;
/** A bidder who bids on little else, and wins next to nothing. */
const LOSING = { attached: 0.7, wins: 0.2 } as const;
/**
 * A losing habit is taken to be at least as common as if, among so many more returning bidders, so much of one had it;
 * and bidding just once, likewise.
 */
const SMOOTH = { losing: 0.2, returning: 20, once: 0.5, bidders: 10 } as const;
/** Fewer returning bidders than this at other sellers tell nothing of what is common. */
const ENOUGH_HABITS = 8;
/** How often returning bidders bid, as if two more had been seen who bid on so many: see `RING_LIMITS`. */
const USUAL = { rate: 0.25, seen: 2, variance: 0.003 } as const;
/** Each member of a group is at least so much likelier the seller's than not: a factor of twelve. */
const LEAST_WEIGHT = 2.5;
/**
 * A group of this weight is a finding. Chosen on markets of agents (`npm run bench shill`), where 0.2 to 0.8 percent of
 * honest sellers of each population reach it; real auctions, where losing habits are common, reach it nowhere.
 */
export const LIKELY = 2;
/** One of this weight is left open. */
export const DOUBTFUL = 0.7;
/** So many strangers, who come once and win nothing, by so small a chance. */
const STRANGERS = { least: 4, chance: 1e-4 } as const;

/**
 * How common it is in a market to come back to one seller and to bid on little else, to win next to nothing there, and to
 * bid just once.
 * @param sellers the histories of all other sellers, with the same names for the same bidders
 */
export function habitsOf(sellers: readonly Pick<BidHistory, 'lots' | 'lotsOf'>[]): MarketHabits {
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
  return {
    bidders: all.size,
    once: once.size,
    returning: returning.size,
    attached: attached.size,
    losing: losing.size,
  };
}

/**
 * Whether enough bidders at other sellers are known to tell how this market bids. Where one seller is much of the
 * market, its customers differ from the few others' as much as thieves would.
 */
export function isComparable(history: BidHistory): history is BidHistory & { readonly habits: MarketHabits } {
  const { habits } = history;
  return habits !== undefined && habits.returning >= ENOUGH_HABITS && shareOfMarket(history) <= WIDE;
}

/**
 * The group of one or more bidders that stands out most, against honest bidders of this market: who bid everywhere at
 * a rate of their own (beta-binomial, fitted to all of them), win as often as others on the same lots, or have the
 * habits that are seen at other sellers. The most powerful test of two hypotheses is their likelihood ratio (Neyman,
 * Pearson, 1933); how many groups could have been chosen is taken off (Bonferroni).
 * @returns null without anybody who stands out, or when the habits of the market are not known
 */
export function likeliestGroup(history: BidHistory): LikelyGroup | null {
  const all = likelihoods(history);
  let sum = 0;
  let best: LikelyGroup | null = null;
  for (const [i, { weight }] of all.entries()) {
    if (weight < LEAST_WEIGHT) break;
    sum += weight;
    const corrected = sum - logChoose(all.length, i + 1);
    if (best === null || corrected > best.weight)
      best = { members: all.slice(0, i + 1).map(({ bidder }) => bidder), weight: corrected };
  }
  return best;
}

function likelihoods(history: BidHistory): Likelihood[] {
  if (!isComparable(history)) return [];
  const { lots, lotsOf, habits } = history;
  const live = lots.filter((lot) => lot.bids.length > 0);
  const here = live.length;
  const elsewhere = Math.max(0, history.market - here);
  const own = [...lotsByBidder(live)];
  const everywhere = (bidder: string, lotsHere: number) => Math.max(lotsOf[bidder] ?? 0, lotsHere);
  const [a, b] = ratesOf(own.map(([bidder, at]) => everywhere(bidder, at.size) / (here + elsewhere)));
  const crowd = live.map((lot) => new Set(lot.bids.map((bid) => bid.bidder)).size);
  const usually = (many: number) => Math.log((SMOOTH.losing + many) / (SMOOTH.returning + habits.returning));
  return own
    .filter(([, at]) => at.size >= LEAST_LOTS)
    .map(([bidder, at]): Likelihood => {
      const x = at.size;
      const y = everywhere(bidder, x) - x;
      const over = [...at].filter((i) => live[i]!.winner !== null);
      const won = over.filter((i) => live[i]!.winner === bidder).length;
      const fair = over.reduce((log, i) => {
        const each = 1 / Math.max(2, crowd[i]!);
        return log + Math.log(live[i]!.winner === bidder ? each : 1 - each);
      }, 0);
      const ordinary =
        logChoose(here, x) +
        logChoose(elsewhere, y) +
        logBeta(x + y + a, here + elsewhere - x - y + b) -
        logBeta(a, b) +
        fair;
      const planted =
        logMean(ZEALS.flatMap((z) => COVERS.map((c) => logHits(x, here, z) + logHits(y, elsewhere, c)))) +
        (won === 0 ? over.length * Math.log(1 - SELDOM) : Math.max(fair, logHits(won, over.length, SELDOM)));
      const usual = usually(won <= LOSING.wins * x ? habits.losing : habits.attached);
      const honest = logSum([Math.log1p(-Math.exp(usual)) + ordinary, usual + planted]);
      return { bidder, weight: planted - honest };
    })
    .sort((one, other) => other.weight - one.weight || (one.bidder < other.bidder ? -1 : 1));
}

/** The beta distribution of how often bidders bid, by the method of moments. */
function ratesOf(seen: readonly number[]): [a: number, b: number] {
  const rates = [...seen, ...Array<number>(USUAL.seen).fill(USUAL.rate)];
  const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
  const variance = rates.reduce((sum, rate) => sum + (rate - mean) ** 2, 0) / rates.length + USUAL.variance;
  const size = Math.max(0.5, (mean * (1 - mean)) / variance - 1);
  return [mean * size, (1 - mean) * size];
}

function logHits(hits: number, tries: number, each: number): number {
  return logChoose(tries, hits) + hits * Math.log(each) + (tries - hits) * Math.log(1 - each);
}

/**
 * Accounts that bid on one lot of this seller and never again, and won nothing, where they are far more of its bidders
 * than of anybody else's. @returns null when they are not
 */
export function strangersIn(history: BidHistory): { strangers: number; chance: number } | null {
  if (!isComparable(history)) return null;
  const { lots, lotsOf, habits } = history;
  const own = [...lotsByBidder(lots)];
  const winners = new Set(lots.map(({ winner }) => winner));
  const strangers = own.filter(
    ([bidder, at]) => (lotsOf[bidder] ?? at.size) === 1 && !winners.has(bidder),
  ).length;
  const usual = (SMOOTH.once + habits.once) / (SMOOTH.bidders + habits.bidders);
  const chance = binomialTail(strangers, own.length, Math.min(0.99, usual));
  return strangers >= STRANGERS.least && chance < STRANGERS.chance ? { strangers, chance } : null;
}
