import { describe, expect, it } from 'vitest';
import { testDatabase } from '../../fixtures/postgres.ts';
import { type MarketPlan, plansOf, runHonest } from './honest.ts';
import { MOST_WRONG } from './main.ts';
import { added, type Tally, wrongShares } from './tally.ts';

const SEED = 'a market in the suite';

async function run(plan: MarketPlan): Promise<Tally> {
  const { db, drop } = await testDatabase();
  try {
    return await runHonest(db, plan, SEED);
  } finally {
    await drop();
  }
}

/** The limit is long, because the machine may be busy. */
const LIMIT_MS = 900_000;
const small = { agents: 16, deals: 24 };
const PLANS: readonly MarketPlan[] = [
  { name: 'one seller', kind: 'shops', sellers: 1, ...small },
  { name: 'three sellers', kind: 'shops', sellers: 3, ...small },
  { name: 'steady pairs', kind: 'pairs', sellers: 2, agents: 8, deals: 30 },
  { name: 'dealers', kind: 'dealers', sellers: 4, ...small },
];

describe('honest agents', () => {
  it(
    'have at most two percent of their deals stopped, and as few of their lots accused, in every kind of market',
    async () => {
      const tallies: Tally[] = [];
      for (const plan of PLANS) {
        const tally = await run(plan);
        tallies.push(tally);
        const { stopped, accused } = wrongShares(tally);
        expect([plan.name, tally.stops, stopped <= MOST_WRONG]).toEqual([plan.name, tally.stops, true]);
        expect([plan.name, tally.accusations, accused <= MOST_WRONG]).toEqual([
          plan.name,
          tally.accusations,
          true,
        ]);
      }
      const all = added(tallies);
      expect(all.deals).toBe(102);
      expect(all.settled + all.stopped).toBe(all.deals);
      // The markets must contain what honest trade is mistaken for; otherwise this would prove nothing.
      expect(all.doubts['shill-collusion/pair-trade']).toBeGreaterThan(5);
      expect(all.asked.CLEAN).toBeGreaterThan(3);
      expect(all.asked.INCONCLUSIVE).toBeLessThanOrEqual(all.asked.CLEAN / 9);
    },
    LIMIT_MS,
  );

  it(
    'make the same trades again from the same seed',
    async () => {
      const plan = { ...PLANS[1]!, deals: 6 };
      expect(await run(plan)).toEqual(await run(plan));
    },
    LIMIT_MS,
  );
});

it('runs markets of one, two, three and ten sellers, of steady pairs and of dealers', () => {
  const plans = plansOf({ deals: 500, agents: 50, sellers: null });
  expect(plans.map((p) => [p.kind, p.sellers])).toEqual([
    ['shops', 1],
    ['shops', 2],
    ['shops', 3],
    ['shops', 10],
    ['pairs', 10],
    ['dealers', 10],
  ]);
  expect(plansOf({ deals: 5, agents: 50, sellers: 4 }).map((p) => p.sellers)).toEqual([4]);
});
