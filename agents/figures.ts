import { MICRO_PER_USD, type Micro } from './money.ts';

/** An amount as it is signed: at least two decimals, thousands apart. */
export function usdWords(amount: Micro): string {
  return `${usdFigure(amount)} USD`;
}

/** The figure of such an amount, exact, with two to six decimals. */
export function usdFigure(amount: Micro): string {
  const whole = thousandsApart((amount / MICRO_PER_USD).toString());
  const fraction = (amount % MICRO_PER_USD)
    .toString()
    .padStart(6, '0')
    .replace(/0{1,4}$/, '');
  return `${whole}.${fraction}`;
}

/** "1 row", "2 rows". */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Whole digits in groups of three. */
export function thousandsApart(digits: string): string {
  const groups: string[] = [];
  for (let end = digits.length; end > 0; end -= 3) groups.unshift(digits.slice(Math.max(0, end - 3), end));
  return groups.join(',');
}

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** An instant as it is signed, to the minute, or to the second where it has one: "29 November 2026 12:00 UTC". */
export function instantWords(at: Date): string {
  const iso = at.toISOString();
  const time = iso.slice(17, 19) === '00' ? iso.slice(11, 16) : iso.slice(11, 19);
  return `${at.getUTCDate()} ${MONTHS[at.getUTCMonth()]} ${at.getUTCFullYear()} ${time} UTC`;
}

/** A span of whole seconds in its largest whole unit: "24 hours" is "1 day". */
export function spanWords(seconds: number): string {
  const units = [
    [86_400, 'day'],
    [3_600, 'hour'],
    [60, 'minute'],
    [1, 'second'],
  ] as const;
  const [size, name] = units.find(([unit]) => seconds % unit === 0) ?? [1, 'second'];
  const count = seconds / size;
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}
