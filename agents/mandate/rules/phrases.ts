import type { Category } from '../../categories.ts';
import type { Atom } from '../atoms.ts';
import type { Cursor } from '../cursor.ts';
import type { Scope } from '../facts.ts';

/** Phrases that several rules share. Each eats what it matches, or nothing. */

const NOUN_VERBS = new Set(['purchase', 'trade', 'bid', 'buy', 'sell', 'spend']);

/** deal, purchase, lot, item …: what one transaction is called. */
export function dealNoun(cursor: Cursor): boolean {
  if (cursor.eat('DEAL') !== null) {
    cursor.eat('DEAL');
    return true;
  }
  if (cursor.sees('VERB') && NOUN_VERBS.has(cursor.peek()!.text.toLowerCase())) {
    cursor.at++;
    return true;
  }
  return false;
}

export interface ScopeReading {
  /** null for a scope that no cap has, such as a year. */
  readonly scope: Scope | null;
  readonly goods: Category | null;
}

/** per deal, a day, in any 24 hours, daily, in total, each … */
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
      // "for a day" is how long, not how often; "the limit for a day" is how often.
      if (!each && !behindLimit && preposition?.text.toLowerCase() === 'for') return null;
      return { scope: period, goods: null };
    }
    if (!each && words.includes('ONE') && preposition === null) return null;
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

/** A unit of time as a window: undefined when none stands here, null when no cap has that window. */
function unitScope(c: Cursor): Scope | null | undefined {
  const counted = c.sees('NUMBER') && c.sees('UNIT', [], 1);
  const count = counted ? Number(c.eat('NUMBER')!.micro) / 1e6 : 1;
  const unit = c.eat('UNIT');
  if (unit === null) return undefined;
  if ((unit.value === 'hour' && count === 24) || (unit.value === 'day' && count === 1)) return 'day';
  if ((unit.value === 'day' && count === 7) || (unit.value === 'week' && count === 1)) return 'week';
  return unit.value === 'month' && count === 1 ? 'month' : null;
}

/** "deal cap", "24-hour limit", "single-deal limit": a noun right before the word for the limit. */
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

/** How a limit is put: "up to", "under", "never pay more than". `deal` when it speaks of deals: "no deal above". */
export function limiter(cursor: Cursor): { deal: boolean; negative: boolean } | null {
  return cursor.attempt((c) => {
    const plain = c.eat('LIMIT') ?? c.eat('UNDER');
    if (plain) return { deal: false, negative: /^no|^never/i.test(plain.text) };
    const no = c.eat('NEG') ?? c.eat('DENY');
    if (no === null) return null;
    let deal = /^n\w+ (?:one )?of\b/i.test(no.text);
    for (;;) {
      if (c.sees('VERB', ['sell'])) return null;
      if (c.eat('DEAL') !== null) deal = true;
      else if (c.eatAll('VERB', 'KEEP', 'ANY', 'SINGLE', 'ART', 'PER') > 0) continue;
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
        (onlyBefore(at) ? null : at.eat('SEP', 'and also', 'also')) ??
        at.eat('OR') ??
        at.eat('PER', '/');
      return comma || word !== null ? true : null;
    }) ?? false
  );
}

/** "only travel, also art" adds to what was to be all: two lists, which contradict each other. */
function onlyBefore(c: Cursor): boolean {
  for (let i = c.at - 1; i >= 0; i--) {
    const atom = c.atoms[i]!;
    if (atom.kind === 'SEP' && (atom.value === '.' || atom.value === ';')) return false;
    if (atom.kind === 'ONLY') return true;
  }
  return false;
}

/** One or more of the same kind, parted by commas, "and" or "or". */
function listOf(cursor: Cursor, element: (c: Cursor) => string | null): string[] | null {
  const first = cursor.attempt(element);
  if (first === null) return null;
  const found = [first];
  for (;;) {
    const next = cursor.attempt((c) => {
      if (!separator(c)) return null;
      c.eat('PREP');
      return element(c);
    });
    if (next === null) break;
    found.push(next);
  }
  return [...new Set(found)].sort();
}

export function categoryList(cursor: Cursor): Category[] | null {
  return cursor.attempt((c) => {
    const list = listOf(c, category) as Category[] | null;
    if (list === null) return null;
    // "watches and vehicles (real-world assets)" says the same thing twice; anything else in brackets is asked about.
    c.attempt((at) => {
      if (at.eat('SEP', '(') === null) return null;
      const inner = listOf(at, category);
      return inner !== null && at.eat('SEP', ')') !== null && inner.join() === list.join() ? true : null;
    });
    return list;
  });
}

/** Without an article: "a boat" may mean one boat and no more, so it is asked about. */
function category(c: Cursor): string | null {
  c.eatAll('MODIFIER');
  // "cases of wine"; a single "case of wine" may be a number of them.
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
    if (c.sees('CATEGORY', [first.value])) c.at++;
    else break;
  }
  // "surplus concert tickets" belong to two categories, or to neither.
  if (c.sees('CATEGORY')) return null;
  if (c.sees('GEN') || (c.sees('DEAL') && !c.sees('CAP', [], 1) && !c.sees('BUDGET', [], 1))) c.at++;
  return first.value;
}

export function chainList(cursor: Cursor): string[] | null {
  return listOf(cursor, (c) => {
    const chain = c.eat('CHAIN');
    if (chain !== null) c.eat('CHAINWORD');
    return chain?.value ?? null;
  });
}

export function partyList(cursor: Cursor): string[] | null {
  return listOf(cursor, (c) => {
    c.eat('PARTYWORD');
    return c.eat('PARTY')?.value ?? null;
  });
}

/** "7 days", "two weeks", "a month": a count and a unit. */
export function duration(cursor: Cursor): { count: number; unit: string; text: string } | null {
  return cursor.attempt((c) => {
    const first = c.peek();
    const count = c.eat('ART') ? 1 : Number(c.eat('NUMBER')?.micro ?? 0n) / 1e6;
    const unit = c.eat('UNIT');
    if (unit === null || count <= 0) return null;
    return { count, unit: unit.value, text: `${first!.text} ${unit.text}` };
  });
}
