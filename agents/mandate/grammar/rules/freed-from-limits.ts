import type { Atom } from '../atom.ts';
import { isName, wordsOf } from '../atom-kinds.ts';
import { type Clauses, HORIZON } from '../clauses.ts';
import type { Fact } from '../facts.ts';
import { leadsPermission } from '../leading-exceptions.ts';
import { refusing } from '../offers.ts';
import { endsSentence, isFullStop } from '../sentences.ts';

/** These refuse what they name, whatever stands before them. */
const REFUSING = /^(?:with no|(?:and|but) (?:avoid(?:ing)?|exclude)|(?:as|so) long as .+)$/i;
/** "With anyone but", in one phrase. */
const OF_ALL = /\b(?:any|every)/i;
/** What may stand between "except" and the names. */
const BETWEEN = new Set('PREP ART DEAL GEN PER MODIFIER PARTYWORD CHAINWORD'.split(' '));
const JOINING = new Set([...BETWEEN, 'SEP', 'OR']);
/** What a clause consists of that sets a limit and says nothing of what is done. */
const LIMITING = new Set(
  (
    'MONEY NUMBER PERCENT ONCE TWICE SINGLE LIMIT UNDER ABOVE NEG ONLY CAP BUDGET COUNT MINIMUM MARKET FACE ' +
    'DEAL ITEM SCOPE UNIT PER ART KEEP PREP ALLOWED EXACTLY'
  ).split(' '),
);
const FIGURES = new Set(['MONEY', 'NUMBER', 'PERCENT', 'ONCE', 'TWICE', 'SINGLE']);
/** "Any" says of which kind all are allowed; where it speaks of neither of these, of goods. */
const ALL_OF: Readonly<Record<string, RegExp>> = {
  CHAIN: /\b(?:chain|network)s?\b|where\b/i,
  PARTY: /(?:one|body)\b|\b(?:seller|buyer|wallet|counterpart|vendor|dealer|trader)/i,
};
/**
 * "3 deals a day, except from a.eth", "except on Base, 200 USDC a day", "3 deals a day with anyone but a.eth": who is named
 * may be free of the limit, which a mandate cannot hold, or refused. Null where the exception takes away from what is
 * allowed, as in "buy anything, 3 deals a day, except travel".
 */
export function freedFromLimit(clauses: Clauses, at: number): { to: number; facts: Fact[] } | null {
  const { atoms } = clauses;
  if (!excepts(atoms, at)) return null;
  clauses.steps.take();
  const [first, to] = namesBehind(atoms, at);
  if (first === -1) return null;
  const kind = atoms[first]!.kind;
  if (!isHeldForAllBut(atoms, at) && !isBehindLimit(atoms, at, kind) && !leadsLimit(atoms, at, to))
    return null;
  const names = atoms.slice(first, to);
  const words = wordsOf(names);
  return {
    to,
    facts: [
      {
        fact: 'ask',
        reason: 'NOT_UNDERSTOOD',
        question:
          `Is "${words}" refused, or free of the limit that stands beside "${atoms[at]!.text}"? The limits of a mandate hold ` +
          `for every deal, and refused is what stands in a sentence such as "${refusing(names)}".`,
        worded: true,
      },
    ],
  };
}

function excepts(atoms: readonly Atom[], at: number): boolean {
  const { kind, text } = atoms[at]!;
  if (kind === 'SEP') return /^but$/i.test(text) && atoms[at - 1]?.kind === 'ANY';
  // "Except: travel" is a label.
  if (kind !== 'EXCEPT' || REFUSING.test(text) || atoms[at + 1]?.value === ':') return false;
  return !leadsPermission(atoms, at);
}

/** The place of the first name behind an exception, and the one behind the last; -1 where none stands. */
export function namesBehind(atoms: readonly Atom[], at: number): readonly [first: number, to: number] {
  let first = at + 1;
  while (BETWEEN.has(atoms[first]?.kind ?? '')) first++;
  const name = atoms[first];
  if (name === undefined || !isName(name)) return [-1, -1];
  const { kind } = name;
  let to = first + 1;
  for (let next = to; next < first + HORIZON; next++) {
    const atom = atoms[next];
    if (atom?.kind === kind) to = next + 1;
    else if (atom === undefined || endsSentence(atom) || !JOINING.has(atom.kind)) break;
  }
  return [first, to];
}

/** "200 USDC a day from any seller except x.eth": for whom the limit holds. */
function isHeldForAllBut(atoms: readonly Atom[], at: number): boolean {
  let before = at - 1;
  if (atoms[before]?.kind === 'ANY') before--;
  else if (!OF_ALL.test(atoms[at]!.text)) return false;
  if (atoms[before]?.kind === 'PREP') before--;
  return before >= 0 && atoms[before]!.kind !== 'SEP' && isLimit(atoms, before);
}

function isBehindLimit(atoms: readonly Atom[], at: number, kind: string): boolean {
  if (OF_ALL.test(atoms[at]!.text) || atoms[at - 1]?.kind === 'ANY') return false;
  let before = at - 1;
  while (atoms[before]?.kind === 'SEP') before--;
  return before >= 0 && isLimit(atoms, before) && !allAllowed(atoms, before, kind);
}

/** "Except from x.eth, 3 deals a day": the sentence begins with it and says nothing but the limit. */
function leadsLimit(atoms: readonly Atom[], at: number, to: number): boolean {
  const before = atoms[at - 1];
  if (OF_ALL.test(atoms[at]!.text) || (before !== undefined && !isFullStop(before))) return false;
  let end = to;
  while (end < to + HORIZON && atoms[end] !== undefined && !endsSentence(atoms[end]!)) end++;
  const rest = atoms.slice(to, end);
  return (
    rest[0]?.kind === 'SEP' &&
    rest.every(({ kind }) => kind === 'SEP' || LIMITING.has(kind)) &&
    rest.some(({ kind }) => FIGURES.has(kind))
  );
}

/** True where the clause that ends at a place says a limit and nothing else. */
function isLimit(atoms: readonly Atom[], last: number): boolean {
  let figures = false;
  for (let at = last; at > last - HORIZON && at >= 0; at--) {
    const { kind, value } = atoms[at]!;
    // "Daily limit: 200 USDC".
    if (kind === 'SEP' && value !== ':') break;
    if (kind !== 'SEP' && !LIMITING.has(kind)) return false;
    figures ||= FIGURES.has(kind);
  }
  return figures;
}

/** "Buy anything, 50 USDC each, except travel". */
function allAllowed(atoms: readonly Atom[], last: number, kind: string): boolean {
  const all = atoms.slice(Math.max(0, last - HORIZON), last).filter((atom) => atom.kind === 'ANY');
  const places = Object.values(ALL_OF);
  return all.some(({ text }) => ALL_OF[kind]?.test(text) ?? !places.some((place) => place.test(text)));
}
