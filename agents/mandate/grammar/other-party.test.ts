import { describe, expect, it } from 'vitest';
import { readMandate } from './read.ts';

const REF = '2026-12-01T00:00:00Z';
const read = (text: string) => readMandate(text, REF);

/** Whoever sells to us does what we do not: we buy, and the other way round. */
describe('what the other party does', () => {
  it.each([
    'Sellers may offer us coins',
    'Any seller can sell us coins',
    'Anyone may sell coins to us',
    'Let people sell us coins',
    'People may sell me coins',
    'Everybody can offer coins to me',
    'Suppliers may sell coins to us',
  ])('is bought by us: %s', (words) => {
    expect(read(`${words}, at most 40 USDC per deal, until 3 March 2027.`)).toMatchObject({
      decision: 'ACCEPT',
      mandate: { side: 'buy', cap_per_deal: '40', categories_allow: ['real-world-assets'] },
    });
  });

  it.each([
    'Buyers may buy coins from us',
    'Anyone can purchase coins from me',
    'People may acquire coins from us',
  ])('is sold by us: %s', (words) => {
    expect(read(`${words} at 40 USDC or more, until 3 March 2027.`)).toMatchObject({
      decision: 'ACCEPT',
      mandate: { side: 'sell', min_price: '40', categories_allow: ['real-world-assets'] },
    });
  });

  it('goes on from those who may not', () => {
    expect(
      read(
        'a.eth is blocked, b.eth is banned, the rest may sell to us: coins, 40 USDC a deal, until 3 March 2027.',
      ),
    ).toMatchObject({
      decision: 'ACCEPT',
      mandate: { side: 'buy', counterparties_deny: ['a.eth', 'b.eth'], cap_per_deal: '40' },
    });
  });

  it.each([
    'Sell to me: coins, at most 40 USDC per deal, until 3 March 2027.',
    'Sell me coins, at most 40 USDC per deal, until 3 March 2027.',
    'Buy from us: coins, at most 40 USDC per deal, until 3 March 2027.',
    'They sell coins, at most 40 USDC per deal, until 3 March 2027.',
    'Others may buy coins, at most 40 USDC per deal, until 3 March 2027.',
    'Buyers buy coins, at most 40 USDC per deal, until 3 March 2027.',
    'Sellers sell coins, at most 40 USDC per deal, until 3 March 2027.',
    'Anyone may sell coins, at most 40 USDC per deal, until 3 March 2027.',
    'Only a.eth may sell coins, at most 40 USDC per deal, until 3 March 2027.',
    'a.eth sells us coins, at most 40 USDC per deal, until 3 March 2027.',
    'Whoever sells me coins gets at most 40 USDC per deal, until 3 March 2027.',
    'The rest may sell to us: coins, 40 USDC per deal, until 3 March 2027.',
    'Sellers accept at least 40 USDC. Coins, until 3 March 2027.',
    'Our sellers take 40 USDC or more. Coins, until 3 March 2027.',
  ])('is asked about where it may be ours: %s', (text) => {
    expect(read(text).decision).toBe('REFUSE');
  });
});
