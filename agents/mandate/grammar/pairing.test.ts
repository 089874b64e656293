import { describe, expect, it } from 'vitest';
import type { MandateProposal } from '../compliance/proposal.ts';
import type { Mandate } from '../terms/schema.ts';
import { mandateAllows } from './pairing.ts';

const other = {
  handle: 'harbour-desk',
  account: `0x${'A'.repeat(40)}`,
  owner: `0x${'b'.repeat(40)}`,
};
const mandate: Mandate = {
  side: 'both',
  currency: 'USDC',
  cap_per_deal: '100',
  cap_per_day: '250',
  max_deals_per_day: 1,
  max_pct_of_market: '90',
  require_clean: ['wallet'],
  expires_at: '2026-12-31T23:59:59Z',
};
const deal = {
  side: 'buy',
  category: 'digital-products',
  priceMicro: 100_000_000n,
  chainId: 1002,
  at: '2026-12-10T00:00:00Z',
} satisfies MandateProposal;

const allows = (change: Partial<Mandate> = {}, at: Partial<MandateProposal> = {}): boolean =>
  mandateAllows({ ...mandate, ...change }, { ...deal, ...at }, other);

describe('a mandate in the moment of a match', () => {
  it('leaves what needs a live fact to the determination of the deal', () => expect(allows()).toBe(true));

  it.each<[string, Partial<Mandate>, Partial<MandateProposal>]>([
    ['another side', { side: 'sell' }, {}],
    ['a price over its cap', {}, { priceMicro: 100_000_001n }],
    ['a price over a day’s cap', { cap_per_day: '99' }, {}],
    ['a sale under its floor', { min_price: '101' }, { side: 'sell' }],
    ['other goods', { categories_allow: ['real-world-assets'] }, {}],
    ['goods it denies', { categories_deny: ['digital-products'] }, {}],
    ['a time after its end', {}, { at: '2027-01-01T00:00:00Z' }],
    ['a time before its beginning', { not_before: '2026-12-11T00:00:00Z' }, {}],
    ['a counterparty it denies by account', { counterparties_deny: [other.account.toLowerCase()] }, {}],
    ['a counterparty it denies by owner', { counterparties_deny: [other.owner] }, {}],
    ['a counterparty it denies by handle', { counterparties_deny: ['harbour-desk'] }, {}],
    ['a counterparty that is not on its list', { counterparties_allow: [`0x${'c'.repeat(40)}`] }, {}],
    [
      'a counterparty that it allows by one name and denies by another',
      { counterparties_allow: [other.account.toLowerCase()], counterparties_deny: [other.owner] },
      {},
    ],
  ])('refuses %s', (_what, change, at) => expect(allows(change, at)).toBe(false));

  it.each([other.account.toLowerCase(), other.owner, other.handle])(
    'knows an allowed counterparty as %s',
    (name) => expect(allows({ counterparties_allow: [name] })).toBe(true),
  );
});
