import { existsSync, readFileSync } from 'node:fs';
import type { BidHistory } from '../../agents/determinations/bid-history.ts';
import { ringsByChance, ringsByPresence } from '../../agents/determinations/bid-rings.ts';
import { loyalLosers } from '../../agents/determinations/shill-lot.ts';
import { shillScores } from '../../agents/determinations/shill-score.ts';
import type { BenchRow } from './row.ts';
import { type Auction, type Dealing, dice, plant, readAuctions } from './shill-plant.ts';

/** Bids of real auctions; they are no part of the project. */
const DATA = '../shared/data/auction-bids.csv';
const SEEDS = 10;

/** How one way of planting came out. */
export interface Planted {
  readonly groups: number;
  /** Groups of which at least two thirds of the members stand in one ring, or, of one alone, by the loner's rule. */
  readonly found: number;
  /** Real bidders, those of them on two lots or more, and those that were named. */
  readonly real: number;
  readonly active: number;
  readonly named: number;
  /** Sellers with nothing planted, and those of them at whom somebody was named. */
  readonly sellers: number;
  readonly suspected: number;
}

/**
 * `npm run bench shill [csv]`: plants shills and rings in real auctions and counts what the rules of the
 * determination name. Where the data is absent it says so and measures nothing.
 */
export async function benchShill(path = DATA): Promise<BenchRow[]> {
  if (!existsSync(path)) {
    console.log(`${path} is absent: nothing to plant in. Give the path of a file of auctions.`);
    return [];
  }
  const auctions = readAuctions(readFileSync(path, 'utf8'));
  const rows: BenchRow[] = [];
  const all = { groups: 0, found: 0 };
  for (const dealing of ['scattered', 'in a row'] as const) {
    for (const size of [1, 3, 4, 6]) {
      for (const zeal of [0.7, 0.8, 0.9]) {
        const counted = countPlanted(auctions, { dealing, size, zeal, seeds: SEEDS });
        rows.push(...rowsOf(counted, { dealing, size, zeal }));
        if (size < 3) continue;
        all.groups += counted.groups;
        all.found += counted.found;
      }
    }
  }
  const found = all.found / all.groups;
  const name = `all ${all.groups} rings of three or more: found`;
  return [...rows, { name, ratio: found, goal: 'at least 0.9', ok: found >= 0.9 }];
}

/** Plants, looks and counts, over several seeds; one seller in six has a planted group. */
export function countPlanted(
  auctions: readonly Auction[],
  how: { dealing: Dealing; size: number; zeal: number; seeds: number },
): Planted {
  const sum = { groups: 0, found: 0, real: 0, active: 0, named: 0, sellers: 0, suspected: 0 };
  for (let seed = 1; seed <= how.seeds; seed++) {
    const { sellers, lotsOf } = plant(auctions, dice(seed * 1_000 + how.size), { ...how, every: 6 });
    const wronged = new Set<string>();
    for (const { history, planted } of sellers) {
      const groups = namedIn(history);
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
    sum.real += real.length;
    sum.active += real.filter((name) => (lotsOf[name] ?? 0) > 1).length;
    sum.named += wronged.size;
  }
  return sum;
}

/** Rings by either method, and each loyal loser by itself: what makes a panel say FLAGGED. */
function namedIn(history: BidHistory): (readonly string[])[] {
  const rings = [...ringsByPresence(history), ...ringsByChance(history)].map((ring) => ring.members);
  return [...rings, ...loyalLosers(shillScores(history)).map((s) => [s.bidder])];
}

function rowsOf(p: Planted, how: { dealing: Dealing; size: number; zeal: number }): BenchRow[] {
  const who = how.size === 1 ? 'lone shills' : `rings of ${how.size}`;
  const name = `${how.dealing}, ${who}, on ${how.zeal * 100} % of the lots`;
  const found = p.found / p.groups;
  const wrong = (100 * p.named) / p.real;
  return [
    { name: `${name}: found of ${p.groups}`, ratio: found },
    {
      name: `${name}: % of real bidders named (${((100 * p.named) / p.active).toFixed(2)} % of the active)`,
      ratio: wrong,
      goal: 'at most 1',
      ok: wrong <= 1,
    },
    { name: `${name}: % of sellers without a plant suspected`, ratio: (100 * p.suspected) / p.sellers },
  ];
}
