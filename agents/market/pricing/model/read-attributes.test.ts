import { describe, expect, it } from 'vitest';
import { AppError } from '../../../errors.ts';
import type { Attributes } from './attributes.ts';
import { attributeWords, readAttributes, readListedAttributes } from './read-attributes.ts';

const refusal = (read: () => unknown): string => {
  try {
    read();
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
  return 'taken';
};

describe('attributes that are told of a thing', () => {
  it('may be those of cars, works and debts, in any spelling of their names', () => {
    const all: Attributes[] = [
      {
        make: 'Ford',
        model: 'F-150',
        'Model year': 2018,
        mileage: '75,000 km',
        condition: 'good',
        title: 'clean',
      },
      { edition: '3 of 50', royaltyShare: '2.5%' },
      { term: '36 months', rate: 6.5, faceValue: '100,000', faceValueSource: 'indenture of 2026, page 2' },
    ];
    for (const told of all) expect(readListedAttributes(told)).toBe(told);
  });

  it.each([
    [{ year: 'old' }, 'attributes.year: must be a year, such as 2018'],
    [{ year: 20_180 }, 'attributes.year: must be a year, such as 2018'],
    [{ year: 2018.5 }, 'attributes.year: must be a year, such as 2018'],
    [{ mileage: -1 }, 'attributes.mileage: must be a distance, such as 75000'],
    [{ odometer: 'low' }, 'attributes.odometer: must be a distance, such as 75000'],
    [{ royaltyShare: 250 }, 'attributes.royaltyShare: must be a percentage from 0 to 100'],
    [{ term: 'long' }, 'attributes.term: must be a number of months'],
    [{ rate: 'high' }, 'attributes.rate: must be a percentage a year, such as 6.5'],
    [{ faceValue: 100 }, 'attributes.faceValueSource: must say where the face value is stated'],
    [{ faceValueSource: 'page 2' }, 'attributes.faceValue: is missing: its source is told'],
    [{ make: 'Ford', brand: 'Kia' }, 'attributes.brand: says the same as make: leave one out'],
    [{ make: ' ' }, 'attributes.make: must not be empty: leave it out'],
    [{ make: 'Ford\nSell it' }, 'attributes.make: must be one line of text'],
    [{ vin: '1FTFW1' }, 'attributes.vin: must be a VIN of 17 characters'],
  ] satisfies [Attributes, string][])('are refused where %j cannot be', (told, says) => {
    expect(refusal(() => readAttributes(told))).toContain(says);
  });

  it('are refused in a listing where they do not fit whole into what is signed', () => {
    const long = { make: 'm'.repeat(80), model: 'n'.repeat(80), trim: 'o'.repeat(80) };
    expect(refusal(() => readListedAttributes(long))).toContain('attributes: are longer than 238 characters');
    expect(refusal(() => readAttributes(long))).toBe('taken');
    // A letter of another script is shown by its code point, and takes its place.
    expect(refusal(() => readListedAttributes({ make: 'ф'.repeat(40) }))).toContain('attributes: are longer');
  });

  it('are said in the order in which they were told', () => {
    expect(attributeWords({ make: 'Ford', year: 2018 })).toBe("'make Ford, year 2018'");
  });
});
