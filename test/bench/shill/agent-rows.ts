import type { BenchRow } from '../row.ts';
import { type AgentMarket, agentMarket, POPULATIONS, type Population } from './agent-markets.ts';
import { oracleScore } from './agent-oracle.ts';
import { MONEY, type Money, PLANTS, type Plant } from './agent-plants.ts';
import { type Told, verdictOf } from './agent-verdicts.ts';

/** Markets of each population are made until so many sellers were asked about; of each plant, so many markets. */
const HONEST = 200;
const PLANTED = 40;
/** Of one bidder with money of its own, who is told by a hair, so many that chance decides less. */
const CLOSE = { size: 1, markets: 240 } as const;
/** Markets that no rule was chosen on: others were looked at for that. */
const SEEDS = { honest: 410_000, planted: 420_000, oracle: 430_000 } as const;
const MOST_FLAGGED = 0.02;
const MOST_OPEN = 0.1;
const LEAST_FOUND = 0.8;
const LEAST_OF_ORACLE = 0.9;

export type Counts = Record<Told, number>;
/** A market, and the seller in it who is asked about. */
type Asked = readonly [market: AgentMarket, seller: string];

/**
 * Honest agents and thieves in markets of agents, each asked about by the plain form of `judge shill`: how many sellers
 * are FLAGGED, left INCONCLUSIVE and CLEAN. Where no money tells of the thieves, the same is asked of an oracle that
 * knows how the simulator makes both, at the rate at which the determination accuses the honest.
 */
export function agentRows(): BenchRow[] {
  const honest = POPULATIONS.map((population) => ({ population, counts: countHonest(population) }));
  const rows = honest.map(({ population, counts }) => honestRow(`honest, ${population}`, counts));
  const asked = honestSellers();
  const accused = asked.filter(([market, seller]) => verdictOf(market, seller).verdict === 'FLAGGED').length;
  const rowOf = (plant: Plant, money: Money, markets: number): BenchRow => {
    const planted = plantedSellers(plant, { money, markets });
    const goal = money === 'unseen' ? goalOfOracle(oracleOf(plant, { planted, asked, accused })) : FOUND;
    // Accounts that come once and of whose money nothing tells may be a rival's: they are to be left open.
    const once = plant.known.zeal === null && money === 'unseen';
    if (once) return openRow(`${plant.name}, money ${money}`, countOf(planted), goal);
    return plantedRow(`${plant.name}, money ${money}`, countOf(planted), goal);
  };
  for (const plant of PLANTS) for (const money of MONEY) rows.push(rowOf(plant, money, PLANTED));
  for (const plant of PLANTS)
    if (plant.known.size === CLOSE.size) rows.push(rowOf(plant, 'unseen', CLOSE.markets));
  return rows;
}

/** How honest sellers were judged, against the goals that hold for all of them. */
export function honestRow(name: string, counts: Counts): BenchRow {
  const { share, text } = shown(counts);
  return {
    name: `${name}: ${text}`,
    ratio: share.FLAGGED,
    goal: `FLAGGED at most ${MOST_FLAGGED}, INCONCLUSIVE at most ${MOST_OPEN}`,
    ok: share.FLAGGED <= MOST_FLAGGED && share.INCONCLUSIVE <= MOST_OPEN,
  };
}

/** How sellers with thieves were judged. */
export function plantedRow(name: string, counts: Counts, { least, says }: Goal): BenchRow {
  const { share, text } = shown(counts);
  return { name: `${name}: ${text}`, ratio: share.FLAGGED, goal: says, ok: share.FLAGGED >= least };
}

/** The same of thieves whom anybody could set on a seller: they accuse nobody, and do not pass. */
export function openRow(name: string, counts: Counts, { least, says }: Goal): BenchRow {
  const { share, text } = shown(counts);
  const told = share.FLAGGED + share.INCONCLUSIVE;
  return {
    name: `${name}: ${text}`,
    ratio: told,
    goal: says.replace('FLAGGED', 'FLAGGED or INCONCLUSIVE'),
    ok: told >= least,
  };
}

interface Goal {
  readonly least: number;
  readonly says: string;
}

export const FOUND: Goal = { least: LEAST_FOUND, says: `FLAGGED at least ${LEAST_FOUND}` };

/** What is to be found where an oracle finds such a share. */
export function goalOfOracle(found: number): Goal {
  const least = LEAST_OF_ORACLE * found;
  const oracle = found.toFixed(3);
  return { least, says: `FLAGGED at least ${least.toFixed(3)}: ${LEAST_OF_ORACLE} of an oracle's ${oracle}` };
}

function countHonest(population: Population): Counts {
  const counts = none();
  for (let seed = 1, asked = 0; asked < HONEST; seed++) {
    const market = agentMarket(population, SEEDS.honest + seed);
    for (const seller of market.sellers) {
      counts[verdictOf(market, seller).verdict] += 1;
      asked += 1;
    }
  }
  return counts;
}

function countOf(sellers: readonly Asked[]): Counts {
  const counts = none();
  for (const [market, seller] of sellers) counts[verdictOf(market, seller).verdict] += 1;
  return counts;
}

function plantedSellers(
  plant: Plant,
  { money, markets }: { readonly money: Money; readonly markets: number },
): Asked[] {
  return Array.from({ length: markets }, (_, i) => agentMarket('ten sellers', SEEDS.planted + i)).flatMap(
    (market) => plant.act(market, money).map((seller): Asked => [market, seller]),
  );
}

function honestSellers(): Asked[] {
  return Array.from({ length: HONEST / 10 }, (_, i) => agentMarket('ten sellers', SEEDS.oracle + i)).flatMap(
    (market) => market.sellers.map((seller): Asked => [market, seller]),
  );
}

/** The share that an oracle finds when it accuses as many of the honest sellers who were asked about. */
function oracleOf(
  { known }: Plant,
  { planted, asked, accused }: { planted: readonly Asked[]; asked: readonly Asked[]; accused: number },
): number {
  const scoreOf = ([market, seller]: Asked): number => oracleScore(market, seller, known);
  return foundAt({ planted: planted.map(scoreOf), honest: asked.map(scoreOf) }, accused);
}

/** The share of those planted who score higher than all honest ones but as many as are accused. */
export function foundAt(
  scores: { readonly planted: readonly number[]; readonly honest: readonly number[] },
  accused: number,
): number {
  const limit = [...scores.honest].sort((a, b) => b - a)[accused] ?? 0;
  return scores.planted.filter((score) => score > limit).length / scores.planted.length;
}

export function none(): Counts {
  return { FLAGGED: 0, INCONCLUSIVE: 0, CLEAN: 0 };
}

function shown(counts: Counts): { share: Counts; text: string } {
  const all = counts.FLAGGED + counts.INCONCLUSIVE + counts.CLEAN;
  const of = (n: number) => n / all;
  return {
    share: { FLAGGED: of(counts.FLAGGED), INCONCLUSIVE: of(counts.INCONCLUSIVE), CLEAN: of(counts.CLEAN) },
    text: `${counts.FLAGGED} FLAGGED, ${counts.INCONCLUSIVE} INCONCLUSIVE, ${counts.CLEAN} CLEAN`,
  };
}
