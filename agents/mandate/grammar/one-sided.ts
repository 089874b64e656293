import type { Atom } from './atom.ts';
import { type Fact, sideOf } from './facts.ts';
import { WANTING } from './rules/check-rules.ts';

const ONE_SIDED: readonly Fact['fact'][] = [
  'cap',
  'count',
  'approval',
  'goods',
  'chains',
  'parties',
  'clean',
];
const NAMES_ITS_SIDE: readonly Fact['fact'][] = ['side', 'min'];

/**
 * "When buying, pay at most 200 USDC per deal and make 3 deals a day": what a sentence goes on to say is of that side,
 * too. A cap on what is paid and a lowest price are of one side by themselves.
 */
export function aside(led: 'buy' | 'sell' | null, atoms: readonly Atom[], facts: readonly Fact[]): Fact[] {
  if (led === null) return [];
  const own: readonly Fact['fact'][] =
    led === 'buy' ? ['cap', 'percent', 'side', 'about', 'ask'] : ['min', 'side', 'about', 'ask'];
  if (facts.every(({ fact }) => own.includes(fact))) return [];
  return [{ fact: 'about', side: led, words: atoms.map(({ text }) => text).join(' '), limit: false }];
}

/** Notes clauses that apply to one side only: "never buy from x.eth", "per purchase", "at most three sales a day". */
export function about(atoms: readonly Atom[], facts: readonly Fact[]): Fact[] {
  // "Buyers who pay at least 40 USDC": of a price that is asked for, the other side's verb says nothing.
  if (facts[0]?.fact === 'min' && facts[0].sells) return [];
  const plain = facts.length === 1 && NAMES_ITS_SIDE.includes(facts[0]!.fact);
  const object = facts[0]?.fact === 'side';
  if (plain || object || !facts.some((fact) => ONE_SIDED.includes(fact.fact))) return [];
  const words = atoms.map((atom) => atom.text).join(' ');
  // "I want the wallet check passed" speaks of no side.
  const wants = (atom: Atom) => facts[0]?.fact === 'clean' && WANTING.test(atom.text);
  // "Get my okay first" buys nothing.
  const asks = (at: number) => atoms[at + 1]?.kind === 'APPROVAL' && /^get$/i.test(atoms[at]!.text);
  const sides = atoms
    .filter((atom, at) => !wants(atom) && !asks(at))
    .filter((atom) => (atom.kind === 'VERB' && atom.value !== 'spend') || atom.kind === 'DEAL')
    .map((atom) => sideOf(atom.value))
    .filter((side) => side === 'buy' || side === 'sell');
  const kind = (side: string) => (side === 'buy' ? 'cap' : 'min');
  return [...new Set(sides)].map(
    (side) =>
      ({ fact: 'about', side, words, limit: facts.every(({ fact }) => fact === kind(side)) }) as const,
  );
}
