import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Comparable } from '../comparables.ts';
import { groupsOf, identityOf, told } from './attributes.ts';
import { asked, type Estimate, type Valuation, valued } from './price-model.ts';

const AT = '2026-11-23T00:00:00.000Z';
const ASKED = { category: 'real-world-assets', at: AT };

/** A pseudo-random number between 0 and 1, the same for the same place. */
const noise = (i: number): number => {
  const x = Math.sin(i * 12.9898) * 43_758.5453;
  return x - Math.floor(x);
};

const MODELS = ['focus', 'fiesta', 'f-150', 'mustang'];
const worth = (model: number, year: number, mileage: number): number =>
  (8_000 + 6_000 * model) * 0.9 ** (2020 - year) * Math.exp(-mileage / 200_000);

const sale = (i: number): Comparable => {
  const [model, year, mileage] = [
    i % 4,
    2008 + Math.floor(12 * noise(i)),
    Math.round(150_000 * noise(i + 0.5)),
  ];
  const price = worth(model, year, mileage) * Math.exp(0.15 * (noise(i + 0.25) - 0.5));
  return {
    ...{ id: `s${i}`, source: 'a list', soldAt: '2026-11-01T00:00:00.000Z', priceUsd: price.toFixed(2) },
    ...{ similarity: 'same-category', dropped: null },
    attributes: { make: 'Ford', model: MODELS[model]!, year, mileage },
  };
};
const SALES = Array.from({ length: 300 }, (_, i) => sale(i + 1));
const CAR = { make: 'ford', model: 'Mustang', year: 2016, mileage: 60_000 };
const FAIR = worth(3, 2016, 60_000);
const judged = (priceUsd: number, sales = SALES, of: Readonly<Record<string, string | number>> = CAR) =>
  priced(valued(of, sales, ASKED), priceUsd);
const priced = (found: Valuation | null, priceUsd: number): Estimate | null =>
  found === null ? null : asked(found, priceUsd.toFixed(2));

describe('a price by attributes', () => {
  it('is expected near what such a thing is worth, and an interval holds it', () => {
    const found = judged(FAIR)!;
    expect(found.unfit).toBeNull();
    expect(Math.abs(Math.log(found.expected / FAIR))).toBeLessThan(0.1);
    expect(found.low < FAIR && FAIR < found.high).toBe(true);
    expect(found.high / found.low).toBeLessThan(1.6);
    for (const times of [0.5, 2]) {
      const { low, high } = judged(FAIR * times)!;
      expect(FAIR * times < low || FAIR * times > high).toBe(true);
    }
  });

  it('heeds mileage and year', () => {
    const old = judged(FAIR, SALES, { ...CAR, year: 2009 })!;
    const driven = judged(FAIR, SALES, { ...CAR, mileage: 140_000 })!;
    expect(old.expected).toBeLessThan(0.7 * judged(FAIR)!.expected);
    expect(driven.expected).toBeLessThan(0.85 * judged(FAIR)!.expected);
  });

  it('is not told by its category alone, nor by few sales', () => {
    expect(judged(FAIR, SALES, { ...CAR, model: 'library' })!.unfit?.kind).toBe('few');
    expect(judged(FAIR, SALES.slice(0, 30))!.unfit?.kind).toBe('few');
    expect(judged(FAIR, SALES, { year: 2016 })).toBeNull();
  });

  it('is the same in whatever order the sales come, and without those that do not count', () => {
    const found = judged(FAIR);
    fc.assert(
      fc.property(fc.shuffledSubarray([...SALES], { minLength: SALES.length }), (sales) => {
        expect(judged(FAIR, sales)).toEqual(found);
      }),
      { numRuns: 3 },
    );
    const wash = SALES.map((s) => ({ ...s, id: `w${s.id}`, priceUsd: '900000', dropped: 'repeat' as const }));
    expect(judged(FAIR, [...SALES, ...wash])).toEqual(found);
  });

  it('is not moved far by a tenth of absurd prices', () => {
    const spoiled = SALES.map((s, i) => (i % 10 === 0 ? { ...s, priceUsd: '25' } : s));
    expect(Math.abs(Math.log(judged(FAIR, spoiled)!.expected / FAIR))).toBeLessThan(0.3);
  });
});

describe('attributes', () => {
  it('are read by other names and spellings', () => {
    const one = told({
      brand: 'Ford',
      Model: 'F-150',
      title_status: 'Clean',
      odometer: '75,000 km',
      'model year': '2018',
    });
    const other = told({ make: 'ford', model: 'f-150', title: 'clean', mileage: 75_000, year: 2018 });
    expect(one).toEqual(other);
    expect(identityOf(one)).toBe('ford|f-150');
  });

  it('know a car by its VIN where nothing else is told', () => {
    const vin = told({ vin: '1HGCM82633A004352' });
    expect(identityOf(vin)).toBe(identityOf(told({ vin: '1HGCM82673A111111' })));
    expect(identityOf(vin)).not.toBe(identityOf(told({ vin: '1HGCM82674A111111' })));
    expect([...groupsOf(vin).keys()]).toContain('vin-8');
  });
});
