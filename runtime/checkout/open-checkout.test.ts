import { describe, expect, it } from 'vitest';
import { AppError } from '../../agents/errors.ts';
import { readMandate } from '../../agents/mandate/grammar/read.ts';
import { acceptMandate } from './open-checkout.ts';

const NOW = new Date('2026-12-01T00:00:00Z');

/** @returns the error that refuses the text; null when it is accepted */
function askedOf(text: string): AppError | null {
  try {
    acceptMandate(text, NOW);
    return null;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

describe('a mandate with a clause that nothing can enforce', () => {
  it.each([
    [
      'Buy invoices at or below 95% of face value, 100 USDC per deal, until 2027-01-20.',
      'NO_FACE_VALUE',
      ['95% of face value'],
    ],
    [
      'Buy bonds at a discount of at least 5% to face value, 500 USDC per deal, until 2027-01-31.',
      'NO_FACE_VALUE',
      ['5% to face value'],
    ],
    [
      'Buy digital products only on Base Sepolia, max 150 USDC per deal, for 7 days.',
      'NO_LISTINGS_ON_CHAIN',
      ['Base Sepolia'],
    ],
    [
      'Buy digital products on Base or Polygon, max 150 USDC per deal, for 7 days. Never on Solana.',
      'NO_LISTINGS_ON_CHAIN',
      ['Base', 'Polygon'],
    ],
    [
      'Deal only with Alice.eth. Buy digital products, max 150 USDC per deal, for 7 days.',
      'UNKNOWN_NAME',
      ['Alice.eth'],
    ],
    [
      `Buy digital products from 0x${'5'.repeat(40)} or desk.alice.sol, max 150 USDC per deal, for 7 days. Never deal with bob.eth.`,
      'UNKNOWN_NAME',
      ['desk.alice.sol', 'bob.eth'],
    ],
  ])('is read, and refused with a question about its words: %s', (text, reason, words) => {
    expect(readMandate(text, NOW.toISOString()).decision).toBe('ACCEPT');
    const refused = askedOf(text);
    expect(refused?.code).toBe('mandate-refused');
    expect(refused?.extra.questions).toEqual([{ reason, words, question: refused?.message }]);
    expect(refused?.message).toMatch(/\?$/);
  });

  it('asks about each such clause', () => {
    const refused = askedOf(
      'Buy invoices on Ethereum, never above face value, max 150 USDC per deal, for 7 days.',
    );
    expect(refused?.extra.questions).toMatchObject([
      { reason: 'NO_FACE_VALUE', words: ['face value'] },
      { reason: 'NO_LISTINGS_ON_CHAIN', words: ['Ethereum'] },
    ]);
  });

  it.each([
    'Buy digital products, max 150 USDC per deal, for 7 days. Never on Solana.',
    `Deal only with 0x${'5'.repeat(40)}. Buy digital products, max 150 USDC per deal, for 7 days.`,
    `Never deal with 0x${'5'.repeat(40)}. Buy digital products, max 150 USDC per deal, for 7 days.`,
    'Buy digital products on any chain, never above 105% of the market median, max 150 USDC per deal, for 7 days.',
  ])('is not one that is kept to here: %s', (text) => {
    expect(askedOf(text)).toBeNull();
  });
});
