import { existsSync, readFileSync } from 'node:fs';
import type { BenchRow } from '../row.ts';
import { agentRows } from './agent-rows.ts';
import { realVerdicts } from './real-verdicts.ts';
import {
  count,
  heldOut,
  interval,
  markets,
  named,
  type Planted,
  type Planting,
  unjudged,
} from './shill-folds.ts';
import { readAuctions } from './shill-plant.ts';

/** Bids of real auctions; they are no part of the project. */
const DATA = '../shared/data/auction-bids.csv';
const SEEDS = 20;

/**
 * `npm run bench shill [csv]`: asks about honest sellers and thieves in markets of agents, then plants shills and rings
 * in real auctions: what the determination says of their sellers, and whom the rules of rings name by themselves, before
 * the rest of the market may excuse them. Where the data is absent it says so.
 */
export async function benchShill(path = DATA): Promise<BenchRow[]> {
  const rows = agentRows();
  if (!existsSync(path)) {
    console.log(
      `${path} is absent: there are no real auctions to plant in. Give the path of a file of them.`,
    );
    return rows;
  }
  const auctions = readAuctions(readFileSync(path, 'utf8'));
  rows.push(...realVerdicts(auctions));
  for (const dealing of ['scattered', 'in a row'] as const) {
    for (const size of [1, 3, 4, 6]) {
      for (const zeal of [0.7, 0.8, 0.9]) {
        const how = { dealing, size, zeal, seeds: SEEDS };
        const naming = size === 1 ? unjudged : named;
        rows.push(
          ...rowsOf(
            nameOf(how),
            count(markets(auctions, how), (h) => naming(h)),
            size >= 3,
          ),
        );
      }
    }
  }
  const { limits, counts } = heldOut(auctions, { choosing: 8, judging: 30 });
  console.log(
    'Limits chosen without each fifth of the auctions:',
    limits.map((l) => `chance ${l.chance}, among all groups ${l.among}`).join('; '),
  );
  for (const dealing of ['scattered', 'in a row'] as const) {
    const name = `held out: ${nameOf({ dealing, size: 3, zeal: 0.7 })}`;
    rows.push(...rowsOf(name, counts[dealing], true));
  }
  return rows;
}

function nameOf({ dealing, size, zeal }: Omit<Planting, 'seeds'>): string {
  return `by the rules of rings alone, ${dealing}, ${size === 1 ? 'lone shills, left unjudged' : `rings of ${size}`}, on ${zeal * 100} % of the lots`;
}

/** @param wanted whether what is planted must be found and nobody else accused; a lone shill is only left unjudged */
function rowsOf(name: string, p: Planted, wanted: boolean): BenchRow[] {
  const found = p.found / p.groups;
  const wrong = p.named / p.active;
  const percent = (share: number): string => (100 * share).toFixed(2);
  const between = (share: number, n: number): string => interval(share, n).map(percent).join(' to ');
  return [
    {
      name: `${name}: found of ${p.groups} (${between(found, p.groups)} %)`,
      ratio: found,
      ...(wanted ? { goal: 'at least 0.9', ok: found >= 0.9 } : {}),
    },
    {
      name: `${name}: % of active real bidders named (${between(wrong, p.people)} % by ${p.people} people; ${percent(p.named / p.real)} % of all)`,
      ratio: 100 * wrong,
      ...(wanted ? { goal: 'at most 1', ok: wrong <= 0.01 } : {}),
    },
    { name: `${name}: % of sellers without a plant suspected`, ratio: (100 * p.suspected) / p.sellers },
  ];
}
