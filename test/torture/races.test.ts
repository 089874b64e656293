import { expect, it } from 'vitest';
import { tortureByRaces } from './races/torture-races.ts';

it('what only one may get is given once, however many ask for it at three processes at the same time', {
  timeout: 900_000,
}, async () => {
  const { faults, ...sums } = await tortureByRaces(2);
  process.stdout.write(`${JSON.stringify(sums)}\n`);
  expect(faults).toEqual([]);
});
