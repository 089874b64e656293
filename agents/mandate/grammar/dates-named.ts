import type { DateReading } from './date-reading.ts';
import type { Token } from './tokens.ts';

/** Days with a name of their own that are the same every year, as month and day. Possessive endings are gone. */
const NAMED_DAYS: readonly (readonly [words: readonly string[], day: string])[] = Object.entries({
  'christmas eve': '12-24',
  'christmas day': '12-25',
  christmas: '12-25',
  xmas: '12-25',
  'boxing day': '12-26',
  'st stephen day': '12-26',
  'new year eve': '12-31',
  'new years eve': '12-31',
  hogmanay: '12-31',
  'new year day': '01-01',
  'new years day': '01-01',
  'new year': '01-01',
  epiphany: '01-06',
  'twelfth night': '01-05',
  'burns night': '01-25',
  'groundhog day': '02-02',
  'valentine day': '02-14',
  'valentines day': '02-14',
  'leap day': '02-29',
  'st david day': '03-01',
  'st patrick day': '03-17',
  'april fool day': '04-01',
  'april fools day': '04-01',
  'st george day': '04-23',
  'may day': '05-01',
  'bastille day': '07-14',
  'independence day': '07-04',
  halloween: '10-31',
  'bonfire night': '11-05',
  'guy fawkes night': '11-05',
  'armistice day': '11-11',
}).map(([words, day]) => [words.split(' '), day] as const);

/** How many tokens the name of a day takes in front of its date, "Christmas Eve, 24 December 2026"; 0 where none is. */
export function dayNameLength(tokens: readonly Token[], at: number): number {
  return nameAt(tokens, at)?.[0].length ?? 0;
}

/** Names that nobody takes for a season, nor for another day in another country. */
const ONE_DAY = /^(?:new years? (?:eve|day)|christmas (?:eve|day)|boxing day|halloween)$/;

/**
 * "Stop on Halloween 2027"; "until" a feast may leave its evening out, but for the last day of a year, which "until 31
 * December 2027" means as well.
 */
export function endsOnIt(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1]?.key ?? '';
  const last = nameAt(tokens, at)?.[1] === '12-31';
  return before === 'on' || (last && ['until', 'till', 'through'].includes(before));
}

/** "New Year's Eve 2027" is a day of the year that it names; null where a name may mean several days. */
export function dayNamed(tokens: readonly Token[], at: number, year: number): DateReading | null {
  const [words, day] = nameAt(tokens, at)!;
  if (!ONE_DAY.test(words.join(' '))) return null;
  return { length: words.length + 1, value: { ms: Date.parse(`${year}-${day}T00:00:00Z`), dateOnly: true } };
}

/** The date, or a question where it is another day than its name says. */
export function withDayName(
  date: DateReading,
  tokens: readonly Token[],
  at: number,
  words: string,
): DateReading {
  const day = nameAt(tokens, at)?.[1];
  if (date.value === undefined || new Date(date.value.ms).toISOString().slice(5, 10) === day) return date;
  return { length: date.length, question: `The day named in "${words}" is another one. Which day is meant?` };
}

function nameAt(tokens: readonly Token[], at: number): (typeof NAMED_DAYS)[number] | undefined {
  return NAMED_DAYS.filter(([words]) => words.every((word, i) => tokens[at + i]?.key === word)).sort(
    ([a], [b]) => b.length - a.length,
  )[0];
}
