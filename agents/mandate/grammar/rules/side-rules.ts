import type { Category } from '../../../categories.ts';
import type { Atom } from '../atom.ts';
import type { Cursor } from '../cursor.ts';
import { type Fact, sideOf } from '../facts.ts';
import { endsSentence } from '../sentences.ts';
import { WIDENS } from './everything-rules.ts';
import { categoryList } from './list-phrases.ts';

/** "Buy concert tickets and flights", "may buy and sell anything", "invest in bonds". */
export function sideClause(c: Cursor): Fact[] | null {
  const only = c.eat('ONLY') !== null;
  c.eat('PREP', 'to', 'for');
  const first = c.eat('VERB');
  if (first === null || takesIn(first, c)) return null;
  let side = sideOf(first.value);
  let spends = first.value === 'spend';
  for (;;) {
    const next = c.attempt((at) => {
      if (
        at.eat('SEP', 'and', '&', 'and also', 'as well as') === null &&
        at.eat('OR') === null &&
        at.eat('PER', '/') === null
      )
        return null;
      at.eat('PREP', 'to');
      return at.eat('VERB');
    });
    if (next === null) break;
    spends &&= next.value === 'spend';
    if (sideOf(next.value) !== side) side = 'both';
  }
  const put = c.attempt((at) => forSale(at, first));
  if (put !== null) return put;
  const before = only || c.sees('ONLY') || c.sees('ONLY', [], 1);
  const goods = object(c);
  // "May I have flights bought?"
  if (goods != null && side === 'buy')
    c.attempt((at) => (at.eat('BOUGHT') !== null && at.atBreak ? true : null));
  const after = c.attempt((at) => (at.eat('ONLY') !== null && at.atBreak ? true : null)) === true;
  const onlyThese = before || after;
  if (c.eat('BOTHWAYS') !== null && side !== 'both') return null;
  const bare = goods === undefined;
  const last = c.peek(-1);
  const rest = last?.kind === 'ANY' && WIDENS.test(last.text);
  return [
    ...(rest ? [{ fact: 'anything', elsewhere: false } as const] : []),
    { fact: 'side', side, spends, bare, goods: goods ?? null },
    ...(goods ? [{ fact: 'goods', deny: false, list: goods, side, only: onlyThese } as const] : []),
  ];
}

/** "Put my songs up for sale": the seller's words around the goods. */
function forSale(c: Cursor, verb: Atom): Fact[] | null {
  if (!/^(?:put|offer)$/i.test(verb.text)) return null;
  const goods = categoryList(c);
  if (goods === null || c.eat('FORSALE') === null) return null;
  return [
    { fact: 'side', side: 'sell', spends: false, bare: false, goods },
    { fact: 'goods', deny: false, list: goods, side: 'sell', only: false },
  ];
}

/**
 * True for a verb with money as its object, "Get 500 USDC per deal for my art": it may mean selling as well, so it says
 * nothing about the side.
 */
function takesIn(verb: Atom, c: Cursor): boolean {
  // "They should fetch at least 40 USDC", "buyers who pay at least 40 USDC".
  if (verb.value === 'buy' && c.sees('MINIMUM') && (c.sees('MONEY', [], 1) || c.sees('NUMBER', [], 1)))
    return true;
  return (
    TAKING.test(verb.text) &&
    (c.sees('MONEY') || c.sees('NUMBER') || (c.sees('LIMIT') && c.sees('MONEY', [], 1)))
  );
}

const TAKING =
  /^(?:get|collect|obtain|win|fetch|grab|pick up|scoop up|snap up|all i want|i want|we want|i need|we need)\b/i;

