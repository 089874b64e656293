import type { Atom } from './atom.ts';

/** The last words before a topic that it may follow: it begins what is said, or is what is asked for. */
const OPENING = ['SEP', 'COND', 'REQUIRE', 'ONLY', 'OR'];

/**
 * "The price must be clean", "price and bidding must both be clean": words that elsewhere name an amount or an act are
 * the names of determinations in front of "clean".
 */
export function withCleanTopics(atoms: readonly Atom[]): readonly Atom[] {
  const named = new Map<number, string>();
  atoms.forEach(({ kind, text }, at) => {
    if (kind !== 'PASS' || !/\bclean$/i.test(text)) return;
    // "A clean price is required", and not "the seller wants a clean price".
    const theirs = atoms[at - 1]?.text.toLowerCase() === 'wants';
    const after = /^(?:a )?clean$/i.test(text) && !theirs ? topicOf(atoms[at + 1]) : null;
    if (after !== null) {
      named.set(at + 1, after);
      return;
    }
    for (const [place, value] of topicsBefore(atoms, at)) named.set(place, value);
  });
  if (named.size === 0) return atoms;
  return atoms.map((atom, at) => {
    const value = named.get(at);
    return value === undefined ? atom : { ...atom, kind: 'TOPIC', value };
  });
}

/** How many topics one sentence may list: there are no more determinations. */
const MOST = 6;

function topicsBefore(atoms: readonly Atom[], pass: number): readonly (readonly [number, string])[] {
  const found: (readonly [number, string])[] = [];
  let at = pass - 1;
  while (atoms[at]?.kind === 'REQUIRE' || /^all$/i.test(atoms[at]?.text ?? '')) at--;
  for (let most = MOST; most > 0; most--) {
    const value = topicOf(atoms[at]);
    if (value === null) break;
    found.push([at, value]);
    at--;
    while (atoms[at]?.kind === 'ART') at--;
    const before = atoms[at];
    if (before !== undefined && !OPENING.includes(before.kind)) return found.slice(0, -1);
    while (atoms[at]?.kind === 'SEP' && /^(?:,|and|&)$/.test(atoms[at]!.value || atoms[at]!.text)) at--;
  }
  return found;
}

function topicOf(atom: Atom | undefined): string | null {
  if (atom?.kind === 'TOPIC') return atom.value;
  if (atom?.kind === 'KEEP' && /^(?:price|prices|pricing)$/i.test(atom.text)) return 'price-intelligence';
  return atom?.kind === 'VERB' && /^bidding$/i.test(atom.text) ? 'shill-collusion' : null;
}
