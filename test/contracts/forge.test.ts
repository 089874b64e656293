import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { FORGE_TIMEOUT_MS, gasOf, type NamedResult, runForge } from './forge.ts';

/** How far a figure may move before it has to be written down anew. */
const GAS_TOLERANCE = 0.01;

describe('the contracts under forge, compiled by the solc of the package', () => {
  let results: readonly NamedResult[] = [];

  beforeAll(() => {
    results = runForge();
    const passed = results.filter(({ result }) => result.status === 'Success').length;
    process.stdout.write(`forge: ${passed} passed, ${results.length - passed} failed\n`);
  }, FORGE_TIMEOUT_MS + 20_000);

  test('every one of them passes and none is skipped', () => {
    const failed = results
      .filter(({ result }) => result.status !== 'Success')
      .map(({ name, result }) => `${name}: ${result.reason ?? result.status}`);
    expect(failed).toEqual([]);
    expect(results.length).toBeGreaterThanOrEqual(320);
  });

  test('fuzzing and the random lives really run', () => {
    const fuzzed = results.filter(({ result }) => (result.kind.Fuzz?.runs ?? 0) >= 256);
    const lived = results.filter(({ result }) => (result.kind.Invariant?.calls ?? 0) >= 3_000);
    expect(fuzzed.length).toBeGreaterThanOrEqual(4);
    expect(lived.length).toBeGreaterThanOrEqual(9);
  });

  test('the cost of a mint, a capped spend and a deal stays inside its bound', () => {
    const gas = gasOf(results);
    for (const [what, used] of Object.entries(gas)) process.stdout.write(`gas of ${what}: ${used}\n`);
    expect(gas.mint).toBeLessThanOrEqual(310_000);
    expect(gas['spend: per deal']).toBeLessThanOrEqual(82_000);
    expect(gas['spend: per deal, day, total']).toBeLessThanOrEqual(90_000);
    expect(gas['spend: every cap']).toBeLessThanOrEqual(98_000);
    expect(gas.settle).toBeLessThanOrEqual(255_000);
    expect(gas['settle: an agent as quoted']).toBeLessThanOrEqual(290_000);
    expect(gas['payment: one of twenty']).toBeLessThanOrEqual(50_000);
    expect(gas['settleMany: a deal of twenty']).toBeLessThanOrEqual(215_000);
    expect(gas['settleMany: a deal of twenty pairs']).toBeLessThanOrEqual(215_000);
  });

  test('what the acts cost is what is written down; when it is meant to move, run `npm run gas`', () => {
    const gas = gasOf(results);
    const written = JSON.parse(readFileSync(join(import.meta.dirname, 'gas.json'), 'utf8')) as typeof gas;
    expect(Object.keys(gas)).toEqual(Object.keys(written));
    const moved = Object.entries(gas)
      .filter(([what, used]) => Math.abs(used - written[what]!) > written[what]! * GAS_TOLERANCE)
      .map(([what, used]) => `${what}: ${written[what]} -> ${used}`);
    expect(moved).toEqual([]);
  });
});
