import type { BidHistory, MarketHabits } from './bid-history.ts';
import { patternWeights } from './bid-patterns.ts';
import type { BidderWeight } from './bidder-weights.ts';
import { logSum } from './chances.ts';

/** What differs by the version of the rules about bids. */
export interface BiddingRules {
  readonly version: 1 | 2 | 3 | 4 | 5;
  /** How the manner of bidding speaks against a bidder. */
  readonly manner: (bidder: string) => number;
  /** How many at other sellers are like this one. */
  readonly alike: (habits: MarketHabits, habit: number, weight: number) => number;
  /** Out of how many. */
  readonly among: (habits: MarketHabits) => number;
  /** How likely it is, as logarithms, that it is a customer of this seller, of the kinds that the market has. */
  readonly customer: (habits: MarketHabits, weight: BidderWeight) => readonly number[];
  readonly limits: Limits;
}

/** The weights from which on several, and one bidder alone, are a finding; one alone on so many lots, and such a share. */
export interface Limits {
  /** Each of a group is at least so much likelier the seller's than not. */
  readonly each: number;
  /** From this one on a group is left open. */
  readonly doubt: number;
  readonly several: number;
  readonly one: number;
  readonly oneShare: number;
  readonly oneLots: number;
}

/** Before version 3, it was the same of several bidders at one seller, and at joined ones. */
const LIMITS_BEFORE: Limits = { each: 2.5, doubt: 0.7, several: 2.5, one: 2, oneShare: 0.8, oneLots: 2 };
const LIMITS_3: Limits = { ...LIMITS_BEFORE, several: 4.5 };
/**
 * Chosen on markets of agents and on real auctions (`npm run bench shill`, whose markets no rule was chosen on): at most two of
 * a hundred honest sellers of each population reach them (`docs/benchmarks.md`). One bidder alone, of whom no money tells
 * anything, is a finding when it hardly bids elsewhere: honest dealers and steady customers bid elsewhere too.
 */
const LIMITS: Limits = { each: 1, doubt: 1.2, several: 3.5, one: 2.4, oneShare: 0.8, oneLots: 2 };
/** How many sets of sellers could have been joined is taken off already. */
const JOINED = { several: 2.5 } as const;
/** Before joined sellers were looked for, one alone needed so many lots. */
const ONE_LOTS_BEFORE = 3;
/** Before weights were kept, this weight of anybody was a finding. */
const LIKELY_BEFORE: Limits = { ...LIMITS_BEFORE, several: 2, oneShare: 0, oneLots: 0 };

/** Somebody elsewhere looks alike when its likelihood ratio is no smaller than this one's by more than a factor of e. */
const NEAR = 1;
/** So many make a kind of bidders; one more or less is somebody who stands out by chance. */
const KIND = 2;

/**
 * The rules by which evidence of this version is judged.
 * @param joined whether the bidders of several sellers are judged as if all were one
 */
export function biddingRules(history: BidHistory, joined = false): BiddingRules {
  const limits = limitsOf(history, joined);
  const nobody = (): readonly number[] => [];
  if (history.bidding === undefined) {
    const among = ({ returning }: MarketHabits): number => returning;
    return { version: 1, manner: () => 0, alike: likeOrNear, among, customer: nobody, limits };
  }
  const rules = { manner: patternWeights(history), among: ({ pairs = 0 }: MarketHabits) => pairs, limits };
  if (history.bidding === 2) return { ...rules, version: 2, alike: devotedAsFar, customer: nobody };
  const customer = history.bidding === 3 ? loyal : loyalOrOccasional;
  return { ...rules, version: history.bidding, alike: devotedBeyondChance, customer };
}

/** The limits that groups are held to, by the rules of when the evidence was gathered. */
export function limitsOf({ bidding, habits, joined }: BidHistory, ofJoined: boolean): Limits {
  if (bidding === 3) return ofJoined ? { ...LIMITS_3, ...JOINED } : LIMITS_3;
  if (bidding !== undefined && bidding > 3) return ofJoined ? { ...LIMITS, ...JOINED } : LIMITS;
  if (habits?.weights === undefined) return LIKELY_BEFORE;
  return joined === undefined ? { ...LIMITS_BEFORE, oneLots: ONE_LOTS_BEFORE } : LIMITS_BEFORE;
}

/** Customers who keep to a house win or lose as anybody. */
function loyal({ loyal: share = 0 }: MarketHabits, weight: BidderWeight): readonly number[] {
  return [Math.log(share) + weight.loyal];
}

/** As many of them win nothing as are seen to elsewhere; others come now and then. */
function loyalOrOccasional(
  { loyal: share = 0, occasional = 0, vain = 0 }: MarketHabits,
  weight: BidderWeight,
): readonly number[] {
  const winning = logSum([Math.log(vain) + weight.inVain, Math.log1p(-vain) + weight.served]);
  return [Math.log(share) + winning, Math.log(occasional) + weight.occasional];
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
