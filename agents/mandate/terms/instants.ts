/** Calendar arithmetic in UTC, milliseconds since 1970. All dates of a mandate are read in UTC. */
export const DAY_MS = 86_400_000;

export const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
] as const;

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** The start of a day, or null when there is no such day (29 February of a common year). `month` is 1 to 12. */
export function dayOf(year: number, month: number, day: number): number | null {
  if (year < 2000 || year > 2199) return null;
  const ms = Date.UTC(year, month - 1, day);
  const date = new Date(ms);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? ms : null;
}

export function lastDayOf(year: number, month: number): number | null {
  return dayOf(year, month, new Date(Date.UTC(year, month, 0)).getUTCDate());
}

/** The same day of a later month; the 31st becomes the last day of a shorter month. */
export function addMonths(ms: number, months: number): number {
  const date = new Date(ms);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
  return date.getTime();
}

export function startOfDay(ms: number): number {
  return Math.floor(ms / DAY_MS) * DAY_MS;
}

/** `2027-01-31T23:59:59Z`: seconds, no fraction. */
export function instant(ms: number): string {
  return `${new Date(Math.floor(ms / 1000) * 1000).toISOString().slice(0, 19)}Z`;
}

const MONTH_NUMBERS: ReadonlyMap<string, number> = new Map(
  MONTHS.flatMap((name, at) => [[name, at + 1] as const, [name.slice(0, 3), at + 1] as const]),
).set('sept', 9);

const WEEKDAY_NUMBERS: ReadonlyMap<string, number> = new Map(
  WEEKDAYS.flatMap((name, at) =>
    [name, ...[3, 4, 5].map((n) => name.slice(0, n))].map((n) => [n, at] as const),
  ),
);

/** 1 to 12 for a month's name or its usual abbreviation. */
export function monthNumber(word: string): number | null {
  return MONTH_NUMBERS.get(word) ?? null;
}

/** 0 (Sunday) to 6 for a weekday's name or abbreviation. */
export function weekdayNumber(word: string): number | null {
  return WEEKDAY_NUMBERS.get(word) ?? null;
}

/** "4 May 2027", as a question would say it. */
export function dayWords(ms: number): string {
  const date = new Date(ms);
  const month = MONTHS[date.getUTCMonth()]!;
  return `${date.getUTCDate()} ${month[0]!.toUpperCase()}${month.slice(1)} ${date.getUTCFullYear()}`;
}

/** "4th of May". */
export function ordinalDay(ms: number): string {
  const date = new Date(ms);
  const day = date.getUTCDate();
  const tail = day % 100 > 10 && day % 100 < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][day % 10] ?? 'th');
  const month = MONTHS[date.getUTCMonth()]!;
  return `${day}${tail} of ${month[0]!.toUpperCase()}${month.slice(1)}`;
}
