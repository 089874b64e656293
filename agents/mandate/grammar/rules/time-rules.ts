import type { Atom } from '../atom.ts';
import type { Cursor } from '../cursor.ts';
import type { Fact } from '../facts.ts';
import { endOf } from './date-ends.ts';
import { whenOver } from './over-rules.ts';
import { duration } from './phrases.ts';
import { startOf } from './start-rules.ts';

/** "until 31 December 2026", "expires 2027-01-31T12:00Z", "good for 7 days", "within 30 days". */
export function endClause(c: Cursor): Fact[] | null {
  const first = c.attempt(dateFirst) ?? c.attempt(whenOver);
  if (first !== null) return first;
  let marked = false;
  // "The whole thing ends on 31 March".
  if (c.sees('ONLY', ['only', 'just', 'and only']) && (c.sees('UNTIL', [], 1) || c.sees('ENDS', [], 1)))
    c.skip();
  // "…, and only through 10 January".
  if (c.sees('ONLY') && c.sees('PREP', ['by', 'through'], 1) && c.sees('DATE', [], 2)) c.skip();
  // "The budget is open until 31 March".
  if (c.sees('BUDGET') && (c.sees('ENDS', [], 1) || c.sees('UNTIL', [], 1))) c.skip();
  if (c.sees('SCOPE', ['total']) && (c.sees('ENDS', [], 1) || c.sees('UNTIL', [], 1))) c.skip();
  for (;;) {
    if (
      c.eatAll('ENDS', 'UNTIL') > 0 ||
      (c.sees('LIMIT', ['up to', 'no further than', 'go no further than']) && dateAhead(c, 1) && c.skip())
    )
      marked = true;
    // "Shall remain in force only until".
    else if (marked && c.sees('ONLY', ['only']) && c.sees('UNTIL', [], 1)) c.skip();
    else if (
      (c.sees('PREP', ['by', 'through']) && dateAhead(c, 1)) ||
      (c.sees('PREP', ['to']) && c.sees('DATE', [], 1) && c.peek(-1)?.kind === 'SEP')
    ) {
      marked = true;
      c.skip();
    } else if (
      marked &&
      (c.eat('PREP', 'on', 'at', 'by', 'in', 'to', 'of', 'for', 'from', 'with', 'through') ||
        c.eat('SEP', ':', '-') ||
        (c.sees('NUMBER', [], 1) && c.eat('AFTER', 'after')) ||
        c.eat('ART') ||
        c.eat('CAP') ||
        c.eat('VERB') ||
        c.eat('DEAL'))
    )
      continue;
    else break;
  }
  if (marked) {
    // The date may have been separated from its article or marker: "ends on a 31 Dec 2026" is not English anyway.
    const date = c.eat('DATE');
    if (date !== null) {
      const two = period(c, date) ?? otherEnd(c, date);
      if (two === null && c.eat('ENDS', ...LATEST) === null) c.attempt(onlyThen);
      return two ?? endOf(date);
    }
    if (c.peek(-1)?.kind === 'ART') c.at--;
    return lasting(c) ?? vague(c);
  }
  return lasting(c);
}

/** "Valid till 15 May 2027 only". */
function onlyThen(c: Cursor): true | null {
  return c.eat('ONLY', 'only') !== null && c.atBreak ? true : null;
}

/** Reads "30 April 2027 is the last day" as a clause of its own. */
function dateFirst(c: Cursor): Fact[] | null {
  const before = c.peek(-1);
  if (before !== undefined && before.kind !== 'SEP') return null;
  // "With 31 March 2027 as the last day".
  c.eat('PREP', 'on', 'with');
  const after = c.attempt((at) => {
    const length = duration(at);
    if (length === null || at.eat('AGO') === null) return null;
    return at.eat('ENDS') !== null && at.atBreak ? length : null;
  });
  if (after !== null) return [{ fact: 'lasts', ...after }];
  const date = c.eat('DATE');
  if (date !== null) {
    const last = c.attempt((at) =>
      at.eat('PREP', 'to', 'through') === null && at.eat('UNTIL') === null ? null : at.eat('DATE'),
    );
    if (last !== null) return c.atBreak ? [...startOf(date), ...endOf(last)] : null;
  }
  c.eat('SEP', ':', '-');
  const end = date === null ? null : c.eat('ENDS');
  if (date === null || end === null || !c.atBreak) return null;
  if (!LAST.test(end.text) && !LATEST.includes(end.text.toLowerCase())) return null;
  return endOf(date);
}

/** What people add to a date by which all is done. */
const LATEST = [
  ...['at the latest', 'latest', 'at latest', 'the very latest', 'no later', 'not later'],
  ...['and no later', 'and not later', 'not a day later', 'not a day longer'],
  ...['or earlier', 'or sooner', 'and out'],
  ...['and not a day later', 'and not a day longer', 'and not thereafter', 'and not after that'],
];

const LAST =
  /^(?:(?:is|as) (?:the |its |my )?)?(?:end|last (?:day|date|valid day|trading day)|final d(?:ay|ate)|deadline|exp(?:iry|iration)(?: date)?|end date|cut ?-?off(?: date)?|closing date|end day|when (?:it|this|you|the agent) (?:ends?|stops?|finish(?:es)?|expires?))$/i;

