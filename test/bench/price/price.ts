import { existsSync, readFileSync } from 'node:fs';
import { priceOfFile } from '../../../agents/evaluation/price-form.ts';
import { estimate } from '../../../agents/market/pricing/model/price-model.ts';
import type { BenchOptions, BenchRow } from '../row.ts';

/** Prices of real used cars; they are no part of the project. */
const DATA = '../shared/data/cars.csv';
const SOLD_AT = '2026-11-01';
const MULTIPLES = [
  0.25, 0.33, 0.4, 0.5, 0.6, 0.67, 0.75, 0.8, 1, 1.25, 1.33, 1.5, 1.75, 2, 2.5, 3, 4,
] as const;

interface Car {
  readonly priceUsd: number;
  readonly soldAt: string;
  readonly [attribute: string]: string | number;
}

/** What was found of one car that was left out: null where its price could not be judged. */
type Bounds = { readonly low: number; readonly high: number } | null;

/**
 * `npm run bench price [csv]`: leaves out one car after the other, judges its price by the others, and counts which
 * multiples of real prices are flagged. `quick` takes every tenth. Where the data is absent it says so.
 */
export async function benchPrice({ data = DATA, quick }: BenchOptions): Promise<BenchRow[]> {
  if (!existsSync(data)) {
    console.log(`${data} is absent: no prices to judge, skipped. Give the path of a list of sales.`);
    return [];
  }
  const cars = readCars(readFileSync(data, 'utf8'));
  const all = measured(cars, quick ? 10 : 1);
  const told = measured(cars.map(withoutVin), quick ? 10 : 4);
  return [...rowsOf('', all, true), ...rowsOf('without VINs: ', told, false)];
}

function readCars(text: string): Car[] {
  const [, ...lines] = text.trim().split('\n');
  return lines.flatMap((line) => {
    const [price, brand, model, year, title, mileage, vin] = line.split(',').map((cell) => cell.trim());
    if (!(Number(price) > 0)) return [];
    const named = {
      make: brand!,
      model: model!,
      year: Number(year),
      title: title!,
      mileage: Number(mileage),
      vin: vin!,
    };
    return [{ priceUsd: Number(price), soldAt: SOLD_AT, ...named }];
  });
}

function withoutVin({ vin: _, ...car }: Car): Car {
  return car as Car;
}

function measured(cars: readonly Car[], step: number): { readonly price: number; readonly bounds: Bounds }[] {
  return cars.flatMap((car, i) =>
    i % step === 0 ? [{ price: car.priceUsd, bounds: boundsOf(car, cars) }] : [],
  );
}

function boundsOf(car: Car, cars: readonly Car[]): Bounds {
  const { priceUsd, soldAt: _, ...subject } = car;
  const { common, at } = priceOfFile({
    ...{ id: 'car', priceUsd, at: SOLD_AT, subject: { category: 'real-world-assets', ...subject } },
    comparables: cars.filter((other) => other !== car),
  });
  const asked = { category: common.category, priceUsd: common.priceUsd, at };
  const found = estimate(common.attributes ?? {}, common.comparables ?? [], asked);
  return found === null || found.unfit !== null ? null : found;
}

function rowsOf(
  of: string,
  found: readonly { readonly price: number; readonly bounds: Bounds }[],
  goals: boolean,
): BenchRow[] {
  const judged = found.flatMap(({ price, bounds }) => (bounds === null ? [] : [{ price, ...bounds }]));
  const share = judged.length / found.length;
  const flagged = (times: number): number =>
    judged.filter(({ price, low, high }) => price * times < low || price * times > high).length /
    judged.length;
  const percent = (value: number): string => `${(100 * value).toFixed(1)} %`;
  const goal = (text: string, ok: boolean) => (goals ? { goal: text, ok } : {});
  return [
    {
      name: `${of}judged of ${found.length} cars`,
      measured: percent(share),
      ...goal('at least 80 %', share >= 0.8),
    },
    ...MULTIPLES.map((times): BenchRow => {
      const value = flagged(times);
      const bound =
        times === 1
          ? goal('3 to 5.5 %', value >= 0.03 && value <= 0.055)
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
