import { describe, expect, it } from 'vitest';
import { parseUsd } from '../../money.ts';
import type { Comparable, Similarity } from './comparables.ts';
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
    expect(worthOf({ ...OF, comparables: same, attributes: null })).toEqual({ value: parseUsd('500', 'x') });
  });
});
