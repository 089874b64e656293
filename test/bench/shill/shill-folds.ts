import type { BidHistory } from '../../../agents/determinations/shill/bid-history.ts';
import {
  type BidRing,
  RING_LIMITS,
  type RingLimits,
  ringsByChance,
  ringsByPresence,
} from '../../../agents/determinations/shill/bid-rings.ts';
import { honestChance, honestReason } from '../../../agents/determinations/shill/loyalty.ts';
import { loyalLosers } from '../../../agents/determinations/shill/shill-lot.ts';
import { shillScores } from '../../../agents/determinations/shill/shill-score.ts';
import { type Auction, type Dealing, dice, type Market, plant, type RingPlan } from './shill-plant.ts';

/** What is planted: a group of so many at one seller in six, each on this share of its lots; and how lots are dealt. */
export interface Planting extends Pick<RingPlan, 'dealing' | 'size' | 'zeal'> {
  readonly seeds: number;
}

/** How one way of planting came out. */
export interface Planted {
  readonly groups: number;
  /** Groups of which at least two thirds of the members stand in one ring; of one alone: who is left unjudged. */
  readonly found: number;
  /** Real bidders, those of them on two lots or more, and those that were named, over all seeds. */
  readonly real: number;
  readonly active: number;
  readonly named: number;
  /** How many different people the active ones are: the seeds deal the same ones again and again. */
  readonly people: number;
  /** Sellers with nothing planted, and those of them at whom somebody was named. */
  readonly sellers: number;
  readonly suspected: number;
}

/** Whom a rule names at one seller. */
type Naming = (history: BidHistory) => readonly (readonly string[])[];

/** Rings by either method that nothing honest explains: what makes a panel say FLAGGED. */
export function named(history: BidHistory, limits: RingLimits = RING_LIMITS): (readonly string[])[] {
  return within(suspects(history, limits), limits);
}

/** What limits at least as narrow as these may name. */
interface Suspects {
  readonly presence: readonly BidRing[];
  readonly chance: readonly BidRing[];
}

/** Each loyal loser by itself: whom a panel leaves unjudged, for a shill does so and an honest low bidder too. */
export function unjudged(history: BidHistory): (readonly string[])[] {
  return loyalLosers(shillScores(history)).map((s) => [s.bidder]);
}

function suspects(history: BidHistory, widest: RingLimits): Suspects {
  return {
    presence: ringsByPresence(history, widest).filter((ring) => honestReason(history, ring) === null),
    chance: ringsByChance(history, widest).filter((ring) => honestChance(history, ring) === null),
  };
}

function within({ presence, chance }: Suspects, limits: RingLimits): (readonly string[])[] {
  return [
    ...presence.filter((ring) => ring.chance < limits.chance).map((ring) => ring.members),
    ...chance.filter((ring) => ring.chance < limits.among).map((ring) => ring.members),
  ];
}

export function markets(auctions: readonly Auction[], how: Planting): Market[] {
  return Array.from({ length: how.seeds }, (_, i) =>
    plant(auctions, dice((i + 1) * 1_000 + how.size), { ...how, every: 6 }),
  );
}

/** Counts what a rule names of what was planted, and of whom it should not. */
export function count(all: readonly Market[], naming: Naming = named): Planted {
  const sum = { groups: 0, found: 0, real: 0, active: 0, named: 0, sellers: 0, suspected: 0 };
  const people = new Set<string>();
  for (const { sellers, lotsOf } of all) {
    const wronged = new Set<string>();
    for (const { history, planted } of sellers) {
      const groups = naming(history);
      for (const name of groups.flat()) if (!name.startsWith('planted')) wronged.add(name);
      if (planted.length === 0) {
        sum.sellers++;
        if (groups.length > 0) sum.suspected++;
        continue;
      }
      const wanted = Math.ceil((planted.length * 2) / 3);
      sum.groups++;
      if (groups.some((g) => g.filter((m) => planted.includes(m)).length >= wanted)) sum.found++;
    }
    const real = Object.keys(lotsOf).filter((name) => !name.startsWith('planted'));
    const active = real.filter((name) => (lotsOf[name] ?? 0) > 1);
    for (const name of active) people.add(name);
    sum.real += real.length;
    sum.active += active.length;
    sum.named += wronged.size;
  }
  return { ...sum, people: people.size };
}

