import type { Atom } from './atoms.ts';
import { Cursor } from './cursor.ts';
import type { Fact } from './facts.ts';
import { approvalClause } from './rules/approval-rules.ts';
import { capClause, uncappedClause } from './rules/cap-rules.ts';
import { checkClause } from './rules/check-rules.ts';
import { allowClause, denyClause, markedClause } from './rules/list-rules.ts';
import { countClause, minimumClause, percentClause } from './rules/price-rules.ts';
import { currencyClause, neverSideClause, sideClause } from './rules/side-rules.ts';
import { beforeClause, endClause, endlessClause, startClause } from './rules/time-rules.ts';

type Rule = (cursor: Cursor) => Fact[] | null;

/** In order of preference: the first of the longest matches wins. */
const RULES: readonly Rule[] = [
  approvalClause,
  checkClause,
  percentClause,
  minimumClause,
  countClause,
  capClause,
  uncappedClause,
  endClause,
  endlessClause,
  startClause,
  beforeClause,
  denyClause,
  markedClause,
  allowClause,
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
    for (const rule of RULES) {
      const cursor = new Cursor(atoms, at);
      const found = rule(cursor);
      if (found !== null && cursor.at > at && cursor.at > (best?.to ?? at))
        best = { to: cursor.at, facts: found };
    }
    if (best !== null) {
      facts.push(...best.facts);
      at = best.to;
      continue;
    }
    const kind = atoms[at]!.kind;
    if (kind !== 'SEP' && kind !== 'ART') left.push(at);
    at++;
  }
  return { facts, left };
}
