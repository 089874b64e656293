import { expect, it } from 'vitest';
import { testDatabase } from '../../fixtures/postgres.ts';
import { runThieves } from './thieves.ts';

/** The limit is long, because the machine may be busy. */
const LIMIT_MS = 900_000;

it(
  'finds every group of thieves who leave traces that honest trade does not leave, and passes none of the others but a lone shill',
  async () => {
    const { db, drop } = await testDatabase();
    try {
      const tallies = await runThieves(db, { deals: 50, agents: 24, groups: 1 }, 'thieves in the suite');
      const missed = tallies.filter((t) => t.mustTell && t.told < t.groups).map((t) => [t.kind, t.reasons]);
      expect(missed).toEqual([]);
      // One who always bids here and never wins, with money of his own, is what honest agents are, too.
      expect(tallies.filter((t) => t.told + t.doubted < t.groups).map((t) => t.kind)).toEqual([
        'one shill with money of its own',
      ]);
      expect(tallies.filter((t) => t.mustTell)).toHaveLength(11);
      // What honest buyers would pay by those sales is told by the price alone.
      const pumped = tallies.find((t) => t.kind.startsWith('sales raise'))!;
      expect(pumped.reasons).toHaveProperty('price-intelligence/price-in-market FLAGGED');
    } finally {
      await drop();
    }
  },
  LIMIT_MS,
);
