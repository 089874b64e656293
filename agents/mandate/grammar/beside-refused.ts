import type { Atom } from './atom.ts';
import { isName, isRefusing } from './atom-kinds.ts';
import { endsSentence } from './sentences.ts';

const NOUNS = ['GEN', 'DEAL', 'ITEM', 'CHAINWORD', 'PARTYWORD'];
const JOINING = ['SEP', 'OR', 'PREP', 'ART', 'MODIFIER', ...NOUNS];
/** "Everything except wine may be bought". */
const ACTED = ['BOUGHT', 'SOLD'];
/** How many atoms behind the last name a refusal still stands beside it. */
const NEAR = 6;
/** What may stand beside the names of a plain list and says nothing of them. */
const PLAIN =
  /^(?:(?:the|my|our|their|any|all|both|please|thanks|thank you|too|also|as well|either|ever|whatsoever|at all|at any (?:time|price)|under any circumstances?|of course)\b[\s,]*)*$/i;
/** "Because they cheated me", a reason. */
const REASON = /^(?:because|since|as (?:they|it|he|she))\b/i;

/**
 * "Never on Base, Solana it is", "Base always, Solana is off limits": words that say nothing elsewhere may permit one of
 * several names beside a refusal. They are kept there, so that they are asked about.
 */
export function withWordsBesideRefused(atoms: readonly Atom[], text: string): Atom[] {
  const kept = new Map<number, Atom>();
  const keep = (at: number): void => {
    const [from, next] = [atoms[at]?.end ?? 0, atoms[at + 1]];
    const words = ACTED.includes(next?.kind ?? '') ? null : dropped(text, from, next?.start ?? text.length);
    if (words !== null) kept.set(at, words);
  };
  let refused = false;
  for (let at = 0; at < atoms.length; at++) {
    const atom = atoms[at]!;
    if (endsSentence(atom)) refused = false;
    if (isRefusal(atoms, at)) refused = true;
    if (!isName(atom)) continue;
    const last = lastOf(atoms, at);
    const led = refused;
    if (last > at && (led || refusedBehind(atoms, last))) {
      for (let place = led ? at : at - 1; place < (led ? last + 1 : last); place++) keep(place);
    }
    at = last;
  }
  if (kept.size === 0) return [...atoms];
  return atoms.flatMap((atom, at) => (kept.has(at) ? [atom, kept.get(at)!] : [atom]));
}

/** The place of the last name of the list that begins at a name. */
function lastOf(atoms: readonly Atom[], first: number): number {
  let last = first;
  let joined = false;
  for (let at = first + 1; at < atoms.length; at++) {
    const { kind } = atoms[at]!;
    if (kind === 'SEP' || kind === 'OR') joined = true;
    if (endsSentence(atoms[at]!)) break;
    if (kind === atoms[first]!.kind && joined) [last, joined] = [at, false];
    else if (!JOINING.includes(kind)) break;
  }
  return last;
}

function isRefusal(atoms: readonly Atom[], at: number): boolean {
  const atom = atoms[at]!;
  return isRefusing(atom) || (atom.text.toLowerCase() === 'but' && atoms[at - 1]?.kind === 'ANY');
}

/** "Base, Solana is off limits", "Base, Solana: no". */
function refusedBehind(atoms: readonly Atom[], last: number): boolean {
  for (let at = last + 1; at < Math.min(last + NEAR, atoms.length); at++) {
    if (isRefusal(atoms, at)) return true;
    if (atoms[at]!.kind === 'SEP' && atoms[at]!.value !== ':') return false;
  }
  return false;
}

/** "Base: no: Solana may be used": the "no" is said of the name before it, and begins no clause of its own. */
export function answers(atoms: readonly Atom[], at: number): boolean {
  const [name, mark] = [atoms[at - 2], atoms[at - 1]];
  if (!['NEG', 'OFF'].includes(atoms[at]?.kind ?? '') || atoms[at + 1]?.kind !== 'SEP') return false;
  return mark?.kind === 'SEP' && mark.value === ':' && name !== undefined && isName(name);
}

/** The words between two places that were passed over, up to the end of the line, as one that is not understood. */
function dropped(text: string, from: number, to: number): Atom | null {
  const found = /\w[^\n]*/.exec(text.slice(from, to));
  if (found === null) return null;
  const words = found[0].trimEnd();
  if (PLAIN.test(words) || REASON.test(words)) return null;
  const start = from + found.index;
  return { kind: 'UNKNOWN', value: words, text: words, start, end: start + words.length };
}
