import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { minMicro } from '../../money.ts';
import type { Mandate } from '../terms/schema.ts';
import { judgeMandate } from './compliance.ts';
import type { MandateFacts, MandateProposal } from './proposal.ts';

const USD = 1_000_000n;
const OTHER = '0x2222222222222222222222222222222222222222';

const mandate: Mandate = {
  side: 'buy',
  currency: 'USDC',
  cap_per_deal: '100',
  cap_per_day: '250',
  cap_total: '1000',
  max_deals_total: 5,
  max_deals_per_day: 2,
  max_pct_of_market: '105',
  max_pct_of_face: '97.5',
  require_clean: ['wallet'],
  categories_allow: ['digital-products'],
  chains_deny: ['solana'],
  chains_allow: ['base'],
  counterparties_deny: ['scammer.eth'],
  approval_above: '60',
  not_before: '2026-12-01T00:00:00Z',
  expires_at: '2026-12-31T23:59:59Z',
};
const proposal: MandateProposal = {
  side: 'buy',
  category: 'digital-products',
  priceMicro: 50n * USD,
  counterparty: OTHER,
  chainId: 8453,
  at: '2026-12-10T00:00:00Z',
};
const facts: MandateFacts = {
  remaining: { day: 250n * USD, week: null, month: null, total: 1000n * USD, spendable: 250n * USD },
  sold: { day: 0n, week: 0n, month: 0n, total: 0n },
  reservedMicro: 0n,
  deals: { day: 0, total: 0 },
  marketMedianMicro: 100n * USD,
  faceValueMicro: 100n * USD,
  verdicts: { wallet: 'CLEAN' },
  names: { 'scammer.eth': '0x3333333333333333333333333333333333333333' },
};

function outcome(
  id: string,
  change: { mandate?: Partial<Mandate>; proposal?: Partial<MandateProposal>; facts?: Partial<MandateFacts> },
): string | undefined {
  const { checks } = judgeMandate(
    { ...mandate, ...change.mandate },
    { ...proposal, ...change.proposal },
    { ...facts, ...change.facts },
  );
  return checks.find((check) => check.id === id)?.outcome;
}

