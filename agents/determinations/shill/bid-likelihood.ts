import { type BidHistory, lotsByBidder, type MarketHabits } from './bid-history.ts';
import { patternWeights } from './bid-patterns.ts';
import { type BidderWeight, type Lots, weighBidders } from './bidder-weights.ts';
import { binomialTail, logChoose, logSum } from './chances.ts';
import { shareOfMarket, WIDE } from './loyalty.ts';

/** Bidders who are likelier the seller's than chance, and the habits of this market, explain. */
export interface LikelyGroup {
  readonly members: readonly string[];
  /** Natural logarithm of the likelihood ratio, less that of how many such groups could have been chosen. */
  readonly weight: number;
  /** On how many of the seller's lots the likeliest member bid, and what share of all its lots that is. */
  readonly lots: number;
  readonly share: number;
  /** Whether somebody of them bids in the manner of labelled shills, which counts in the weight. */
  readonly inManner: boolean;
}

interface Likelihood extends Pick<BidderWeight, 'bidder' | 'lots' | 'share'> {
  readonly weight: number;
}

/** A bidder who bids on little else, and wins next to nothing. */
export const LOSING = { attached: 0.7, wins: 0.2 } as const;
/**
 * A losing habit is taken to be at least as common as if, among so many more returning bidders, so much of one had it;
 * and bidding just once, likewise.
 */
const SMOOTH = { losing: 0.2, returning: 20, once: 0.5, bidders: 10 } as const;
/** Whoever wins more than this share of what it bids on buys: only its money can tell that it was given back. */
const CUSTOMER = 0.5;
/** Fewer returning bidders than this at other sellers tell nothing of what is common. */
const ENOUGH_HABITS = 8;
/** Somebody elsewhere looks alike when its likelihood ratio is no smaller than this one's by more than a factor of e. */
const NEAR = 1;
/** Each member of a group is at least so much likelier the seller's than not: a factor of twelve. */
const LEAST_WEIGHT = 2.5;
/**
 * A group of this weight is a finding. Chosen on markets of agents (`npm run bench shill`, `npm run simulate market`),
 * where at most 0.3 percent of honest sellers of each population known then reached it; more do where customers keep to
 * a house (`docs/benchmarks.md`). Real auctions, where losing habits are common, reach it nowhere. One bidder alone, of
 * whom no money tells anything, is one when it hardly bids elsewhere: honest dealers and steady customers bid elsewhere
 * too.
 */
const LIKELY = { several: 2.5, one: 2, oneShare: 0.8, oneLots: 2 } as const;
/** By the rules of before, one alone needed so many lots; and before that, this weight of anybody was a finding. */
const ONE_LOTS_BEFORE = 3;
const LIKELY_BEFORE = 2;
/** One of this weight is left open. */
const DOUBTFUL = 0.7;
const NOBODY: ReadonlySet<string> = new Set();
/** So many strangers, who come once and win nothing, by so small a chance. */
const STRANGERS = { least: 4, chance: 1e-4 } as const;

/**
 * Whether enough bidders at other sellers are known to tell how this market bids. Where one seller is much of the
 * market, its customers differ from the few others' as much as thieves would.
 */
export function isComparable(history: BidHistory): history is BidHistory & { readonly habits: MarketHabits } {
  const { habits } = history;
  return habits !== undefined && habits.returning >= ENOUGH_HABITS && shareOfMarket(history) <= WIDE;
}

/** Whether a group is a finding, is left open, or is nothing; by the rules of when its evidence was gathered. */
export function groupVerdict({ habits, joined }: BidHistory, group: LikelyGroup): 'finding' | 'doubt' | null {
  const { weight } = group;
  const least = leastOf(group, joined === undefined ? ONE_LOTS_BEFORE : LIKELY.oneLots);
  if (weight > (habits?.weights === undefined ? LIKELY_BEFORE : least)) return 'finding';
  return weight > DOUBTFUL ? 'doubt' : null;
}

/**
 * The group of one or more bidders that stands out most, against honest bidders of this market: who bid everywhere at
 * a rate of their own (beta-binomial, fitted to all of them), win as often as others on the same lots, or have the
 * habits that are seen at other sellers. The most powerful test of two hypotheses is their likelihood ratio (Neyman,
 * Pearson, 1933); how many groups could have been chosen is taken off (Bonferroni).
 * @param except bidders who are explained otherwise
 * @returns null without anybody who stands out, or when the habits of the market are not known
 */
export function likeliestGroup(
  history: BidHistory,
  except: ReadonlySet<string> = NOBODY,
): LikelyGroup | null {
  return isComparable(history) ? groupAmong(history, except, rulesOf(history)) : null;
}

