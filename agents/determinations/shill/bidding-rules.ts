import type { BidHistory, MarketHabits } from './bid-history.ts';
import { patternWeights } from './bid-patterns.ts';

/** What differs by the version of the rules about bids. */
export interface BiddingRules {
  readonly version: 1 | 2 | 3;
  /** How the manner of bidding speaks against a bidder. */
  readonly manner: (bidder: string) => number;
  /** How many at other sellers are like this one. */
  readonly alike: (habits: MarketHabits, habit: number, weight: number) => number;
  /** Out of how many. */
  readonly among: (habits: MarketHabits) => number;
  readonly limits: Limits;
}

/** The weights from which on several, and one bidder alone, are a finding; one alone on so many lots, and such a share. */
interface Limits {
  /** From this one on a group is left open. */
  readonly doubt: number;
  readonly several: number;
  readonly one: number;
  readonly oneShare: number;
  readonly oneLots: number;
}

/**
 * Chosen on markets of agents (`npm run bench shill`, `npm run simulate market`), where at most 0.5 percent of honest
 * sellers of each population reach them; real auctions, where losing habits are common, reach them nowhere. One bidder
 * alone, of whom no money tells anything, is a finding when it hardly bids elsewhere: honest dealers and steady customers
 * bid elsewhere too.
 */
const LIMITS: Limits = { doubt: 1.5, several: 2.5, one: 2.5, oneShare: 0.8, oneLots: 2 };
/** Before version 3, fewer at other sellers were known to tell a habit by. */
const LIMITS_BEFORE: Limits = { ...LIMITS, doubt: 0.7, one: 2 };
/** Before joined sellers were looked for, one alone needed so many lots. */
const ONE_LOTS_BEFORE = 3;
/** Before weights were kept, this weight of anybody was a finding. */
const LIKELY_BEFORE: Limits = { doubt: 0.7, several: 2, one: 2, oneShare: 0, oneLots: 0 };

/** Somebody elsewhere looks alike when its likelihood ratio is no smaller than this one's by more than a factor of e. */
const NEAR = 1;
/** So many make a kind of bidders; one more or less is somebody who stands out by chance. */
const KIND = 2;

/** The rules by which evidence of this version is judged. */
export function biddingRules(history: BidHistory): BiddingRules {
  const limits = limitsOf(history);
  if (history.bidding === undefined)
    return { version: 1, manner: () => 0, alike: likeOrNear, among: ({ returning }) => returning, limits };
  const among = ({ pairs = 0 }: MarketHabits): number => pairs;
  const alike = history.bidding === 2 ? devotedAsFar : devotedBeyondChance;
  return { version: history.bidding, manner: patternWeights(history), alike, among, limits };
}

/** From which weight on a group is a finding, by the rules of when its evidence was gathered. */
export function limitsOf({ bidding, habits, joined }: BidHistory): Limits {
  if (bidding === 3) return LIMITS;
  if (habits?.weights === undefined) return LIKELY_BEFORE;
  return joined === undefined ? { ...LIMITS_BEFORE, oneLots: ONE_LOTS_BEFORE } : LIMITS_BEFORE;
}

/** Whoever comes back to one seller in vain counts, however little it stands out. */
function likeOrNear({ weights = [] }: MarketHabits, habit: number, weight: number): number {
  return Math.max(habit, weights.filter((w) => w >= weight - NEAR).length);
}

/**
 * How many at other sellers are devoted to them like this one to the seller. How far somebody stands out grows with the lots
 * that there were to bid on, so that those count who stand out half as far. Where they are no kind, as many as stand out
 * as far by chance: of honest bidders at most one in e has a ratio that is larger by a factor of e.
 */
function devotedAsFar(habits: MarketHabits, _habit: number, weight: number): number {
  const kind = reaching(habits, weight / 2);
  return kind >= KIND ? kind : byChance(habits, weight);
}

/**
 * The same in a market of which nearly all bidders are known, so that some stand out half as far by chance: of those who
 * bid as everybody does, at most one in so many has a likelihood ratio of so many. Only those beyond that are a kind.
 */
function devotedBeyondChance(habits: MarketHabits, _habit: number, weight: number): number {
  const { pairs = 0 } = habits;
  const kind = reaching(habits, weight / 2) - pairs * Math.exp(-weight / 2);
  return Math.max(kind >= KIND ? kind : 0, byChance(habits, weight));
}

function byChance(habits: MarketHabits, weight: number): number {
  return Math.max(reaching(habits, weight), reaching(habits, weight - NEAR) / Math.exp(NEAR));
}

function reaching({ weights = [] }: MarketHabits, least: number): number {
  return weights.filter((w) => w >= least).length;
}
