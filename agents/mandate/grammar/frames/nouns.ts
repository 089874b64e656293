import type { Atom } from '../atoms.ts';
import { headOf } from '../noun-head.ts';

/** The nouns by which a text names the goods of each category: "ticket" for "concert tickets". */
export type Nouns = ReadonlyMap<string, ReadonlySet<string>>;

export function nounsOf(atoms: readonly Atom[]): Nouns {
  const found = new Map<string, Set<string>>();
  atoms.forEach(({ kind, value, text }, at) => {
    if (kind !== 'CATEGORY') return;
    const known = found.get(value) ?? new Set();
    const head = headOf(text);
    // "A pallet" of what was named before is no goods by itself.
    found.set(value, CONTAINERS.has(head) && !/s$/i.test(text) && known.size > 0 ? known : known.add(head));
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

/** "A stone" of gemstones, "a watch" of wristwatches: the shorter noun ends the longer. */
function same(named: string, again: string): boolean {
  return named === again || (again.length > 3 && named.endsWith(again));
}

/** What goods of any kind come in: "customer returns by the pallet, no pallet above 1,450 USDC". */
const CONTAINERS = new Set(['pallet', 'truckload', 'lot', 'load', 'batch']);

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
    const head = headOf(text);
    if (CONTAINERS.has(head) && !all.has(head) && !described(atoms[at - 1])) return true;
    return heads.length > 0 && heads.every((known) => same(known, head)) && !narrower;
  });
}
