import { type BidHistory, lotsByBidder, shared } from './bid-history.ts';
import { binomialTail, logChoose } from './chances.ts';

/** Bidders who keep together on one seller's lots and win almost none of them. */
export interface BidRing {
  /** Those on the most lots first. */
  readonly members: readonly string[];
  /**
   * `of`: how many of the seller's lots were bid on. `lots`: on how many of them at least two members of the ring bid.
   */
  readonly of: number;
  readonly lots: number;
  /** The share of the seller's lots on which a member bids, on average. */
  readonly presence: number;
  /** The share of two members' lots that they have in common, on average over all pairs. */
  readonly coherence: number;
  /** How many of the seller's lots the members won. */
  readonly won: number;
  /** The share of the seller's lots on which other returning bidders bid. */
  readonly usual: number;
  /** The chance that bidders with the usual habits are this present independently of each other. */
  readonly chance: number;
}

/** The thresholds; `RING_LIMITS` tells how they were chosen. */
export interface RingLimits {
  /** A returning bidder of a seller is assumed to bid on this share of its lots. */
  readonly usual: number;
  /** Three members of a ring bid on at least this share of the seller's lots, on average. */
  readonly presence: number;
  /** In the method by presence: the chance of such a presence must be below this. */
  readonly chance: number;
  /** In the method by chance: the chance of such a group, among all groups of its size, must be below this. */
  readonly among: number;
}

/**
 * In real auctions of one kind, returning bidders bid on 0.26 of a seller's lots when consecutive auctions were
 * assigned to a seller, and on 0.22 when they were assigned at random. `chance` and `among` were chosen on those
 * auctions with planted rings of three, each bidding on 0.7 of a seller's lots. `npm run bench shill` repeats the
 * choice without each fifth of the auctions and measures on that fifth: 0.94 and 0.95 of the rings were found, and 0.9
 * and 0.1 percent of the active real bidders were named, before the rest of the market excuses any (`OF_THE_MARKET`).
 * `presence` is needed for long histories: there every habit is beyond chance, and would otherwise count as a ring.
 */
export const RING_LIMITS: RingLimits = { usual: 0.25, presence: 0.45, chance: 0.005, among: 0.0025 };

/** With fewer lots that were bid on, habits cannot be seen. */
export const ENOUGH_LOTS = 4;
/** A ring has at least this many members; two who meet often may simply want the same things. */
export const RING_SIZE = 3;
/** A possible member bids on at least this many of the seller's lots … */
const OWN_LOTS = 2;
/** … which are at least this share of all lots it bid on … */
const ATTACHED = 0.5;
/** … and loses at least this share of them. */
const LOSSES = 0.8;
/** Two bidders are linked if they share at least this part of the lots of the one with fewer lots. */
const LINKED = 0.5;
/**
 * The second and the third member must be on this share of the seller's lots on average. Otherwise one bidder who is on
 * every lot would make a ring with any two who came back a few times.
 */
const OTHER_TWO = 0.4;
/** A further bidder who is linked to a ring joins it if he is on this share of the seller's lots. */
const JOINING = 0.5;
/**
 * The usual share is estimated as if the seller had this many more returning bidders with usual habits, so that it
 * stays stable when few others are known.
 */
const USUAL_ONES = 3;

/**
 * Finds rings by presence: three or more bidders who belong to this seller, meet there, hardly ever win, and bid on far
 * more of its lots than returning bidders usually do. The order of lots and bids does not matter.
 */
export function ringsByPresence(history: BidHistory, limits: RingLimits = RING_LIMITS): BidRing[] {
  const of = lotsBidOn(history);
  return groups(history)
    .map(({ members }) => {
      const three = members.slice(0, RING_SIZE);
      const chance = binomialTail(meetings(three), three.length * of, limits.usual);
      return { three, ring: describe(history, members, limits.usual, chance) };
    })
    .filter(
      ({ three, ring }) =>
        meetings(three) >= limits.presence * three.length * of && ring.chance < limits.chance,
    )
    .map(({ ring }) => ring);
}

/**
 * Finds rings by chance: compares such groups with the other returning bidders of this very seller, because habits
 * differ between markets. It counts all members of a group, and corrects for all groups of that size that could have
 * stood out (Bonferroni).
 */
export function ringsByChance(history: BidHistory, limits: RingLimits = RING_LIMITS): BidRing[] {
  const of = lotsBidOn(history);
  return groups(history)
    .map(({ members, others }) => {
      const usual = (meetings(others) + limits.usual * USUAL_ONES * of) / ((others.length + USUAL_ONES) * of);
      const choices = Math.exp(logChoose(members.length + others.length, members.length));
      const chance = binomialTail(meetings(members), members.length * of, usual) * choices;
      return describe(history, members, usual, Math.min(1, chance));
    })
    .filter((ring) => ring.chance < limits.among);
}

