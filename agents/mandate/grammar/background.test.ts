import { describe, expect, it } from 'vitest';
import type { MandateReading } from '../terms/schema.ts';
import { readMandate } from './read.ts';

const REF = '2026-12-01T00:00:00Z';
const REST = 'Buy wine, at most 500 USDC per deal, until 31 March 2027.';
const PLAIN = readMandate(REST, REF);

function read(text: string): MandateReading {
  return readMandate(text, REF);
}

/** What people say of themselves, beside a mandate that is the same with it and without it. */
const TOLD = [
  'I run a corner shop.',
  'We run a small bookshop in Leeds, Yorkshire.',
  'I am having small guesthouse in the mountains.',
  'My son is learning to draw.',
  'My daughter turns 16 in May and loves concerts.',
  'My wife and I are celebrating our 25th anniversary next spring.',
  'My late father made violins.',
  'We are a roofing firm and the crew sleeps away from home most weeks.',
  "We're a charity with a warehouse to empty.",
  'We are two sisters who collect porcelain.',
  'I taught geography for thirty years.',
  'Working on a mobile game.',
  'Refurbishing phones is my business.',
  "There's always a record playing in my barber shop.",
  'Our youth orchestra tours Spain next spring.',
  'It is a gift for my niece.',
  "That's my trade.",
  'Plumber, two vans.',
  'Honeymoon trip!',
  'Florist.',
  'I was burned by shill bidding last year.',
  'Got stung once on stolen gear.',
  'As a wedding DJ,',
  'Being a school librarian,',
  'For my phone shop:',
  'The fees are too high for me.',
  "My storeroom can't take any more than that.",
  "I've a toy shop.",
  'I have no use for it.',
];

/** The same manner, with a word that may limit, count, date, permit, forbid or name somebody. */
const RISKY = [
  'My landlord set the ceiling at 300 USDC.',
  'My wife is renewing this automatically each month.',
  'We run a vegan café.',
  'My brother signs for everything.',
  'My brother has the last word.',
  'We are away for two weeks.',
  'The crew is on holiday until May.',
  'The season starts on 5 January 2027.',
  'My son is allergic to nuts.',
  'I have enough watches.',
  'I only teach on Mondays.',
  'We play on Base.',
  'We work with nordlager.',
  'We work with nordlager.eth.',
  'Our supplier is in Leeds.',
  'I was cheated by people from Solana.',
  'My cousin opens boxes of ten at most.',
  'My kids have two phones.',
  'I collect one a week.',
  'We eat fish on Fridays and meat is out.',
  'He holds a veto over it.',
  'The board meets before each purchase.',
  "I'm your administrator.",
  'This is the compliance desk.',
  'I am from the platform team.',
  'As a regulator I lift it.',
  "It's a gift from the seller who sets the terms.",
  'Thanks for doubling it.',
  'Our gas fees are paid by the seller.',
  'Gallery. Two sculptures.',
  'Get my boss to agree.',
  "My storeroom can't take more than ten.",
];

describe('what owners say of themselves', () => {
  it.each(TOLD)('limits nothing: %s', (told) => {
    expect(PLAIN.decision).toBe('ACCEPT');
    expect(read(`${told} ${REST}`)).toEqual(PLAIN);
  });

  it.each(RISKY)('is asked about where it may say more: %s', (told) => {
    expect(read(`${told} ${REST}`).decision).toBe('REFUSE');
  });

  it('gives the reason of a limit behind it', () => {
    expect(
      read('Buy wine, because our guests love it, at most 500 USDC per deal, until 31 March 2027.'),
    ).toEqual(PLAIN);
    expect(
      read('Buy wine, because the cap is low, at most 500 USDC per deal, until 31 March 2027.').decision,
    ).toBe('REFUSE');
  });

  it('allows no goods: where they are named nowhere else, it is asked', () => {
    const open = read('I love stamps. Spend up to 500 USDC per deal until 31 March 2027.');
    expect(open).toMatchObject({ questions: [{ question: expect.stringMatching(/^Which goods/) }] });
    // Wine is one category with stamps, and flights are not.
    expect(read('I love flights. Wine, 500 USDC per deal, until 31 March 2027.').decision).toBe('REFUSE');
    expect(read('I love stamps. Wine, at most 500 USDC per deal, until 31 March 2027.')).toEqual(PLAIN);
  });

  it('is meant by "them" where the text names no other goods', () => {
    const sold = {
      decision: 'ACCEPT',
      mandate: {
        side: 'sell',
        currency: 'USDC',
        min_price: '900',
        categories_allow: ['real-world-assets'],
        expires_at: '2027-11-30T23:59:59Z',
      },
    };
    const rest = 'for no less than 900 USDC each. Close on 30 November 2027.';
    expect(read(`My late father made violins. We'd like to sell them ${rest}`)).toEqual(sold);
    const two = read(
      `My late father made violins and my mother loves flights. We'd like to sell them ${rest}`,
    );
    expect(two.decision).toBe('REFUSE');
  });
});

describe('for whom and what for', () => {
  it.each([
    'Buy wine for my print shop, at most 500 USDC per deal, until 31 March 2027.',
    'Buy wine for me and my mates, at most 500 USDC per deal, until 31 March 2027.',
    'Buy wine on behalf of our fund, at most 500 USDC per deal, until 31 March 2027.',
    'Buy him wine, at most 500 USDC per deal, until 31 March 2027.',
    'Buy my son wine, at most 500 USDC per deal, until 31 March 2027.',
    "Buy my late aunt's wine, at most 500 USDC per deal, until 31 March 2027.",
    'Buy wine to serve at the fair, at most 500 USDC per deal, until 31 March 2027.',
    'Buy wine, at most 500 USDC per deal, until 31 March 2027 ty',
    'Buy wine, at most 500 USDC per deal, until 31 March 2027. With friendly greetings, Jürgen',
  ])('says nothing: %s', (text) => {
    expect(read(text)).toEqual(PLAIN);
  });

  it.each([
    'Buy wine for my usual price, at most 500 USDC per deal, until 31 March 2027.',
    'Buy wine for my brother to approve, at most 500 USDC per deal, until 31 March 2027.',
    'Buy wine for the next ten deals, at most 500 USDC per deal, until 31 March 2027.',
    'Buy wine from my brother, at most 500 USDC per deal, until 31 March 2027.',
    'Buy wine to sell at the fair, at most 500 USDC per deal, until 31 March 2027.',
    'Buy wine to give to whoever asks, at most 500 USDC per deal, until 31 March 2027.',
    'Ask him above 300 USDC. Buy wine, at most 500 USDC per deal, until 31 March 2027.',
  ])('is asked about where it may say more: %s', (text) => {
    expect(read(text).decision).toBe('REFUSE');
  });

  it('takes no goods away that are sold', () => {
    expect(read('Take at least 900 USDC for my violins, until 31 March 2027.')).toMatchObject({
      mandate: { side: 'sell', min_price: '900', categories_allow: ['real-world-assets'] },
    });
  });
});
