import type { Atom } from '../atom.ts';
import type { Clauses } from '../clauses.ts';
import type { Cursor } from '../cursor.ts';
import { endsSentence, isFullStop } from '../sentences.ts';

/** True where "except" takes away from what is allowed, and loosens no limit. */
export function mayLeaveOut(c: Cursor): boolean {
  return c.sees('EXCEPT') && (behindAll(c) || exceptsAgain(c) || mayExcept(c));
}

/**
 * ", anything goes except travel", ", from any seller except x.eth": what "any" allows is a clause of its own. Behind a
 * limit, "on any chain except Base" may loosen it.
 */
function behindAll(c: Cursor): boolean {
  const all = c.peek(-1);
  const led = c.peek(-2)?.kind === 'PREP';
  const opens = c.peek(led ? -3 : -2);
  if (all?.kind !== 'ANY' || (opens !== undefined && opens.kind !== 'SEP')) return false;
  return led ? !c.clauses.cappedBefore(c.at) : !/^(?:on|for|with)\b/i.test(all.text);
}

/** "Save for travel, and save for art". */
function exceptsAgain(c: Cursor): boolean {
  if (c.peek(-1)?.kind !== 'SEP' || c.clauses.cappedBefore(c.at)) return false;
  let at = -1;
  while (
    at > -12 &&
    ['SEP', 'CATEGORY', 'MODIFIER', 'CHAIN', 'PARTY', 'OR'].includes(c.peek(at)?.kind ?? '')
  ) {
    if (endsSentence(c.peek(at)!)) return false;
    at--;
  }
  return c.peek(at)?.kind === 'EXCEPT';
}

const EXCEPTED = ['ANY', 'GEN', 'CATEGORY', 'CHAIN', 'CHAINWORD', 'PARTY', 'PARTYWORD', 'ALLOWED', 'VERB'];

/**
 * True when "except" may take away from what the words before it allow. After a limit it would loosen the limit, and
 * after a denial it would allow again; both are left over and become questions.
 */
function mayExcept(c: Cursor): boolean {
  let i = c.at - 1;
  if (c.atoms[i]?.kind === 'SEP' && !isFullStop(c.atoms[i]!)) i--;
  if (i >= 0 && !EXCEPTED.includes(c.atoms[i]!.kind)) return false;
  return i < 0 || !c.clauses.limitedBefore(i + 1);
}

const ACTING = ['VERB', 'CATEGORY', 'ANY', 'GEN', 'ITEM', 'BOUGHT', 'SOLD', 'ONLY', 'ALLOWED'];

/**
 * "At most 200 USDC per week from a.eth", in a sentence that says nothing of what is done: the amount is held for one
 * party, who need not be the only one.
 */
export function heldForOne(clauses: Clauses, at: number): boolean {
  const { atoms } = clauses;
  if (atoms[at]?.kind !== 'PREP' || atoms[at + 1]?.kind !== 'PARTY' || atoms[at - 1]?.kind === 'SEP')
    return false;
  let money = false;
  for (let place = at - 1; place >= 0 && !endsSentence(atoms[place]!); place--) {
    const spends = atoms[place]!.kind === 'VERB' && atoms[place]!.value === 'spend';
    if (ACTING.includes(atoms[place]!.kind) && !spends) return false;
    if (atoms[place]!.kind === 'MONEY') money = true;
  }
  return money;
}

/**
 * "Buy a block of flats", "buy never-worn shoes": behind a verb or an article such a word tells what is bought, and
 * refuses nothing, but for "buy no cars".
 */
export function describes(refusal: Atom, before: Atom | undefined): boolean {
  if (before?.kind === 'VERB') return refusal.kind !== 'NEG' || !NONE.test(refusal.text);
  return before?.kind === 'ART';
}

const NONE = /^(?:no|none|nothing|no one|(?:and|but) .+)$/i;
