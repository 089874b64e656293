import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromNow } from './from-now.ts';

const NOW = Date.parse('2026-11-21T07:00:00Z');
const SECONDS = { second: 1, minute: 60, hour: 3_600, day: 86_400 } as const;

/** The seconds of a distance in words that lies ahead. */
function told(words: string): number {
  if (words === 'now') return 0;
  if (words === 'tomorrow') return SECONDS.day;
  const [, count, unit] = /^in (\d+) (second|minute|hour|day)s?$/.exec(words) ?? [];
  return Number(count) * SECONDS[unit as keyof typeof SECONDS];
}

describe('a time told from now', () => {
  it.each([
    ['2026-11-21T07:00:00Z', 'now'],
    ['2026-11-21T06:57:00Z', '3 minutes ago'],
    ['2026-11-21T09:00:00Z', 'in 2 hours'],
    ['2026-11-21T08:30:00Z', 'in 1 hour'],
    ['2026-11-21T07:59:59Z', 'in 59 minutes'],
    ['2026-11-19T07:00:00Z', '2 days ago'],
    ['2026-11-21T05:20:00Z', '2 hours ago'],
    ['2026-10-01T07:00:00Z', null],
    ['never', null],
  ])('%s is %s', (iso, words) => {
    expect(fromNow(iso, NOW)).toBe(words);
  });

  it('is never later than it is where it lies ahead', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 31 * SECONDS.day * 1000 }), (ms) => {
        const words = fromNow(new Date(NOW + ms).toISOString(), NOW);
        expect(told(words ?? 'nothing')).toBeLessThanOrEqual(ms / 1000);
      }),
    );
  });
});
