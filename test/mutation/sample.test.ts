import { join } from 'node:path';
import { expect, test } from 'vitest';
import { campaign, mutantsIn, readSources } from './campaign.ts';
import { readEquivalents } from './equivalents.ts';
import { sampleOf } from './mutants.ts';
import { diffOf, summaryOf } from './report.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Which few of them; the whole is `npm run mutate`. */
const SEED = 6551;
const SIZE = 6;

test('the contracts’ tests notice a small fault in them, whichever', { timeout: 600_000 }, async ({
  signal,
}) => {
  const sources = readSources(ROOT);
  const equivalents = readEquivalents();
  const mutants = sampleOf(mutantsIn(ROOT, sources, [...sources.keys()]), SIZE, SEED);
  const findings = await campaign({ root: ROOT, sources, mutants, equivalents, workshops: 1, signal });
  process.stdout.write(`${summaryOf(findings)}\n`);
  const survivors = findings.filter(({ kind }) => kind === 'survived');
  expect(survivors.map((survivor) => diffOf(survivor, sources))).toEqual([]);
  expect(findings).toHaveLength(SIZE);
  expect(findings.filter(({ kind }) => kind === 'caught').length).toBeGreaterThan(SIZE / 2);
});
