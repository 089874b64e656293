import type { Atom } from './atom.ts';
import { UNLISTED } from './facts.ts';

/** How names of each kind are refused, and how they are permitted. */
const SENTENCES: Readonly<Record<string, { readonly no: string; readonly yes: string | null }>> = {
  CATEGORY: { no: 'Never deal in', yes: null },
  CHAIN: { no: 'Never on', yes: 'Only on' },
  PARTY: { no: 'Never deal with', yes: 'Deal only with' },
};

/** The sentence or sentences that refuse these names; null where none would be read. */
export function refusing(names: readonly Atom[]): string | null {
  return said(names, 'or', ({ no }) => no);
}

/** The sentence or sentences that permit these names; null where none would be read. */
export function permitting(names: readonly Atom[], verb: string): string | null {
  return said(names, 'and', ({ yes }) => yes ?? verb);
}

/** "You could write …": names may be refused or permitted, and both can be said plainly. */
export function bothWays(names: readonly Atom[], verb: string): string | null {
  const [no, yes] = [refusing(names), permitting(names, verb)];
  return no === null || yes === null ? null : `You could write "${no}", or "${yes}".`;
}

function said(
  names: readonly Atom[],
  joint: string,
  head: (sentences: { readonly no: string; readonly yes: string | null }) => string,
): string | null {
  if (names.some(({ value }) => value === UNLISTED)) return null;
  const found = Object.entries(SENTENCES).flatMap(([kind, sentences]) => {
    const words = [...new Set(names.flatMap((atom) => (atom.kind === kind ? [atom.text] : [])))];
    return words.length === 0 ? [] : [`${head(sentences)} ${listed(words, kind === 'PARTY' ? 'or' : joint)}`];
  });
  return found.length === 0 ? null : found.join('. ');
}

function listed(words: readonly string[], joint: string): string {
  const last = words.at(-1)!;
  return words.length === 1 ? last : `${words.slice(0, -1).join(', ')} ${joint} ${last}`;
}
