import type { Category } from '../../../categories.ts';
import type { Cursor } from '../cursor.ts';
import type { Fact } from '../facts.ts';
import { onlyFor } from './limit-ends.ts';
import { categoryList } from './list-phrases.ts';

const HUNDRED = 100_000_000n;
const SUBJECT = ['KEEP', 'ART', 'DEAL', 'ANY', 'GEN', 'PER', 'ITEM', 'BEFORE'] as const;

/** "If the price is over 97% of market, do not buy", "skip anything over 97% of market". */
export function refusedPriceClause(c: Cursor): Fact[] | null {
  const first = c.eat('DENY') ?? c.eat('HALT');
  c.eat('COND', 'if', 'when', 'whenever', 'where');
  c.eatAll(...SUBJECT);
  // "If a watch is more than 5% above market": what is said of watches must hold for all that is allowed.
  const goods: readonly Category[] | null = categoryList(c);
  c.eatAll('KEEP');
  c.eat('PREP', 'at');
  if (c.eat('ABOVE') === null) return null;
  const percent = c.eat('PERCENT');
  if (percent === null) return null;
  const over = c.eat('ABOVE') !== null;
  c.eat('PREP', 'of');
  c.eat('ART');
  const of = c.eat('MARKET') ?? c.eat('FACE');
  if (of === null) return null;
  if (first === null && c.attempt(refused) === null) return null;
  if (!c.atBreak) return null;
  const share = over ? HUNDRED + percent.micro! : percent.micro!;
  return [
    { fact: 'percent', of: of.kind === 'MARKET' ? 'market' : 'face', percent: share },
    ...(goods === null ? [] : onlyFor(goods, goods.join())),
  ];
}

/** ", do not buy", "is out", ", walk away". */
function refused(c: Cursor): true | null {
  c.eat('SEP', ',', '-', ':');
  c.eat('THEN');
  if (c.eat('HALT') !== null || c.eat('DENY') !== null || c.eat('OFF') !== null) return true;
  if (c.eat('NEG') === null) return null;
  return c.eat('VERB', 'buy') !== null || c.eat('DEAL') !== null || c.eat('KEEP', 'take', 'accept') !== null
    ? true
    : null;
}