describe('holding a proposal to its mandate', () => {
  it('passes every clause of a proposal inside it, and lists one check a clause', () => {
    const { checks, needsApproval } = judgeMandate(mandate, proposal, facts);
    expect(checks.map((check) => check.id)).toEqual([
      'mandate-side',
      'mandate-window',
      'mandate-category',
      'mandate-chain',
      'mandate-counterparty',
      'mandate-cap-deal',
      'mandate-cap-day',
      'mandate-cap-total',
      'mandate-live-limits',
      'mandate-market',
      'mandate-face',
      'mandate-deals-total',
      'mandate-deals-day',
      'mandate-clean-wallet',
    ]);
    expect(checks.every((check) => check.outcome === 'PASS')).toBe(true);
    expect(needsApproval).toBe(false);
  });

  it('lists no check for a clause that the mandate lacks', () => {
    const bare: Mandate = { side: 'sell', currency: 'USDC', expires_at: mandate.expires_at };
    const { checks } = judgeMandate(bare, { ...proposal, side: 'sell' }, facts);
    expect(checks.map((check) => check.id)).toEqual(['mandate-side', 'mandate-window']);
  });

  it.each([
    ['mandate-side', { proposal: { side: 'sell' } }],
    ['mandate-window', { proposal: { at: '2027-01-01T00:00:00Z' } }],
    ['mandate-window', { proposal: { at: '2026-11-30T23:59:59Z' } }],
    ['mandate-category', { proposal: { category: 'real-world-assets' } }],
    ['mandate-category', { mandate: { categories_allow: undefined, categories_deny: ['digital-products'] } }],
    ['mandate-chain', { proposal: { chainId: 1 } }],
    ['mandate-counterparty', { proposal: { counterparty: '0x3333333333333333333333333333333333333333' } }],
    ['mandate-counterparty', { proposal: { counterparty: 'Scammer.eth' } }],
    [
      'mandate-counterparty',
      { mandate: { counterparties_allow: ['0x4444444444444444444444444444444444444444'] } },
    ],
    ['mandate-cap-deal', { proposal: { priceMicro: 100n * USD + 1n } }],
    ['mandate-cap-day', { proposal: { priceMicro: 250n * USD + 1n } }],
    ['mandate-cap-day', { facts: { reservedMicro: 200n * USD + 1n } }],
    ['mandate-cap-total', { facts: { remaining: { ...facts.remaining!, total: 50n * USD - 1n } } }],
    ['mandate-live-limits', { facts: { remaining: { ...facts.remaining!, spendable: 50n * USD - 1n } } }],
    ['mandate-market', { proposal: { priceMicro: 105n * USD + 1n } }],
    ['mandate-face', { proposal: { priceMicro: 97_500_001n } }],
    ['mandate-deals-total', { facts: { deals: { day: 0, total: 5 } } }],
    ['mandate-deals-day', { facts: { deals: { day: 2, total: 2 } } }],
    ['mandate-clean-wallet', { facts: { verdicts: { wallet: 'FLAGGED' } } }],
  ] as const)('flags %s (case %#)', (id, change) => {
    expect(outcome(id, change as never)).toBe('FLAG');
  });

  it.each([
    ['mandate-cap-deal', { proposal: { priceMicro: 100n * USD } }],
    ['mandate-market', { proposal: { priceMicro: 105n * USD } }],
    ['mandate-face', { proposal: { priceMicro: 97_500_000n } }],
    ['mandate-cap-day', { facts: { reservedMicro: 200n * USD } }],
    ['mandate-window', { proposal: { at: '2026-12-31T23:59:59Z' } }],
  ] as const)('passes %s on the limit itself (case %#)', (id, change) => {
    expect(outcome(id, change as never)).toBe('PASS');
  });

  it.each([
    ['mandate-chain', { proposal: { chainId: undefined } }],
    ['mandate-counterparty', { proposal: { counterparty: undefined } }],
    ['mandate-counterparty', { facts: { names: {} } }],
    ['mandate-cap-day', { facts: { remaining: null } }],
    ['mandate-cap-total', { facts: { reservedMicro: null } }],
    ['mandate-live-limits', { facts: { remaining: null } }],
    ['mandate-market', { facts: { marketMedianMicro: null } }],
    ['mandate-face', { facts: { faceValueMicro: null } }],
    ['mandate-deals-total', { facts: { deals: null } }],
    ['mandate-deals-day', { facts: { deals: { day: null, total: 1 } } }],
    ['mandate-clean-wallet', { facts: { verdicts: {} } }],
    ['mandate-clean-wallet', { facts: { verdicts: { wallet: 'INCONCLUSIVE' } } }],
  ] as const)('cannot tell %s without its fact (case %#)', (id, change) => {
    expect(outcome(id, change as never)).toBe('INCONCLUSIVE');
  });

  it('flags what the proposal alone breaks even when the live fact is missing', () => {
    expect(
      outcome('mandate-cap-day', { proposal: { priceMicro: 251n * USD }, facts: { remaining: null } }),
    ).toBe('FLAG');
  });

  it('takes what is in flight off every window and off the total, and not off the cap of one deal', () => {
    const inFlight = (reservedMicro: bigint, left: bigint, capped = 100n * USD) => ({
      facts: {
        reservedMicro,
        remaining: { day: left, week: left, month: left, total: left, spendable: capped },
      },
      mandate: { cap_per_day: undefined, cap_total: undefined },
    });
    expect(outcome('mandate-live-limits', inFlight(90n * USD, 250n * USD))).toBe('PASS');
    expect(outcome('mandate-live-limits', inFlight(200n * USD, 250n * USD))).toBe('PASS');
    expect(outcome('mandate-live-limits', inFlight(200n * USD + 1n, 250n * USD))).toBe('FLAG');
    expect(outcome('mandate-live-limits', inFlight(0n, 250n * USD, 50n * USD - 1n))).toBe('FLAG');
    expect(outcome('mandate-live-limits', inFlight(0n, 250n * USD, 0n))).toBe('FLAG');
  });

  it('lets no purchase past the chain, whatever is in flight: never beyond a window, never less than its own cap', () => {
    const amount = fc.bigInt({ min: 0n, max: 500n * USD });
    fc.assert(
      fc.property(amount, amount, amount, amount, (priceMicro, reservedMicro, perDeal, total) => {
        const spendable = minMicro(perDeal, total);
        const remaining = { day: total, week: total, month: total, total, spendable };
        const judged = outcome('mandate-live-limits', {
          mandate: { cap_per_day: undefined, cap_total: undefined, cap_per_deal: undefined },
          proposal: { priceMicro },
          facts: { remaining, reservedMicro },
        });
        expect(judged).toBe(priceMicro <= perDeal && priceMicro + reservedMicro <= total ? 'PASS' : 'FLAG');
      }),
    );
  });

  it('measures a sale against what was sold, and its floor', () => {
    const sell = { mandate: { side: 'sell', min_price: '40' }, proposal: { side: 'sell' } } as const;
    expect(outcome('mandate-min-price', sell)).toBe('PASS');
    expect(
      outcome('mandate-min-price', { ...sell, proposal: { side: 'sell', priceMicro: 40n * USD - 1n } }),
    ).toBe('FLAG');
    const sold = { day: 200n * USD + 1n, week: 0n, month: 0n, total: 0n };
    expect(outcome('mandate-cap-day', { ...sell, facts: { sold } })).toBe('FLAG');
    expect(outcome('mandate-cap-day', { ...sell, facts: { sold: null } })).toBe('INCONCLUSIVE');
    expect(outcome('mandate-live-limits', sell)).toBeUndefined();
  });

  it('asks for approval above the threshold, and not on it', () => {
    const at = (priceMicro: bigint) =>
      judgeMandate(mandate, { ...proposal, priceMicro }, facts).needsApproval;
    expect(at(60n * USD)).toBe(false);
    expect(at(60n * USD + 1n)).toBe(true);
  });
});
