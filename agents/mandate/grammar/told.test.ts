import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Mandate } from '../terms/schema.ts';
import { readMandate } from './read.ts';

interface Sentence {
  readonly text: string;
  /** What the sentence means; absent when it must not be accepted. */
  readonly mandate?: Mandate;
}

const REF = '2026-12-01T00:00:00Z';
/**
 * Sets by somebody else, with how many of 40 were read exactly when first tried. In them people tell much beside the
 * mandate: why they buy, and who they are. No word and no rule was added for any of them.
 */
const SETS = [
  ['blind-f', 5],
  ['blind-g', 4],
  ['blind-h', 6],
] as const;

function sentences(name: string): Sentence[] {
  return readFileSync(new URL(`told/${name}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Sentence);
}

const ALL = SETS.flatMap(([name]) => sentences(name));

describe('later sentences of people who do not know the grammar', () => {
  it('are 156, of which 36 must not be accepted', () => {
    expect([ALL.length, ALL.filter(({ mandate }) => mandate === undefined).length]).toEqual([156, 36]);
  });

  it.each(SETS)('are read exactly at least as often as when they were counted: the %s set', (name, count) => {
    const exact = sentences(name).filter(({ text, mandate }) => {
      const reading = readMandate(text, REF);
      return mandate !== undefined && reading.decision === 'ACCEPT';
    }).length;
    process.stdout.write(`${name} set: ${exact} of 40 read, the rest asked about\n`);
    expect(exact).toBeGreaterThanOrEqual(count);
  });

  it.each(ALL.map((sentence, at) => [at + 1, sentence] as const))(
    'are never read wrong: number %i',
    (_, sentence) => {
      const reading = readMandate(sentence.text, REF);
      if (reading.decision === 'ACCEPT') expect(reading.mandate).toEqual(sentence.mandate);
      else expect(reading.questions).toHaveLength(1);
    },
  );
});
