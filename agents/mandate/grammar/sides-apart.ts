import type { Atom } from './atom.ts';
import type { Fact } from './facts.ts';
import { headOf } from './noun-head.ts';

type SideFact = Extract<Fact, { fact: 'side' }>;

/** A fact with the nouns by which its clause names what is bought or sold. */
export function withNouns(fact: Fact, atoms: readonly Atom[]): Fact {
  if (fact.fact !== 'side' || fact.goods === null) return fact;
  const nouns = new Set(atoms.filter(({ kind }) => kind === 'CATEGORY').map(({ text }) => headOf(text)));
  return { ...fact, nouns: [...nouns].sort() };
}

/** "Sell art and buy wine": one category holds both, and would permit both ways for each. */
export function soldOrBoughtApart(sides: readonly SideFact[]): boolean {
  const named = (side: 'buy' | 'sell') => {
    const nouns = sides.filter((fact) => fact.side === side).flatMap((fact) => fact.nouns ?? []);
    return [...new Set(nouns)].sort().join();
  };
  const [bought, sold] = [named('buy'), named('sell')];
  return bought !== '' && sold !== '' && bought !== sold;
}
