import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Comparable } from '../../market/pricing/comparables.ts';
import { marketOf } from '../../market/pricing/valuation.ts';
import { parseUsd } from '../../money.ts';
import { judge } from '../panel/judge.ts';
import { panelFor } from '../panel/panel.ts';
import type { Depth, DeterminationEvidence } from '../panel/types.ts';
import type { PriceCommon } from './price-evidence.ts';

const TOKEN = `eip155:1002/erc721:0x${'a'.repeat(40)}/7`;
const CAR = 'serial:vin:1HGCM82633A004352';
const AT = '2026-09-06T12:00:00.000Z';
const DEPTHS = ['1-of-1', '2-of-2', 'superconsensus'] as const;

const ago = (days: number): string => new Date(Date.parse(AT) - days * 86_400_000).toISOString();

function sale(priceUsd: string, id: string, more: Partial<Comparable> = {}): Comparable {
  return { id, source: 'test', soldAt: ago(10), priceUsd, similarity: 'same-kind', dropped: null, ...more };
}

const sales = (...prices: number[]): Comparable[] => prices.map((p, i) => sale(String(p), `s${i}`));

function evidence(common: Partial<PriceCommon>, depth: Depth = '2-of-2'): DeterminationEvidence {
  return {
    id: 'price-intelligence',
    rules: 1,
    at: AT,
    performer: 'AGENT',
    depth,
    common: {
      priceUsd: '100',
      category: 'digital-products',
      subject: null,
      leftOut: 0,
      lists: [],
      ...common,
    },
    blocks: {},
    seats: panelFor(depth).seats.map(({ seat, method, client }) => ({
      seat,
      method,
      source: 'registers',
      limit: '',
      facts: client === 'all' ? null : {},
      fault: null,
    })),
    latencyMs: 0,
  };
}

const verdict = (
  comparables: Comparable[],
  priceUsd: string,
  depth: Depth = '2-of-2',
  subject: string | null = TOKEN,
) => judge(evidence({ comparables, priceUsd, subject }, depth)).verdict;

const TEN = sales(90, 95, 97, 99, 100, 100, 101, 103, 105, 110);

