import { expect, it } from 'vitest';
import { testDatabase } from '../../fixtures/postgres.ts';
import { runThieves } from './thieves.ts';

/** A busy machine gets the time it takes. */
const LIMIT_MS = 900_000;

it(
  'thieves who leave what honest trade does not are told, each group of them, and the others never all pass',
  async () => {
    const { db, drop } = await testDatabase();
    try {
      const tallies = await runThieves(db, { deals: 50, agents: 24, groups: 1 }, 'thieves in the suite');
      const missed = tallies.filter((t) => t.mustTell && t.told < t.groups).map((t) => [t.kind, t.reasons]);
      expect(missed).toEqual([]);
      // What honest agents do too is left unjudged, and passes for CLEAN nowhere.
      expect(tallies.filter((t) => t.told + t.doubted < t.groups).map((t) => t.kind)).toEqual([]);
      expect(tallies.filter((t) => t.mustTell)).toHaveLength(9);
    } finally {
      await drop();
    }
  },
  LIMIT_MS,
);
