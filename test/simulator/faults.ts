import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { report, shrink } from './shrink.ts';
import { type History, simulate } from './simulate.ts';

const USAGE = `npm run -s simulate -- [--seeds 1000] [--from 0] [--jobs ${availableParallelism()}]
npm run -s simulate -- --replay SEED
npm run -s simulate market -- --help

Runs simulated histories of the whole service, each from its seed, and prints those that break a rule, made small.
With --replay one history runs, and its end is printed. Ends with 1 when a rule is broken.

Examples:
  npm run -s simulate -- --seeds 100000
  npm run -s simulate -- --replay 4711
`;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '0' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    replay: { type: 'string' },
    // Set in the processes among which the seeds are divided.
    part: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

const say = (text: string): unknown => process.stdout.write(`${text}\n`);
const complain = (text: string): unknown => process.stderr.write(`${text}\n`);

function whole(name: 'seeds' | 'from' | 'jobs'): number {
  const value = Number(values[name]);
  if (/^[0-9]+$/.test(values[name]) && Number.isSafeInteger(value)) return value;
  throw new RangeError(`--${name} must be a whole number`);
}

async function replay(seed: string): Promise<boolean> {
  const history = await simulate(seed);
  const { violation, steps, traceHash, counts, lines } = history;
  if (violation === null) {
    say(lines.slice(-40).join('\n'));
    say(`seed ${seed} holds: ${steps} steps, ${JSON.stringify(counts)}, trace ${traceHash}`);
    return true;
  }
  say(report(await shrink(history)));
  return false;
}

interface Sum {
  seeds: number;
  broken: string[];
  counts: Record<string, number>;
  steps: number;
}

async function part(from: number, seeds: number): Promise<Sum> {
  const sum: Sum = { seeds, broken: [], counts: {}, steps: 0 };
  for (let seed = from; seed < from + seeds; seed++) {
    const history: History = await simulate(String(seed));
    sum.steps += history.steps;
    for (const [what, n] of Object.entries(history.counts)) sum.counts[what] = (sum.counts[what] ?? 0) + n;
    if (history.violation === null) continue;
    sum.broken.push(String(seed));
    complain(
      sum.broken.length <= 3 ? report(await shrink(history)) : `seed ${seed}: ${history.violation.rule}`,
    );
  }
  return sum;
}

/** One process uses one core, so the seeds are divided among as many processes as there are cores. */
function elsewhere(from: number, seeds: number): Promise<Sum> {
  const args = ['--from', String(from), '--seeds', String(seeds), '--part'];
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1]!, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.on('data', (data: Buffer) => {
    out += data.toString();
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(JSON.parse(out) as Sum);
      else reject(new Error(`the seeds from ${from} on were not run to their end`));
    });
  });
}

async function main(): Promise<boolean> {
  if (values.help) {
    say(USAGE);
    return true;
  }
  if (values.replay !== undefined) return await replay(values.replay);
  const [from, seeds, jobs] = [whole('from'), whole('seeds'), Math.max(1, whole('jobs'))];
  if (values.part) {
    say(JSON.stringify(await part(from, seeds)));
    return true;
  }
  const started = process.hrtime.bigint();
  const each = Math.ceil(seeds / jobs);
  const parts: Promise<Sum>[] = [];
  for (let at = 0; at < seeds; at += each) parts.push(elsewhere(from + at, Math.min(each, seeds - at)));
  const sums = await Promise.all(parts);
  const seconds = Number(process.hrtime.bigint() - started) / 1e9;
  const broken = sums.flatMap((s) => s.broken);
  const counts: Record<string, number> = {};
  for (const sum of sums)
    for (const [what, n] of Object.entries(sum.counts)) counts[what] = (counts[what] ?? 0) + n;
  const steps = sums.reduce((n, s) => n + s.steps, 0);
  say(`${seeds} seeds in ${seconds.toFixed(0)} s, ${(seeds / seconds).toFixed(1)} a second, ${steps} steps`);
  say(
    Object.entries(counts)
      .map(([what, n]) => `${n} ${what}`)
      .join(', '),
  );
  say(broken.length === 0 ? 'every rule held' : `broken: ${broken.join(' ')}`);
  return broken.length === 0;
}

process.exitCode = (await main()) ? 0 : 1;
