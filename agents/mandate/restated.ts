import { type Atom, readAtoms } from './atoms.ts';
import { describeMandate } from './describe.ts';
import { parse } from './grammar.ts';
import { suspectInjection } from './injection.ts';
import { readMandate } from './read.ts';
import type { Mandate } from './schema.ts';
import { screenCharacters } from './screening.ts';
import { tokenize } from './tokens.ts';

/** A piece of the owner's text, word for word, and what it is taken to say in words that the grammar reads. */
export interface Clause {
  readonly quote: string;
  readonly says: string;
}

/** A reading that somebody else proposes. It binds nobody until the owner sends `text` as a mandate. */
export interface Restated {
  readonly mandate: Mandate;
  /** The mandate in plain sentences: reading them again gives the same mandate. */
  readonly text: string;
  readonly clauses: readonly Clause[];
}

const MOST_CLAUSES = 24;

/**
 * Holds a restatement of a mandate to what was written, clause by clause: the quotes are the whole text in its order;
 * every clause is read by the grammar to the last word; and no clause says a figure, date, name, limit, period,
 * negation, side or goods that its quote does not, or leaves one out. What the grammar cannot read may be taken for
 * goods or for trading, and for nothing else.
 * @param ref the moment the mandate is read, ISO 8601
 */
export function holdRestated(
  text: string,
  clauses: readonly Clause[],
  ref: string,
): Restated | { readonly refused: string } {
  if (suspectInjection(text) !== null || screenCharacters(text) !== null)
    return { refused: 'the text is none to restate' };
  if (clauses.length === 0 || clauses.length > MOST_CLAUSES)
    return { refused: 'it has too many clauses or none' };
  const refMs = Date.parse(ref);
  const atomsOf = (part: string) => readAtoms(tokenize(part), part, refMs);
  const missing = leftOut(text, clauses, atomsOf);
  if (missing !== null) return { refused: `it leaves out "${missing}"` };
  for (const { quote, says } of clauses) {
    if (suspectInjection(says) !== null) return { refused: `"${says}" is no clause of a mandate` };
    const read = atomsOf(says);
    const { facts, left } = parse(read);
    if (left.length > 0 || facts.length === 0 || facts.some((f) => f.fact === 'ask'))
      return { refused: `"${says}" is not read whole` };
    const differs = difference(atomsOf(quote), read);
    if (differs !== null) return { refused: `"${quote}" and "${says}" differ in ${differs}` };
  }
  const reading = readMandate(clauses.map((c) => c.says.replace(/[\s.;,]*$/, '.')).join(' '), ref);
  if (reading.decision === 'REFUSE') return { refused: reading.questions[0].question };
  return { mandate: reading.mandate, text: describeMandate(reading.mandate), clauses };
}

/** What stands in the text and in no quote, separators and fillers apart; null when nothing does. */
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
    // A quote ends where a word ends: half a figure is another figure.
    if (/[\p{L}\p{N}]$/u.test(quote) && /^[\p{L}\p{N}]|^[.,'’]\d/u.test(text.slice(at))) return quote;
    if (/^[\p{L}\p{N}]/u.test(quote) && /[\p{L}\p{N}]$|\d[.,'’]$/u.test(text.slice(0, found))) return quote;
  }
  gaps.push(text.slice(at));
  const lost = gaps.find((gap) => atomsOf(gap).some((a) => a.kind !== 'SEP' && a.kind !== 'ART'));
  return lost === undefined ? null : lost.trim();
}

/** Kinds that only the owner can settle: no restatement may. */
const OPEN = ['BADNUMBER', 'HEDGE', 'COND', 'VAGUE', 'NOCAP', 'NOEND', 'BEFORE', 'AFTER', 'MINUS'];

/** What two readings differ in, in one word; null where they say the same as far as both are understood. */
function difference(quoted: readonly Atom[], said: readonly Atom[]): string | null {
  const open = quoted.find((a) => OPEN.includes(a.kind) || a.date?.question !== undefined);
  if (open !== undefined) return `"${open.text}", which is for the owner to settle`;
  const unknown = quoted.filter((a) => a.kind === 'UNKNOWN');
  if (unknown.some((a) => /\d/.test(a.text))) return 'a figure that cannot be read';
  if (list(figures(quoted)) !== list(figures(said))) return 'a figure, a date or a name';
  for (const [name, of] of Object.entries(CLASSES)) {
    const [one, other] = [of(quoted), of(said)];
    // A bare amount may be taken for a cap, never for a floor.
    const free = one.length === 0 && (UNSAID.includes(name) || (name === 'bound' && list(other) === 'most'));
    if (!free && list(one) !== list(other)) return name;
  }
  const named = (atoms: readonly Atom[]) => sides(atoms).length + goods(atoms).length;
  if (unknown.length > 0 && named(said) <= named(quoted))
    return `"${unknown[0]?.text}", which it passes over`;
  return null;
}

/** What a quote may leave unsaid: goods and trading in words nobody knows, and beside a figure its period and currency. */
const UNSAID = ['goods', 'side', 'period', 'currency'];

const CLASSES: Readonly<Record<string, (atoms: readonly Atom[]) => readonly string[]>> = {
  goods,
  side: sides,
  period: periods,
  currency: (atoms) => atoms.filter((a) => a.kind === 'MONEY').map((a) => a.value),
  bound: bounds,
  negation: (atoms) => (bounded(atoms) ? [] : some(atoms, ['NEG', 'DENY', 'EXCEPT', 'OFF'])),
  exclusion: (atoms) => some(atoms, ['ONLY']),
  approval: (atoms) => some(atoms, ['ASK', 'APPROVAL']),
  beginning: (atoms) => some(atoms, ['STARTS', 'NOW']),
};

function goods(atoms: readonly Atom[]): string[] {
  return atoms.filter((a) => a.kind === 'CATEGORY').map((a) => a.value);
}

function sides(atoms: readonly Atom[]): string[] {
  return atoms.flatMap((a) => {
    if (a.kind === 'BOTHWAYS') return ['both'];
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

/** "nothing less than" is a minimum, "never more than" is a maximum. */
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

/** Sorted; each class of words counts once however often it is said, figures as often as they are. */
function list(values: readonly string[]): string {
  const once = values.every((v) => !/^(?:number|percent|date) /.test(v));
  return [...(once ? new Set(values) : values)].sort().join('|');
}
