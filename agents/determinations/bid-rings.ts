import { type BidHistory, lotsByBidder, shared } from './bid-history.ts';
import { components } from './graph.ts';

/** Bidders who keep meeting on one seller's lots. */
export interface BidRing {
  readonly members: readonly string[];
  /** Lots on which at least two of them bid. */
  readonly lots: number;
  /** Of the pairs of members, the share that is linked: 1 is everyone with everyone. */
  readonly density: number;
  /** Of the lots that two members bid on, the share they have in common, on average over the links. */
  readonly coherence: number;
}

/** A ring has at least this many members; two who meet often may be two who want the same things. */
const RING_SIZE = 3;
/** Who may be of a ring: bid on this many of the seller's lots … */
const OWN_LOTS = 3;
/** … which are at least this share of all lots it bid on. */
const ATTACHED = 0.5;
/** Two of them are linked by this many lots in common … */
const COMMON_LOTS = 2;
/** … which are at least this share of the seller's lots that either bid on. */
const COHERENCE = 0.4;

/**
 * Rings by co-bidding: bidders who belong to this seller, linked by the lots they have in common. Order of lots and
 * bids does not matter.
 */
export function ringsByCoherence(history: BidHistory): BidRing[] {
  return rings(attached(history), 1, ([, one], [, other]) => {
    const common = shared(one, other);
    return common >= COMMON_LOTS && common / (one.size + other.size - common) >= COHERENCE;
  });
}

/** The chance that lots met by chance is below this, all pairs of bidders counted. */
const CHANCE = 0.01;

/**
 * Rings by chance: bidders who belong to this seller, and meet there more often than bidders who choose their lots of
 * the whole market by themselves would (hypergeometric, Bonferroni over the pairs), each with two others.
 */
export function ringsByChance(history: BidHistory): BidRing[] {
  const of = attached(history);
  const pairs = (of.size * (of.size - 1)) / 2;
  const all = Math.max(history.market, history.lots.length);
  const total = (bidder: string, own: ReadonlySet<number>): number =>
    Math.min(all, Math.max(own.size, history.lotsOf[bidder] ?? 0));
  return rings(of, 2, ([a, one], [b, other]) => {
    const common = shared(one, other);
    return common >= COMMON_LOTS && chanceOf(common, all, total(a, one), total(b, other)) * pairs < CHANCE;
  });
}

/** Whoever bid on enough of the seller's lots, and on little else. */
function attached({ lots, lotsOf }: BidHistory): Map<string, ReadonlySet<number>> {
  return new Map(
    [...lotsByBidder(lots)].filter(
      ([bidder, own]) => own.size >= OWN_LOTS && own.size >= ATTACHED * (lotsOf[bidder] ?? own.size),
    ),
  );
}

type Bidder = readonly [bidder: string, lots: ReadonlySet<number>];

function rings(
  of: ReadonlyMap<string, ReadonlySet<number>>,
  fewest: number,
  linked: (one: Bidder, other: Bidder) => boolean,
): BidRing[] {
  const bidders = [...of].sort(([a], [b]) => (a < b ? -1 : 1));
  const links = new Map<string, Set<string>>(bidders.map(([bidder]) => [bidder, new Set()]));
  bidders.forEach((one, i) => {
    for (const other of bidders.slice(i + 1)) {
      if (!linked(one, other)) continue;
      links.get(one[0])?.add(other[0]);
      links.get(other[0])?.add(one[0]);
    }
  });
  for (let loose = [...links].filter(([, to]) => to.size < fewest); loose.length > 0; ) {
    for (const [bidder, to] of loose) {
      for (const other of to) links.get(other)?.delete(bidder);
      links.delete(bidder);
    }
    loose = [...links].filter(([, to]) => to.size < fewest);
  }
  return components(links)
    .filter((members) => members.length >= RING_SIZE)
    .map((members) => describe(members, links, of));
}

function describe(
  members: readonly string[],
  links: ReadonlyMap<string, ReadonlySet<string>>,
  of: ReadonlyMap<string, ReadonlySet<number>>,
): BidRing {
  const own = (bidder: string): ReadonlySet<number> => of.get(bidder) ?? new Set();
  const pairs = members.flatMap((one) =>
    [...(links.get(one) ?? [])]
      .filter((other) => one < other)
      .map((other) => [own(one), own(other)] as const),
  );
  const coherence = pairs.map(([one, other]) => shared(one, other) / new Set([...one, ...other]).size);
  const met = new Map<number, number>();
  for (const lot of members.flatMap((m) => [...own(m)])) met.set(lot, (met.get(lot) ?? 0) + 1);
  return {
    members,
    lots: [...met.values()].filter((n) => n > 1).length,
    density: pairs.length / ((members.length * (members.length - 1)) / 2),
    coherence: coherence.reduce((sum, c) => sum + c, 0) / Math.max(1, coherence.length),
  };
}

/** The chance of at least `common` among `a` and `b` lots drawn by themselves from `all`. */
export function chanceOf(common: number, all: number, a: number, b: number): number {
  let sum = 0;
  for (let k = common; k <= Math.min(a, b); k++) {
    if (b - k > all - a) continue;
    sum += Math.exp(choose(a, k) + choose(all - a, b - k) - choose(all, b));
  }
  return sum;
}

/** The logarithm of n over k. */
function choose(n: number, k: number): number {
  let sum = 0;
  for (let i = 1; i <= k; i++) sum += Math.log((n - k + i) / i);
  return sum;
}
