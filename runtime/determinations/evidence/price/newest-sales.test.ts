import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { SettledSale } from '../../../../store/market/comparables.ts';
import { countSince, newestSales, withChanges } from './newest-sales.ts';

const LIMIT = 5;
const START = Date.UTC(2026, 8, 6);

const sale = (n: number, minute: number, flagged = false): SettledSale => ({
  matchId: `mat_${String(n).padStart(3, '0')}`,
  lot: `eip155:1002/erc721:0x${'a'.repeat(40)}/${n}`,
  price: 1_000_000n,
  soldAt: new Date(START + minute * 60_000),
  flagged,
  seller: '0x1',
  buyer: '0x2',
  attributes: null,
});

/** What reading all of them again would find. */
const read = (all: ReadonlyMap<string, SettledSale>, since: Date): readonly SettledSale[] =>
  newestSales(
    [...all.values()].filter(({ soldAt }) => soldAt > since),
    LIMIT,
  ).sales.slice(0, LIMIT);

const change = fc.record({
  n: fc.integer({ min: 0, max: 11 }),
  minute: fc.integer({ min: 0, max: 8 }),
  flagged: fc.boolean(),
  gone: fc.boolean(),
});

it('the newest sales after any changes are those that reading all again finds, or are known to be unknown', () => {
  let followed = 0;
  fc.assert(
    fc.property(fc.array(fc.array(change, { minLength: 1, maxLength: 3 }), { maxLength: 30 }), (rounds) => {
      const all = new Map<string, SettledSale>();
      let since = new Date(START - 1);
      let known = newestSales([], LIMIT);
      for (const [i, changes] of rounds.entries()) {
        const changed = new Map<string, SettledSale | null>();
        for (const { n, minute, flagged, gone } of changes) {
          const now = sale(n, minute, flagged);
          if (gone) all.delete(now.matchId);
          else all.set(now.matchId, now);
          changed.set(now.matchId, gone ? null : now);
        }
        if (i % 7 === 6) since = new Date(since.getTime() + 120_000);
        const next = withChanges(known, changed, { limit: LIMIT, since });
        if (next === null) known = newestSales(read(all, since), LIMIT);
        else {
          followed += 1;
          known = next;
          expect(next.sales).toEqual(read(all, since));
        }
      }
    }),
    { numRuns: 2_000 },
  );
  expect(followed).toBeGreaterThan(5_000);
});

it('room that a change leaves for a sale that was not read is not taken for the whole', () => {
  const full = newestSales(
    [0, 1, 2, 3, 4].map((n) => sale(n, n)),
    LIMIT,
  );
  const held = { limit: LIMIT, since: new Date(START - 1) };
  expect(withChanges(full, new Map([['mat_003', null]]), held)).toBeNull();
  // It may stand behind sales that were never read.
  expect(withChanges(full, new Map([['mat_003', sale(3, -1)]]), held)).toBeNull();
  expect(withChanges(full, new Map([['mat_009', sale(9, -1)]]), held)?.sales).toEqual(full.sales);
});

it('sales are counted until the first that is no newer than a time', () => {
  const { sales } = newestSales(
    [3, 1, 2].map((n) => sale(n, n)),
    LIMIT,
  );
  expect([0, 1, 2, 3].map((minute) => countSince(sales, new Date(START + minute * 60_000)))).toEqual([
    3, 2, 1, 0,
  ]);
});
