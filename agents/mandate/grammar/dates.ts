import { DAY_MS, dayOf, lastDayOf, startOfDay, weekdayNumber } from '../terms/instants.ts';
import type { DateReading } from './date-reading.ts';
import { dayNumber, dayWord, dayWords, monthOf } from './dates-days.ts';
import { dayNamed, dayNameLength, endsOnIt, withDayName } from './dates-named.ts';
import { readNumericDate } from './dates-numeric.ts';
import { readTime, readZone, type TimeReading } from './times.ts';
import type { Token } from './tokens.ts';

/** How deep dates may nest, as in "the end of the day on 4 May". Nobody means more than a few. */
const MOST_NESTED = 3;

/**
 * Reads a date in any usual form at `at`, or null when there is none. A date that does not determine one day (no year,
 * a two-digit year, 04/05/2027, "next Friday") is returned as a question.
 */
export function readDate(
  tokens: readonly Token[],
  at: number,
  refMs: number,
  nested = 0,
): DateReading | null {
  if (nested > MOST_NESTED) return null;
  const time = readTime(tokens, at);
  if (time !== null) {
    let i = at + time.length;
    const end = tokens[i]?.key;
    if (end === 'on' || end === ',' || end === 'of') i++;
    const day = readDay(tokens, i, refMs, nested);
    return day === null ? null : withTime(day, i + day.length - at, time, tokens, at);
  }
  const day = readDay(tokens, at, refMs, nested);
  if (day === null) return null;
  let i = at + day.length;
  let next = i;
  if (tokens[next]?.key === ',') next++;
  if (tokens[next]?.key === 'at') next++;
  const late = readTime(tokens, next);
  if (late !== null) return withTime(day, next + late.length - at, late, tokens, at);
  if (day.value?.dateOnly && readZone(tokens[i]) === 0) i++;
  return { ...day, length: i - at };
}

function withTime(
  day: DateReading,
  length: number,
  time: TimeReading,
  tokens: readonly Token[],
  at: number,
): DateReading {
  const words = wordsOf(tokens, at, length);
  if (day.value === undefined) return { ...day, length };
  if (!day.value.dateOnly) return { length, question: `Which time is meant by ${words}?` };
  if (time.question !== undefined) return { length, question: time.question(words) };
  if (time.endOfDay) return { length, value: day.value };
  return { length, value: { ms: day.value.ms + time.ms!, dateOnly: false } };
}

function readDay(tokens: readonly Token[], at: number, refMs: number, nested: number): DateReading | null {
  const named = dayNameLength(tokens, at);
  if (named > 0 && tokens[at + named]?.key === ',') {
    // "Christmas Eve, 24 December 2026".
    const day = readDay(tokens, at + named + 1, refMs, nested + 1);
    if (day === null || nested > 0) return null;
    const length = named + 1 + day.length;
    return withDayName({ ...day, length }, tokens, at, wordsOf(tokens, at, length));
  }
  const year = named > 0 && endsOnIt(tokens, at) ? yearNumber(tokens[at + named]) : null;
  if (year !== null) return dayNamed(tokens, at, year);
  let i = at;
  const weekday = tokens[i]?.kind === 'word' ? weekdayNumber(tokens[i]!.key) : null;
  if (weekday !== null) {
    i++;
    if (tokens[i]?.key === ',') i++;
    if (tokens[i]?.key === 'the') i++;
  }
  const day = readNumericDate(tokens[i]) ?? readEndOf(tokens, i, refMs, nested) ?? readNamed(tokens, i);
  if (weekday === null) return day ?? readRelative(tokens, at, refMs);
  if (day === null) return readRelative(tokens, at, refMs);
  const length = i + day.length - at;
  if (day.value !== undefined && new Date(day.value.ms).getUTCDay() !== weekday)
    return {
      length,
      question: `${wordsOf(tokens, at, length)} is not a ${tokens[at]!.text}. Which day is meant?`,
    };
  return { ...day, length };
}

