import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** What forge reports of one test. */
interface Result {
  readonly status: 'Success' | 'Failure' | 'Skipped';
  readonly reason: string | null;
  readonly decoded_logs: readonly string[];
  readonly kind: Readonly<Record<string, { readonly runs?: number; readonly calls?: number }>>;
}

/** Against a compiler that hangs: sources that were never compiled take a minute, on a busy machine many. */
export const FORGE_TIMEOUT_MS = 1_200_000;

type Suites = Readonly<Record<string, { readonly test_results: Readonly<Record<string, Result>> }>>;

export interface NamedResult {
  /** `Suite.test()`. */
  readonly name: string;
  readonly result: Result;
}

/**
 * Runs the contracts' own tests.
 * @throws Error with forge's words when it gave no results, because a source does not compile for one
 */
export function runForge(...options: readonly string[]): readonly NamedResult[] {
  const forge = createRequire(import.meta.url).resolve('@foundry-rs/forge/bin.mjs');
  const run = spawnSync(process.execPath, [forge, 'test', '--json', '-vv', ...options], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    timeout: FORGE_TIMEOUT_MS,
  });
  let suites: Suites;
  try {
    suites = JSON.parse(run.stdout) as Suites;
  } catch {
    throw new Error(`forge gave no results: ${run.error?.message ?? ''}\n${run.stderr}\n${run.stdout}`);
  }
  return Object.entries(suites).flatMap(([suite, { test_results }]) =>
    Object.entries(test_results).map(([test, result]) => ({
      name: `${suite.split(':').at(-1)}.${test}`,
      result,
    })),
  );
}

/** The gas of each act that the tests measured, by its name, in the order of the names. */
export function gasOf(results: readonly NamedResult[]): Readonly<Record<string, number>> {
  const measured = results
    .flatMap(({ result }) => result.decoded_logs)
    .map((line) => /^(.+): (\d+)$/.exec(line))
    .flatMap((match) => (match ? [[match[1]!, Number(match[2])] as const] : []));
  return Object.fromEntries(measured.sort(([a], [b]) => (a < b ? -1 : 1)));
}
