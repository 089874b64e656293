import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DETERMINED_FOR_MS, isOutdated, SIGNED_FOR_SECONDS, signedForSeconds } from './outdated.ts';

const NOW = new Date(1_800_000_000_000);
const aged = (seconds: number): number => NOW.getTime() - seconds * 1000;

describe('signatures by determinations', () => {
  it('never outlive them, nor what a settlement needs', () => {
    fc.assert(
      fc.property(fc.integer({ min: -60, max: 3_600 }), (age) => {
        const seconds = signedForSeconds(aged(age), NOW);
        expect(seconds).toBeLessThanOrEqual(SIGNED_FOR_SECONDS);
        if (seconds > 0) expect((age + seconds) * 1000).toBeLessThanOrEqual(DETERMINED_FOR_MS);
        if (!isOutdated(aged(age), NOW)) expect(seconds).toBeGreaterThanOrEqual(60);
      }),
    );
  });

  it('are valid for two minutes at first, and are not made in the last minute', () => {
    expect(signedForSeconds(aged(0), NOW)).toBe(120);
    expect(signedForSeconds(aged(200), NOW)).toBe(100);
    expect([isOutdated(aged(240), NOW), isOutdated(aged(241), NOW)]).toEqual([false, true]);
  });

  it('are not made where nobody tells when that was', () => {
    expect([isOutdated(null, NOW), signedForSeconds(undefined, NOW)]).toEqual([true, 0]);
  });
});
