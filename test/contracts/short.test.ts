import { expect, test } from 'vitest';
import { FORGE_TIMEOUT_MS, runForge } from './forge.ts';

/** The contracts that hold the caps and move the money. `forge.test.ts` runs the tests of all of them. */
const SHORT = 'chain/contracts/test/{Settlement,SpendPolicy}.t.sol';

test('settling a deal and spending inside the caps hold in the contracts', {
  timeout: FORGE_TIMEOUT_MS + 20_000,
}, () => {
  const results = runForge('--match-path', SHORT);
  const failed = results
    .filter(({ result }) => result.status !== 'Success')
    .map(({ name, result }) => `${name}: ${result.reason ?? result.status}`);
  expect(failed).toEqual([]);
  expect(results.length).toBeGreaterThanOrEqual(40);
});
