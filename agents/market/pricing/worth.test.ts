import { describe, expect, it } from 'vitest';
import { parseUsd } from '../../money.ts';
import type { Comparable, Similarity } from './comparables.ts';
import { valued } from './model/price-model.ts';
import { worthOf } from './worth.ts';

const AT = '2026-11-23T00:00:00.000Z';
const OF = { category: 'real-world-assets', at: AT };

/** Cars of two models, one of them worth three times the other, that lose a tenth a year. */
const cars = (similarity: Similarity = 'same-category'): Comparable[] =>
  Array.from({ length: 120 }, (_, i) => {
    const [model, year] = [i % 2 === 0 ? 'focus' : 'mustang', 2010 + (i % 10)];
    const price = (model === 'focus' ? 10_000 : 30_000) * 0.9 ** (2020 - year) * (1 + 0.02 * ((i % 7) - 3));
    return {
      ...{ id: `s${i}`, source: 'a list', soldAt: '2026-11-01T00:00:00.000Z', priceUsd: price.toFixed(2) },
      ...{ similarity, dropped: null, attributes: { make: 'Ford', model, year } },
    };
  });
const dollars = (found: ReturnType<typeof worthOf>): number =>
  'value' in found ? Number(found.value / 1_000_000n) : Number.NaN;

describe('what a lot is worth', () => {
  it('follows its attributes, and not the median of its category', () => {
    const worth = (model: string) =>
      dollars(worthOf({ ...OF, comparables: cars(), attributes: { make: 'Ford', model, year: 2018 } }));
    expect(worth('mustang') / (30_000 * 0.9 ** 2)).toBeCloseTo(1, 0);
    expect(worth('focus') / (10_000 * 0.9 ** 2)).toBeCloseTo(1, 0);
    expect(worth('mustang')).toBeGreaterThan(2 * worth('focus'));
  });

  it('comes with the interval that the price is held against', () => {
    const attributes = { make: 'Ford', model: 'focus', year: 2018 };
    const found = worthOf({ ...OF, comparables: cars(), attributes });
    if ('unjudged' in found) throw new Error(found.unjudged);
    expect(found).toMatchObject({ by: 'attributes', sales: 120, firm: true });
    expect(found.low).toBeLessThan(found.value);
    expect(found.high).toBeGreaterThan(found.value);
    const { low, high } = valued(attributes, cars(), OF)!;
    expect([Number(found.low) / 1e6, Number(found.high) / 1e6]).toEqual([
      expect.closeTo(low, 4),
      expect.closeTo(high, 4),
    ]);
  });

  it('is not known from its category alone', () => {
    const none = worthOf({ ...OF, comparables: cars(), attributes: null });
    expect(none).toHaveProperty('unjudged');
    const other = { make: 'Lada', model: 'Niva', year: 2018 };
    expect(worthOf({ ...OF, comparables: cars(), attributes: other })).toHaveProperty('unjudged');
  });

  it('is the median of its kind where its attributes tell nothing', () => {
    const kind = cars('same-kind').filter((_, i) => i % 20 === 0);
    const same = [...kind, ...kind.map((c) => ({ ...c, id: `${c.id}-2` }))].map((c) => ({
      ...c,
      priceUsd: '500',
    }));
    expect(worthOf({ ...OF, comparables: same, attributes: null })).toMatchObject({
      ...{ value: parseUsd('500', 'x'), low: parseUsd('500', 'x'), by: 'sales', sales: 12, firm: true },
    });
  });
});
