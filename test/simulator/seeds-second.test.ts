import { expect, it } from 'vitest';
import { holdAll } from './seeds.ts';

it('every rule holds after every step of the second 500 of 1,000 histories', async () => {
  const { failing, matches, recorded } = await holdAll(500, 500);
  expect(failing).toBeNull();
  // Histories in which nothing happens would keep every rule, too.
  expect(matches).toBeGreaterThan(300);
  expect(recorded).toBeGreaterThan(100);
}, 1_800_000);
