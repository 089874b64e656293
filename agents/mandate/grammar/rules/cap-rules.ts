import type { Atom } from '../atom.ts';
import type { Cursor } from '../cursor.ts';
import { amountOf, type Fact, type Scope } from '../facts.ts';
import { add, type Draft, head, takeAmount } from './cap-draft.ts';
import { added, eitherWay, ofMine, ofThatDeal, onlySo, spentPer, worth } from './cap-tails.ts';
import { categoryList, chainList } from './list-phrases.ts';
import { scope } from './phrases.ts';

/**
 * Reads a cap with its parts in any order: "max 500 USDC per deal", "daily limit: 800 USDC", "keep each deal under 500
 * USDC", "1,000 USDC of music rights a day". Two scopes for one amount, a hedge, a range or an alternative become a
 * question.
 */
export function capClause(c: Cursor): Fact[] | null {
  const from = c.at;
  const draft: Draft = {
    scopes: [],
    weakDeal: false,
    limited: false,
    negative: false,
    budget: false,
    hedged: false,
    goods: null,
    chains: null,
  };
  head(c, draft);
  const amount = takeAmount(c);
  if (amount === null) return null;
  const range = rangeEnd(c);
  tail(c, draft);
  const scopes = distinctScopes(draft.scopes);
  if (scopes.length === 0 && (draft.weakDeal || (draft.chains === null && ofThatDeal(c.atoms, from))))
    scopes.push('deal');
  if (scopes.length === 0 && !draft.limited && draft.goods === null) return null;
  const words = amountWords(amount);
  const ask = (question: string): Fact[] => [{ fact: 'ask', reason: 'AMBIGUOUS_CAP', question }];
  if (range !== null) return ask(`Which cap applies, ${words} or ${amountWords(range)}?`);
  if (draft.hedged) return ask(`A cap must be exact. Is the cap ${words}, and not more?`);
  if (scopes.length > 1)
    return ask(
      `Is ${words} the cap ${scopes.map((s) => (s === null ? 'per another period' : scopeWords(s))).join(' or ')}?`,
    );
  if (scopes[0] === null)
    return ask(
      `A cap can be per deal, per day, per week, per month or in total. Which of these is ${words} for?`,
    );
  const cap: Fact = {
    fact: 'cap',
    scope: scopes[0] ?? (draft.budget ? 'total' : null),
    amount: amountOf(amount),
    goods: draft.goods,
    chains: draft.chains,
    limited: draft.limited,
    apiece: !c.atoms.slice(from, c.at).some(({ kind, value }) => kind === 'DEAL' && value === 'deal'),
  };
  const other = alternative(c, draft, scopes[0] ?? null);
  if (other === 'both') {
    c.eat('SEP', ',');
    c.eat('OR');
  } else if (other !== null)
    return [
      ...ask(
        `Which ${scopeAdjective(scopes[0] ?? null)}cap applies: ${amount.text.replace(/[^\d.,kKmM]/g, '') || words} or ${amountWords(other)}?`,
      ),
      cap,
      ...places(draft),
    ];
  return [cap, ...places(draft)];
}

/** "the daily total": a total together with a day means the day. */
function distinctScopes(found: readonly (Scope | null)[]): (Scope | null)[] {
  const scopes = [...new Set(found)];
  const windowed = scopes.some((s) => s === 'day' || s === 'week' || s === 'month');
  return windowed ? scopes.filter((s) => s !== 'total') : scopes;
}

function places(draft: Draft): Fact[] {
  return [
    ...(draft.goods
      ? [{ fact: 'goods', deny: false, list: draft.goods, side: null, only: false } as const]
      : []),
    ...(draft.chains ? [{ fact: 'chains', deny: false, list: draft.chains, only: false } as const] : []),
  ];
}

function rangeEnd(c: Cursor): Atom | null {
  return c.attempt((at) => {
    if (at.eat('SEP', '-') === null && at.eat('PREP', 'to') === null) return null;
    return takeAmount(at);
  });
}

