import { describe, expect, it } from 'vitest';
import { readMandate } from './read.ts';

const read = (text: string) =>
  readMandate(`Buy wine, 50 USDC each, until 31 March 2027. ${text}.`, '2026-12-01T00:00:00Z');

/** An agent pays from its own account: a wallet that is to pay is not whom to deal with. */
describe('the wallet from which is paid', () => {
  it.each([
    'Pay from a.eth',
    'Pay out of a.eth',
    'Pay with a.eth',
    'Pay using a.eth',
    'Pay via a.eth',
    'Pay only from a.eth',
    'Pay for it from a.eth',
    'Paying from a.eth',
    'Paid from a.eth',
    'Always pay from 0x1111111111111111111111111111111111111111',
    'Spend from a.eth',
    'Spend only from a.eth',
    'Payments from a.eth',
    'Payments only from a.eth',
    'Payment from a.eth only',
    'Payments come from a.eth',
    'Only pay from a.eth',
    'Only spend from a.eth',
    'Pay from a.eth or b.eth',
    'Pay from wallet a.eth',
    'Never pay from a.eth',
    'Do not spend from a.eth',
    'Bid from a.eth',
    'Invest from a.eth',
    'Spend with my wallet a.eth',
    'Invest with the account a.eth',
  ])('is asked about: %s', (text) => {
    expect(read(text)).toEqual({
      decision: 'REFUSE',
      questions: [
        { reason: 'NOT_UNDERSTOOD', question: expect.stringMatching(/pays? from its own account/) },
      ],
    });
  });

  it.each([
    'Buy wine and pay from a.eth, 50 USDC each, until 31 March 2027.',
    'Buy wine, paying from a.eth, 50 USDC each, until 31 March 2027.',
    'Spend 50 USDC per deal from a.eth on wine, until 31 March 2027.',
    'Invest 50 USDC per deal from a.eth in wine, until 31 March 2027.',
  ])('is asked about beside the goods: %s', (text) => {
    expect(readMandate(text, '2026-12-01T00:00:00Z')).toMatchObject({ decision: 'REFUSE' });
  });

  it.each([
    ['Buy only from a.eth', { counterparties_allow: ['a.eth'] }],
    ['Invest only with a.eth', { counterparties_allow: ['a.eth'] }],
    ['Spend only with a.eth', { counterparties_allow: ['a.eth'] }],
    ['Bid only with a.eth', { counterparties_allow: ['a.eth'] }],
    ['Never invest with a.eth', { counterparties_deny: ['a.eth'] }],
    ['Never bid with a.eth', { counterparties_deny: ['a.eth'] }],
    ['Never spend with a.eth', { counterparties_deny: ['a.eth'] }],
    ['Never pay a.eth', { counterparties_deny: ['a.eth'] }],
    ['Only deal with a.eth', { counterparties_allow: ['a.eth'] }],
    ['Purchases only from a.eth', { counterparties_allow: ['a.eth'] }],
    ['Spend only on Base', { chains_allow: ['base'] }],
    ['Pay on Base', { chains_allow: ['base'] }],
    ['Pay for wine from a.eth', { counterparties_allow: ['a.eth'] }],
    ['Spend 90 USDC a day on wine from a.eth', { counterparties_allow: ['a.eth'] }],
  ])('is told from whom is dealt with: %s', (text, mandate) => {
    expect(read(text)).toMatchObject({ mandate });
  });
});
