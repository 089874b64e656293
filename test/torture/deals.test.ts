import { expect, it } from 'vitest';
import { tortureByFaults } from './deals/torture-deals.ts';

const SEED = 'short';
const DEALS = 12;

it('accounts for every lot, micro-dollar, reservation and record, though every part is killed and paused', {
  timeout: 900_000,
}, async () => {
  const ledger = await tortureByFaults(SEED, DEALS);
  process.stdout.write(`${JSON.stringify(ledger, null, 1)}\n`);
  expect(ledger.faults).toEqual([]);
  expect(ledger.deals.settled + ledger.deals.stopped).toBeGreaterThan(0);
});