const DEALINGS = ['scattered', 'in a row'] as const;
const FOLDS = 5;
/** The hardest of the rings that must be found. */
const HARDEST = { size: 3, zeal: 0.7 };
/** Of the limits that find this share of the hardest rings, in either dealing, those that name the fewest are chosen. */
const ENOUGH_FOUND = 0.92;
const CHOICES = [0.0005, 0.001, 0.0025, 0.005, 0.01].flatMap((chance) =>
  [0.0025, 0.005, 0.01, 0.02].map((among): RingLimits => ({ ...RING_LIMITS, chance, among })),
);
const WIDEST: RingLimits = { ...RING_LIMITS, chance: 0.01, among: 0.02 };

/** The limits that do best on these auctions. */
export function chosen(auctions: readonly Auction[], seeds: number): RingLimits {
  const planted = DEALINGS.map((dealing) => markets(auctions, { ...HARDEST, dealing, seeds }));
  const seen = new Map(
    planted
      .flat()
      .flatMap(({ sellers }) => sellers.map(({ history }) => [history, suspects(history, WIDEST)] as const)),
  );
  const met = CHOICES.map((limits) => {
    const counts = planted.map((all) => count(all, (history) => within(seen.get(history)!, limits)));
    return {
      limits,
      found: Math.min(...counts.map((c) => c.found / c.groups)),
      wrong: Math.max(...counts.map((c) => c.named / c.active)),
    };
  });
  const enough = met.filter((m) => m.found >= ENOUGH_FOUND);
  const best = [...(enough.length > 0 ? enough : met)].sort((a, b) => a.wrong - b.wrong || b.found - a.found);
  return best[0]?.limits ?? RING_LIMITS;
}

/**
 * Each fifth of the auctions of each kind, in the order they were held, judged by limits that were chosen on the other
 * four fifths alone.
 */
export function heldOut(
  auctions: readonly Auction[],
  seeds: { readonly choosing: number; readonly judging: number },
): { limits: RingLimits[]; counts: Record<Dealing, Planted> } {
  const folds = inFolds(auctions);
  const limits = folds.map((_, f) => chosen(folds.filter((_, other) => other !== f).flat(), seeds.choosing));
  const counted = (dealing: Dealing): Planted =>
    folds
      .map((fold, f) =>
        count(markets(fold, { ...HARDEST, dealing, seeds: seeds.judging }), (h) => named(h, limits[f])),
      )
      .reduce(added);
  return { limits, counts: { scattered: counted('scattered'), 'in a row': counted('in a row') } };
}

function inFolds(auctions: readonly Auction[]): Auction[][] {
  const folds: Auction[][] = Array.from({ length: FOLDS }, () => []);
  for (const kind of [...new Set(auctions.map((a) => a.kind))].sort()) {
    const of = auctions.filter((a) => a.kind === kind).sort((a, b) => (a.lot < b.lot ? -1 : 1));
    for (const [i, auction] of of.entries()) folds[Math.floor((i * FOLDS) / of.length)]?.push(auction);
  }
  return folds;
}

function added(one: Planted, other: Planted): Planted {
  const keys = Object.keys(one) as (keyof Planted)[];
  return Object.fromEntries(keys.map((key) => [key, one[key] + other[key]])) as unknown as Planted;
}

/** Wilson's 95 percent interval of a share counted over `n`. */
export function interval(share: number, n: number): [from: number, to: number] {
  const z = 1.96;
  const middle = (share + z ** 2 / (2 * n)) / (1 + z ** 2 / n);
  const half = (z / (1 + z ** 2 / n)) * Math.sqrt((share * (1 - share)) / n + z ** 2 / (4 * n ** 2));
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}
