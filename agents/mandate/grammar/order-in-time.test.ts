import { describe, expect, it } from 'vitest';
import { readMandate } from './read.ts';

const read = (text: string) => readMandate(text, '2026-12-01T00:00:00Z');
const BUY = 'Buy wine, 50 USDC each, until 31 March 2027.';

/** A mandate holds at once and as a whole: it has no order in time, no choice, and no number of deals open together. */
describe('what a mandate cannot hold', () => {
  it.each([
    'Buy wine on Base, then on Ethereum, 50 USDC each, until 31 March 2027.',
    `${BUY} On Base. After that on Ethereum.`,
    `${BUY} After that art.`,
    `${BUY} After that, sell art.`,
    `${BUY} Three deals at most at once.`,
    `${BUY} At most three deals at once.`,
    `${BUY} At most 3 purchases at the same time.`,
    `${BUY} No more than 3 deals at any time.`,
    `${BUY} At most 3 deals per day or only on Polygon.`,
    `${BUY} At most 3 deals per day, or only on Polygon.`,
    `${BUY} Either at most 3 deals per day or only from a.eth.`,
    `${BUY} Only on Base or only from a.eth.`,
  ])('is asked about: %s', (text) => {
    expect(read(text)).toMatchObject({ decision: 'REFUSE' });
  });

  it.each([
    [`${BUY} Either on Polygon or on Base.`, { chains_allow: ['base', 'polygon'] }],
    [`${BUY} Only on Polygon or Base.`, { chains_allow: ['base', 'polygon'] }],
    [`${BUY} Only from a.eth or from b.eth.`, { counterparties_allow: ['a.eth', 'b.eth'] }],
    [`${BUY} At most 3 deals. Start at once.`, { max_deals_total: 3 }],
    [`The price must be clean first; after that buy wine. 50 USDC each, until 31 March 2027.`, {}],
    [`${BUY} At most 3 deals a day, and only on Polygon.`, { chains_allow: ['polygon'] }],
  ])('stands beside what it can: %s', (text, mandate) => {
    expect(read(text)).toMatchObject({ mandate });
  });
});