/** 31 December 2026, Dec 31, 2026, the first of May 2027, the 30th day of June 2027. */
function readNamed(tokens: readonly Token[], at: number): DateReading | null {
  let i = at;
  if (tokens[i]?.key === 'the') i++;
  const of = (at: number) => tokens[tokens[at]?.key === 'day' ? at + 1 : at]?.key === 'of';
  let day = dayNumber(tokens[i]) ?? (of(i + 1) ? dayWord(tokens[i]) : null);
  const compound = day === null && of(i + 2) ? dayWords(tokens[i], tokens[i + 1]) : null;
  if (compound !== null) {
    day = compound;
    i++;
  }
  let month: number | null = null;
  if (day !== null) {
    i++;
    if (tokens[i]?.key === 'day' && tokens[i + 1]?.key === 'of' && tokens[i - 1]!.kind !== 'number') i++;
    if (tokens[i]?.key === 'of') i++;
    month = monthOf(tokens[i]);
    if (month === null) return null;
    i = skipDot(tokens, i + 1);
  } else {
    month = monthOf(tokens[i]);
    if (month === null) return null;
    const modal = tokens[i]!.key === 'may' || tokens[i]!.key === 'march';
    i = skipDot(tokens, i + 1);
    if (tokens[i]?.key === 'the') i++;
    day = dayNumber(tokens[i]);
    // In "May 5 deals" the word is a modal verb and not a month, unless a year follows.
    if (day !== null) {
      const ahead = tokens[i + 1]?.key === ',' ? i + 2 : i + 1;
      if (modal && yearNumber(tokens[ahead]) === null && tokens[i]!.kind !== 'ordinal') return null;
      i++;
    }
  }
  const yearAt = day !== null && tokens[i]?.key === ',' ? i + 1 : i;
  const year = yearNumber(tokens[yearAt]);
  const length = (year === null ? i : yearAt + 1) - at;
  const words = wordsOf(tokens, at, length);
  if (day === null)
    return year === null
      ? null
      : { length, question: `Which day of ${words} is meant, the first or the last?` };
  if (year === null) return yearless(tokens, at, i, words);
  const ms = dayOf(year, month, day);
  if (ms === null) return { length, question: `There is no ${words} in the calendar. Which day is meant?` };
  return { length, value: { ms, dateOnly: true } };
}

function yearless(tokens: readonly Token[], at: number, i: number, words: string): DateReading {
  const short = tokens[i]?.key === "'" ? i + 1 : i;
  const two = tokens[short];
  if (two?.kind === 'number' && /^\d{2}$/.test(two.text))
    return {
      length: short + 1 - at,
      question: `Which year is meant by ${words} ${two.text}? Please write it with four digits.`,
    };
  return { length: i - at, question: `Which year is meant by ${words}?` };
}

