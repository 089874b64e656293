import type { Atom } from './atom.ts';

/** The signs that end a sentence; the end of a line is read as a semicolon. */
export const SENTENCE_ENDS: readonly string[] = ['.', ';', '!'];

/** True at a sign that ends a sentence. */
export function endsSentence({ kind, value }: Pick<Atom, 'kind' | 'value'>): boolean {
  return kind === 'SEP' && SENTENCE_ENDS.includes(value);
}

/** True at a sign behind which nothing of the sentence goes on, as it may behind a semicolon or the end of a line. */
export function isFullStop(atom: Pick<Atom, 'kind' | 'value'>): boolean {
  return endsSentence(atom) && atom.value !== ';';
}

/** The atoms of the sentence that the last of them belongs to. */
export function lastSentence(atoms: readonly Atom[]): readonly Atom[] {
  return atoms.slice(atoms.findLastIndex(endsSentence) + 1);
}

/** The places between which no sign ends a sentence. */
export function sentencesOf(
  atoms: readonly Atom[],
): readonly { readonly from: number; readonly to: number }[] {
  const found: { from: number; to: number }[] = [];
  let from = 0;
  atoms.forEach((atom, at) => {
    if (!endsSentence(atom)) return;
    found.push({ from, to: at + 1 });
    from = at + 1;
  });
  if (from < atoms.length) found.push({ from, to: atoms.length });
  return found;
}
