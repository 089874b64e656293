import { suspectInjection } from '../screening/injection.ts';
import { MAX_MANDATE_CHARACTERS, screenCharacters } from '../screening/screening.ts';
import { describeMandate } from '../terms/describe.ts';
import type { Mandate } from '../terms/schema.ts';
import type { Atom } from './atom.ts';
import { readAtoms } from './atoms.ts';
import { UNLISTED } from './facts.ts';
import { parse } from './grammar.ts';
import { readMandate } from './read.ts';
import { Steps, TooHard } from './steps.ts';
import { tokenize } from './tokens.ts';

/** A piece of the owner's text, word for word, and its meaning in words that the grammar reads. */
export interface Clause {
  readonly quote: string;
  readonly says: string;
}

/** A reading that a language model proposes. It binds nobody until the owner sends `text` as a mandate. */
export interface Restated {
  readonly mandate: Mandate;
  /** The mandate in plain sentences. Reading them again gives the same mandate. */
  readonly text: string;
  readonly clauses: readonly Clause[];
}

const MOST_CLAUSES = 24;

/**
 * Checks a restatement against the original text, clause by clause. The quotes must make up the whole text, in order.
 * The grammar must read every clause to the last word. A clause must contain exactly the figures, dates, names, limits,
 * periods, negations, sides and goods of its quote. Words that the grammar cannot read may be restated as goods or as
 * trading, and as nothing else.
 * @param ref when the mandate is read, ISO 8601
 */
export function holdRestated(
  text: string,
  clauses: readonly Clause[],
  ref: string,
): Restated | { readonly refused: string } {
  if (clauses.length === 0 || clauses.length > MOST_CLAUSES)
    return { refused: 'it has too many clauses or none' };
  if ([text, ...clauses.flatMap((c) => [c.quote, c.says])].some((t) => t.length > MAX_MANDATE_CHARACTERS))
    return { refused: 'it is too long' };
  try {
    return holdWithin(text, clauses, ref);
  } catch (error) {
    if (error instanceof TooHard) return { refused: 'it takes too long to read' };
    throw error;
  }
}

/** @throws TooHard when a part takes more steps than its length allows */
function holdWithin(
  text: string,
  clauses: readonly Clause[],
  ref: string,
): Restated | { readonly refused: string } {
  if (suspectInjection(text) !== null || screenCharacters(text) !== null)
    return { refused: 'the text is none to restate' };
  const refMs = Date.parse(ref);
  const atomsOf = (part: string) => readAtoms(tokenize(part), part, refMs).map(asUnknown);
  const missing = leftOut(text, clauses, atomsOf);
  if (missing !== null) return { refused: `it leaves out "${missing}"` };
  for (const { quote, says } of clauses) {
    const steps = Steps.for(says);
    if (suspectInjection(says, steps) !== null) return { refused: `"${says}" is no clause of a mandate` };
    const read = readAtoms(tokenize(says, steps), says, refMs, steps);
    const { facts, left } = parse(read, steps);
    const narrower = read.some(({ value }) => value === UNLISTED);
    if (left.length > 0 || narrower || facts.length === 0 || facts.some((f) => f.fact === 'ask'))
      return { refused: `"${says}" is not read whole` };
    const differs = difference(atomsOf(quote), read);
    if (differs !== null) return { refused: `"${quote}" and "${says}" differ in ${differs}` };
  }
  const reading = readMandate(clauses.map((c) => asSentence(c.says)).join(' '), ref);
  if (reading.decision === 'REFUSE') return { refused: reading.questions[0].question };
  return { mandate: reading.mandate, text: describeMandate(reading.mandate), clauses };
}

/** Ends the text with exactly one full stop. */
function asSentence(says: string): string {
  let end = says.length;
  while (end > 0 && /[\s.;,]/.test(says[end - 1]!)) end--;
  return `${says.slice(0, end)}.`;
}

