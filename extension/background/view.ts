import type { Change, Finding, Reading } from '../reading/reading.ts';
import { determinationWords, NOTHING, type Verdict, wordsTogether } from './determination-words.ts';
import type { OriginJudgement } from './origin.ts';
import { trialsOf } from './question.ts';
import type { DeterminationAnswer } from './service.ts';

/** What the extension's window shows. All of it is shown as text. */
export interface View {
  readonly title: string;
  readonly host: string;
  readonly verdict: Verdict;
  /** What the service saw happen where it tried it out, else what was read. */
  readonly changes: readonly Change[];
  /** What was read, where `changes` is what was seen: the one tells what the other does not. */
  readonly read: readonly Change[];
  readonly findings: readonly Finding[];
  /** What is signed, where it is text. */
  readonly text: string | null;
  readonly notChecked: readonly string[];
  /** True where nothing can be chosen: it was refused. */
  readonly final: boolean;
}

/** A determination, or why there is none. */
export type Bought = DeterminationAnswer | string;

/** What was asked about a request, and what came of it. */
export interface Asked {
  readonly listed: View['findings'];
  /** The answer to each question, as far as they were asked. */
  readonly bought: readonly Bought[];
  readonly described: string;
  /** How many requests the page makes at once. */
  readonly atOnce: number;
}

/** Shows a request. Clean is only what was read whole, came alone, and was tried out as its account would send it. */
export function viewOf(reading: Reading, origin: OriginJudgement, asked: Asked): View {
  const { listed, bought, described, atOnce } = asked;
  const answers = bought.filter((answer) => typeof answer !== 'string');
  const refused = bought.find((answer) => typeof answer === 'string');
  const trials = trialsOf(reading);
  const answered =
    answers.length === 0
      ? null
      : wordsTogether(answers.map((answer, i) => determinationWords(answer, trials[i] ?? null)));
  const gives = reading.changes.some(({ way }) => way !== 'in');
  const idle = answered?.changes?.length === 0;
  const seen = idle && !gives ? NOTHING : (answered?.changes ?? null);
  const findings = [...listed, ...(answered?.findings ?? []), ...reading.findings];
  const stops = findings.some(({ level }) => level === 'stop');
  const untried = answered === null ? null : untriedOf(reading, Math.min(answers.length, trials.length));
  const alone = atOnce === 1;
  // Of what is only signed, what was not read, or not asked about, nobody looked at.
  const signed = reading.trial === null;
  const others = signed && reading.parties.length > 1;
  const warned = signed && reading.findings.some(({ level }) => level === 'warn');
  const whole = reading.whole && reading.notChecked.length === 0 && !others && !warned;
  const asRead = !(idle && gives);
  const clean =
    answered?.verdict === 'CLEAN' &&
    origin.verdict === 'CLEAN' &&
    untried === null &&
    asRead &&
    alone &&
    whole;
  return {
    title: reading.title,
    host: origin.host,
    verdict: stops ? 'FLAGGED' : clean ? 'CLEAN' : 'NOT CHECKED',
    changes: seen ?? reading.changes,
    read: seen === null ? [] : reading.changes,
    findings,
    text: reading.text,
    notChecked: [
      ...(origin.verdict === 'CLEAN' ? [] : origin.reasons),
      ...(answered?.notChecked ?? []),
      ...(untried === null ? [] : [`${untried}; of those named, ${reading.subject} alone was asked about.`]),
      ...(asRead ? [] : ['It says that something leaves, and nothing did when the service tried it out.']),
      ...(answered === null ? [] : reading.notChecked),
      ...(answered !== null && others
        ? [`Of the ${reading.parties.length} whom it serves, ${reading.subject} alone was asked about.`]
        : []),
      ...(alone ? [] : [`It is one of ${atOnce} requests at once. What they do together was not tried out.`]),
      ...(refused === undefined ? [] : unboughtWords(refused, answered === null, described)),
    ],
    final: false,
  };
}

function unboughtWords(why: string, isAll: boolean, described: string): string[] {
  if (!isAll) return [`It was not asked about to the end: ${why}.`];
  return [`What it does was read on this computer alone: ${why}.`, described];
}

/**
 * What of a request was not tried out.
 * @param tried how many of the powers of a signature were
 */
function untriedOf({ trial, powers, changes }: Reading, tried: number): string | null {
  if (trial !== null) return typeof trial === 'string' ? trial : null;
  const fault = powers.find((power) => typeof power === 'string');
  if (fault !== undefined) return fault;
  if (powers.length > tried) return `Of the ${powers.length} things that it allows, ${tried} were tried out`;
  const allows = changes.some(({ way }) => way === 'allow');
  return allows && powers.length === 0 ? 'What it allows was not tried out' : null;
}
