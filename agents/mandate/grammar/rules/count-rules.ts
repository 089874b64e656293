import type { Atom } from '../atom.ts';
import type { Cursor } from '../cursor.ts';
import type { Fact } from '../facts.ts';
import { fits, onlyFor } from './limit-ends.ts';
import { categoryList } from './list-phrases.ts';
import { dealNoun, limiter, scope } from './phrases.ts';

/** "one deal only", "at most 10 purchases", "no more than three deals a day", "max deals per day: 3", "once a day". */
export function countClause(c: Cursor): Fact[] | null {
  const from = c.at;
  const scopes: string[] = [];
  let limited = false;
  const takeScope = (): boolean => {
    const found = scope(c);
    if (found === null) return false;
    scopes.push(found.scope ?? 'other');
    return true;
  };
  const repeated = c.attempt((at) => {
    at.eat('ONLY');
    at.eatAll('LIMIT');
    return at.eat('ONCE') ? 1 : at.eat('TWICE') ? 2 : null;
  });
  let count = repeated;
  if (count === null) {
    const label =
      c.eat('COUNT') !== null ||
      (c.sees('LIMIT', ['max', 'maximum', 'max of', 'maximum of']) &&
        c.sees('DEAL', [], 1) &&
        c.skip() &&
        dealNoun(c)) ||
      (c.sees('DEAL') && c.sees('PER', [], 1) && c.skip());
    if (label) limited = true;
    for (;;) {
      if (limiter(c) !== null || c.eatAll('ONLY', 'CAP') > 0) limited = true;
      else if (
        !takeScope() &&
        c.eatAll('KEEP') === 0 &&
        c.eat('PREP', 'of', 'to', 'at', 'with', 'for') === null &&
        (c.at === 0 || c.eat('SEP', ':') === null)
      )
        break;
    }
    c.attempt((at) => (at.eat('ART') && (at.sees('SINGLE') || at.sees('NUMBER')) ? true : null));
    const number = c.eat('NUMBER');
    if (number !== null) count = Number(number.micro) / 1e6;
    if (number !== null && c.eat('LIMIT', 'or fewer', 'or less') !== null) limited = true;
    if (c.eat('SINGLE') !== null) {
      count ??= 1;
      limited = true;
    }
    // "Up to 5 of them a day".
    const ofThem = number !== null && c.attempt(amongThem) !== null;
    if (count === null || (!ofThem && !dealNoun(c) && !label)) return null;
  }
  for (;;) {
    if (
      c.eatAll('ONLY', 'CAP') > 0 ||
      (c.sees('LIMIT') && !c.sees('MONEY', [], 1) && c.eat('LIMIT') !== null)
    )
      limited = true;
    else if (c.attempt(noMore) !== null) limited = true;
    else if (!takeScope()) break;
  }
  const goods = c.attempt((at) =>
    at.eat('PREP', 'in', 'on', 'of', 'for') === null ? null : categoryList(at),
  );
  if (goods !== null) takeScope();
  // "Fewer than three deals a day".
  if (count !== null && repeated === null && c.atoms.slice(from, c.at).some(excludes)) count--;
  const distinct = [...new Set(scopes)];
  if (!limited && repeated === null && distinct.length === 0) return null;
  if (!Number.isInteger(count) || count < 1 || distinct.length > 1 || !fits(c)) return null;
  const scoped = distinct[0] ?? 'total';
  if (scoped !== 'day' && scoped !== 'total') return BY_ANOTHER_PERIOD;
  const sales = c.atoms.slice(from, c.at).some(({ kind, value }) => kind === 'DEAL' && value === 'sell');
  const inAll =
    sales && scoped === 'day' && c.clauses.onlySells ? c.attempt((at) => altogether(at, count)) : null;
  return [
    { fact: 'count', scope: scoped, count },
    ...(inAll === null ? [] : [{ fact: 'count', scope: 'total', count: inAll } as const]),
    ...(goods === null ? [] : onlyFor(goods, String(count))),
  ];
}

/** "Under", "fewer than", "stay below": the number itself is too many, where "within" and "at or below" allow it. */
function excludes({ kind, text }: Atom): boolean {
  return (kind === 'UNDER' || kind === 'LIMIT') && BELOW.test(text) && !/\bat or\b|\bequal\b/i.test(text);
}

const BELOW = /\b(?:under|below|beneath|(?:less|lower|smaller|fewer|cheaper) than|short of)$/i;

const BY_ANOTHER_PERIOD: Fact[] = [
  {
    fact: 'ask',
    reason: 'NOT_UNDERSTOOD',
    question: 'Deals can be counted per day or in total. Which of the two limits is meant?',
  },
];
/** A smaller number without a currency may be a number of deals. */
const BARE = 100_000_000n;

/** "In one week sell not more than 10", "don't sell more than 2 a month": no field counts deals by that. */
export function otherPeriodClause(c: Cursor): Fact[] | null {
  const first = scope(c);
  c.eat('SEP', ',');
  const forbids = c.eat('NEG') !== null;
  const verb = c.eat('VERB', 'buy', 'sell', 'both');
  if (verb === null || /^(?:pay|bid|get)/i.test(verb.text)) return null;
  if ((forbids ? c.eat('ABOVE') : c.eat('LIMIT')) === null) return null;
  const number = c.eat('NUMBER');
  if (number === null || number.micro! >= BARE) return null;
  const period = first ?? scope(c);
  if (period === null || !c.atBreak) return null;
  return ['deal', 'day', 'total'].includes(period.scope ?? '') ? null : BY_ANOTHER_PERIOD;
}

/** "After two deals you're done", "stop after three deals". */
export function lastDealClause(c: Cursor): Fact[] | null {
  const stops = c.eat('ENDS') ?? c.eat('HALT');
  if (c.eat('AFTER') === null) return null;
  const number = c.eat('NUMBER');
  if (number === null || !dealNoun(c)) return null;
  c.eat('SEP', ',');
  const done = stops ?? c.eat('ENDS') ?? c.eat('HALT') ?? c.eat('NOMORE');
  const count = Number(number.micro) / 1e6;
  return done !== null && c.atBreak && Number.isInteger(count) && count > 0
    ? [{ fact: 'count', scope: 'total', count }]
    : null;
}

/** "Five sales a day and sixty altogether": of one who only sells, these are sales, too. */
function altogether(c: Cursor, day: number): number | null {
  const comma = c.eat('SEP', ',');
  if (c.eat('SEP', 'and') === null && comma === null) return null;
  const number = c.eat('NUMBER');
  if (number === null || c.eat('SCOPE', 'total') === null || !c.atBreak) return null;
  const count = Number(number.micro) / 1e6;
  return Number.isInteger(count) && count >= day && count <= MOST_SALES ? count : null;
}

/** Of more, without a noun, money may be meant. */
const MOST_SALES = 1000;

/** "Of them" in front of a period; "them" is dropped before. */
function amongThem(c: Cursor): true | null {
  if (c.eat('PREP', 'of') === null) return null;
  return c.sees('ART') || c.sees('PER') || c.sees('SCOPE') ? true : null;
}

/** "Eight deals, no more". */
function noMore(c: Cursor): true | null {
  if (c.eat('SEP', ',', 'and', '-') === null) return null;
  return c.eat('LIMIT', 'no more', 'not more', 'max', 'maximum', 'at most', 'tops') !== null && c.atBreak
    ? true
    : null;
}
