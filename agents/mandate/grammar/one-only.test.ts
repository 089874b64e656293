import { describe, expect, it } from 'vitest';
import { readMandate } from './read.ts';

const read = (text: string) =>
  readMandate(`${text}, max 10000 USDC per deal, until 31 March 2027.`, '2026-12-01T00:00:00Z');

describe('one thing that is wanted', () => {
  it.each([
    ...['Buy a pair of shoes', 'A pair of shoes', 'Buy a piece of furniture', 'Buy an item of jewellery'],
    ...['Buy a copy of software', 'Buy a unit of real estate', 'Purchase a set of watches', 'Buy a lot'],
    ...['Buy any one car', 'Buy any single car', 'Sell any one painting', 'Buy this car', 'Buy that car'],
    ...['Buy only a car', 'Buy at most a car', 'Buy just a pair of shoes', 'Buy up to a pair of shoes'],
    ...['A piece of furniture', 'Invest in a unit of real estate'],
  ])('may be one and no more, which is asked about: %s', (text) => {
    const reading = read(text);
    expect(reading.decision === 'REFUSE' && reading.questions[0].question).toMatch(
      /^May the agent \w+ one .+ and no more, or several\?$/,
    );
  });

  it.each(['Buy both digital products', 'Buy both cars', 'Buy both of the cars', 'Buy both my cars'])(
    'is asked about as two: %s',
    (text) => {
      expect(read(text)).toMatchObject({ decision: 'REFUSE', questions: [{ reason: 'NOT_UNDERSTOOD' }] });
    },
  );

  it('is one deal where the text says so', () => {
    expect(read('Buy a pair of shoes, one deal in total')).toMatchObject({ mandate: { max_deals_total: 1 } });
  });

  it.each([
    ...[
      'Buy pairs of shoes',
      'Buy cases of wine',
      'Buy lots of watches',
      'Buy any cars',
      'Buy both cars and wine',
    ],
    ...['Buy these cars', 'Buy shoes, at most 10000 USDC for a pair of shoes', 'Buy any item of jewellery'],
  ])('is not meant by several, or by a price for each: %s', (text) => {
    expect(read(text)).toMatchObject({ mandate: { categories_allow: ['real-world-assets'] } });
    expect(read(text)).not.toHaveProperty('mandate.max_deals_total');
  });
});