describe.each(DEPTHS)('the price of a deal at depth %s', (depth) => {
  it.each([
    ['is CLEAN among enough sales', TEN, '104', 'CLEAN'],
    ['is CLEAN outside all of them, a quarter off at the most', TEN, '125', 'CLEAN'],
    [
      'is INCONCLUSIVE for a piece of a collection that is dearer by a quarter',
      TEN,
      '125.000001',
      'INCONCLUSIVE',
    ],
    ['is INCONCLUSIVE for one that is plainer by a quarter', TEN, '74.999999', 'INCONCLUSIVE'],
    ['is INCONCLUSIVE for one at three times the median', TEN, '300', 'INCONCLUSIVE'],
    ['is INCONCLUSIVE for one at a third of it', TEN, '33.333334', 'INCONCLUSIVE'],
    ['is FLAGGED above all of them and above three times the median', TEN, '300.000001', 'FLAGGED'],
    ['is FLAGGED below all of them and below a third of it', TEN, '33.333333', 'FLAGGED'],
    ['is FLAGGED at nothing', TEN, '0', 'FLAGGED'],
    ['is CLEAN among five sales, which report', sales(90, 95, 100, 105, 110), '99', 'CLEAN'],
    ['is INCONCLUSIVE where five sales find it far off', sales(90, 95, 100, 105, 110), '200', 'INCONCLUSIVE'],
    ['is INCONCLUSIVE by four sales', sales(100, 100, 100, 100), '100', 'INCONCLUSIVE'],
    ['is INCONCLUSIVE by none', [], '100', 'INCONCLUSIVE'],
    [
      'is INCONCLUSIVE by sales too far apart',
      sales(10, 20, 40, 60, 100, 150, 200, 300, 400),
      '70',
      'INCONCLUSIVE',
    ],
    [
      'is INCONCLUSIVE by sales of long ago',
      TEN.map((s) => ({ ...s, soldAt: ago(400) })),
      '100',
      'INCONCLUSIVE',
    ],
    [
      'is INCONCLUSIVE by sales that are yet to come',
      TEN.map((s) => ({ ...s, soldAt: ago(-1) })),
      '100',
      'INCONCLUSIVE',
    ],
    [
      'does not count flagged trades',
      TEN.map((s) => ({ ...s, dropped: 'flagged' as const })),
      '100',
      'INCONCLUSIVE',
    ],
  ] as const)('%s', (_name, comparables, price, expected) => {
    expect(verdict([...comparables], price, depth)).toBe(expected);
  });

  it.each([
    ['of one model', CAR, TEN],
    ['of the very thing', TOKEN, TEN.map((s) => ({ ...s, similarity: 'same-asset' as const }))],
  ])('is FLAGGED nearer to the median when the sales are %s', (_name, subject, comparables) => {
    const at = (price: string) => verdict([...comparables], price, depth, subject);
    expect(['167', '60'].map(at)).toEqual(['INCONCLUSIVE', 'INCONCLUSIVE']);
    expect(['167.000001', '59.8'].map(at)).toEqual(['FLAGGED', 'FLAGGED']);
  });

  it('is never FLAGGED by sales of its category alone, however far the price is from them', () => {
    const others = TEN.map((s) => ({ ...s, similarity: 'same-category' as const }));
    for (const subject of [TOKEN, CAR, null])
      expect(['5000', '1'].map((price) => verdict(others, price, depth, subject))).toEqual([
        'INCONCLUSIVE',
        'INCONCLUSIVE',
      ]);
  });

  it('is INCONCLUSIVE for dearer pieces when only plain ones were sold, and CLEAN once some dear ones were sold', () => {
    const plain = sales(96, 97, 98, 99, 100, 100, 101, 102, 103, 104);
    expect(verdict(plain, '150', depth)).toBe('INCONCLUSIVE');
    expect(verdict([...plain, sale('155', 'dear')], '150', depth)).toBe('CLEAN');
  });

  it('is INCONCLUSIVE on evidence from before sales were weighed', () => {
    expect(judge(evidence({}, depth)).verdict).toBe('INCONCLUSIVE');
  });
});

describe('comparable sales', () => {
  it('lose half their weight in ninety days, and perishables in seven', () => {
    const old = sales(50, 50, 50, 50, 50, 50).map((s) => ({ ...s, id: `o${s.id}`, soldAt: ago(56) }));
    const fresh = sales(100, 100, 100, 100, 100).map((s) => ({ ...s, soldAt: ago(0) }));
    expect(marketOf([...old, ...fresh], 'digital-products', AT)?.median).toBe(parseUsd('50', 'p') * 2n);
    const lean = marketOf([...old, ...fresh], 'travel-and-perishables', AT);
    expect(lean?.median).toBe(parseUsd('100', 'p'));
    // The sales are eight half-lives old, so beside the fresh ones they weigh almost nothing.
    expect(lean?.effectiveTenths).toBeLessThan(52);
  });

  it('of the same asset are used before those of its kind, and those before the category', () => {
    const own = sales(10, 10, 10, 10, 10).map((s) => ({
      ...s,
      id: `a${s.id}`,
      similarity: 'same-asset' as const,
    }));
    const others = sales(99, 99, 99, 99, 99, 99, 99).map((s) => ({
      ...s,
      similarity: 'same-category' as const,
    }));
    expect(marketOf([...others, ...own], 'digital-products', AT)).toMatchObject({
      similarity: 'same-asset',
      median: 10_000_000n,
    });
    expect(marketOf([...others, ...own.slice(1)], 'digital-products', AT)?.similarity).toBe('same-category');
  });

  it('appear in the reasons with their figures', () => {
    const { checks } = judge(evidence({ comparables: TEN, priceUsd: '330', subject: TOKEN }));
    expect(checks.map((c) => [c.id, c.outcome, c.detail])).toEqual([
      [
        'comparables',
        'PASS',
        '10 sales of its kind (10 once age is counted), from 90 to 110, half of them below 100',
      ],
      [
        'price-in-market',
        'FLAG',
        '330 is 230 percent above the median of 100, and above every sale: more than 300 percent of the median, or less than 33',
      ],
    ]);
  });
});

