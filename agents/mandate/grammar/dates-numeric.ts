import { dayOf, monthNumber, ordinalDay } from '../terms/instants.ts';
import type { DateReading } from './date-reading.ts';
import type { Token } from './tokens.ts';

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)? ?(Z|UTC|GMT|[+-]\d{2}:?\d{2})?)?$/i;

/** Reads a date written in digits: ISO 8601, 31/12/2026, 31.12.2026, 12/31/2026, 31-Dec-2026. */
export function readNumericDate(token: Token | undefined): DateReading | null {
  if (token?.kind !== 'date') return null;
  const iso = ISO.exec(token.text);
  if (iso) return isoDate(token.text, iso);
  const named = /^(\d{1,2})-([a-z]+)-(\d{2,4})$/i.exec(token.text);
  if (named) return fixed(token.text, named[3]!, monthNumber(named[2]!.toLowerCase()) ?? 0, Number(named[1]));
  const [a, b, c] = token.text.split(/[/.-]/) as [string, string, string];
  if (a.length === 4) return fixed(token.text, a, Number(b), Number(c));
  return numericDay(token.text, Number(a), Number(b), c);
}

function isoDate(text: string, iso: RegExpExecArray): DateReading {
  const [, year, month, day, hour, minute, second, zone] = iso;
  const ms = dayOf(Number(year), Number(month), Number(day));
  if (ms === null) return { length: 1, question: `There is no ${text} in the calendar. Which day is meant?` };
  if (hour === undefined) return { length: 1, value: { ms, dateOnly: true } };
  if (zone === undefined) return { length: 1, question: `Is ${text} in UTC? Please add the time zone.` };
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second ?? 0) > 59)
    return { length: 1, question: `There is no such time as ${text}. Which time is meant?` };
  const offset = /^([+-])(\d{2}):?(\d{2})$/.exec(zone);
  const minutes = offset ? (offset[1] === '-' ? -1 : 1) * (Number(offset[2]) * 60 + Number(offset[3])) : 0;
  const seconds = Number(hour) * 3600 + (Number(minute) - minutes) * 60 + Number(second ?? 0);
  return { length: 1, value: { ms: ms + seconds * 1000, dateOnly: false } };
}

function numericDay(text: string, a: number, b: number, year: string): DateReading {
  if (year.length !== 4) return fixed(text, year, b, a);
  const dayFirst = dayOf(Number(year), b, a);
  const monthFirst = dayOf(Number(year), a, b);
  if (dayFirst !== null && monthFirst !== null && dayFirst !== monthFirst)
    return {
      length: 1,
      question: `Is ${text} the ${ordinalDay(dayFirst)} or the ${ordinalDay(monthFirst)}?`,
    };
  const ms = dayFirst ?? monthFirst;
  if (ms === null) return { length: 1, question: `There is no ${text} in the calendar. Which day is meant?` };
  return { length: 1, value: { ms, dateOnly: true } };
}

function fixed(text: string, year: string, month: number, day: number): DateReading {
  if (year.length !== 4)
    return { length: 1, question: `Which year is meant by ${text}? Please write it with four digits.` };
  const ms = dayOf(Number(year), month, day);
  if (ms === null) return { length: 1, question: `There is no ${text} in the calendar. Which day is meant?` };
  return { length: 1, value: { ms, dateOnly: true } };
}
