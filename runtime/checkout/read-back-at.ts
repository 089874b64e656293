import { badField } from '../../agents/errors.ts';

/** How long a mandate that was read back may be paid for as it was read, in milliseconds. */
const READ_BACK_MS = 3_600_000;

/**
 * When the mandate was read back that is paid for now; null where it was not within the hour.
 * @param within another number of milliseconds than an hour
 */
export function readBackAt(text: string | undefined, now: Date, within = READ_BACK_MS): Date | null {
  const at = Date.parse(text ?? '');
  const ago = now.getTime() - at;
  return ago >= 0 && ago <= within ? new Date(at) : null;
}

/**
 * From when a mandate counts what it counts from now, such as "for 30 days": its owner was shown the end that follows from
 * it, however long the payment takes. Now, where it was not read back before.
 * @param within as above: a payment that was sent before is answered as it was, however late
 * @throws AppError bad-request
 */
export function countsFrom(readAt: string | undefined, now: Date, within?: number): Date {
  if (readAt === undefined) return now;
  const at = readBackAt(readAt, now, within);
  if (at !== null) return at;
  throw badField(
    'readAt',
    'must be when the mandate was read back, within the last hour: leave it out to have it read now',
  );
}