const anySale = fc.record({
  price: fc.oneof(fc.integer({ min: 8_000, max: 12_000 }), fc.integer({ min: 1, max: 100_000 })),
  days: fc.integer({ min: 0, max: 300 }),
  similarity: fc.constantFrom('same-asset', 'same-kind', 'same-category'),
  dropped: fc.constantFrom(null, null, null, 'flagged', 'repeat', 'party'),
});
const anySales = fc.array(anySale, { maxLength: 24 }).map((rows) =>
  rows.map((r, i) =>
    sale(String(r.price / 100), `s${i}`, {
      soldAt: ago(r.days),
      similarity: r.similarity as Comparable['similarity'],
      dropped: r.dropped as Comparable['dropped'],
    }),
  ),
);
/** Sales near one price, so that other verdicts than INCONCLUSIVE occur. */
const nearSales = fc
  .array(fc.record({ price: fc.integer({ min: 80, max: 120 }), days: fc.integer({ min: 0, max: 120 }) }), {
    minLength: 5,
    maxLength: 20,
  })
  .map((rows) => rows.map((r, i) => sale(String(r.price), `s${i}`, { soldAt: ago(r.days) })));
const anyPrice = fc.integer({ min: 15, max: 500 }).map(String);
const anyDepth = fc.constantFrom(...DEPTHS);

describe('price intelligence, whatever the sales', () => {
  it('does not depend on their order', () => {
    fc.assert(
      fc.property(
        fc.oneof(anySales, nearSales),
        anyPrice,
        anyDepth,
        fc.infiniteStream(fc.double()),
        (list, price, depth, dice) => {
          const shuffled = list
            .map((s) => [dice.next().value as number, s] as const)
            .sort((a, b) => (a[0] < b[0] ? -1 : 1))
            .map(([, s]) => s);
          const [one, other] = [list, shuffled].map((comparables) => {
            const { evidence: _kept, ...said } = judge(evidence({ comparables, priceUsd: price }, depth));
            return said;
          });
          expect(other).toEqual(one);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('does not turn a flag into CLEAN when findings drop some of its trades', () => {
    let flagged = 0;
    fc.assert(
      fc.property(
        fc.oneof(nearSales, anySales),
        anyPrice,
        anyDepth,
        fc.array(fc.boolean(), { minLength: 24, maxLength: 24 }),
        (list, price, depth, marks) => {
          if (verdict(list, price, depth) !== 'FLAGGED') return;
          flagged++;
          const marked = list.map((s, i) => (marks[i] ? { ...s, dropped: 'flagged' as const } : s));
          expect(verdict(marked, price, depth)).not.toBe('CLEAN');
        },
      ),
      { numRuns: 3_000, seed: 11 },
    );
    expect(flagged).toBeGreaterThan(200);
  });

  it('stays FLAGGED when the price moves further away', () => {
    fc.assert(
      fc.property(
        nearSales,
        anyPrice,
        fc.integer({ min: 1, max: 500 }),
        anyDepth,
        (list, price, more, depth) => {
          if (verdict(list, price, depth) !== 'FLAGGED') return;
          const above = Number(price) > 100;
          const further = above ? Number(price) + more : Math.max(0, Number(price) - more);
          expect(verdict(list, String(further), depth)).toBe('FLAGGED');
        },
      ),
      { numRuns: 500 },
    );
  });

  it('keeps its median among the honest sales while fewer than half of the sales are wild', () => {
    const honest = fc.array(fc.integer({ min: 90, max: 110 }), { minLength: 11, maxLength: 15 });
    const wild = fc.array(fc.integer({ min: 1, max: 1_000_000 }), { maxLength: 10 });
    fc.assert(
      fc.property(honest, wild, (good, bad) => {
        const market = marketOf(
          [...good, ...bad].map((p, i) => sale(String(p), `s${i}`)),
          'digital-products',
          AT,
        );
        expect(Number(market?.median) / 1e6).toBeGreaterThanOrEqual(90);
        expect(Number(market?.median) / 1e6).toBeLessThanOrEqual(110);
      }),
    );
  });
});
