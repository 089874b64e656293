import type { Atom } from '../atom.ts';
import type { Cursor } from '../cursor.ts';
import type { Fact } from '../facts.ts';
import { endOf } from './date-ends.ts';
import { categoryList } from './list-phrases.ts';

/** "starting 1 March 2027", "from 1 March 2027", "not before …"; "starting now" adds nothing. */
export function startClause(c: Cursor): Fact[] | null {
  const traded = c.attempt(startTrading);
  if (traded !== null) return traded;
  // "Only from 10 December on".
  if (c.sees('ONLY') && c.sees('PREP', ['from'], 1) && c.sees('DATE', [], 2)) c.skip();
  const from = c.eat('PREP', 'from') ?? c.eat('BETWEEN', 'between');
  if (from?.kind === 'BETWEEN' && c.eat('NOW') !== null) {
    const last = c.eat('SEP', 'and') === null ? null : c.eat('DATE');
    return last === null ? null : endOf(last);
  }
  let marked = from !== null;
  for (;;) {
    if (c.eatAll('STARTS') > 0) marked = true;
    else if (marked && (c.eat('PREP', 'on', 'at', 'from', 'of') || c.eat('SEP', ':', '-'))) continue;
    else break;
  }
  if (c.eat('NOW') !== null) return [{ fact: 'nothing' }];
  if (!marked) {
    const ago = c.eat('AGO', 'from now', 'from now on', 'from today', 'from the start');
    return ago === null ? null : [{ fact: 'nothing' }];
  }
  const date = c.eat('DATE');
  if (date === null) return null;
  const facts: Fact[] = startOf(date);
  c.attempt((at) => (at.eat('PREP', 'on') !== null && at.atBreak ? true : null));
  const end = c.attempt((at) => {
    const range =
      at.eat('PREP', 'to') ??
      at.eat('PREP', 'through') ??
      at.eat('SEP', '-') ??
      (from?.kind === 'BETWEEN' ? at.eat('SEP', 'and') : null);
    return range === null ? null : at.eat('DATE');
  });
  if (from?.kind === 'BETWEEN' && end === null) return null;
  return end === null ? facts : [...facts, ...endOf(end)];
}

/** "Start buying surplus on 5 January 2027". */
function startTrading(c: Cursor): Fact[] | null {
  const verb = /^(?:start|begin) (buy|sell)ing$/i.exec(c.eat('STARTS')?.text ?? '')?.[1]?.toLowerCase();
  if (verb !== 'buy' && verb !== 'sell') return null;
  const goods = categoryList(c);
  if (goods === null || (c.eat('PREP', 'from', 'on', 'at') ?? c.eat('STARTS')) === null) return null;
  const date = c.eat('DATE');
  if (date === null) return null;
  return [
    { fact: 'side', side: verb, spends: false, bare: false, goods },
    { fact: 'goods', deny: false, list: goods, side: verb, only: false },
    ...startOf(date),
  ];
}

export function startOf(date: Atom): Fact[] {
  const reading = date.date!;
  if (reading.value === undefined)
    return [
      { fact: 'ask', reason: 'AMBIGUOUS_DATE', question: reading.question ?? `Which day is ${date.text}?` },
    ];
  if (date.text.toLowerCase() === 'today') return [{ fact: 'nothing' }];
  return [{ fact: 'starts', ms: reading.value.ms }];
}
