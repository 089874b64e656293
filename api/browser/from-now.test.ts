import { describe, expect, it } from 'vitest';
import { fromNow } from './from-now.ts';

const NOW = Date.parse('2026-11-21T07:00:00Z');

describe('a time told from now', () => {
  it.each([
    ['2026-11-21T07:00:00Z', 'now'],
    ['2026-11-21T06:57:00Z', '3 minutes ago'],
    ['2026-11-21T09:00:00Z', 'in 2 hours'],
    ['2026-11-19T07:00:00Z', '2 days ago'],
    ['2026-10-01T07:00:00Z', null],
    ['never', null],
  ])('%s is %s', (iso, words) => {
    expect(fromNow(iso, NOW)).toBe(words);
  });
});
