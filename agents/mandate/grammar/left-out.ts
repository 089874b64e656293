import type { Atom } from './atom.ts';
import { isName } from './atom-kinds.ts';

const LEADING = ['PREP', 'ART', 'MODIFIER', 'GEN', 'DEAL', 'CHAINWORD', 'PARTYWORD', 'PER'];
const ALL = /\b(?:any|every)thing$|\ball$/i;

/** "400 USDC a month for anything but travel": the "but" leaves out, though what stands before it says what is limited. */
export function withLeftOut(atoms: readonly Atom[]): readonly Atom[] {
  return atoms.map((atom, at) => {
    const before = atoms[at - 1];
    if (atom.kind !== 'SEP' || atom.text.toLowerCase() !== 'but') return atom;
    if (before === undefined || !['SCOPE', 'SCOPE_NONE'].includes(before.kind) || !ALL.test(before.text))
      return atom;
    let next = at + 1;
    while (LEADING.includes(atoms[next]?.kind ?? '')) next++;
    const named = atoms[next];
    return named !== undefined && isName(named) ? { ...atom, kind: 'EXCEPT', value: '' } : atom;
  });
}
