import { badField } from './errors.ts';

const TIME =
  /^(\d{4})-(\d{2})-(\d{2})T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/**
 * Reads an instant from the wire: ISO 8601 with its zone. A day that its month does not have is refused, where
 * `Date.parse` would take the next month's.
 * @throws AppError bad-request naming `path`
 */
export function readTime(text: string, path: string): Date {
  const [, year, month, day] = TIME.exec(text) ?? [];
  const at = new Date(text);
  const last = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  if (day === undefined || Number.isNaN(at.getTime()) || Number(day) > last) {
    throw badField(path, 'must be an ISO 8601 time with its zone, such as 2027-01-31T12:00:00Z');
  }
  return at;
}
