import type { Question, Refusal } from '../terms/schema.ts';
import type { Atom } from './atom.ts';
import { SENTENCE_ENDS } from './sentences.ts';
import type { Steps } from './steps.ts';

/** A question, and where in the text its subject is; null when it asks about something missing. */
export interface Asked extends Question {
  readonly about: Span | null;
  /** True when the question asks what something means, false when it asks which of several readings is right. */
  readonly vague: boolean;
  /** True when the question is worded for its subject, and stays as it is. */
  readonly worded?: boolean;
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * The order of questions: attacks first, then what cannot be read, contradictions and ambiguities, and what is missing.
 */
const ORDER: readonly Refusal[] = [
  'INJECTION_SUSPECTED',
  'UNREADABLE_AMOUNT',
  'NEVER_WAIVED',
  'CHAIN_CONTRADICTION',
  'CATEGORY_CONTRADICTION',
  'CAP_CONTRADICTION',
  'AMBIGUOUS_CAP',
  'AMBIGUOUS_DATE',
  'EXPIRY_IN_PAST',
  'NO_CURRENCY',
  'NO_NUMERIC_CAP',
  'NO_EXPIRY',
  'NOT_UNDERSTOOD',
  'TOO_HARD',
];

const CLAUSE_ENDS = new Set([...SENTENCE_ENDS, ',', ':', '(', ')']);

/**
 * Picks the question whose answer settles most. It is of the gravest kind that is open; among those, the one whose
 * clause leaves most open; and a question which of two readings is right comes before a question what something means.
 * When several things in a clause are open, it asks about the whole clause. The remaining questions are asked when the
 * answer is read.
 */
export function oneQuestion(
  asked: readonly Asked[],
  atoms: readonly Atom[],
  text: string,
  steps: Steps,
): Asked {
  const clauseAround = clausesOf(atoms, steps);
  const gravest = ORDER.find((reason) => asked.some((q) => q.reason === reason));
  const [first] = asked
    .filter(({ reason }) => reason === gravest)
    .map((question) => {
      steps.take(asked.length);
      return { question, open: inClauseOf(question, asked, clauseAround) };
    })
    .sort(
      (a, b) =>
        b.open.length - a.open.length ||
        Number(a.question.vague) - Number(b.question.vague) ||
        lengthOf(b.question.about) - lengthOf(a.question.about),
    );
  if (first === undefined)
    return { reason: 'NOT_UNDERSTOOD', question: 'What may the agent do?', about: null, vague: false };
  const { question, open } = first;
  const whole =
    question.vague && question.worded !== true
      ? inContext(question, open.length > 1, clauseAround, text)
      : null;
  return { ...question, question: whole ?? question.question };
}

/** All questions about the clause that this question is about, including this one. */
function inClauseOf(question: Asked, asked: readonly Asked[], clauseAround: ClauseAround): readonly Asked[] {
  if (question.about === null) return [question];
  const clause = clauseAround(question.about);
  return asked.filter(
    ({ about }) => about !== null && about.start >= clause.start && about.end <= clause.end,
  );
}

/** Finds the clause around a place: from its first atom to its last. */
export type ClauseAround = (place: Span) => Span;

export function clausesOf(atoms: readonly Atom[], steps: Steps): ClauseAround {
  steps.take(atoms.length);
  const ends = atoms.flatMap((atom, at) => (atom.kind === 'SEP' && CLAUSE_ENDS.has(atom.value) ? [at] : []));
  return ({ start, end }) => {
    // Atoms are in the order of the text, so a binary search finds the clause ends around a place.
    const before = ends[halfway(ends, (at) => atoms[at]!.end <= start) - 1] ?? -1;
    const after = ends[halfway(ends, (at) => atoms[at]!.start < end)] ?? atoms.length;
    const [first, last] = [atoms[before + 1], atoms[after - 1]];
    if (first === undefined || last === undefined || before + 1 >= after) return { start, end };
    return { start: Math.min(start, first.start), end: Math.max(end, last.end) };
  };
}

/** How many entries at the beginning satisfy `holds`, which must be false for all entries after them. */
function halfway(entries: readonly number[], holds: (entry: number) => boolean): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(entries[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Words a question about a clause in which several things are open, or whose subject makes no sense by itself. */
function inContext(
  { reason, about }: Asked,
  several: boolean,
  clauseAround: ClauseAround,
  text: string,
): string | null {
  if (about === null) return null;
  const quote = ({ start, end }: Span): string => text.slice(start, end).replace(/\s+/g, ' ');
  const [words, clause] = [quote(about), quote(clauseAround(about))];
  if (several && reason === 'AMBIGUOUS_CAP')
    return `What limit does "${clause}" set: a cap (per deal, day, week or month, or in total), a number of deals, or a lowest price?`;
  if (several && reason === 'AMBIGUOUS_DATE')
    return `Which date exactly is meant by "${clause}", and does the mandate begin or expire on it?`;
  if (reason !== 'NOT_UNDERSTOOD') return null;
  const what = several || words === clause ? `"${clause}"` : `"${words}" in "${clause}"`;
  return `What is meant by ${what}? It cannot be read as a limit, goods, a chain, a counterparty or a date.`;
}

function lengthOf(about: Span | null): number {
  return about === null ? 0 : about.end - about.start;
}
