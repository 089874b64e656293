import { describe, expect, it } from 'vitest';
import { redisPresent } from '../fixtures/servers/redis.ts';
import { tortureByAbsence } from './away/torture-away.ts';

describe.runIf(redisPresent)('a pool', () => {
  it('trades and is read while Redis hangs and is gone, and loses and doubles nothing by a database that restarts at once', {
    timeout: 900_000,
  }, async () => {
    const { faults, ...sums } = await tortureByAbsence({ deals: 2, seconds: 1, timed: false });
    process.stdout.write(`${JSON.stringify(sums)}\n`);
    expect(faults).toEqual([]);
  });
});
