import type { BenchRow } from '../row.ts';
import { type AgentMarket, agentMarket, POPULATIONS, type Population } from './agent-markets.ts';
import { oracleScore } from './agent-oracle.ts';
import { MONEY, type Money, PLANTS, type Plant } from './agent-plants.ts';
import { type Told, verdictOf } from './agent-verdicts.ts';

/** Markets of each population are made until so many sellers were asked about; of each plant, so many markets. */
const HONEST = 200;
const PLANTED = 40;
/** Markets that no rule was chosen on: others were looked at for that. */
const SEEDS = { honest: 310_000, planted: 320_000, oracle: 330_000 } as const;
const MOST_FLAGGED = 0.02;
const MOST_OPEN = 0.1;
const LEAST_FOUND = 0.8;
const LEAST_OF_ORACLE = 0.9;

type Counts = Record<Told, number>;

/**
 * Honest agents and thieves in markets of agents, each asked about by the plain form of `judge shill`: how many sellers
 * are FLAGGED, left INCONCLUSIVE and CLEAN. Where no money tells of the thieves, the same is asked of an oracle that
 * knows how the simulator makes both, at the rate at which the determination accuses the honest.
 */
export function agentRows(): BenchRow[] {
  const honest = POPULATIONS.map((population) => ({ population, counts: countHonest(population) }));
  const rows = honest.map(({ population, counts }) => {
    const { share, text } = shown(counts);
    const ok = share.FLAGGED <= MOST_FLAGGED && share.INCONCLUSIVE <= MOST_OPEN;
    return {
      name: `honest, ${population}: ${text}`,
      ratio: share.FLAGGED,
      goal: `FLAGGED at most ${MOST_FLAGGED}, INCONCLUSIVE at most ${MOST_OPEN}`,
      ok,
    };
  });
  const asked = honestSellers();
  const accused = asked.filter(([market, seller]) => verdictOf(market, seller).verdict === 'FLAGGED').length;
  for (const plant of PLANTS) {
    for (const money of MONEY) {
      const { share, text } = shown(countPlanted(plant, money));
      const goal = money === 'unseen' ? goalOfOracle(oracleOf(plant, asked, accused)) : FOUND;
      rows.push({
        name: `${plant.name}, money ${money}: ${text}`,
        ratio: share.FLAGGED,
        goal: goal.says,
        ok: share.FLAGGED >= goal.least,
      });
    }
  }
  return rows;
}

interface Goal {
  readonly least: number;
  readonly says: string;
}

const FOUND: Goal = { least: LEAST_FOUND, says: `FLAGGED at least ${LEAST_FOUND}` };

function goalOfOracle(found: number): Goal {
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

function countPlanted(plant: Plant, money: Money): Counts {
  const counts = none();
  for (const [market, seller] of plantedSellers(plant, money)) counts[verdictOf(market, seller).verdict] += 1;
  return counts;
}

function plantedSellers(plant: Plant, money: Money): [AgentMarket, string][] {
  return Array.from({ length: PLANTED }, (_, i) => agentMarket('ten sellers', SEEDS.planted + i)).flatMap(
    (market) => plant.act(market, money).map((seller): [AgentMarket, string] => [market, seller]),
  );
}

function honestSellers(): [AgentMarket, string][] {
  return Array.from({ length: HONEST / 10 }, (_, i) => agentMarket('ten sellers', SEEDS.oracle + i)).flatMap(
    (market) => market.sellers.map((seller): [AgentMarket, string] => [market, seller]),
  );
}

/** The share that an oracle finds when it accuses as many of these honest sellers. */
function oracleOf(
  plant: Plant,
  honest: readonly (readonly [AgentMarket, string])[],
  accused: number,
): number {
  const { known } = plant;
  const scores = honest.map(([market, seller]) => oracleScore(market, seller, known)).sort((a, b) => b - a);
  const limit = scores[accused] ?? 0;
  const all = plantedSellers(plant, 'unseen');
  return all.filter(([market, seller]) => oracleScore(market, seller, known) > limit).length / all.length;
}

function none(): Counts {
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
