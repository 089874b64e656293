import type { Atom } from './atoms.ts';
import type { Question, Refusal } from './schema.ts';

/** A question, and where in the text stands what it is about; null where it is about what is missing. */
export interface Asked extends Question {
  readonly about: Span | null;
  /** True when it asks what something is, and not which of its readings holds. */
  readonly vague: boolean;
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** What is asked first: attacks, then what cannot be read, then contradictions and ambiguities, then what is missing. */
const ORDER: readonly Refusal[] = [
  'INJECTION_SUSPECTED',
  'UNREADABLE_AMOUNT',
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
];

/** Between these one clause ends and another begins. */
const CLAUSE_ENDS = new Set(['.', ',', ';', ':', '(', ')', '!']);

/**
 * The one question whose answer settles most: of the gravest kind that is open, the one whose clause leaves most open,
 * and rather which of two readings holds than what is meant. Where several things in a clause are open, it asks about
 * the whole of the clause. What else is open is asked once this is answered, for the mandate is then read again.
 */
export function oneQuestion(asked: readonly Asked[], atoms: readonly Atom[], text: string): Question {
  const gravest = ORDER.find((reason) => asked.some((q) => q.reason === reason));
  const [first] = asked
    .filter(({ reason }) => reason === gravest)
    .map((question) => ({ question, open: inClauseOf(question, asked, atoms) }))
    .sort(
      (a, b) =>
        b.open.length - a.open.length ||
        Number(a.question.vague) - Number(b.question.vague) ||
        lengthOf(b.question.about) - lengthOf(a.question.about),
    );
  if (first === undefined) return { reason: 'NOT_UNDERSTOOD', question: 'What may the agent do?' };
  const { question, open } = first;
  const whole = question.vague ? inContext(question, open.length > 1, atoms, text) : null;
  return { reason: question.reason, question: whole ?? question.question };
}

/** What is open in the clause that the question is about, itself among it. */
function inClauseOf(question: Asked, asked: readonly Asked[], atoms: readonly Atom[]): readonly Asked[] {
  if (question.about === null) return [question];
  const clause = clauseOf(question.about, atoms);
  return asked.filter(
    ({ about }) => about !== null && about.start >= clause.start && about.end <= clause.end,
  );
}

/** From the first to the last atom around a place that no end of a clause parts from it. */
function clauseOf({ start, end }: Span, atoms: readonly Atom[]): Span {
  const ends = atoms.filter((atom) => atom.kind === 'SEP' && CLAUSE_ENDS.has(atom.value));
  const from = Math.max(-1, ...ends.filter((atom) => atom.end <= start).map((atom) => atom.start));
  const to = Math.min(Number.POSITIVE_INFINITY, ...ends.filter((a) => a.start >= end).map((a) => a.start));
  const inside = atoms.filter((atom) => atom.start > from && atom.start < to);
  return { start: Math.min(start, inside[0]?.start ?? start), end: Math.max(end, inside.at(-1)?.end ?? end) };
}

/** The question about a clause of which several things are open, or one that cannot be told from its words alone. */
function inContext(
  { reason, about }: Asked,
  several: boolean,
  atoms: readonly Atom[],
  text: string,
): string | null {
  if (about === null) return null;
  const quote = ({ start, end }: Span): string => text.slice(start, end).replace(/\s+/g, ' ');
  const [words, clause] = [quote(about), quote(clauseOf(about, atoms))];
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
