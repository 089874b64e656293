import type { Category } from '../../../categories.ts';
import type { Atom } from '../atom.ts';
import type { Cursor } from '../cursor.ts';
import type { Scope } from '../facts.ts';
import { isOne, limiter, nounScope, type ScopeReading, scope } from './phrases.ts';

/** The longest phrase before an amount, in atoms. */
const MAX_HEAD = 24;

/** What was collected around one amount. */
export interface Draft {
  scopes: (Scope | null)[];
  /** "no deal above" means per deal, unless the text gives another scope. */
  weakDeal: boolean;
  limited: boolean;
  negative: boolean;
  budget: boolean;
  hedged: boolean;
  goods: Category[] | null;
  chains: string[] | null;
}

/** Reads everything that may come before the amount, in any order. */
export function head(c: Cursor, draft: Draft): void {
  const start = c.at;
  const before = c.peek(-1);
  // What stood before has taken its own scope.
  const opens = before === undefined || before.kind === 'SEP';
  while (c.at < start + MAX_HEAD) {
    const started = c.at > start;
    const limit = limiter(c);
    if (limit !== null) {
      draft.limited = true;
      draft.negative ||= limit.negative;
      draft.weakDeal ||= limit.deal;
      continue;
    }
    const found = nounScope(c) ?? scope(c);
    if (found !== null) {
      add(draft, found);
      if (c.attempt(commaBeforeLimit) === null && opens && !draft.limited) c.attempt(commaBeforeAmount);
    } else if (c.eat('BUDGET')) {
      draft.budget = true;
      draft.limited = true;
    } else if (c.peek(-1)?.kind === 'OR' && c.clauses.forbiddenBefore(c.at) && c.eat('ABOVE')) {
      // "Never over 500 USDC per deal or over 2,000 USDC a week".
      draft.limited = true;
      draft.negative = true;
    } else if (c.eat('CAP')) draft.limited = true;
    else if (c.sees('COND', ['if', 'when', 'where']) && c.sees('KEEP', [], 1) && isLimit(c, 1) && bounded(c))
      c.skip();
    else if (c.sees('REQUIRE', ['as long as', 'so long as', 'provided', 'provided that']) && isLimit(c, 1))
      c.skip();
    else if (c.eat('HEDGE')) draft.hedged = true;
    else if (
      c.sees('DEAL') &&
      (c.sees('NEG', [], 1) || c.sees('LIMIT', [], 1) || c.sees('UNDER', [], 1) || c.sees('KEEP', [], 1))
    ) {
      draft.weakDeal = true;
      c.skip();
    } else if (
      c.sees('NEG', ['no', 'and no', 'in no']) &&
      c.sees('UNIT', ['day', 'week', 'month'], 1) &&
      c.sees('ABOVE', [], behindPeriod(c))
    ) {
      // "No day above 900 USDC", "no month's purchases over 900 USDC".
      draft.scopes.push(c.peek(1)!.value as Scope);
      draft.limited = true;
      draft.negative = true;
      c.skip(behindPeriod(c) + 1);
    } else if (
      isOne(c.peek()) &&
      c.sees('UNIT', PERIODS, 1) &&
      c.sees('NEG', [], 2) &&
      c.sees('ABOVE', [], 3)
    ) {
      // "One week not over 240 USDC".
      draft.scopes.push(c.peek(1)!.value as Scope);
      c.skip(2);
    } else if (
      c.sees('DEAL') &&
      c.sees('PREP', ['of', 'at', 'for'], 1) &&
      (c.sees('MONEY', [], 2) || c.sees('LIMIT', [], 2))
    ) {
      // "Deals of 1,000 USDC or less".
      draft.weakDeal = true;
      c.skip(2);
    } else if (
      c.sees('SINGLE') &&
      c.sees('DEAL', [], 1) &&
      (c.sees('KEEP', [], 2) || c.sees('LIMIT', ['<=', '≤'], 2))
    ) {
      // "A single deal may cost 650 USDC at most".
      draft.weakDeal = true;
      c.skip(2);
    } else if (
      (isOne(c.peek()) || c.sees('SINGLE')) &&
      c.sees('DEAL', [], 1) &&
      c.sees('NEG', [], 2) &&
      c.sees('ABOVE', [], 3)
    ) {
      // "One deal should not be more than 500 USDC" means every deal, since what follows is a limit for each.
      draft.weakDeal = true;
      c.skip(2);
    } else if (
      !asksToTake(c) &&
      (c.eat('KEEP') !== null ||
        c.eat('ART') ||
        c.eat('PREP', 'of', 'to', 'at', 'with', 'for', 'worth', 'use', 'using'))
    )
      continue;
    else if (c.eat('ONLY') || (started && (c.eat('SEP', ':') || c.eat('SEP', '-')))) continue;
    else if (started && c.sees('VERB', ['buy', 'spend', 'both'])) c.skip();
    else return;
  }
}