function tail(c: Cursor, draft: Draft): void {
  for (;;) {
    const found = c.attempt((at) => {
      const read = scope(at);
      if (read === null) return null;
      // "500 USDC per deal daily limit 2,000 USDC": the second scope begins the next cap.
      const next =
        at.sees('CAP') ||
        at.sees('BUDGET') ||
        at.sees('SEP', [':']) ||
        at.sees('MONEY') ||
        at.sees('NUMBER') ||
        (at.sees('LIMIT') && startsAmount(at, 1));
      return next && draft.scopes.length > 0 ? null : read;
    });
    if (found !== null) add(draft, found);
    else if (spentPer(c, draft) || c.attempt(worth) !== null || ofMine(c, draft)) continue;
    else if (
      c.attempt((at) => (at.eat('PREP', 'to') && at.eat('VERB', 'spend') && at.atBreak ? true : null))
    ) {
      draft.budget = true;
      draft.limited = true;
    } else if (c.sees('LIMIT') && !startsAmount(c, 1)) {
      c.skip();
      draft.limited = true;
    } else if (c.sees('CAP') && !startsAmount(c, 1) && !c.sees('PREP', ['of'], 1)) {
      c.skip();
      draft.limited = true;
    } else if (c.eat('HEDGE')) draft.hedged = true;
    else if (c.attempt(onlySo) !== null) draft.limited = true;
    // "350 USDC a deal, either way": of what is bought and of what is sold.
    else if (c.attempt(eitherWay) !== null) continue;
    else if (!tied(c, draft) && !added(c, draft)) return;
  }
}

function startsAmount(c: Cursor, ahead: number): boolean {
  const kind = c.peek(ahead)?.kind ?? '';
  return (
    kind === 'MONEY' ||
    kind === 'NUMBER' ||
    c.sees('SEP', [':'], ahead) ||
    kind === 'PERCENT' ||
    kind === 'DATE' ||
    (kind === 'PER' &&
      (c.sees('DEAL', [], ahead + 1) || c.sees('UNIT', [], ahead + 1)) &&
      c.sees('MONEY', [], ahead + 2))
  );
}

/** Reads what the amount is for, right after it: "worth of music rights", "on travel", "in bonds", "on Ethereum". */
function tied(c: Cursor, draft: Draft): boolean {
  const goods = c.attempt((at) => {
    // "under 900 USDC per deal when buying art" is a cap for art, not a condition.
    if (at.eat('COND', 'when') !== null)
      return at.eat('VERB', 'buy') === null || TAKEN.test(at.peek(-1)!.text) === false
        ? null
        : categoryList(at);
    at.eat('PREP', 'worth');
    if (at.eat('PREP', 'of', 'on', 'in', 'for', 'into') === null) return null;
    at.eat('ONLY');
    return categoryList(at);
  });
  if (goods !== null) {
    draft.goods = [...new Set([...(draft.goods ?? []), ...goods])].sort();
    return true;
  }
  const chains = c.attempt((at) => (at.eat('PREP', 'on') === null ? null : chainList(at)));
  if (chains === null) return false;
  draft.chains = [...new Set([...(draft.chains ?? []), ...chains])].sort();
  return true;
}

/** Matches "when buying", but not "when you win" or "when I want". */
const TAKEN = /^(?:buying|purchasing|acquiring|bidding|procuring)\b/i;

/** Reads a second amount for the same cap: "… or maybe 2,000 USDC". */
function alternative(c: Cursor, draft: Draft, first: Scope | null): Atom | 'both' | null {
  const from = c.at;
  const found = c.attempt((at) => {
    at.eat('SEP', ',');
    if (at.eat('OR') === null) return null;
    const hedged = at.eatAll('HEDGE') > 0;
    const second: Draft = { ...draft, scopes: [], goods: null, chains: null };
    if (forbidding(c, draft)) at.eat('ABOVE');
    head(at, second);
    const amount = takeAmount(at);
    if (amount === null) return null;
    const own = scope(at)?.scope ?? second.scopes[0] ?? null;
    // "never more than 500 per deal or 2,000 per day" forbids both, so these are two caps and not a choice.
    return !hedged && forbidding(c, draft) && own !== null && own !== first ? ('both' as const) : amount;
  });
  if (found === 'both') c.at = from;
  return found;
}

/**
 * True in a sentence that forbids, where all amounts apply: "do not spend more than 90 USDC per deal, 270 USDC per day
 * or 2,700 USDC in total".
 */
function forbidding(c: Cursor, draft: Draft): boolean {
  return draft.negative || c.clauses.forbiddenBefore(c.at);
}

function amountWords(atom: Atom): string {
  return atom.text.trim();
}

export function scopeWords(value: Scope): string {
  return value === 'total' ? 'in total' : `per ${value}`;
}

function scopeAdjective(value: Scope | null): string {
  const names = { deal: 'per-deal ', day: 'daily ', week: 'weekly ', month: 'monthly ', total: 'total ' };
  return value === null ? '' : names[value];
}
