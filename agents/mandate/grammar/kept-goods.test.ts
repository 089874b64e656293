import { describe, expect, it } from 'vitest';
import { readMandate } from './read.ts';

const read = (text: string) =>
  readMandate(`${text}. At most 100 USDC per deal, until 31 March 2027.`, '2026-12-01T00:00:00Z');

/** "Keep" and "hold" may set a limit; said of goods, they tell which are not sold. */
describe('goods that are kept', () => {
  it.each([
    ...['Sell everything', 'Sell travel', 'Sell music and travel'].flatMap((sell) =>
      [', keep the wine', '. Keep wine', ' and keep all my wine', '; hold the wine'].map(
        (kept) => sell + kept,
      ),
    ),
    'Sell everything. I want to keep the wine',
    'Sell everything (keep the wine)',
    'Sell everything, keeping the wine and art',
    'Sell travel. The wine stays with me',
    'Sell travel. The wine is mine',
    'Sell everything, wine I keep',
  ])('are asked about and never sold: %s', (text) => {
    expect(read(text)).toMatchObject({
      decision: 'REFUSE',
      questions: [
        { question: expect.stringContaining('You could write "Sell wine", or "Never deal in wine".') },
      ],
    });
  });

  it('are asked about behind "only", too', () => {
    expect(read('Sell everything. Keep only the wine')).toMatchObject({ decision: 'REFUSE' });
  });

  it.each([
    ['Buy anything. Keep wine under 500 USDC a day', { cap_per_day: '500' }],
    ['Keep to wine', { categories_allow: ['real-world-assets'] }],
    ['Sell the wine that we hold', { side: 'sell', categories_allow: ['real-world-assets'] }],
    ['Sell everything. Hold on to the wine', { side: 'sell', categories_deny: ['real-world-assets'] }],
  ])('are none where the word limits: %s', (text, mandate) => {
    expect(read(text)).toMatchObject({ mandate });
  });
});

describe('care that is asked for', () => {
  it.each([
    'Be careful with a.eth',
    'Please be careful with the seller a.eth',
    'Take care on Base',
    'Be careful when dealing with a.eth',
  ])('does not make a name all that is allowed: %s', (text) => {
    expect(read(`Buy wine. ${text}`)).toMatchObject({ decision: 'REFUSE' });
  });

  it.each(['Be careful', 'Please be careful with my money', 'Take care'])('says nothing else: %s', (text) => {
    expect(read(`Buy wine. ${text}`)).toMatchObject({ mandate: { categories_allow: ['real-world-assets'] } });
  });
});