/** "All told, stay within 150 USDC". */
function commaBeforeLimit(c: Cursor): true | null {
  if (c.eat('SEP', ',') === null) return null;
  if (c.sees('VERB', ['spend', 'buy']) && (c.sees('LIMIT', [], 1) || c.sees('NEG', [], 1))) return true;
  return c.sees('LIMIT') || c.sees('UNDER') || c.sees('KEEP') || (c.sees('NEG') && c.sees('ABOVE', [], 1))
    ? true
    : null;
}

/** "All told, 900 USDC": a scope in front of its amount, and nothing else of it behind. */
function commaBeforeAmount(c: Cursor): true | null {
  if (c.eat('SEP', ',') === null || !c.sees('MONEY')) return null;
  // "…, 900 USDC at most."
  const after = c.sees('LIMIT', [], 1) ? 2 : 1;
  const next = c.peek(after);
  return next === undefined || next.kind === 'SEP' ? true : null;
}

/** "Take 500 USDC per deal for my art": a price that the owner is to be paid does not cap what the agent pays. */
function asksToTake(c: Cursor): boolean {
  return c.sees('KEEP', ['accept', 'take', 'receive']) && (c.sees('MONEY', [], 1) || c.sees('NUMBER', [], 1));
}

function isLimit(c: Cursor, ahead: number): boolean {
  // "Provided that each costs 260 USDC or less": nothing but words of a limit up to its amount.
  let at = ahead;
  while (LIMITING.has(c.peek(at)?.kind ?? '')) at++;
  if (at > ahead && c.sees('MONEY', [], at)) return true;
  // "Provided that the price of a deal does not exceed 40,000 USD".
  if (c.sees('NEG', [], at) && c.sees('ABOVE', [], at + 1) && c.sees('MONEY', [], at + 2)) return true;
  const noDeal =
    c.sees('NEG', [], ahead) && (c.sees('SINGLE', [], ahead + 1) || c.sees('DEAL', [], ahead + 1));
  return noDeal || c.sees('LIMIT', [], ahead) || c.sees('UNDER', [], ahead);
}

/** "If they cost 700 USDC or less each" says no more than the limit does. */
function bounded(c: Cursor): boolean {
  for (let at = 1; at < 9; at++) {
    if (c.sees('LIMIT', [], at) || c.sees('UNDER', [], at)) return true;
    if (c.sees('SEP', [], at)) return false;
  }
  return false;
}

/** The place behind "no month's purchases may cost", from "no". */
function behindPeriod(c: Cursor): number {
  let at = 2;
  while (c.sees('DEAL', [], at) || c.sees('KEEP', [], at)) at++;
  return at;
}

const PERIODS = ['day', 'week', 'month'];
const LIMITING = new Set(['PER', 'DEAL', 'KEEP', 'ART', 'SINGLE', 'SCOPE', 'LIMIT', 'UNDER', 'ITEM', 'PREP']);

export function add(draft: Draft, found: ScopeReading): void {
  draft.scopes.push(found.scope);
  if (found.goods !== null) draft.goods = [...new Set([...(draft.goods ?? []), found.goods])].sort();
}

/** Reads the amount itself: money, or a bare number that does not count anything. */
export function takeAmount(c: Cursor): Atom | null {
  const money = c.eat('MONEY');
  if (money !== null) return money;
  if (!c.sees('NUMBER')) return null;
  const next = c.peek(1)?.kind ?? '';
  // A bare number before a noun counts deals or days; it is not money.
  if (
    ['DEAL', 'UNIT', 'CATEGORY', 'GEN', 'MODIFIER', 'DATE', 'PERCENTOF', 'UNKNOWN', 'SINGLE'].includes(next)
  )
    return null;
  if (next === 'VERB' && c.peek(1)!.value !== 'spend') return null;
  return c.eat('NUMBER');
}