/** end of March 2027, end of 2026, end of the year, last day of this month, the rest of December 2026. */
function readEndOf(tokens: readonly Token[], at: number, refMs: number, nested: number): DateReading | null {
  let i = at;
  if (tokens[i]?.key === 'the') i++;
  if (tokens[i]?.key === 'very') i++;
  const head = tokens[i]?.key;
  if (head === 'last' && tokens[i + 1]?.key === 'day') i += 2;
  else if (head === 'end' || head === 'rest' || head === 'remainder' || head === 'close') i++;
  else return null;
  if (tokens[i]?.key === 'of') i++;
  else if (head !== 'end') return null;
  const inner = i;
  const which = tokens[i]?.key === 'the' ? (tokens[i + 1]?.key ?? '') : (tokens[i]?.key ?? '');
  const unitAt =
    which === 'this' || which === 'next' || which === 'current'
      ? tokens[i]?.key === 'the'
        ? i + 2
        : i + 1
      : tokens[i]?.key === 'the'
        ? i + 1
        : i;
  const unit = tokens[unitAt]?.key;
  const ref = new Date(refMs);
  const shift = which === 'next' ? 1 : 0;
  if (unit === 'year') return end(dayOf(ref.getUTCFullYear() + shift, 12, 31), unitAt + 1 - at);
  if (unit === 'month') {
    const month = new Date(Date.UTC(ref.getUTCFullYear(), ref.getUTCMonth() + shift, 1));
    return end(lastDayOf(month.getUTCFullYear(), month.getUTCMonth() + 1), unitAt + 1 - at);
  }
  if (unit === 'day') {
    const day = readDate(
      tokens,
      tokens[unitAt + 1]?.key === 'on' || tokens[unitAt + 1]?.key === 'of' ? unitAt + 2 : unitAt + 1,
      refMs,
      nested + 1,
    );
    if (day === null) return null;
    const skip = tokens[unitAt + 1]?.key === 'on' || tokens[unitAt + 1]?.key === 'of' ? 2 : 1;
    return { ...day, length: unitAt + skip + day.length - at };
  }
  const year = yearNumber(tokens[inner]);
  if (year !== null) return end(dayOf(year, 12, 31), inner + 1 - at);
  const quarter = /^q([1-4])$/.exec(tokens[inner]?.key ?? '');
  const quarterYear = yearNumber(tokens[inner + 1]);
  if (quarter && quarterYear !== null)
    return end(lastDayOf(quarterYear, Number(quarter[1]) * 3), inner + 2 - at);
  const month = monthOf(tokens[inner]);
  if (month !== null) {
    const monthYear = yearNumber(tokens[inner + 1]);
    if (monthYear !== null) return end(lastDayOf(monthYear, month), inner + 2 - at);
    return {
      length: inner + 1 - at,
      question: `Which year is meant by ${wordsOf(tokens, at, inner + 1 - at)}?`,
    };
  }
  const exact = readDate(tokens, inner, refMs, nested + 1);
  if ((head === 'end' || head === 'close') && exact?.value?.dateOnly)
    return { ...exact, length: inner + exact.length - at };
  return null;
}

function end(ms: number | null, length: number): DateReading {
  return ms === null
    ? { length, question: 'Which day does the mandate end on?' }
    : { length, value: { ms, dateOnly: true } };
}

/** today, tomorrow, Friday, this Friday; "next Friday" becomes a question. */
function readRelative(tokens: readonly Token[], at: number, refMs: number): DateReading | null {
  const first = tokens[at]?.key ?? '';
  const today = startOfDay(refMs);
  if (first === 'today') return { length: 1, value: { ms: today, dateOnly: true } };
  if (first === 'tomorrow') return { length: 1, value: { ms: today + DAY_MS, dateOnly: true } };
  const led = first === 'this' || first === 'coming' || first === 'next';
  const token = tokens[led ? at + 1 : at];
  const weekday = token?.kind === 'word' ? weekdayNumber(token.key) : null;
  if (weekday === null) return null;
  const length = led ? 2 : 1;
  const ahead = (weekday - new Date(today).getUTCDay() + 7) % 7;
  if (first === 'next' || ahead === 0)
    return { length, question: `Which date is meant by ${wordsOf(tokens, at, length)}?` };
  return { length, value: { ms: today + ahead * DAY_MS, dateOnly: true } };
}

/** A year of four digits; "2,027" is an amount. */
export function yearNumber(token: Token | undefined): number | null {
  return token?.kind === 'number' && /^[12]\d{3}$/.test(token.text) ? Number(token.text) : null;
}

function skipDot(tokens: readonly Token[], at: number): number {
  const dot =
    tokens[at]?.key === '.' &&
    tokens[at - 1]!.key.length <= 4 &&
    (tokens[at + 1]?.kind === 'number' || tokens[at + 1]?.kind === 'ordinal');
  return dot ? at + 1 : at;
}

function wordsOf(tokens: readonly Token[], at: number, length: number): string {
  return tokens
    .slice(at, at + length)
    .map((t, i) => (i > 0 && !t.tight ? ` ${t.text}` : t.text))
    .join('');
}
