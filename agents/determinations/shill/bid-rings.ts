import { type BidHistory, lotsByBidder, shared } from './bid-history.ts';
import { binomialTail, logChoose } from './chances.ts';

/** Bidders who keep together on one seller's lots and get next to none of them. */
export interface BidRing {
  /** The most present first. */
  readonly members: readonly string[];
  /** Lots of the seller that were bid on, and those of them on which at least two of the ring bid. */
  readonly of: number;
  readonly lots: number;
  /** Of the seller's lots, the share that a member bids on, on average. */
  readonly presence: number;
  /** Of the lots that two members bid on, the share they have in common, on average over the pairs. */
  readonly coherence: number;
  /** How many of those lots the members won. */
  readonly won: number;
  /** The share of the seller's lots that others who come back here bid on. */
  readonly usual: number;
  /** The chance that bidders who come back as those do are this present by themselves. */
  readonly chance: number;
}

/** The figures that decide; how they were found is told at `RING_LIMITS`. */
export interface RingLimits {
  /** Who comes back to a seller bids on this share of its lots. */
  readonly usual: number;
  /** Three of a ring bid on at least this share of the seller's lots, on average. */
  readonly presence: number;
  /** By the rule: three as present as that by chance are rarer than this. */
  readonly chance: number;
  /** By statistics: groups so present by chance are rarer than this among all groups of that size. */
  readonly among: number;
}

/**
 * Who comes back to a seller was on 0.26 of its lots where real auctions of one kind were dealt to sellers in a row,
 * and on 0.22 where they were dealt at random. `chance` and `among` were chosen on those auctions with rings of three
 * planted, each on 0.7 of a seller's lots; `npm run bench shill` chooses them again without each fifth of the auctions
 * and counts on that fifth: 0.94 and 0.95 of the rings were found, and 0.9 and 0.1 percent of the active real bidders
 * named. `presence` keeps long histories, where every habit is beyond chance, from making rings of habits.
 */
export const RING_LIMITS: RingLimits = { usual: 0.25, presence: 0.45, chance: 0.005, among: 0.0025 };

/** With fewer lots that were bid on nobody's habits can be told. */
export const ENOUGH_LOTS = 4;
/** A ring has at least this many members; two who meet often may be two who want the same things. */
const RING_SIZE = 3;
/** Who may be of a ring: bid on this many of the seller's lots … */
const OWN_LOTS = 2;
/** … which are at least this share of all lots it bid on … */
const ATTACHED = 0.5;
/** … and lost at least this share of them. */
const LOSSES = 0.8;
/** Two of them are linked by this share of the lots of whoever has fewer. */
const LINKED = 0.5;
/** The second and third of them are on this share of the seller's lots: one who never leaves makes no ring of two who came back. */
const OTHER_TWO = 0.4;
/** Whoever is linked with three of a ring belongs to it when on this share of the seller's lots. */
const JOINING = 0.5;
/** A seller of whose other regulars little is known counts as if it had this many usual ones. */
const USUAL_ONES = 3;

/**
 * Rings by presence: three or more who belong to this seller, meet there, hardly ever win, and are there far oftener
 * than who comes back to a seller usually is. Order of lots and bids does not matter.
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
 * Rings by chance: such groups are measured against the other regulars of this very seller, whose habits differ from
 * market to market, all of a group counted, and all groups of its size that could have stood out (Bonferroni).
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

/** Regulars who hang together by the lots they have in common, the most present first; and all other regulars. */
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

/** Who is linked, directly or through others: only who meet on a lot are tried, and none who hang together already. */
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

/** Whoever came back to this seller, bids on little else, and hardly ever wins; who is on the most lots first. */
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

/** On how many lots they bid, each counted by itself. */
function meetings(bidders: readonly Bidder[]): number {
  return bidders.reduce((sum, [, lots]) => sum + lots.size, 0);
}

function lotsBidOn({ lots }: BidHistory): number {
  return lots.filter((lot) => lot.bids.length > 0).length;
}
