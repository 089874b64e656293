import { expect, it } from 'vitest';
import { holdAll } from './seeds.ts';

it('every rule holds after every step of the first 250 of 500 histories', async () => {
  const { failing, matches, recorded } = await holdAll(0, 250);
  expect(failing).toBeNull();
  // Histories in which nothing happens would keep every rule, too.
  expect(matches).toBeGreaterThan(150);
  expect(recorded).toBeGreaterThan(50);
}, 1_800_000);
