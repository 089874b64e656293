import { expect, it } from 'vitest';
import { AppError } from '../errors.ts';
import { listingMinimum, requireMinimum } from './listing-minimum.ts';

it('is half of the ask, rounded up, and depends on nothing else', () => {
  expect(listingMinimum(100_000_000n)).toBe(50_000_000n);
  expect(listingMinimum(1n)).toBe(1n);
  expect(listingMinimum(10_010_001n)).toBe(5_005_001n);
});

it('refuses a private price below it and names the field, and accepts the minimum itself', () => {
  expect(() => requireMinimum(100_000_000n, 50_000_000n, 'floorUsd')).not.toThrow();
  const refused = (() => {
    try {
      requireMinimum(100_000_000n, 49_990_000n, 'floorUsd');
    } catch (error) {
      return error;
    }
  })();
  expect(refused).toBeInstanceOf(AppError);
  expect((refused as AppError).code).toBe('bad-request');
  expect((refused as AppError).message).toMatch(/floorUsd/);
});
