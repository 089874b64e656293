import { type BidHistory, lotsByBidder, type MarketHabits } from './bid-history.ts';
import { type BidderWeight, type Lots, weighBidders } from './bidder-weights.ts';
import { type BiddingRules, biddingRules, type Limits, limitsOf } from './bidding-rules.ts';
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
  /** At how many sellers they bid as if all were one; absent where at one. */
  readonly sellers?: number;
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
export function groupVerdict(history: BidHistory, group: LikelyGroup): 'finding' | 'doubt' | null {
  const limits = limitsOf(history, group.sellers !== undefined);
  if (group.weight > leastOf(group, limits)) return 'finding';
  return group.weight > limits.doubt ? 'doubt' : null;
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
  return isComparable(history) ? groupAmong(history, except, biddingRules(history)) : null;
}

/**
 * Tells of bidders who were found together whether they stand out from this market, too: two methods that agree are a
 * finding where one alone would leave it open. By the rules of before, they had to as a group that nothing else speaks
 * against. All do where the habits of the market are not known.
 */
export function standingOut(history: BidHistory): (members: readonly string[]) => boolean {
  if (!isComparable(history)) return () => true;
  const rules = biddingRules(history);
  const all = likelihoods(history, rules);
  return (members) => {
    const own = all.filter(({ bidder }) => members.includes(bidder));
    const weight = own.reduce((sum, one) => sum + one.weight, 0) - logChoose(all.length, own.length);
    return weight > (rules.version < 4 ? rules.limits.several : rules.limits.doubt);
  };
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
  rules: BiddingRules,
): LikelyGroup | null {
  const all = likelihoods(lots, rules).filter(({ bidder }) => !except.has(bidder));
  let sum = 0;
  let best: LikelyGroup | null = null;
  for (const [i, { weight }] of all.entries()) {
    if (weight < rules.limits.each) break;
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
function beyond(group: LikelyGroup, { version, limits }: BiddingRules): number {
  const over = group.weight - leastOf(group, limits);
  return version > 1 && over > 0 ? FINDING_FIRST + over : group.weight;
}

const FINDING_FIRST = 1_000_000;

/** The weight from which on a group is a finding. */
function leastOf({ members, share, lots }: LikelyGroup, { several, one, oneShare, oneLots }: Limits): number {
  if (members.length > 1) return several;
  return share >= oneShare && lots >= oneLots ? one : Number.POSITIVE_INFINITY;
}

function likelihoods(
  { habits, ...lots }: Lots & { readonly habits: MarketHabits },
  { version, manner, alike, among, customer }: BiddingRules,
): Likelihood[] {
  const before = habits.weights === undefined;
  return weighBidders(lots, before ? 'equal' : 'by-taste', version > 3 ? habits.rates : undefined)
    .map((weight): Likelihood => {
      const { bidder, lots: own, share, won, ordinary, planted } = weight;
      const losing = won <= LOSING.wins * own;
      const like = alike(habits, losing ? habits.losing : habits.attached, planted - ordinary);
      const common = Math.log(shareOf(like, among(habits)));
      const honest = logSum([
        Math.log1p(-Math.exp(common)) + ordinary,
        common + planted,
        ...customer(habits, weight),
      ]);
      const buys = !before && won > CUSTOMER * own;
      const speaks = buys ? Number.NEGATIVE_INFINITY : planted - honest + manner(bidder);
      return { bidder, lots: own, share, weight: speaks };
    })
    .sort((one, other) => other.weight - one.weight || (one.bidder < other.bidder ? -1 : 1));
}

/**
 * Accounts that bid on one lot of this seller and never again, and won nothing, where they are far more of its bidders
 * than of anybody else's. They accuse nobody by themselves: anybody can send them to a seller whom he means ill, and so do
 * newcomers come who want one thing. What their money tells is asked apart. @returns null when they are not
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
