import { expect, it } from 'vitest';
import { tortureByRequests } from './requests/torture-requests.ts';

const SEED = 'short';
const REQUESTS = 3_000;

it('answers every request that its description allows, and those that it does not, without an error of its own', async () => {
  const { faults, slowestMs, ...sums } = await tortureByRequests(SEED, REQUESTS);
  process.stdout.write(`${JSON.stringify({ ...sums, slowestMs: Math.round(slowestMs) })}\n`);
  expect(faults).toEqual([]);
});
