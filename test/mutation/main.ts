import { setPriority } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { campaign, mutantsIn, readSources } from './campaign.ts';
import { readEquivalents, staleAmong } from './equivalents.ts';
import { idOf, sampleOf } from './mutants.ts';
import { diffOf, summaryOf } from './report.ts';

const USAGE = `npm run -s mutate -- [--file NAME]… [--only WORD]… [--sample N --seed N] [--at-once 2] [--glance] [--list]

Makes small faults in the contracts, and ends with 1 unless the contracts' tests catch each that changes anything.
--only takes the mutants whose name holds one of its words; --list names them and runs nothing. --glance leaves out the
slow suites and the long random lives, so that more may survive.

Examples:
  npm run -s mutate -- --file SpendPolicy.sol
  npm run -s mutate -- --sample 20 --seed 7
`;
const { values } = parseArgs({
  options: {
    file: { type: 'string', multiple: true, default: [] },
    only: { type: 'string', multiple: true, default: [] },
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    'at-once': { type: 'string', default: '2' },
    glance: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const say = (line: string) => process.stdout.write(`${line}\n`);

const root = join(import.meta.dirname, '../..');
const sources = readSources(root);
const asked = (file: string) =>
  values.file.length === 0 || values.file.some((name) => file === name || file.endsWith(`/${name}`));
const files = [...sources.keys()].filter((file) => !file.startsWith('interfaces/') && asked(file));
const all = mutantsIn(root, sources, files);
const wanted = all.filter(
  (mutant) => values.only.length === 0 || values.only.some((word) => idOf(mutant).includes(word)),
);
const mutants =
  values.sample === undefined ? wanted : sampleOf(wanted, Number(values.sample), Number(values.seed));

if (values.help) {
  say(USAGE);
} else if (values.list) {
  for (const mutant of mutants) say(idOf(mutant));
} else {
  await run();
}

async function run(): Promise<void> {
  // Hours of it: whoever else works on the machine goes first.
  setPriority(10);
  const equivalents = readEquivalents();
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  process.once('SIGTERM', () => stop.abort());
  const began = Date.now();
  const findings = await campaign({
    root,
    sources,
    mutants,
    equivalents,
    workshops: Number(values['at-once']),
    glance: values.glance,
    folder: join(root, '.forge/mutants'),
    signal: stop.signal,
    onFinding: ({ mutant, kind, by }, done) => {
      if (kind === 'listed') return;
      const how = by === undefined ? kind : `${kind} by ${by}`;
      say(`${done}/${mutants.length} ${mutant.file}:${mutant.line} ${mutant.operator}: ${how}`);
    },
  });
  const survivors = findings.filter(({ kind }) => kind === 'survived');
  for (const survivor of survivors) say(`\nSURVIVED ${diffOf(survivor, sources)}`);
  const stale = staleAmong(equivalents, files, all);
  for (const id of stale) say(`\nNO LONGER THERE, take it off equivalent.json: ${id}`);
  say(`\n${summaryOf(findings)} in ${Math.round((Date.now() - began) / 1_000)} s`);
  if (stop.signal.aborted) say('Stopped before the end.');
  if (survivors.length > 0 || stale.length > 0 || stop.signal.aborted) process.exitCode = 1;
}