function dateAhead(c: Cursor, ahead: number): boolean {
  return c.sees('DATE', [], ahead) || (c.sees('VAGUE', [], ahead) && !c.sees('UNIT', [], ahead));
}

const PERIOD =
  /^(?:valid|active|in force|in effect|runs?|running|term|duration|when|window|dates?|period|validity|time)\b/i;

/** "valid: 5 December 2026 to 31 January 2027". */
function period(c: Cursor, first: Atom): Fact[] | null {
  return c.attempt((at) => {
    if (!PERIOD.test(at.peek(-2)?.text ?? '') && !PERIOD.test(at.peek(-3)?.text ?? '')) return null;
    if (at.eat('PREP', 'to', 'through') === null && at.eat('SEP', '-') === null && at.eat('UNTIL') === null)
      return null;
    const last = at.eat('DATE');
    return last === null ? null : [...startOf(first), ...endOf(last)];
  });
}

/** "until 31 January or 28 February": two ends are a question. */
function otherEnd(c: Cursor, date: Atom): Fact[] | null {
  return c.attempt((at) => {
    if (at.eat('OR') === null) return null;
    at.eatAll('HEDGE', 'UNTIL');
    const other = at.eat('DATE');
    if (other === null) return null;
    const question = `Does the mandate end on ${date.text} or on ${other.text}?`;
    return [{ fact: 'ask', reason: 'AMBIGUOUS_DATE', question }];
  });
}

/** "for 7 days", "within the next two weeks", "7 days from now"; after a marker also "in 7 days" and "after 7 days". */
function lasting(c: Cursor): Fact[] | null {
  return c.attempt((at) => {
    const marked =
      ['ENDS', 'UNTIL', 'PREP', 'AFTER', 'SEP', 'ART', 'CAP'].includes(at.peek(-1)?.kind ?? '') &&
      at.at > 0 &&
      markedBefore(at);
    const led =
      at.eat('PREP', 'for') ??
      at.eat('UNDER', 'within') ??
      at.eat('BETWEEN', 'during') ??
      at.eat('ABOVE', 'over') ??
      at.eat('PREP', 'in');
    at.eat('LIMIT', 'at most', 'up to', 'no more than', 'max', 'maximum', 'a maximum of', 'not more than');
    const next = at.eatAll('NEXT') > 0;
    // "The next fortnight": one of them.
    const one =
      next && at.sees('UNIT', ['fortnight'])
        ? { count: 1, unit: at.eat('UNIT')!.value, text: 'a fortnight' }
        : null;
    const length = one ?? duration(at);
    if (length === null) return null;
    const ago = at.eat('AGO') !== null;
    const word = led?.text.toLowerCase();
    // "500 USDC over 7 days" and "in 7 days" give the period of an amount, unless "next" or a marker precedes.
    const plain = word === 'for' || word === 'within' || marked || ago || next;
    if (!plain || (at.sees('CAP') && !marked)) return null;
    if (['DATE', 'AFTER', 'BEFORE'].includes(at.peek()?.kind ?? '')) return null;
    if (at.sees('PREP', ['of'])) return null;
    at.attempt((deep) => (deep.eat('ONLY', 'only') !== null && deep.atBreak ? true : null));
    return [{ fact: 'lasts', ...length }];
  });
}

function markedBefore(c: Cursor): boolean {
  for (let i = -1; i >= -3; i--) {
    const kind = c.peek(i)?.kind;
    if (kind === 'ENDS' || kind === 'UNTIL') return true;
    if (kind === undefined || kind === 'SEP') return false;
  }
  return false;
}

function vague(c: Cursor): Fact[] | null {
  const from = c.at;
  while (c.eatAll('HEDGE', 'VAGUE', 'ART', 'NEXT', 'DATE', 'ENDS') > 0 || c.eat('PREP', 'of', 'in'));
  const read = c.atoms.slice(from, c.at);
  if (!read.some((atom) => atom.kind === 'VAGUE' || atom.kind === 'DATE')) return null;
  const words = read.map((atom) => atom.text).join(' ');
  const question = `Which date exactly is meant by "${words}"?`;
  return [{ fact: 'ask', reason: 'AMBIGUOUS_DATE', question, vague: true }];
}

/** "forever", "until further notice": the mandate has no end. */
export function endlessClause(c: Cursor): Fact[] | null {
  c.eatAll('ENDS');
  if (c.eat('NOEND') === null) return null;
  return [
    { fact: 'ask', reason: 'NO_EXPIRY', question: 'A mandate must end. On which date does this one expire?' },
  ];
}

/** "before 10 January 2027" becomes a question: does the tenth count? */
export function beforeClause(c: Cursor): Fact[] | null {
  c.eatAll('ENDS');
  const word = c.eat('BEFORE') ?? c.eat('AFTER');
  const date = word === null ? null : c.eat('DATE');
  if (date === null || word === null) return null;
  // Before the end of a day, that day still counts.
  if (word.text.toLowerCase() === 'before' && /^(?:the )?(?:very )?(?:end|close) of\b/i.test(date.text))
    return endOf(date);
  const question =
    date.date?.question ??
    (word.kind === 'BEFORE'
      ? `Does the mandate still hold on ${date.text}, or does it end the day before?`
      : `Does the mandate start on ${date.text}, or the day after?`);
  return [{ fact: 'ask', reason: 'AMBIGUOUS_DATE', question }];
}
