import type { Atom } from './atom.ts';

/** The kinds of atoms that name what a mandate lists: goods, chains, parties. */
export const NAMING: readonly string[] = ['CATEGORY', 'CHAIN', 'PARTY'];
/** The kinds that refuse what stands beside them. */
const REFUSING: readonly string[] = ['NEG', 'DENY', 'OFF', 'EXCEPT'];

/** True for goods, a chain or a party. */
export function isName({ kind }: Pick<Atom, 'kind'>): boolean {
  return NAMING.includes(kind);
}

/** True for a word that refuses. */
export function isRefusing({ kind }: Pick<Atom, 'kind'>): boolean {
  return REFUSING.includes(kind);
}

/** What atoms say, as a question repeats it. */
export function wordsOf(atoms: readonly Atom[]): string {
  return atoms
    .map(({ text }) => text)
    .join(' ')
    .replace(/ ,/g, ',');
}
