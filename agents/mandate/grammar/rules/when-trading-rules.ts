import type { Cursor } from '../cursor.ts';
import type { Fact } from '../facts.ts';
import { endsSentence } from '../sentences.ts';
import { capClause } from './cap-rules.ts';
import { minimumClause } from './price-rules.ts';

/**
 * "When buying, pay 200 USDC at most per deal. When selling, take 90 USDC at least": a limit of one side, as it is, and
 * nothing behind it that might be of one side, too.
 */
export function whenTradingClause(c: Cursor): Fact[] | null {
  const before = c.peek(-1);
  if (before !== undefined && before.kind !== 'SEP') return null;
  if (c.eat('COND', 'when', 'whenever') === null) return null;
  const verb = c.eat('VERB', 'buy', 'sell');
  if (verb === null || !TRADING.test(verb.text)) return null;
  if (c.eat('SEP', ',', ':') === null) return null;
  const facts = verb.value === 'buy' ? paid(c) : taken(c);
  return facts !== null && closed(c) ? facts : null;
}

const TRADING = /^(?:buy|buying|purchase|purchasing|sell|selling)$/i;

function paid(c: Cursor): Fact[] | null {
  c.eat('VERB', 'buy', 'spend');
  const facts = capClause(c);
  const whole = facts?.every(
    (fact) =>
      fact.fact === 'cap' &&
      fact.limited &&
      fact.scope !== null &&
      fact.goods === null &&
      fact.chains === null,
  );
  return whole === true ? facts : null;
}

function taken(c: Cursor): Fact[] | null {
  const [floor, ...rest] = minimumClause(c) ?? [];
  return floor?.fact === 'min' && rest.length === 0 ? [{ ...floor, sells: true }] : null;
}

/** True at the end of the sentence, or where "and when selling" goes on. */
function closed(c: Cursor): boolean {
  const next = c.peek();
  if (next === undefined || endsSentence(next)) return true;
  let at = 0;
  while (c.sees('SEP', [], at)) at++;
  return at > 0 && c.sees('COND', ['when', 'whenever'], at) && c.sees('VERB', [], at + 1);
}
