import { describe, expect, it } from 'vitest';
import { readMandate } from './read.ts';

const read = (text: string) =>
  readMandate(`Buy bonds, ${text}, max 10000 USDC per deal, until 31 March 2027.`, '2026-12-01T00:00:00Z');

describe('percents beside the market', () => {
  it.each([
    ...[
      'always below market by 10%',
      'below par by 5%',
      'under face value by 5%',
      'market price or below by 10%',
    ],
    ...[
      'never above market by more than 10%',
      'never over market by 10%',
      'exceed market by no more than 10%',
    ],
    ...['below par by at most 5%', 'at most market by 10%', 'cheaper than market by 10%', 'below market 10%'],
    ...['below market price with 10%', 'within 10% of market', 'stay within 10% of market'],
  ])('are asked about where they are a difference from it: %s', (text) => {
    expect(read(text)).toMatchObject({ decision: 'REFUSE', questions: [{ reason: 'NOT_UNDERSTOOD' }] });
  });

  it.each([
    ['at least 20% below market', '80'],
    ['up to 10% above market', '110'],
    ['at most 90% of market', '90'],
    ['market price at most 90%', '90'],
    ['within 90% of market', '90'],
    ['a discount of at least 20% from the market', '80'],
  ])('are read where they are a share of it: %s', (text, percent) => {
    expect(read(text)).toMatchObject({ mandate: { max_pct_of_market: percent } });
  });
});
