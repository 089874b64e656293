import type { Cursor } from '../cursor.ts';
import { add, type Draft } from './cap-draft.ts';
import { scope } from './phrases.ts';

export function eitherWay(c: Cursor): true | null {
  c.eat('SEP', ',');
  return c.eat('BOTHWAYS') !== null && c.atBreak ? true : null;
}

/** "16 USDC per deal only", "… are allowed". */
export function onlySo(c: Cursor): true | null {
  if (c.eat('ONLY', 'only') === null && c.eat('ALLOWED', 'allowed', 'permitted') === null) return null;
  return c.atBreak || c.sees('UNTIL') || c.sees('ENDS') ? true : null;
}

/** "150 USDC, all told", "15 USDC apiece, tops": what is said of the amount behind a comma, and nothing behind it. */
export function added(c: Cursor, draft: Draft): boolean {
  const found = c.attempt((at) => {
    if (at.eat('SEP', ',') === null) return null;
    at.eat('SEP', 'and', 'but');
    const read = draft.scopes.length === 0 ? scope(at) : null;
    if (
      read === null &&
      at.eat('LIMIT', 'tops', 'max', 'maximum', 'at most', 'at the most', ...NO_MORE) === null
    )
      return null;
    return at.atBreak ? { read } : null;
  });
  if (found === null) return false;
  if (found.read !== null) add(draft, found.read);
  draft.limited ||= found.read === null;
  return true;
}

const NO_MORE = [
  'and no more',
  'but no more',
  'no more',
  'not more',
  'nothing more',
  'nothing above that',
  'not above that',
  'nothing over that',
];

/** "5,000 USDC may be spent per deal". */
export function spentPer(c: Cursor, draft: Draft): boolean {
  const found = c.attempt((at) => (at.eat('VERB', 'spend') === null ? null : scope(at)));
  if (found !== null) add(draft, found);
  return found !== null;
}
