import type { Category } from '../../../categories.ts';
import type { Atom } from '../atoms.ts';
import { Cursor } from '../cursor.ts';
import type { Scope } from '../facts.ts';
import { type Item, itemBefore, type ListKind, valuesOf } from '../lists.ts';

/** Phrases that several rules share. Each consumes what it matches, or nothing. */

const NOUN_VERBS = new Set(['purchase', 'trade', 'bid', 'buy', 'sell', 'spend']);

/** Reads a word for one transaction: deal, purchase, lot, item … */
export function dealNoun(cursor: Cursor): boolean {
  if (cursor.eat('DEAL') !== null) {
    cursor.eat('DEAL');
    return true;
  }
  if (cursor.sees('VERB') && NOUN_VERBS.has(cursor.peek()!.text.toLowerCase())) {
    cursor.skip();
    return true;
  }
  return false;
}

export interface ScopeReading {
  /** Null for a period that no cap has, such as a year. */
  readonly scope: Scope | null;
  readonly goods: Category | null;
}

/** Reads a scope: per deal, a day, in any 24 hours, daily, in total, each … */
export function scope(cursor: Cursor): ScopeReading | null {
  return cursor.attempt((c) => {
    const behindLimit = ['CAP', 'LIMIT', 'BUDGET'].includes(c.peek(-1)?.kind ?? '');
    const behindAmount = c.peek(-1)?.kind === 'MONEY' || c.peek(-1)?.kind === 'NUMBER';
    const plain = c.eat('SCOPE');
    if (plain) return { scope: plain.value === 'year' ? null : (plain.value as Scope), goods: null };
    const preposition =
      c.eat('PREP', 'for', 'on', 'in', 'at') ?? c.eat('UNDER', 'within') ?? c.eat('BETWEEN', 'during');
    const words: string[] = [];
    while (words.length < 6) {
      const atom: Atom | null =
        c.eat('PER') ?? c.eat('ART') ?? c.eat('SINGLE') ?? (isOne(c.peek()) ? c.eat('NUMBER') : null);
      if (atom === null) break;
      words.push(atom.kind === 'PER' ? 'PER' : atom.kind === 'ART' ? 'ART' : 'ONE');
    }
    const each = words.includes('PER');
    if (words.length === 0 || (!each && preposition === null && !words.includes('ART'))) return null;
    const period = unitScope(c);
    if (period !== undefined) {
      // "for a day" is a duration; "the limit for a day" is a period.
      if (!each && !behindLimit && preposition?.text.toLowerCase() === 'for') return null;
      return { scope: period, goods: null };
    }
    if (!each && words.includes('ONE') && preposition === null) return null;
    // "My maximum for one flight is 320 USDC".
    if (
      (words.includes('ONE') || words.includes('ART')) &&
      preposition !== null &&
      c.sees('CATEGORY') &&
      (c.sees('MONEY', [], 1) || c.sees('SEP', [':'], 1))
    )
      return { scope: 'deal', goods: c.eat('CATEGORY')!.value as Category };
    // "The most you may pay for one is 1,800 USDC".
    if (words.join() === 'ONE' && (c.sees('MONEY') || c.sees('LIMIT') || c.atBreak))
      return { scope: 'deal', goods: null };
    if (dealNoun(c)) return { scope: 'deal', goods: null };
    if ((each || behindAmount) && (c.eat('ITEM') ?? c.eat('GEN', 'product', 'thing', 'asset')) !== null)
      return { scope: 'deal', goods: null };
    if ((each || behindAmount) && c.sees('CATEGORY'))
      return { scope: 'deal', goods: c.eat('CATEGORY')!.value as Category };
    const last = c.peek(-1)?.text.toLowerCase();
    const on = preposition?.text.toLowerCase();
    return words.length === 1 && (on === undefined || on === 'on' || on === 'for') && last === 'each'
      ? { scope: 'deal', goods: null }
      : null;
  });
}

/** Reads a unit of time as a cap's window: undefined when there is none, null when no cap has that window. */
function unitScope(c: Cursor): Scope | null | undefined {
  const counted = c.sees('NUMBER') && c.sees('UNIT', [], 1);
  const count = counted ? Number(c.eat('NUMBER')!.micro) / 1e6 : 1;
  const unit = c.eat('UNIT');
  if (unit === null) return undefined;
  if ((unit.value === 'hour' && count === 24) || (unit.value === 'day' && count === 1)) return 'day';
  if ((unit.value === 'day' && count === 7) || (unit.value === 'week' && count === 1)) return 'week';
  return unit.value === 'month' && count === 1 ? 'month' : null;
}

/** Reads a noun right before the word for the limit: "deal cap", "24-hour limit", "single-deal limit". */
export function nounScope(cursor: Cursor): ScopeReading | null {
  return cursor.attempt((c) => {
    const single = c.eat('SINGLE') !== null;
    const period = unitScope(c);
    if (period === undefined && !dealNoun(c)) return null;
    const named =
      c.sees('CAP') ||
      c.sees('BUDGET') ||
      c.sees('LIMIT', ['max', 'maximum']) ||
      (single && c.sees('SEP', [':']));
    return named ? { scope: period === undefined ? 'deal' : period, goods: null } : null;
  });
}

export function isOne(atom: Atom | undefined): boolean {
  return atom?.kind === 'NUMBER' && atom.micro === 1_000_000n;
}

/**
 * Reads words for a limit: "up to", "under", "never pay more than". `deal` is true when they speak of deals: "no deal
 * above".
 */
