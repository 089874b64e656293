import type { Atom } from '../atom.ts';
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

/** "900 USDC worth a day", where "worth of wine" names goods. */
export function worth(c: Cursor): true | null {
  if (c.eat('PREP', 'worth') === null) return null;
  return (c.sees('ART') || c.sees('PER')) && c.sees('UNIT', [], 1) ? true : null;
}

/** "50 USDC a week of my money": behind what the amount is for, whose it is says no more. */
export function ofMine(c: Cursor, draft: Draft): boolean {
  const mine = c.sees('BUDGET') && /^of (?:my|our) \w+$/i.test(c.peek()!.text);
  if (!mine || draft.scopes.length === 0 || c.sees('MONEY', [], 1)) return false;
  c.skip();
  return true;
}

/**
 * "I need to OK it first if it's above 200 USDC, and it can't ever be above 400 USDC": a deal, as the owner is asked of
 * nothing else. True where the limit at `from` is said of "it", right behind the amount that is asked about.
 */
export function ofThatDeal(atoms: readonly Atom[], from: number): boolean {
  if (atoms[from]?.kind !== 'NEG' || atoms[from]!.value !== 'it') return false;
  let at = from - 1;
  while (atoms[at]?.kind === 'SEP' && [',', 'and', 'but'].includes(atoms[at]!.value || atoms[at]!.text)) at--;
  if (atoms[at]?.kind !== 'MONEY' || atoms[at - 1]?.kind !== 'ABOVE') return false;
  for (at -= 2; ASKED_OF.has(atoms[at]?.kind ?? ''); at--)
    if (atoms[at]!.kind === 'APPROVAL' || atoms[at]!.kind === 'ASK') return true;
  return false;
}

const ASKED_OF = new Set(['COND', 'ME', 'APPROVAL', 'ASK', 'ART', 'PER', 'DEAL']);
