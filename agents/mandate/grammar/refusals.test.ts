import { describe, expect, it } from 'vitest';
import { readMandate } from './read.ts';

const read = (text: string) =>
  readMandate(`${text}, max 10000 USDC per deal, until 31 March 2027.`, '2026-12-01T00:00:00Z');

/** A word that refuses must not be taken for a refusal of goods that stand elsewhere in the clause. */
describe('refusals beside goods', () => {
  it.each([
    ...['Buy cars, not from dealers', 'Buy cars but not from dealers', 'Buy tickets, not from traders'],
    ...[
      'Buy watches and cars, no copies',
      'Digital products, not bundles',
      'Buy digital products, no bundles',
    ],
    ...['Buy digital products, no sellers', 'Buy digital products, no accounts', 'Wine but no bottles'],
    ...[
      'Buy cars, avoid dealers',
      'Buy cars, skip copies',
      'Buy cars, dealers excluded',
      'Wine, dealers banned',
    ],
    ...[
      'Avoid dealers, buy wine',
      'No dealers, buy wine',
      'Not dealers: buy wine',
      'Dealers excluded: buy wine',
    ],
    ...['Buy cars on Base, no copies', 'Buy from alice.eth, no copies', 'Use Base, no wallets'],
  ])('are asked about where they refuse something else: %s', (text) => {
    expect(read(text)).toMatchObject({ decision: 'REFUSE', questions: [{ reason: 'NOT_UNDERSTOOD' }] });
  });

  it.each([
    ...[
      'Buy a block of flats',
      'Buy never-worn shoes',
      'Buy a bar of gold',
      'Buy refuse trucks',
      'Buy ban cars',
    ],
    ...['Buy banned cars', 'Buy excluded wine', 'Buy trusted cars', 'Buy a trusted car'],
  ])('are asked about where they describe the goods: %s', (text) => {
    expect(read(text)).toMatchObject({ decision: 'REFUSE', questions: [{ reason: 'NOT_UNDERSTOOD' }] });
  });

  it.each([
    ...['Buy anything. Travel: no', 'Buy anything, travel never', 'Buy anything. Travel may not be bought'],
    ...['Buy anything. Travel deals are excluded', 'Buy no travel', 'Buy anything but not travel'],
    ...[
      'Buy anything, never deals in travel',
      'Buy anything. Goods to avoid: travel',
      'Buy anything, skip travel',
    ],
    'Never, under any circumstances, buy travel. Buy anything else',
  ])('leave the goods out where they refuse them: %s', (text) => {
    expect(read(text)).toMatchObject({ mandate: { categories_deny: ['travel-and-perishables'] } });
    expect(read(text)).not.toHaveProperty('mandate.categories_allow');
  });
});