/** What differs by the version of the rules. */
interface Rules {
  readonly version: 1 | 2;
  /** How the manner of bidding speaks against a bidder. */
  readonly manner: (bidder: string) => number;
  /** How many at other sellers are like this one. */
  readonly alike: (habits: MarketHabits, habit: number, weight: number) => number;
  /** Out of how many. */
  readonly among: (habits: MarketHabits) => number;
}

/** The rules by which evidence of this version is judged. */
export function rulesOf(history: BidHistory): Rules {
  if (history.bidding !== 2)
    return { version: 1, manner: () => 0, alike: likeOrNear, among: ({ returning }) => returning };
  const among = ({ pairs = 0 }: MarketHabits): number => pairs;
  return { version: 2, manner: patternWeights(history), alike: devotedAsFar, among };
}

/** Whoever comes back to one seller in vain counts, however little it stands out. */
function likeOrNear({ weights = [] }: MarketHabits, habit: number, weight: number): number {
  return Math.max(habit, weights.filter((w) => w >= weight - NEAR).length);
}

/** So many make a kind of bidders; one more or less is somebody who stands out by chance. */
const KIND = 2;

/**
 * How many at other sellers are devoted to them like this one to the seller. How far somebody stands out grows with the lots
 * that there were to bid on, so that those count who stand out half as far. Where they are no kind, as many as stand out
 * as far by chance: of honest bidders at most one in e has a ratio that is larger by a factor of e.
 */
function devotedAsFar({ weights = [] }: MarketHabits, _habit: number, weight: number): number {
  const from = (least: number): number => weights.filter((w) => w >= least).length;
  const kind = from(weight / 2);
  return kind >= KIND ? kind : Math.max(from(weight), from(weight - NEAR) / Math.exp(NEAR));
}

function shareOf(count: number, among: number): number {
  return (SMOOTH.losing + count) / (SMOOTH.returning + among);
}

/**
 * The same of lots that may be several sellers', without asking whether their market is large enough.
 */
export function groupAmong(
  lots: Lots & { readonly habits: MarketHabits },
  except: ReadonlySet<string>,
  rules: Rules,
): LikelyGroup | null {
  const all = likelihoods(lots, rules).filter(({ bidder }) => !except.has(bidder));
  let sum = 0;
  let best: LikelyGroup | null = null;
  for (const [i, { weight }] of all.entries()) {
    if (weight < LEAST_WEIGHT) break;
    sum += weight;
    const group = {
      members: all.slice(0, i + 1).map(({ bidder }) => bidder),
      weight: sum - logChoose(all.length, i + 1),
      lots: all[0]!.lots,
      share: all[0]!.share,
      inManner: all.slice(0, i + 1).some(({ bidder }) => rules.manner(bidder) > 0),
    };
    if (best === null || beyond(group, rules) > beyond(best, rules)) best = group;
  }
  return best;
}

/** What a group is chosen by. One more who hardly stands out takes nothing off the first: a finding comes before a doubt. */
function beyond(group: LikelyGroup, { version }: Rules): number {
  const over = group.weight - leastOf(group, LIKELY.oneLots);
  return version === 2 && over > 0 ? FINDING_FIRST + over : group.weight;
}

const FINDING_FIRST = 1_000_000;

/** The weight from which on a group is a finding. */
function leastOf({ members, share, lots }: LikelyGroup, oneLots: number): number {
  if (members.length > 1) return LIKELY.several;
  return share >= LIKELY.oneShare && lots >= oneLots ? LIKELY.one : Number.POSITIVE_INFINITY;
}

function likelihoods(
  { habits, ...lots }: Lots & { readonly habits: MarketHabits },
  { manner, alike, among }: Rules,
): Likelihood[] {
  const before = habits.weights === undefined;
  return weighBidders(lots, before ? 'equal' : 'by-taste')
    .map(({ ordinary, planted, ...seen }): Likelihood => {
      const losing = seen.won <= LOSING.wins * seen.lots;
      const like = alike(habits, losing ? habits.losing : habits.attached, planted - ordinary);
      const common = Math.log(shareOf(like, among(habits)));
      const honest = logSum([Math.log1p(-Math.exp(common)) + ordinary, common + planted]);
      const buys = !before && seen.won > CUSTOMER * seen.lots;
      return { ...seen, weight: buys ? Number.NEGATIVE_INFINITY : planted - honest + manner(seen.bidder) };
    })
    .sort((one, other) => other.weight - one.weight || (one.bidder < other.bidder ? -1 : 1));
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
