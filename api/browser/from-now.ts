const STEPS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;
const MOST_DAYS = 31;
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/**
 * "3 minutes ago"; null for a time that is no time, or lies further from `now` (milliseconds) than a month. What lies ahead
 * is rounded down: a deadline never seems later than it is.
 */
export function fromNow(iso: string, now: number): string | null {
  const seconds = (Date.parse(iso) - now) / 1000;
  if (Number.isNaN(seconds) || Math.abs(seconds) > MOST_DAYS * 86_400) return null;
  const [unit, size] = STEPS.find(([, length]) => Math.abs(seconds) >= length) ?? STEPS[3];
  const distance = seconds / size;
  return relative.format(distance > 0 ? Math.floor(distance) : Math.round(distance), unit);
}