/** A part of the text that no quote covers, apart from separators and fillers; null when there is none. */
function leftOut(
  text: string,
  clauses: readonly Clause[],
  atomsOf: (part: string) => readonly Atom[],
): string | null {
  let at = 0;
  const gaps: string[] = [];
  for (const { quote } of clauses) {
    const found = quote.trim() === '' ? -1 : text.indexOf(quote, at);
    if (found === -1) return quote;
    gaps.push(text.slice(at, found));
    at = found + quote.length;
    // A quote must end at the end of a word, because half a figure is another figure.
    if (/[\p{L}\p{N}]$/u.test(quote.slice(-2)) && /^[\p{L}\p{N}]|^[.,'’]\d/u.test(text.slice(at, at + 2)))
      return quote;
    if (
      /^[\p{L}\p{N}]/u.test(quote) &&
      /[\p{L}\p{N}]$|\d[.,'’]$/u.test(text.slice(Math.max(0, found - 2), found))
    )
      return quote;
  }
  gaps.push(text.slice(at));
  const lost = gaps.find((gap) => atomsOf(gap).some((a) => a.kind !== 'SEP' && a.kind !== 'ART'));
  return lost === undefined ? null : lost.trim();
}

/** Kinds that only the owner can settle, so no restatement may contain them. */
const OPEN = ['BADNUMBER', 'HEDGE', 'COND', 'VAGUE', 'NOCAP', 'NOEND', 'BEFORE', 'AFTER', 'MINUS'];

/** Names in one word what two readings differ in; null when they agree as far as both are understood. */
function difference(quoted: readonly Atom[], said: readonly Atom[]): string | null {
  const open = quoted.find((a) => OPEN.includes(a.kind) || a.date?.question !== undefined);
  if (open !== undefined) return `"${open.text}", which is for the owner to settle`;
  const unknown = quoted.filter((a) => a.kind === 'UNKNOWN');
  if (unknown.some((a) => /\d/.test(a.text))) return 'a figure that cannot be read';
  if (list(figures(quoted)) !== list(figures(said))) return 'a figure, a date or a name';
  for (const [name, of] of Object.entries(CLASSES)) {
    const [one, other] = [of(quoted), of(said)];
    // A bare amount may be restated as a cap, never as a floor.
    const free = one.length === 0 && (UNSAID.includes(name) || (name === 'bound' && list(other) === 'most'));
    if (!free && list(one) !== list(other)) return name;
  }
  const named = (atoms: readonly Atom[]) => sides(atoms).length + goods(atoms).length;
  if (unknown.length > 0 && named(said) <= named(quoted))
    return `"${unknown[0]?.text}", which it passes over`;
  return null;
}

/** What a restatement may add: goods and trading for unknown words, and a period and a currency beside a figure. */
const UNSAID = ['goods', 'side', 'period', 'currency'];

const CLASSES: Readonly<Record<string, (atoms: readonly Atom[]) => readonly string[]>> = {
  goods,
  side: sides,
  period: periods,
  currency: (atoms) => atoms.filter((a) => a.kind === 'MONEY').map((a) => a.value),
  bound: bounds,
  negation: (atoms) =>
    bounded(atoms) ? [] : some(atoms, ['NEG', 'DENY', 'EXCEPT', 'OFF', 'TOOMUCH', 'NOMORE', 'LEAVE']),
  exclusion: (atoms) => some(atoms, ['ONLY']),
  approval: (atoms) => some(atoms, ['ASK', 'APPROVAL']),
  unjudged: (atoms) => some(atoms, ['UNJUDGED', 'GOON', 'HALT']),
  beginning: (atoms) => some(atoms, ['STARTS', 'NOW']),
};

function goods(atoms: readonly Atom[]): string[] {
  return atoms.filter((a) => a.kind === 'CATEGORY').map((a) => a.value);
}

function sides(atoms: readonly Atom[]): string[] {
  return atoms.flatMap((a) => {
    if (a.kind === 'BOTHWAYS') return ['both'];
    if (a.kind === 'BOUGHT') return ['buy'];
    if (a.kind === 'SOLD') return ['sell'];
    return a.kind === 'VERB' ? [a.value === 'spend' ? 'buy' : a.value] : [];
  });
}

function periods(atoms: readonly Atom[]): string[] {
  return atoms.flatMap((a) =>
    a.kind === 'SCOPE' || a.kind === 'UNIT'
      ? [a.value]
      : a.kind === 'DEAL' || a.kind === 'ITEM'
        ? ['deal']
        : [],
  );
}

/** "nothing less than" is a minimum, "never more than" a maximum. */
function bounds(atoms: readonly Atom[]): string[] {
  const turned = atoms.some((a) => a.kind === 'NEG');
  return atoms.flatMap((a) => {
    if (a.kind === 'MINIMUM') return ['least'];
    if (a.kind === 'LIMIT' || a.kind === 'CAP' || a.kind === 'BUDGET') return ['most'];
    if (a.kind === 'UNDER') return [turned ? 'least' : 'most'];
    if (a.kind === 'ABOVE') return [turned ? 'most' : 'above'];
    return [];
  });
}

function bounded(atoms: readonly Atom[]): boolean {
  return atoms.some((a) => a.kind === 'UNDER' || a.kind === 'ABOVE');
}

function some(atoms: readonly Atom[], kinds: readonly string[]): string[] {
  return atoms.some((a) => kinds.includes(a.kind)) ? ['said'] : [];
}

function figures(atoms: readonly Atom[]): string[] {
  return atoms.flatMap((a) => {
    if (a.date !== undefined) return [`date ${a.date.value?.ms}`];
    if (a.kind === 'MONEY' || a.kind === 'NUMBER') return [`number ${a.micro}`];
    if (a.kind === 'PERCENT') return [`percent ${a.micro}`];
    return ['PARTY', 'CHAIN', 'CHECK', 'ONCE', 'TWICE', 'MARKET', 'FACE'].includes(a.kind)
      ? [`${a.kind} ${a.value}`]
      : [];
  });
}

/** Joins values for comparison. Words count once however often they occur; figures count every time. */
function list(values: readonly string[]): string {
  const once = values.every((v) => !/^(?:number|percent|date) /.test(v));
  return [...(once ? new Set(values) : values)].sort().join('|');
}

/** Goods that no category stands for, and what no field holds, are words that nobody knows. */
function asUnknown(atom: Atom): Atom {
  const unknown = atom.kind === 'UNHELD' || atom.value === UNLISTED;
  return unknown ? { ...atom, kind: 'UNKNOWN', value: atom.text } : atom;
}
