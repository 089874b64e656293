import { describe, expect, it } from 'vitest';
import { readMandate } from './read.ts';

const read = (text: string) =>
  readMandate(`Buy wine, ${text}. At most 100 USDC per deal, until 31 March 2027.`, '2026-12-01T00:00:00Z');

/** Deals are whole: fewer than three are two at most. */
describe('a number of deals that is itself too many', () => {
  it.each([
    ['fewer than 3 deals a day', { max_deals_per_day: 2 }],
    ['less than three deals a day', { max_deals_per_day: 2 }],
    ['under 3 deals a day', { max_deals_per_day: 2 }],
    ['stay below 3 deals a day', { max_deals_per_day: 2 }],
    ['deals per day: below 3', { max_deals_per_day: 2 }],
    ['less than 3 times a day', { max_deals_per_day: 2 }],
    ['fewer than 10 deals in total', { max_deals_total: 9 }],
  ])('is not allowed: %s', (text, mandate) => {
    expect(read(text)).toMatchObject({ mandate });
  });

  it.each([
    ['within 3 deals a day', { max_deals_per_day: 3 }],
    ['at or below 3 deals a day', { max_deals_per_day: 3 }],
    ['less than or equal to 3 deals a day', { max_deals_per_day: 3 }],
    ['3 deals a day or fewer', { max_deals_per_day: 3 }],
    ['never more than 3 deals a day', { max_deals_per_day: 3 }],
  ])('is allowed where the words include it: %s', (text, mandate) => {
    expect(read(text)).toMatchObject({ mandate });
  });

  it('is asked about where none are left', () => {
    expect(read('fewer than 1 deal a day')).toMatchObject({ decision: 'REFUSE' });
  });
});
