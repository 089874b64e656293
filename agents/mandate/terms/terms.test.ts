import { describe, expect, it } from 'vitest';
import { canonicalJson, keccak } from '../../canonical.ts';
import { categoryBit } from '../../categories.ts';
import { AppError } from '../../errors.ts';
import { mandateHash } from './hash.ts';
import type { Mandate } from './schema.ts';
import { limitUsd, mandateTerms, NO_CAP_PER_DEAL } from './terms.ts';

const A = '0xABCDEFabcdefabcdefabcdefabcdefabcdefabcd';
const base: Mandate = {
  side: 'buy',
  currency: 'USDC',
  cap_per_deal: '12.5',
  expires_at: '2026-12-31T23:59:59Z',
};

describe('the terms of a mandate on chain', () => {
  it('hash the structure and not the order of its fields', () => {
    const { side, ...rest } = base;
    expect(mandateHash(base)).toBe(keccak(canonicalJson(base)));
    expect(mandateHash({ ...rest, side })).toBe(mandateHash(base));
    expect(mandateHash({ ...base, cap_per_deal: '12.6' })).not.toBe(mandateHash(base));
  });

  it('carry the caps in micro-dollars and the times in seconds', () => {
    const terms = mandateTerms({
      ...base,
      side: 'both',
      cap_per_day: '50',
      cap_total: '0.000001',
      min_price: '3',
      not_before: '2026-12-01T00:00:00Z',
    });
    expect(terms.caps).toEqual({
      perDeal: 12_500_000n,
      dayCap: 50_000_000n,
      weekCap: 0n,
      monthCap: 0n,
      totalCap: 1n,
      minPrice: 3_000_000n,
    });
    expect(terms).toMatchObject({
      sides: 3,
      validAfter: 1_796_083_200,
      expiry: 1_798_761_599,
      categories: 0n,
      allowlistOnly: false,
    });
  });

  it('take the smallest other cap for a deal when none is stated', () => {
    const { cap_per_deal: _, ...rest } = base;
    expect(mandateTerms({ ...rest, cap_per_week: '70', cap_total: '900' }).caps.perDeal).toBe(70_000_000n);
    expect(mandateTerms({ ...rest, side: 'sell', min_price: '5' }).caps.perDeal).toBe(NO_CAP_PER_DEAL);
  });

  it('turn allowed and denied goods into a bitmap that is never empty by accident', () => {
    expect(mandateTerms({ ...base, categories_allow: ['digital-products'] }).categories).toBe(
      categoryBit('digital-products'),
    );
    expect(mandateTerms({ ...base, categories_deny: ['digital-products'] }).categories).toBe(
      63n - categoryBit('digital-products'),
    );
    const nothing: Mandate = {
      ...base,
      categories_allow: ['digital-products'],
      categories_deny: ['digital-products'],
    };
    expect(() => mandateTerms(nothing)).toThrow(AppError);
  });

  it('list addresses on chain, and name what only compliance can hold', () => {
    const terms = mandateTerms({
      ...base,
      counterparties_allow: [A],
      counterparties_deny: ['bad.eth', A],
      chains_allow: ['base'],
    });
    expect(terms).toMatchObject({ allowlistOnly: true, allow: [A.toLowerCase()], deny: [A.toLowerCase()] });
    expect(terms.offChain).toEqual(['chains_allow', 'counterparties_deny']);
  });

  it('give the chain no allow list when a name on it could not be matched there', () => {
    const terms = mandateTerms({ ...base, counterparties_allow: [A, 'good.eth'] });
    expect(terms).toMatchObject({ allowlistOnly: false, allow: [], offChain: ['counterparties_allow'] });
  });
});

it('shows what means "no limit" as none, and never as money', () => {
  expect([NO_CAP_PER_DEAL, NO_CAP_PER_DEAL + 1n, 2n ** 256n - 1n].map(limitUsd)).toEqual([null, null, null]);
  expect([0n, 1n, 10n ** 18n].map(limitUsd)).toEqual([0, 0.000001, 1e12]);
});
