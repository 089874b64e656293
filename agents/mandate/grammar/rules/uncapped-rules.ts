import type { Cursor } from '../cursor.ts';
import type { Fact } from '../facts.ts';
import { dealNoun, limiter, nounScope, type ScopeReading, scope } from './phrases.ts';

/** "a few hundred USDC per deal": an amount that cannot be enforced. */
export function vagueAmountClause(c: Cursor): Fact[] | null {
  limiter(c);
  const hedge = c.eat('HEDGE');
  if (hedge === null || c.eat('CURRENCY') === null) return null;
  scope(c);
  return [
    {
      fact: 'ask',
      vague: true,
      reason: 'AMBIGUOUS_CAP',
      question: `A cap must be exact. How much is "${hedge.text}" at most?`,
    },
  ];
}

/** "no limit", "unlimited per day", "no daily cap". */
export function uncappedClause(c: Cursor): Fact[] | null {
  let found: ScopeReading | null = null;
  if (c.eat('NOCAP') === null) {
    if (c.eat('NEG') === null) return null;
    found = nounScope(c) ?? scope(c);
    if (c.eat('CAP') === null && c.eat('BUDGET') === null) return null;
  }
  c.eat('PREP', 'on', 'for', 'of');
  found ??= scope(c);
  c.eat('CAP');
  c.eat('VERB', 'spend', 'buy');
  dealNoun(c);
  return [{ fact: 'uncapped', scope: found?.scope ?? null }];
}
