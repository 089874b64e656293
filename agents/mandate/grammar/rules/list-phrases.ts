import type { Category } from '../../../categories.ts';
import { Cursor } from '../cursor.ts';
import { type Item, itemBefore, type ListKind, valuesOf } from '../lists.ts';

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
