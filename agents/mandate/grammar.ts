import type { Atom } from './atoms.ts';
import { Cursor } from './cursor.ts';
import { type Fact, sideOf } from './facts.ts';
import { approvalClause } from './rules/approval-rules.ts';
import { capClause } from './rules/cap-rules.ts';
import { checkClause } from './rules/check-rules.ts';
import { allowClause, anythingClause, denyClause, markedClause } from './rules/list-rules.ts';
import { countClause, minimumClause, percentClause, rangeClause } from './rules/price-rules.ts';
import { currencyClause, neverSideClause, sideClause } from './rules/side-rules.ts';
import { beforeClause, endClause, endlessClause, startClause } from './rules/time-rules.ts';
import { uncappedClause, vagueAmountClause } from './rules/uncapped-rules.ts';

type Rule = (cursor: Cursor) => Fact[] | null;

/** In order of preference: the first of the longest matches wins. */
const RULES: readonly Rule[] = [
  approvalClause,
  checkClause,
  percentClause,
  minimumClause,
  rangeClause,
  countClause,
  capClause,
  uncappedClause,
  vagueAmountClause,
  endClause,
  endlessClause,
  startClause,
  beforeClause,
  denyClause,
  markedClause,
  allowClause,
  anythingClause,
  neverSideClause,
  currencyClause,
  sideClause,
];

export interface Parse {
  readonly facts: readonly Fact[];
  /** Atoms that no rule consumed, by index. None may be left in a mandate that is accepted. */
  readonly left: readonly number[];
}

/** Covers the atoms with clauses from left to right, the longest clause at each place. */
export function parse(atoms: readonly Atom[]): Parse {
  const facts: Fact[] = [];
  const left: number[] = [];
  let at = 0;
  while (at < atoms.length) {
    let best: { to: number; facts: Fact[] } | null = null;
    // A separator begins no clause, but for the "but" of "anything but travel".
    for (const rule of atoms[at]!.kind === 'SEP' ? [denyClause] : RULES) {
      const cursor = new Cursor(atoms, at);
      const found = rule(cursor);
      if (found !== null && cursor.at > at && cursor.at > (best?.to ?? at))
        best = { to: cursor.at, facts: found };
    }
    if (best !== null) {
      const span = { start: atoms[at]!.start, end: atoms[best.to - 1]!.end };
      facts.push(
        ...best.facts.map((fact) => (fact.fact === 'ask' ? { about: span, ...fact } : fact)),
        ...about(atoms.slice(at, best.to), best.facts),
      );
      at = best.to;
      continue;
    }
    const kind = atoms[at]!.kind;
    if (kind !== 'SEP' && kind !== 'ART') left.push(at);
    at++;
  }
  return { facts, left };
}

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

/** "never buy from x.eth", "per purchase", "at most three sales a day": limits on one side only. */
function about(atoms: readonly Atom[], facts: readonly Fact[]): Fact[] {
  const plain = facts.length === 1 && NAMES_ITS_SIDE.includes(facts[0]!.fact);
  const object = facts[0]?.fact === 'side';
  if (plain || object || !facts.some((fact) => ONE_SIDED.includes(fact.fact))) return [];
  const words = atoms.map((atom) => atom.text).join(' ');
  const sides = atoms
    .filter((atom) => (atom.kind === 'VERB' && atom.value !== 'spend') || atom.kind === 'DEAL')
    .map((atom) => sideOf(atom.value))
    .filter((side) => side === 'buy' || side === 'sell');
  return [...new Set(sides)].map((side) => ({ fact: 'about', side, words }) as const);
}
