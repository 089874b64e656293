/** When all of them are taken to have been sold: nobody told. */
export const SOLD_AT = '2026-11-01';

/** A car that was sold. */
export interface Car {
  readonly priceUsd: number;
  readonly soldAt: string;
  readonly [attribute: string]: string | number;
}

/** Reads a csv with price, make, model, year, title, mileage and VIN; cars without a price are left out. */
export function readCars(text: string): Car[] {
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
