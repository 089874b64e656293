import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { normaliseAsset } from '../../assets.ts';
import { type Comparable, kindOf } from './comparables.ts';
import { carries, marketOf } from './valuation.ts';

const CARS = '../shared/data/cars.csv';
const present = existsSync(CARS);
const say = (line: string): boolean => process.stdout.write(`valuation: ${line}\n`);
if (!present) say(`${CARS} is not here, so no error is measured on real prices`);

const AT = '2026-09-06T12:00:00.000Z';

interface Car {
  readonly price: number;
  readonly kind: string;
}

function cars(): Car[] {
  const [, ...lines] = readFileSync(CARS, 'utf8').trim().split('\n');
  return lines.flatMap((line) => {
    const cells = line.split(',');
    const price = Number(cells[0]);
    const kind = kindOf(normaliseAsset({ serial: cells[6]!.trim(), serialKind: 'vin' }));
    return price > 0 && kind !== null ? [{ price, kind }] : [];
  });
}

function middle(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = sorted.length / 2;
  return sorted.length % 2 === 1 ? sorted[Math.floor(at)]! : (sorted[at - 1]! + sorted[at]!) / 2;
}

/** Values one half of each kind's sales by the other half. @returns relative errors of the median, and of the mean */
function errors(spoil: (price: number, i: number) => number): {
  median: number[];
  mean: number[];
  open: number;
} {
  const groups = new Map<string, number[]>();
  for (const { kind, price } of cars()) groups.set(kind, [...(groups.get(kind) ?? []), price]);
  const found = { median: [] as number[], mean: [] as number[], open: 0 };
  for (const prices of groups.values()) {
    if (prices.length < 10) continue;
    const known = prices.filter((_, i) => i % 2 === 0).map(spoil);
    const truth = middle(prices.filter((_, i) => i % 2 === 1));
    const sales = known.map(
      (p, i): Comparable => ({
        id: `s${i}`,
        source: 'cars',
        soldAt: AT,
        priceUsd: String(p),
        similarity: 'same-kind',
        dropped: null,
      }),
    );
    const market = marketOf(sales, 'real-world-assets', AT);
    if (market === null || carries(market) === 'none') {
      found.open++;
      continue;
    }
    found.median.push(Math.abs(Number(market.median) / 1e6 / truth - 1));
    found.mean.push(Math.abs(known.reduce((a, b) => a + b, 0) / known.length / truth - 1));
  }
  return found;
}

describe.runIf(present)('cars of one maker, model and year by their VIN', () => {
  it('are valued near the median of sales held out', () => {
    const { median, mean, open } = errors((p) => p);
    say(
      `${median.length} kinds of cars valued, ${open} left open; error of the median ${(middle(median) * 100).toFixed(1)} percent, of the mean ${(middle(mean) * 100).toFixed(1)}`,
    );
    expect(median.length).toBeGreaterThan(5);
    expect(middle(median)).toBeLessThan(0.15);
  });

  it('are still valued well when every fifth price is ten times too high, where a mean is not', () => {
    const { median, mean } = errors((p, i) => (i % 5 === 4 ? p * 10 : p));
    say(
      `with every fifth price tenfold, error of the median ${(middle(median) * 100).toFixed(1)} percent, of the mean ${(middle(mean) * 100).toFixed(1)}`,
    );
    expect(middle(median)).toBeLessThan(0.2);
    expect(middle(mean)).toBeGreaterThan(1);
  });
});
