import { existsSync, readFileSync } from 'node:fs';
import { judge } from '../../../agents/determinations/panel/judge.ts';
import type { Verdict } from '../../../agents/determinations/panel/types.ts';
import { priceOfFile } from '../../../agents/evaluation/price-form.ts';
import { fromFile } from '../../../agents/evaluation/read-evidence.ts';
import type { BenchOptions, BenchRow } from '../row.ts';
import { type Car, readCars, SOLD_AT } from './cars.ts';
import { washedSales } from './washed-sales.ts';

/** Prices of real used cars; they are no part of the project. */
const DATA = '../shared/data/cars.csv';
const MULTIPLES = [
  0.25, 0.33, 0.4, 0.5, 0.6, 0.67, 0.75, 0.8, 1, 1.25, 1.33, 1.5, 1.75, 2, 2.5, 3, 4,
] as const;

/** The verdicts on one car that was left out, by what its real price was multiplied with. */
type Verdicts = ReadonlyMap<number, Verdict>;

/**
 * `npm run bench price [csv]`: leaves out one car after the other, has the determination judge multiples of its price by
 * the others, and counts which are flagged; then a ring pumps the sales of some. `quick` takes every tenth. Where the data is absent it says so.
 */
export async function benchPrice({ data = DATA, quick }: BenchOptions): Promise<BenchRow[]> {
  if (!existsSync(data)) {
    console.log(`${data} is absent: no prices to judge, skipped. Give the path of a list of sales.`);
    return [];
  }
  const cars = readCars(readFileSync(data, 'utf8'));
  const all = judged(cars, quick ? 10 : 1);
  const without = judged(cars.map(withoutVin), quick ? 10 : 4);
  return [
    ...rowsOf('', all, true),
    ...rowsOf('without VINs: ', without, false),
    ...washedSales(cars, quick ? 200 : 50),
  ];
}

function withoutVin({ vin: _, ...car }: Car): Car {
  return car as Car;
}

function judged(cars: readonly Car[], step: number): Verdicts[] {
  return cars.flatMap((car, i) => (i % step === 0 ? [verdictsOn(car, cars)] : []));
}

/** As `judge price` reads and judges a line; the sales are the same for every price that is asked. */
function verdictsOn(car: Car, cars: readonly Car[]): Verdicts {
  const { priceUsd, soldAt: _, ...subject } = car;
  const { common, at } = priceOfFile({
    ...{ id: 'car', priceUsd, at: SOLD_AT, subject: { category: 'real-world-assets', ...subject } },
    comparables: cars.filter((other) => other !== car),
  });
  const evidence = fromFile('price-intelligence', common, { at, depth: '2-of-2' });
  return new Map(
    MULTIPLES.map((times) => {
      const asked = { ...common, priceUsd: (priceUsd * times).toFixed(2) };
      return [times, judge({ ...evidence, common: asked }).verdict] as const;
    }),
  );
}

function rowsOf(of: string, found: readonly Verdicts[], goals: boolean): BenchRow[] {
  const known = found.filter((verdicts) => verdicts.get(1) !== 'INCONCLUSIVE');
  const share = known.length / found.length;
  const flagged = (times: number): number =>
    known.filter((verdicts) => verdicts.get(times) === 'FLAGGED').length / known.length;
  const percent = (value: number): string => `${(100 * value).toFixed(1)} %`;
  const goal = (text: string, ok: boolean) => (goals ? { goal: text, ok } : {});
  return [
    {
      name: `${of}judged of ${found.length} cars`,
      measured: percent(share),
      ...goal('at least 80 %', share >= 0.8),
    },
    {
      name: `${of}95 percent interval covers`,
      measured: percent(1 - flagged(1)),
      ...goal('93 to 97 %', flagged(1) >= 0.03 && flagged(1) <= 0.07),
    },
    ...MULTIPLES.map((times): BenchRow => {
      const value = flagged(times);
      const bound =
        times === 1
          ? goal('at most 5.5 %', value <= 0.055)
          : times === 2
            ? goal('at least 75 %', value >= 0.75)
            : times === 0.5
              ? goal('at least 55 %', value >= 0.55)
              : {};
      return {
        name: `${of}${times === 1 ? 'fair price' : `${times} times the price`} flagged`,
        measured: percent(value),
        ...bound,
      };
    }),
  ];
}
