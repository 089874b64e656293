import type { Atom } from './atom.ts';
import { endsSentence } from './sentences.ts';

const EXCEPTED = new Set(
  'CATEGORY CHAIN PARTY MODIFIER PREP ART DEAL GEN PER PARTYWORD CHAINWORD SEP OR'.split(' '),
);
/** How many atoms behind an exception its names may reach. */
const FARTHEST = 32;

/**
 * "Except for music, buy anything": the exception begins the sentence and takes away from what this allows, whatever stands
 * before it.
 */
export function leadsPermission(atoms: readonly Atom[], at: number): boolean {
  const before = atoms[at - 1];
  if (atoms[at]?.kind !== 'EXCEPT' || (before !== undefined && !endsSentence(before))) return false;
  let next = at + 1;
  while (next < at + FARTHEST && EXCEPTED.has(atoms[next]?.kind ?? '') && !endsSentence(atoms[next]!)) next++;
  const [sign, word] = [atoms[next - 1]!, atoms[next]];
  if (sign.kind !== 'SEP' || sign.value !== ',') return false;
  return word?.kind === 'ANY' || (word?.kind === 'VERB' && word.value !== 'spend');
}
