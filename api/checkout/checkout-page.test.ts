import { describe, expect, it } from 'vitest';
import { CHECKOUT } from '../words/checkout.ts';
import { type CheckoutView, checkoutPage } from './checkout-page.ts';

describe('the page of a checkout of a listing', () => {
  const told = (featured: boolean, status: CheckoutView['status']) =>
    checkoutPage({
      ...{ checkoutId: 'co_7', kind: 'listing', pay: 'card', what: 'It', status, amountUsd: 5, featured },
      ...{ takenBack: false, owner: '0xown', cards: 'test' },
      ...{ expiresAt: '2026-11-26T12:00:00Z', payUrl: null, handle: null, path: '/listing/checkout/co_7' },
    }).text;

  it('promises the first place for placement alone, and begins again what was begun', () => {
    expect(told(true, 'paid')).toContain('stands first in the catalogue');
    expect(told(false, 'paid')).not.toContain('stands first');
    expect(told(false, 'paid')).toContain(CHECKOUT.shown);
    expect(told(true, 'expired')).toContain('href="/desk/feature"');
    expect(told(false, 'expired')).toContain('href="/desk/listing-fee"');
  });
});

describe('the page of a checkout that failed', () => {
  const failed = (pay: CheckoutView['pay']): string =>
    checkoutPage({
      ...{ checkoutId: 'co_7', kind: 'agent', pay, what: 'AGENT ann', status: 'failed', amountUsd: 5 },
      ...{ expiresAt: '2026-11-26T12:00:00Z', payUrl: null, handle: 'ann', path: '/agent/checkout/co_7' },
      ...{ takenBack: false, owner: '0xown', cards: 'test' },
    }).text;

  it('says of a card alone that the money goes back by itself', () => {
    expect(failed('card')).toContain(CHECKOUT.failed.card);
    expect(failed('card')).not.toContain(CHECKOUT.failed.usdc);
  });

  it('tells who paid in USDC to write to the operator, and names the checkout', () => {
    expect(failed('usdc')).toContain(CHECKOUT.failed.usdc);
    expect(failed('usdc')).not.toContain(CHECKOUT.failed.card);
    expect(failed('usdc')).toContain('<code>co_7</code>');
  });
});

describe('the page of a checkout whose money was taken back', () => {
  it.each([
    ['agent', 'minted'],
    ['membership', 'paid'],
    ['listing', 'paid'],
  ] as const)('of a %s says so, and promises nothing', (kind, status) => {
    const { text } = checkoutPage({
      ...{ checkoutId: 'co_7', kind, pay: 'card', what: 'It', status, amountUsd: 5, takenBack: true },
      ...{ owner: '0xown', cards: 'test' },
      ...{ expiresAt: '2026-11-26T12:00:00Z', payUrl: null, handle: null, path: '/checkout/co_7' },
    });
    expect(text).toContain(`<h1>${CHECKOUT.takenBack}</h1>`);
    expect(text).toContain(CHECKOUT.notHolding[kind]);
    for (const promise of [CHECKOUT.holds, CHECKOUT.membership, CHECKOUT.shown, CHECKOUT.onChain])
      expect(text).not.toContain(promise);
  });
});

describe('the page of a checkout that a card may pay', () => {
  const asked = (cards: CheckoutView['cards']): string =>
    checkoutPage({
      ...{ checkoutId: 'co_7', kind: 'agent', pay: 'card', what: 'AGENT ann', status: 'awaiting-payment' },
      ...{ amountUsd: 5, takenBack: false, cards, handle: 'ann', path: '/agent/checkout/co_7' },
      ...{ expiresAt: '2026-11-26T12:00:00Z', payUrl: 'https://pay.example', owner: '0xown' },
    }).text;

  it('says whether the card is charged real dollars', () => {
    expect(asked('real')).toContain('cards are charged real dollars');
    expect(asked('real')).not.toContain('no real money');
    expect(asked('test')).toContain('no real money moves here');
  });
});
