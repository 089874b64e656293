import { describe, expect, it } from 'vitest';
import { readMandate } from './read.ts';

const read = (text: string) => readMandate(`${text}, until 31 March 2027.`, '2026-12-01T00:00:00Z');

/** One category holds art and wine: who sells the one and buys the other would permit both ways for both. */
describe('goods of one category that are bought and others of it that are sold', () => {
  it.each([
    'Sell art and buy wine, 50 USDC per deal',
    'Buy wine, 50 USDC per deal, and sell watches',
    'Sell my paintings for at least 40 USDC. Buy cars, 50 USDC per deal',
    'Buy flights, 50 USDC per deal. Sell concert tickets for at least 40 USDC',
  ])('are asked about: %s', (text) => {
    expect(read(text)).toMatchObject({
      decision: 'REFUSE',
      questions: [{ question: expect.stringContaining('both buy and sell') }],
    });
  });

  it.each([
    'Buy and sell wine, 50 USDC per deal',
    'Buy wine and sell wine, 50 USDC per deal',
    'Sell watches and buy watches, 50 USDC per deal',
    'Buy and sell art and wine, 50 USDC per deal',
  ])('are read where they are the same: %s', (text) => {
    expect(read(text)).toMatchObject({ mandate: { side: 'both' } });
  });
});
