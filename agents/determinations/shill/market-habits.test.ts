import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type MarketLot, populationOf } from './market-habits.ts';

const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const markets: fc.Arbitrary<MarketLot[]> = fc
  .array(fc.record({ seller: name, bidders: fc.array(name, { maxLength: 4 }), wins: fc.boolean() }), {
    maxLength: 40,
  })
  .map((lots) =>
    lots.map(({ seller, bidders, wins }, n) => ({
      lot: String(n),
      seller,
      bidders,
      winner: wins ? (bidders[0] ?? null) : null,
    })),
  );

it('a seller of a market is reckoned with alike, whoever of it was asked about before', () => {
  fc.assert(
    fc.property(markets, fc.array(name, { minLength: 1, maxLength: 6 }), (lots, asked) => {
      for (const seller of asked) expect(populationOf(lots, seller)).toEqual(populationOf([...lots], seller));
    }),
  );
});

it('what a seller bids at others is no measure for its own bidders, and its own lots are none either', () => {
  const lots: MarketLot[] = [0, 1, 2].flatMap((n) => [
    { lot: `s${n}`, seller: 'sells', bidders: ['buys'], winner: null },
    { lot: `o${n}`, seller: 'other', bidders: ['sells', 'buys', 'bids'], winner: 'bids' },
  ]);
  expect(populationOf(lots, 'sells').habits).toMatchObject({
    bidders: 2,
    returning: 2,
    attached: 1,
    losing: 0,
  });
  expect(populationOf(lots, 'other').habits).toMatchObject({ bidders: 1, returning: 1 });
});
