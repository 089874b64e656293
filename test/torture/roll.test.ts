import { describe, expect, it } from 'vitest';
import { redisPresent } from '../fixtures/servers/redis.ts';
import { tortureByRolling } from './roll/torture-roll.ts';

describe.runIf(redisPresent)('a pool of which every process is replaced', () => {
  it('fails no request, order or payment, and settles every deal', { timeout: 900_000 }, async () => {
    const { faults, ...sums } = await tortureByRolling(16, 3_000);
    process.stdout.write(`${JSON.stringify(sums)}\n`);
    expect(faults).toEqual([]);
    expect(sums.ordered).toBeGreaterThan(0);
  });
});
