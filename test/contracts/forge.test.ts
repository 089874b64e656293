import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const require = createRequire(import.meta.url);
const FORGE = require.resolve('@foundry-rs/forge/bin.mjs');

interface Result {
  readonly status: 'Success' | 'Failure' | 'Skipped';
  readonly reason: string | null;
  readonly decoded_logs: readonly string[];
  readonly kind: Readonly<Record<string, { readonly runs?: number; readonly calls?: number }>>;
}

type Suites = Readonly<Record<string, { readonly test_results: Readonly<Record<string, Result>> }>>;

describe('the contracts under forge, compiled by the solc of the package', () => {
  let results: { readonly name: string; readonly result: Result }[] = [];

  beforeAll(() => {
    const run = spawnSync(process.execPath, [FORGE, 'test', '--json', '-vv'], {
      cwd: ROOT,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      timeout: 110_000,
    });
    let suites: Suites;
    try {
      suites = JSON.parse(run.stdout) as Suites;
    } catch {
      throw new Error(`forge gave no results: ${run.error?.message ?? ''}\n${run.stderr}\n${run.stdout}`);
    }
    results = Object.entries(suites).flatMap(([suite, { test_results }]) =>
      Object.entries(test_results).map(([test, result]) => ({
        name: `${suite.split(':').at(-1)}.${test}`,
        result,
      })),
    );
    const passed = results.filter(({ result }) => result.status === 'Success').length;
    process.stdout.write(`forge: ${passed} passed, ${results.length - passed} failed\n`);
  });

  test('every one of them passes and none is skipped', () => {
    const failed = results
      .filter(({ result }) => result.status !== 'Success')
      .map(({ name, result }) => `${name}: ${result.reason ?? result.status}`);
    expect(failed).toEqual([]);
    expect(results.length).toBeGreaterThanOrEqual(120);
  });

  test('fuzzing and the random lives really run', () => {
    const fuzzed = results.filter(({ result }) => (result.kind.Fuzz?.runs ?? 0) >= 256);
    const lived = results.filter(({ result }) => (result.kind.Invariant?.calls ?? 0) >= 3_000);
    expect(fuzzed.length).toBeGreaterThanOrEqual(4);
    expect(lived.length).toBeGreaterThanOrEqual(5);
  });

  test('the cost of a mint, a capped spend and a deal stays inside its bound', () => {
    const gas = new Map(
      results
        .flatMap(({ result }) => result.decoded_logs)
        .map((line) => /^(.+): (\d+)$/.exec(line))
        .flatMap((match) => (match ? [[match[1]!, Number(match[2])] as const] : [])),
    );
    for (const [what, used] of gas) process.stdout.write(`gas of ${what}: ${used}\n`);
    expect(gas.get('mint')).toBeLessThanOrEqual(450_000);
    expect(gas.get('spend: per deal, day, total')).toBeLessThanOrEqual(120_000);
    expect(gas.get('settle')).toBeLessThanOrEqual(300_000);
  });
});
