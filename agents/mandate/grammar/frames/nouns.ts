import type { Atom } from '../atom.ts';
import { headOf } from '../noun-head.ts';

/** The nouns by which a text names the goods of each category: "ticket" for "concert tickets". */
export type Nouns = ReadonlyMap<string, ReadonlySet<string>>;

export function nounsOf(atoms: readonly Atom[]): Nouns {
  const found = new Map<string, Set<string>>();
  atoms.forEach(({ kind, value, text }, at) => {
    if (kind !== 'CATEGORY') return;
    const known = found.get(value) ?? new Set();
    found.set(value, known.add(headOf(text)));
    if (!described(atoms[at - 1])) known.add(PLAIN);
  });
  return found;
}

/** True for an adjective that picks some of the goods: "signed", and not "all". */
function described(before: Atom | undefined): boolean {
  return before?.kind === 'MODIFIER' && !/^all\b/i.test(before.text);
}

/** Stands among the nouns of a category that the text names without an adjective. */
const PLAIN = '';

/**
 * True when goods are named as elsewhere. "Buy travel, no flight over 300 USDC": a limit on flights is none on hotels,
 * though both are travel. "Buy paintings, no signed painting over 300 USDC" is no limit on the others.
 */
export function namesAll(nouns: Nouns, atoms: readonly Atom[]): boolean {
  return atoms.every(({ kind, value, text }, at) => {
    if (kind !== 'CATEGORY') return true;
    const all = nouns.get(value);
    if (all === undefined) return true;
    const heads = [...all].filter((head) => head !== PLAIN);
    const narrower = described(atoms[at - 1]) && all.has(PLAIN);
    return heads.length === 1 && heads[0] === headOf(text) && !narrower;
  });
}
