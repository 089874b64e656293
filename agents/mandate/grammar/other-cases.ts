import type { Atom } from './atom.ts';
import { type Fact, union } from './facts.ts';
import { endsSentence } from './sentences.ts';

/** "Never buy from x.eth. Otherwise …": behind a rule for some cases it says nothing; elsewhere it is a condition. */
export function inOtherCases(atoms: readonly Atom[], at: number, facts: readonly Fact[]): boolean {
  if (!startsSentence(atoms, at) && !behindGoods(atoms, at)) return false;
  if (/^(?:and )?then$/i.test(atoms[at]!.text)) return true;
  if (atoms[at]!.text.toLowerCase() !== 'otherwise') return false;
  const last = facts.findLast((fact) => fact.fact !== 'about');
  return (
    last?.fact === 'approval' ||
    last?.fact === 'unjudged' ||
    (last !== undefined && 'deny' in last && last.deny)
  );
}

/**
 * "From them, buy e-books": from those who were allowed before, and nobody was denied since. "From her" is said of one.
 */
export function fromThem(atoms: readonly Atom[], at: number, facts: readonly Fact[]): boolean {
  if (atoms[at]!.kind !== 'FROM_THEM') return false;
  const parties = facts.filter((fact) => fact.fact === 'parties');
  const one = !/ them$/i.test(atoms[at]!.text);
  return parties.length > 0 && parties.every(({ deny }) => !deny) && (!one || union(parties).length === 1);
}

function startsSentence(atoms: readonly Atom[], at: number): boolean {
  const before = atoms[at - 1];
  return before !== undefined && endsSentence(before);
}

/** "Never buy from x.eth. Jewellery otherwise, …": behind the goods, at the end of their clause. */
export function behindGoods(atoms: readonly Atom[], at: number): boolean {
  let from = at - 1;
  while (['CATEGORY', 'MODIFIER'].includes(atoms[from]?.kind ?? '')) from--;
  if (from === at - 1 || !startsSentence(atoms, from + 1)) return false;
  return atoms[at]!.kind === 'COND' && (atoms[at + 1] === undefined || atoms[at + 1]!.kind === 'SEP');
}