type Bidder = readonly [bidder: string, lots: ReadonlySet<number>];

/** Groups of regulars who are linked by common lots, those on the most lots first, each with all other regulars. */
function groups(history: BidHistory): { members: Bidder[]; others: Bidder[] }[] {
  const of = lotsBidOn(history);
  if (of < ENOUGH_LOTS) return [];
  const all = regulars(history);
  return hangingTogether(all)
    .filter(
      (found) =>
        found.length >= RING_SIZE && meetings(found.slice(1, RING_SIZE)) >= OTHER_TWO * (RING_SIZE - 1) * of,
    )
    .map((found) => {
      const members = found.filter(([, lots], i) => i < RING_SIZE || lots.size >= JOINING * of);
      const inside = new Set(members);
      return { members, others: all.filter((bidder) => !inside.has(bidder)) };
    });
}

/**
 * Groups of bidders who are linked directly or through others. Only pairs that meet on a lot and are not yet in one
 * group are compared.
 */
function hangingTogether(all: readonly Bidder[]): Bidder[][] {
  const of = all.map((_, i) => i);
  const root = (i: number): number => {
    let at = i;
    while (of[at] !== at) {
      of[at] = of[of[at]!]!;
      at = of[at]!;
    }
    return at;
  };
  const onLot = new Map<number, number[]>();
  for (const [i, [, lots]] of all.entries()) {
    for (const lot of lots) {
      const here = onLot.get(lot);
      if (here === undefined) onLot.set(lot, [i]);
      else here.push(i);
    }
  }
  for (const here of onLot.values()) {
    for (const [i, one] of here.entries()) {
      for (const other of here.slice(i + 1)) {
        if (root(one) !== root(other) && linked(all[one]!, all[other]!)) of[root(other)] = root(one);
      }
    }
  }
  const found = new Map<number, Bidder[]>();
  for (const [i, bidder] of all.entries()) {
    const group = found.get(root(i));
    if (group === undefined) found.set(root(i), [bidder]);
    else group.push(bidder);
  }
  return [...found.values()];
}

function linked([, one]: Bidder, [, other]: Bidder): boolean {
  return shared(one, other) >= LINKED * Math.min(one.size, other.size);
}

/** Bidders who came back to this seller, bid on little else, and hardly ever win; those on the most lots first. */
function regulars({ lots, lotsOf }: BidHistory): Bidder[] {
  const won = new Map<string | null, number>();
  for (const { winner } of lots) won.set(winner, (won.get(winner) ?? 0) + 1);
  return [...lotsByBidder(lots)]
    .filter(
      ([bidder, own]) =>
        own.size >= OWN_LOTS &&
        own.size >= ATTACHED * (lotsOf[bidder] ?? own.size) &&
        (won.get(bidder) ?? 0) <= (1 - LOSSES) * own.size,
    )
    .sort(([a, one], [b, other]) => other.size - one.size || (a < b ? -1 : 1));
}

function describe(
  { lots, ...history }: BidHistory,
  members: readonly Bidder[],
  usual: number,
  chance: number,
): BidRing {
  const of = lotsBidOn({ ...history, lots });
  const pairs = members.flatMap(([, one], i) =>
    members.slice(i + 1).map(([, other]) => [one, other] as const),
  );
  const coherence = pairs.map(([one, other]) => {
    const common = shared(one, other);
    return common / (one.size + other.size - common);
  });
  const met = new Map<number, number>();
  for (const lot of members.flatMap(([, own]) => [...own])) met.set(lot, (met.get(lot) ?? 0) + 1);
  const names = members.map(([bidder]) => bidder);
  return {
    members: names,
    of,
    lots: [...met.values()].filter((n) => n > 1).length,
    presence: meetings(members) / (members.length * of),
    coherence: coherence.reduce((sum, c) => sum + c, 0) / coherence.length,
    won: lots.filter(({ winner }) => winner !== null && names.includes(winner)).length,
    usual,
    chance,
  };
}

/** The sum of the numbers of lots on which the bidders bid. */
function meetings(bidders: readonly Bidder[]): number {
  return bidders.reduce((sum, [, lots]) => sum + lots.size, 0);
}

function lotsBidOn({ lots }: BidHistory): number {
  return lots.filter((lot) => lot.bids.length > 0).length;
}
