import type { Known } from './lexicon/lexicon.ts';
import { begins, ends, known, type Place } from './place.ts';

const BEFORE_MONTH = new Set(
  'from in until till til by for since after before during throughout through thru to of on as'.split(' '),
);
/** "Whom I buy from may be anyone": a verb, also behind a preposition. */
const BEHIND_VERB = new Set(['be', 'not', 'never', 'also', 'only']);

/**
 * "Sell wine from May", "above 10 USDC in May", "this May, …": a month without a year, which is asked about like any other one. Elsewhere the
 * word is a verb, and says nothing.
 */
export function mayMonth({ tokens, at, atoms }: Place): Known | null {
  const [before, word, next] = [tokens[at - 1], tokens[at]!, tokens[at + 1]];
  const capital = word.text === 'May';
  if (before !== undefined && BEFORE_MONTH.has(before.key))
    return capital || !BEHIND_VERB.has(next?.key ?? '') ? known('UNKNOWN', word.text) : null;
  // "Buy wine, May only", where "the agent may only buy" has a verb behind it.
  const closes = ends(next) || (next?.key === 'only' && ends(tokens[at + 2]));
  return capital && closes && !begins(atoms) ? known('UNKNOWN', word.text) : null;
}
