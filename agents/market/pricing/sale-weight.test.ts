import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Comparable } from './comparables.ts';
import { type SaleTie, weighedByTies } from './sale-weight.ts';
import { carries, marketOf } from './valuation.ts';

const AT = '2026-11-21T00:00:00.000Z';
const sale = (i: number, priceUsd: string, over: Partial<Comparable> = {}): Comparable => ({
  ...{ id: `m-${i}`, source: 'here', priceUsd, similarity: 'same-kind', dropped: null },
  soldAt: new Date(Date.parse(AT) - i * 3_600_000).toISOString(),
  ...over,
});
const tie = (i: number, seller: string, buyer: string, share = 0): SaleTie => ({
  id: `m-${i}`,
  seller,
  buyer,
  share,
});
const median = (sales: readonly Comparable[]) => marketOf(sales, 'digital-products', AT)?.median;

describe('sales among those whose money is joined', () => {
  const honest = Array.from({ length: 11 }, (_, i) => sale(100 + i, '100'));
  const pumped = Array.from({ length: 12 }, (_, i) => sale(i, '400'));

  it('raise no median, where as many sales of strangers do', () => {
    const all = [...pumped, ...honest];
    const strangers = pumped.map((_, i) => tie(i, `s${i}`, `b${i}`));
    expect(median(weighedByTies(all, strangers))).toBe(400_000_000n);
    const ring = pumped.map((_, i) => tie(i, `s${i}`, `b${i}`, 0.6));
    const weighed = weighedByTies(all, ring);
    expect(weighed.filter((s) => s.dropped === 'related')).toHaveLength(12);
    expect(median(weighed)).toBe(100_000_000n);
    expect(carries(marketOf(weighed, 'digital-products', AT))).toBe('flag');
  });

  it('count once where one purse stands behind several accounts', () => {
    const same = pumped.map((_, i) => tie(i, 'one purse', i % 2 === 0 ? 'another' : `b${i}`));
    expect(weighedByTies(pumped, same).filter((s) => s.dropped === 'repeat')).toHaveLength(5);
    const own = [tie(0, 'one purse', 'one purse')];
    expect(weighedByTies(pumped, own)[0]?.dropped).toBe('related');
  });

  it('count the less the closer they are, and never more than they would', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (a, b) => {
          const [near, far] = [Math.max(a, b), Math.min(a, b)].map(
            (share) => weighedByTies([sale(1, '5')], [tie(1, 's', 'b', share)])[0]!,
          );
          const weight = (s: Comparable) => (s.dropped === null ? (s.weight ?? 1) : 0);
          expect(weight(near!)).toBeLessThanOrEqual(weight(far!));
          expect(weight(far!)).toBeLessThanOrEqual(1);
        },
      ),
    );
  });

  it('leave sales as they are of which nothing is told, or that were set aside before', () => {
    const all = [sale(1, '5'), sale(2, '5', { dropped: 'flagged' })];
    expect(weighedByTies(all, [tie(2, 'x', 'x', 1)])).toEqual(all);
  });
});
