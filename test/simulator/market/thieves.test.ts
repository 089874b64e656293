import { expect, it } from 'vitest';
import { testDatabase } from '../../fixtures/postgres.ts';
import { runThieves } from './thieves.ts';

/** The limit is long, because the machine may be busy. */
const LIMIT_MS = 900_000;

it(
  'finds every group of thieves who leave traces that honest trade does not leave, and never passes all the others',
  async () => {
    const { db, drop } = await testDatabase();
    try {
      const tallies = await runThieves(db, { deals: 50, agents: 24, groups: 1 }, 'thieves in the suite');
      const missed = tallies.filter((t) => t.mustTell && t.told < t.groups).map((t) => [t.kind, t.reasons]);
      expect(missed).toEqual([]);
      // What honest agents do, too, is left unjudged and is never CLEAN.
      expect(tallies.filter((t) => t.told + t.doubted < t.groups).map((t) => t.kind)).toEqual([]);
      expect(tallies.filter((t) => t.mustTell)).toHaveLength(9);
    } finally {
      await drop();
    }
  },
  LIMIT_MS,
);
