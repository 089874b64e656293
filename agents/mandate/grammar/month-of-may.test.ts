import { describe, expect, it } from 'vitest';
import { readMandate } from './read.ts';

const read = (text: string) => readMandate(text, '2026-12-01T00:00:00Z');

/** "May" is a month or a verb. A month without a year is asked about, and nothing is sold before it. */
describe('the month of May', () => {
  it.each([
    'Sell wine from May, at least 50 USDC each, until 31 August 2027.',
    'Buy wine from May, 50 USDC each, until 31 August 2027.',
    'Buy wine from may, 50 USDC each, until 31 August 2027.',
    'Buy wine from May on, 50 USDC each, until 31 August 2027.',
    'From May buy wine, 50 USDC each, until 31 August 2027.',
    'Buy wine for May, 50 USDC each, until 31 August 2027.',
    'Buy wine this May, 50 USDC each, until 31 August 2027.',
    'Buy wine, May only, 50 USDC each, until 31 August 2027.',
    'Buy wine from May until 31 August 2027, 50 USDC each.',
    'Buy wine, 50 USDC each, until 31 August 2027, and from May art.',
    'Buy wine, 50 USDC each, until 31 August 2027 (May).',
  ])('is asked about: %s', (text) => {
    const found = read(text);
    expect(found).toMatchObject({ decision: 'REFUSE' });
    expect(JSON.stringify(found)).toMatch(/may/i);
  });

  it.each([
    'You may buy wine, 50 USDC each, until 31 August 2027.',
    'The agent may only buy wine. It may spend 50 USDC each, until 31 August 2027.',
    'THE AGENT MAY BUY WINE, 50 USDC EACH, UNTIL 31 AUGUST 2027.',
    'The Agent May Buy Wine, 50 USDC each, until 31 August 2027.',
    'May I ask you to buy wine, 50 USDC each, until 31 August 2027.',
    'Buy wine, 50 USDC each, until 31 August 2027. In no case may it sell.',
    'Wine may be bought for 50 USDC each until 31 August 2027.',
  ])('is a verb: %s', (text) => {
    expect(read(text)).toMatchObject({ mandate: { expires_at: '2027-08-31T23:59:59Z' } });
  });

  it('is a date with its day and year', () => {
    expect(read('Buy wine from 1 May 2027, 50 USDC each, until 31 May 2027.')).toMatchObject({
      mandate: { not_before: '2027-05-01T00:00:00Z', expires_at: '2027-05-31T23:59:59Z' },
    });
  });
});