/** Reads the goods: null for "anything", undefined when the verb has no object here. */
function object(c: Cursor): Category[] | null | undefined {
  return (
    c.attempt((at) => {
      at.eat('PREP', 'on', 'in', 'for', 'into', 'of');
      at.eat('ONLY');
      const direct = categoryList(at);
      if (direct !== null) return { goods: direct as Category[] | null };
      at.eat('ART');
      if (at.eatAll('ANY') === 0 && at.eat('GEN') === null && at.eat('DEAL') === null) return null;
      at.eat('GEN');
      const inner = at.attempt((deep) =>
        deep.eat('PREP', 'in', 'from', 'of', 'on', 'within') === null ? null : categoryList(deep),
      );
      return { goods: inner };
    }) ?? { goods: undefined }
  ).goods;
}

/** "Surplus stock may be purchased from x.eth": what is bought, in front of where or from whom. */
export function passiveClause(c: Cursor): Fact[] | null {
  if (c.peek(-1) !== undefined && c.peek(-1)!.kind !== 'SEP') return null;
  const list = categoryList(c);
  const done = list === null ? null : (c.eat('BOUGHT') ?? c.eat('SOLD'));
  // "Stock purchased from x.eth is fine" is no order: "may be", "is to be" stand before the verb.
  if (list === null || done === null || done.start - c.peek(-2)!.end < 2) return null;
  const both = c.attempt((at) => {
    if (at.eat('OR') === null && at.eat('SEP', 'and') === null) return null;
    const other = at.eat('BOUGHT') ?? at.eat('SOLD');
    return other !== null && other.kind !== done.kind && at.atBreak ? true : null;
  });
  if (both !== null)
    return [
      { fact: 'side', side: 'both', spends: false, bare: false, goods: list },
      { fact: 'goods', deny: false, list, side: 'both', only: false },
    ];
  if (!c.sees('PREP', ['from', 'on', 'via', 'to']) || c.clauses.limitedBefore(c.at)) return null;
  if (!c.sees('PARTY', [], 1) && !c.sees('CHAIN', [], 1)) return null;
  const side = done.kind === 'BOUGHT' ? 'buy' : 'sell';
  return [
    { fact: 'side', side, spends: false, bare: false, goods: list },
    { fact: 'goods', deny: false, list, side, only: false },
  ];
}

/** "When you buy film rights for us, …": what is said holds for them. */
export function whenBuyingClause(c: Cursor): Fact[] | null {
  const before = c.peek(-1);
  if (before !== undefined && !endsSentence(before)) return null;
  if (c.eat('COND', 'when', 'whenever') === null) return null;
  const verb = c.eat('VERB', 'buy', 'sell');
  const goods = verb === null || /^pay/i.test(verb.text) ? null : categoryList(c);
  if (verb === null || goods === null || (!c.sees('SEP', [',']) && !c.sees('SEP', [':']))) return null;
  const side = sideOf(verb.value);
  return [
    { fact: 'side', side, spends: false, bare: false, goods },
    { fact: 'goods', deny: false, list: goods, side, only: false },
    { fact: 'holds-for', goods, words: c.peek(-1)!.text },
  ];
}

/** Reads a side that is ruled out without naming goods: "never sell", "do not buy". */
export function neverSideClause(c: Cursor): Fact[] | null {
  if (c.eat('NEG') === null) return null;
  const verb = c.eat('VERB');
  if (verb === null) return null;
  const any = c.eat('ANY');
  // "Never sell anything else" does not say that nothing is sold.
  if (any !== null && /\b(?:else|other|rest)\b/i.test(any.text)) return null;
  return c.atBreak ? [{ fact: 'never-side', side: sideOf(verb.value) }] : null;
}

/** "all amounts in USDC", "currency: USDC". */
export function currencyClause(c: Cursor): Fact[] | null {
  c.eatAll('MONEYWORD', 'KEEP', 'ONLY', 'REQUIRE');
  c.eat('VERB', 'buy', 'spend', 'both', 'sell');
  c.eat('ONLY');
  c.eat('PREP', 'in', 'with', 'using');
  c.eat('SEP', ':');
  const currency = c.eat('CURRENCY');
  if (currency === null) return null;
  c.eat('ONLY');
  return c.atBreak ? [{ fact: 'currency', currency: currency.value }] : null;
}
