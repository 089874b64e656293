import { expect, it } from 'vitest';
import { comparedWith } from './compare-attributes.ts';

it('compares attributes by name and value, however they are spelled', () => {
  const listed = { brand: 'Volkswagen', mileage: '200,000 km', year: 2018 };
  const asked = { Make: 'volkswagen ', odometer: 10_000, 'Model year': '2018', title: 'clean' };
  expect(comparedWith(listed, asked)).toEqual({ contradicted: ['odometer'], untold: ['title'] });
  expect(comparedWith(listed, { mileage: 200_000 })).toEqual({ contradicted: [], untold: [] });
});

it('takes a number against words for a contradiction, and passes over what tells of no price', () => {
  expect(comparedWith({ mileage: 'unknown' }, { mileage: 5, lot: '7' })).toEqual({
    contradicted: ['mileage'],
    untold: [],
  });
});
