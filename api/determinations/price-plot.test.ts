import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Comparable } from '../../agents/market/pricing/comparables.ts';
import { pricePlot } from './price-plot.ts';

const AT = '2026-09-06T12:00:00.000Z';

const sale = (priceUsd: string, i: number, more: Partial<Comparable> = {}): Comparable => ({
  id: `mat_${i}`,
  source: "this platform's settled deals",
  soldAt: new Date(Date.parse(AT) - (i + 1) * 86_400_000).toISOString(),
  priceUsd,
  similarity: 'same-kind',
  dropped: null,
  ...more,
});

const evidence = (comparables: readonly unknown[], priceUsd = '131.5', at: string = AT) => ({
  determinations: [
    { id: 'double-pledge', common: {} },
    { id: 'price-intelligence', at, common: { priceUsd, category: 'digital-products', comparables } },
  ],
});

const TEN = ['96', '98', '99', '100', '100', '100', '101', '102', '103', '104'].map((p, i) => sale(p, i));

describe('the plot of a price', () => {
  it('shows every sale by its shape, and says in words what it shows', () => {
    const { text } = pricePlot(
      evidence([
        ...TEN,
        sale('140', 10, { dropped: 'flagged' }),
        sale('90', 11, { similarity: 'same-category' }),
      ]),
    );
    expect(text.match(/class="sale"/g)).toHaveLength(10);
    expect(text.match(/class="ring"/g)).toHaveLength(1);
    expect(text.match(/class="out"/g)).toHaveLength(1);
    expect(text).toContain('role="img" aria-labelledby="price-plot-title price-plot-text"');
    expect(text).toContain(
      '12 sales from 2026-08-25 to 2026-09-06. The price is 131.5 dollars. 10 sales of its kind',
    );
    expect(text).toContain('no: a flagged trade');
    expect(text).toContain('no: nearer sales were enough');
  });

  it.each([
    ['there is no evidence', null],
    ['there are no sales', evidence([])],
    [
      'the evidence is of before sales were weighed',
      { determinations: [{ id: 'price-intelligence', at: AT, common: { priceUsd: '1' } }] },
    ],
    ['the sales are no sales', evidence([null, 1, { id: 'x' }, { ...TEN[0], similarity: 'alike' }])],
    ['the time cannot be read', evidence(TEN, '1', 'then')],
  ])('is nothing where %s', (_name, kept) => {
    expect(pricePlot(kept).text).toBe('');
  });

  it('escapes what a list calls its sales', () => {
    const { text } = pricePlot(evidence([...TEN, sale('100', 20, { id: '<script>alert(1)</script>' })]));
    expect(text).not.toContain('<script>');
    expect(text).toContain('&lt;script&gt;');
  });

  it('has a finite place for every mark, whatever the prices and days', () => {
    const any = fc.record({
      price: fc.constantFrom('0', '0.000001', '1', '100', '999999999999'),
      days: fc.integer({ min: -3, max: 900 }),
      dropped: fc.constantFrom(null, 'flagged', 'repeat', 'party'),
    });
    expect(pricePlot(evidence([sale('0', 1)], '0')).text).not.toMatch(/NaN|Infinity/);
    fc.assert(
      fc.property(
        fc.array(any, { minLength: 1, maxLength: 12 }),
        fc.constantFrom('0', '0.01', '5e3', '1000000000000'),
        (rows, price) => {
          const sales = rows.map((r, i) =>
            sale(r.price, i, {
              soldAt: new Date(Date.parse(AT) - r.days * 86_400_000).toISOString(),
              dropped: r.dropped as Comparable['dropped'],
            }),
          );
          expect(pricePlot(evidence(sales, price)).text).not.toMatch(/NaN|Infinity/);
        },
      ),
    );
  });
});
