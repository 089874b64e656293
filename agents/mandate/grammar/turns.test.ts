import { describe, expect, it } from 'vitest';
import type { Mandate } from '../terms/schema.ts';
import { readMandate } from './read.ts';

const REF = '2026-12-01T00:00:00Z';

function read(text: string): Mandate | null {
  const reading = readMandate(text, REF);
  return reading.decision === 'ACCEPT' ? reading.mandate : null;
}

const ENDS = 'Until 31 March 2027.';

describe('turns of phrase that mean something by what stands around them', () => {
  it.each<readonly [text: string, said: Partial<Mandate>]>([
    [
      'Buy T-bills. One deal: 250k USDC maximum. One month: 2 million USDC maximum.',
      { cap_per_deal: '250000', cap_per_month: '2000000' },
    ],
    [
      'Buy pallets, no deal above 1,450 USDC, and no month above 8,700 USDC.',
      { cap_per_deal: '1450', cap_per_month: '8700' },
    ],
    [
      'Buy art. Forty USDC each at most. Two hundred USDC is all I can spend in total.',
      { cap_per_deal: '40', cap_total: '200' },
    ],
    [
      'Buy sneakers, at most 260 USDC each. Ask me if it is over 200 USDC.',
      { cap_per_deal: '260', approval_above: '200' },
    ],
    [
      'Buy gemstones, at most 500 USDC each. If a stone is over 300 USDC, get my okay first.',
      { approval_above: '300' },
    ],
    [
      'Buy art, at most 400 USDC each. I sign off on everything over 150 USDC myself.',
      { approval_above: '150' },
    ],
    [
      "Buy art, at most 400 USDC each. Anything above 150 USDC only after I've approved it.",
      { approval_above: '150' },
    ],
    [
      'Need vintage cameras asap. At most 400 USDC each.',
      { side: 'buy', categories_allow: ['real-world-assets'] },
    ],
    ['Buy surplus bike parts, at most 400 USDC each.', { categories_allow: ['liquidation-and-surplus'] }],
    ['Buy end-of-season surplus, at most 400 USDC each.', { categories_allow: ['liquidation-and-surplus'] }],
    ['Buy unsold travel, at most 400 USDC each.', { categories_allow: ['travel-and-perishables'] }],
    [
      'Buy tokenized invoices and other tokenized debt, at most 400 USDC each.',
      { categories_allow: ['tokenized-debt-and-finance'] },
    ],
    ['Buy digital products, mostly fonts, at most 40 USDC each.', { categories_allow: ['digital-products'] }],
    ['Buy tickets to musicals, at most 95 USDC each, four tickets at most.', { max_deals_total: 4 }],
    [
      'Buy art, at most 400 USDC each, and the month must not cost more than 900 USDC.',
      { cap_per_month: '900' },
    ],
    [
      'Buy art at 400 USDC each at most. The provenance check must be clean or you leave it.',
      { require_clean: ['provenance'] },
    ],
    [
      'Buy art at 400 USDC each at most. If the provenance check comes back flagged, the deal is off.',
      { require_clean: ['provenance'] },
    ],
    ['Buy boats, at most 400 USDC for one, and it is one deal in total, no more.', { max_deals_total: 1 }],
    [
      'What you may buy:\n- e-books\n- at most 9 USDC each',
      { categories_allow: ['digital-products'], cap_per_deal: '9' },
    ],
    ['Buy 3D models, at most 9 USDC each.', { categories_allow: ['digital-products'] }],
    [
      'Please not to use Ethereum. Buy art, for one buying not more as 500 USDC.',
      { chains_deny: ['ethereum'], cap_per_deal: '500' },
    ],
    ['Idle cash goes into T-bills, at most 500 USDC per deal.', { side: 'buy', cap_per_deal: '500' }],
    [
      'Buy and sell domain names, 350 USDC a deal at most in either direction. Never let one go for under 120 USDC.',
      { side: 'both', min_price: '120' },
    ],
  ])('%s', (text, said) => {
    expect(read(`${text.replace(/\.$/, '')}. ${ENDS}`)).toMatchObject(said);
  });

  it.each([
    // One deal may be all, where nothing is said of a month.
    'Buy T-bills. One deal: 250k USDC maximum.',
    'Buy art, at most 400 USDC each. Ask me if it is over.',
    'Buy art, at most 400 USDC each. Ask me when it is all over.',
    'Buy art, at most 400 USDC each. Everything over 150 USDC is fine with me.',
    'Need max 300 USDC cameras.',
    'Buy surplus concert tickets, at most 400 USDC each.',
    'I want the surplus stock gone, at most 400 USDC each.',
    'Buy bonds and other watches, at most 400 USDC each.',
    'Buy bonds, mostly watches, at most 400 USDC each.',
    'Buy mostly watches, at most 400 USDC each.',
    'Buy art at 400 USDC each at most. The provenance check must be clean or you buy.',
    'Buy art at 400 USDC each at most. The provenance check must be clean or you ask me.',
    'Buy art at 400 USDC each at most. If the provenance check comes back flagged, the deal is on.',
    'Buy pallets and overstock, no pallet above 1,450 USDC.',
    'Buy domain names, both ways, 350 USDC a deal either way.',
    'Buy art. Nothing over 400 USDC.',
  ])('is asked about where it may mean something else: %s', (text) => {
    expect(read(`${text} ${ENDS}`)).toBeNull();
  });
});
