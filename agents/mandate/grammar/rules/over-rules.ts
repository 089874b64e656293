import type { Cursor } from '../cursor.ts';
import type { Fact } from '../facts.ts';
import { endOf } from './date-ends.ts';
import { startOf } from './start-rules.ts';

/** "Quit when 31 October 2027 is done": at the end of that day. */
export function whenOver(c: Cursor): Fact[] | null {
  if ((c.eat('ENDS') ?? c.eat('HALT')) === null) return null;
  if ((c.eat('COND', 'when', 'whenever') ?? c.eat('ONCE', 'once') ?? c.eat('AFTER', 'after')) === null)
    return null;
  const date = c.eat('DATE');
  if (date?.date?.value?.dateOnly !== true) return null;
  const over = c.eat('ENDS') ?? c.eat('ABOVE', 'over');
  return over !== null && /^(?:is )?(?:done|over|finished|through)$/i.test(over.text) && c.atBreak
    ? endOf(date)
    : null;
}

const NOT_BEFORE = ['not before', 'never before', 'nothing before', 'no deals before', 'no deal before'];

/**
 * "Not before 15 March 2027 nor after 15 September 2027": from the first day to the end of the last. What is said of
 * one side only is no date of the whole mandate.
 */
export function neitherClause(c: Cursor): Fact[] | null {
  if (c.eat('STARTS', ...NOT_BEFORE) === null) {
    if (c.eat('NEG') === null) return null;
    if (c.clauses.onlySells) c.eat('VERB', 'sell');
    c.eat('VERB', 'both');
    c.eatAll('ANY');
    if (c.eat('BEFORE', 'before', 'prior to') === null) return null;
  }
  const first = c.eat('DATE');
  c.eat('SEP', ',');
  if (first === null || c.eat('OR') === null) return null;
  const last = c.eat('AFTER', 'after') === null ? null : c.eat('DATE');
  return last !== null && c.atBreak ? [...startOf(first), ...endOf(last)] : null;
}
