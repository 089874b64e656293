import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Mandate } from '../terms/schema.ts';
import { readMandate } from './read.ts';

interface Sentence {
  readonly text: string;
  /** What the sentence means; absent when it must not be accepted. */
  readonly mandate?: Mandate;
  /** Why it must not be accepted: HOSTILE, the reason of its question, or '' where any question will do. */
  readonly refuse?: string;
}

const REF = '2026-12-01T00:00:00Z';
const FOLDER = new URL('unseen/', import.meta.url);
const SETS = readdirSync(FOLDER).map((file) => ({
  name: file.replace('.jsonl', ''),
  sentences: readFileSync(new URL(file, FOLDER), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Sentence),
}));
const ALL = SETS.flatMap(({ sentences }) => sentences);

/**
 * Sets that were each written down with their meanings before any sentence of theirs was tried. When first tried, 58 of
 * 105, 37 of 85, 37 of 67, 23 of 50, 34 of 40, 15 of 40 and 12 of 40 of the first seven were read exactly. With the
 * eighth the grammar was rebuilt (134 of 264 before); the ninth to the twelfth were each first tried on what the sets
 * before had taught: 48 of 81, 60 of 78, 59 of 73 and 62 of 74, of which one of the twelfth was read wrongly.
 * Somebody else wrote the blind sets: 22, 21, 22, 20 and 26 of 40 when first tried, one of the fourth wrongly. Strangers
 * wrote the sets of owners: 26, 26, 25, 18, 22 and 14 of 40, none wrongly, and then 30, 16 and 20, one of the last wrongly
 * (who may sell to us was taken for us). Owners 10 to 13 are letters of companies, lawyers and dealers, and one set in
 * plain words: nearly each names goods more narrowly than a category, or something else that no field holds, so the right
 * answer is a question. Owners 14 and 15 are plain mandates of two strangers: of those with an end date and nothing
 * that no field holds, 18 of 25 and 28 of 34 were read exactly when first tried, and one of the first wrongly (the one
 * thing that may be sold was passed over). Owners 16 is a third stranger's: 25 of 40 when first
 * tried, none wrongly; owners 17 a fourth's: 20 of 40, none wrongly. Owners 18 to 21 are those of four more
 * strangers: 31, 33, 34 and 34 of 40 when first tried, none wrongly (goal: 30, reached by four sets on end); one of owners 18
 * contradicts itself and is rightly asked about. Behind the letters stand their limits in other words,
 * written when the sets were known. What they missed, and what the last two blind sets missed, was generalised afterwards, so none of these
 * tells what a stranger's next sentence meets.
 */
describe('sentences of people who do not know the grammar', () => {
  it('are at least 1,800, of which 540 must not be accepted', () => {
    expect(ALL.length).toBeGreaterThanOrEqual(1800);
    expect(ALL.filter(({ mandate }) => mandate === undefined).length).toBeGreaterThanOrEqual(540);
  });

  it.each(SETS.map((set) => [set.name, set.sentences] as const))(
    'are read exactly in four of five that can be read: the %s set',
    (name, sentences) => {
      const readable = sentences.filter(({ mandate }) => mandate !== undefined);
      const exact = readable.filter(({ text }) => readMandate(text, REF).decision === 'ACCEPT').length;
      process.stdout.write(`${name} set: ${exact} of ${readable.length} read, the rest asked about\n`);
      expect(exact).toBeGreaterThanOrEqual(0.8 * readable.length);
    },
  );

  it.each(ALL.map((sentence) => [sentence.text, sentence] as const))(
    'never read wrong: %s',
    (_, sentence) => {
      const reading = readMandate(sentence.text, REF);
      if (reading.decision === 'ACCEPT') {
        expect(reading.mandate).toEqual(sentence.mandate);
        return;
      }
      const [{ reason, question }] = reading.questions;
      expect(question).toMatch(/[?.]$/);
      if (sentence.mandate === undefined && !['', 'HOSTILE'].includes(sentence.refuse ?? ''))
        expect(reason).toBe(sentence.refuse);
    },
  );
});

/** A mandate in each of 23 languages, with the words by which the answer is known to be in that language. */
describe('mandates in other languages', () => {
  const SENTENCES = readFileSync(new URL('languages.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n');

  it.each(SENTENCES.map((line) => line.split('|') as [string, string, string]))(
    'are answered in one sentence of their own: %s',
    (_, text, answer) => {
      const reading = readMandate(text, REF);
      if (reading.decision !== 'REFUSE') throw new Error('was accepted');
      expect(reading.questions).toHaveLength(1);
      expect(reading.questions[0].question).toContain(answer);
      expect(reading.questions[0].question).toContain('“Buy digital products, at most 100 USDC per deal');
    },
  );
});
