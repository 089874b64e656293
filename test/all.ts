import { spawn } from 'node:child_process';

/**
 * Everything, in shards one after another, so that each starts with fresh parts and a failure is told by its shard.
 * Fails when one test fails; the last line says how many passed, failed and were skipped.
 */
interface Shard {
  readonly name: string;
  readonly command: string;
}

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

const PARTS = 3;
const vitest = (...options: readonly string[]): string => `vitest run ${options.join(' ')}`;
const SHORT: readonly Shard[] = [
  { name: 'checks', command: 'npm run -s check' },
  { name: 'unit and core', command: vitest('--project unit', '--project core') },
];
const REST: readonly Shard[] = [
  ...Array.from({ length: PARTS }, (_, i) => ({
    name: `parts ${i + 1} of ${PARTS}`,
    command: vitest('--project parts', `--shard ${i + 1}/${PARTS}`),
  })),
  { name: 'long', command: vitest('--project long') },
];
const HELP = `npm run test:all [-- --rest]

Runs the checks and every test in ${SHORT.length + REST.length} shards, and ends with one line for all.
  --rest    without what npm test runs already`;

/** The totals line that vitest ends with, such as ` Tests  1 failed | 20 passed | 3 skipped (24)`. */
function countsOf(output: string): Counts {
  const [line = ''] = output.match(/^ +Tests +.*$/gm)?.slice(-1) ?? [];
  const count = (word: string): number => Number(new RegExp(`(\\d+) ${word}`).exec(line)?.[1] ?? 0);
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped') };
}

function run({ command }: Shard): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(command, { shell: true, env: { ...process.env, NO_COLOR: '1' } });
    let output = '';
    for (const [from, to] of [
      [child.stdout, process.stdout],
      [child.stderr, process.stderr],
    ] as const) {
      from.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        to.write(text);
      });
    }
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

if (process.argv.includes('--help')) {
  process.stdout.write(`${HELP}\n`);
} else {
  const shards = [...(process.argv.includes('--rest') ? [] : SHORT), ...REST];
  const all: Counts = { passed: 0, failed: 0, skipped: 0 };
  const broken: string[] = [];
  const began = performance.now();
  for (const [i, shard] of shards.entries()) {
    process.stdout.write(`\n=== ${i + 1} of ${shards.length}: ${shard.name}\n`);
    const { code, output } = await run(shard);
    const counts = countsOf(output);
    for (const key of ['passed', 'failed', 'skipped'] as const) all[key] += counts[key];
    if (code !== 0) broken.push(shard.name);
  }
  const minutes = ((performance.now() - began) / 60_000).toFixed(1);
  const where = broken.length > 0 ? `; broken: ${broken.join(', ')}` : '';
  process.stdout.write(
    `\n${all.passed} passed, ${all.failed} failed, ${all.skipped} skipped in ${minutes} minutes${where}\n`,
  );
  process.exitCode = broken.length > 0 ? 1 : 0;
}