export function limiter(cursor: Cursor): { deal: boolean; negative: boolean } | null {
  return cursor.attempt((c) => {
    const plain = c.eat('LIMIT') ?? c.eat('UNDER');
    if (plain) return { deal: false, negative: /^(?:and |but )?(?:no|never)/i.test(plain.text) };
    const no = c.eat('NEG') ?? c.eat('DENY') ?? c.eat('EXCEPT', 'with no');
    if (no === null) return null;
    // "Buy nothing over 500 USDC" is said of each thing; "spend nothing over" may be said of all of them.
    const bought =
      c.peek(-2)?.kind === 'VERB' && c.peek(-2)!.value === 'buy' && !/^pay/i.test(c.peek(-2)!.text);
    let deal =
      /^n\w+ (?:one )?of\b/i.test(no.text) ||
      /^none$/i.test(no.text) ||
      (bought && /^nothing$/i.test(no.text));
    for (;;) {
      if (c.sees('VERB', ['sell'])) return null;
      if (c.eat('DEAL') !== null) deal = true;
      // "No single purchase may cost over 1,150 USDC": a noun, behind "no".
      else if (/^(?:with )?no$/i.test(no.text) && c.peek(-1)?.kind !== 'PREP' && dealNoun(c)) deal = true;
      else if (['VERB', 'KEEP', 'ANY', 'SINGLE', 'ART', 'PER'].some((kind) => c.eat(kind) !== null)) continue;
      else if (c.eat('PREP', 'for', 'at', 'to', 'on', 'with') === null) break;
    }
    return c.eat('ABOVE') === null ? null : { deal, negative: true };
  });
}

function separator(c: Cursor): boolean {
  return (
    c.attempt((at) => {
      const comma = at.eat('SEP', ',') !== null;
      const word =
        at.eat('SEP', 'and', 'plus', 'as well as', '&', '+') ??
        (at.clauses.onlyBefore(at.at) ? null : at.eat('SEP', 'and also', 'also')) ??
        at.eat('OR') ??
        at.eat('PER', '/');
      return comma || word !== null ? true : null;
    }) ?? false
  );
}

/**
 * Reads one or more of a kind, separated by commas, "and" or "or". A list is read once for each place at which it may
 * begin. A list from its second item on is the rest of the first, so all of them together cost as much as the longest.
 */
function listOf(cursor: Cursor, kind: ListKind): Item | null {
  const known = cursor.clauses.lists.get(kind)!;
  const begun: { readonly at: number; readonly value: string; readonly end: number }[] = [];
  let rest: Item | null = null;
  for (let at = cursor.at; ; ) {
    const found = known.get(at);
    if (found !== undefined) {
      rest = found;
      break;
    }
    const c = new Cursor(cursor.clauses, at);
    const value = ELEMENTS[kind](c);
    if (value === null) {
      known.set(at, null);
      break;
    }
    begun.push({ at, value, end: c.at });
    if (!separator(c)) break;
    c.eat('PREP');
    at = c.at;
  }
  for (const { at, value, end } of begun.reverse()) {
    rest = itemBefore(value, end, rest, kind);
    known.set(at, rest);
  }
  return rest === null ? null : cursor.take(rest);
}

export function categoryList(cursor: Cursor): Category[] | null {
  return cursor.attempt((c) => {
    const goods = listOf(c, 'goods');
    if (goods === null) return null;
    const list = valuesOf(goods) as Category[];
    // "watches and vehicles (real-world assets)" says the same thing twice. Anything else in brackets becomes a
    // question.
    c.attempt((at) => {
      if (at.eat('SEP', '(') === null) return null;
      const inner = listOf(at, 'goods');
      return inner !== null && at.eat('SEP', ')') !== null && valuesOf(inner).join() === list.join()
        ? true
        : null;
    });
    return list;
  });
}

/** Reads a category without an article: "a boat" may mean one boat and no more, so it becomes a question. */
function category(c: Cursor): string | null {
  c.eatAll('MODIFIER');
  // "cases of wine" is a category; "case of wine" may be a number of them.
  c.attempt((at) => {
    const item = at.eat('ITEM');
    return item !== null && /s$/i.test(item.text) && at.eat('PREP', 'of') && at.sees('CATEGORY')
      ? true
      : null;
  });
  const first = c.eat('CATEGORY');
  if (first === null) return null;
  for (;;) {
    c.eatAll('MODIFIER');
    if (c.sees('CATEGORY', [first.value])) c.skip();
    else break;
  }
  // "surplus concert tickets" may belong to two categories, or to neither.
  if (c.sees('CATEGORY')) return null;
  if (c.sees('GEN') || (c.sees('DEAL') && !c.sees('CAP', [], 1) && !c.sees('BUDGET', [], 1))) c.skip();
  return first.value;
}

export function chainList(cursor: Cursor): readonly string[] | null {
  const chains = listOf(cursor, 'chains');
  return chains === null ? null : valuesOf(chains);
}

/** A list may name many parties, so their values are collected only when a clause matches. */
export function partyList(cursor: Cursor): Item | null {
  return listOf(cursor, 'parties');
}

const ELEMENTS: Readonly<Record<ListKind, (c: Cursor) => string | null>> = {
  goods: category,
  chains(c) {
    const chain = c.eat('CHAIN');
    if (chain !== null) c.eat('CHAINWORD');
    return chain?.value ?? null;
  },
  parties(c) {
    c.eat('PARTYWORD');
    return c.eat('PARTY')?.value ?? null;
  },
};

/** Reads a duration, which is a count and a unit: "7 days", "two weeks", "a month". */
export function duration(cursor: Cursor): { count: number; unit: string; text: string } | null {
  return cursor.attempt((c) => {
    const first = c.peek();
    const count = c.eat('ART') ? 1 : Number(c.eat('NUMBER')?.micro ?? 0n) / 1e6;
    const unit = c.eat('UNIT');
    if (unit === null || count <= 0) return null;
    return { count, unit: unit.value, text: `${first!.text} ${unit.text}` };
  });
}
