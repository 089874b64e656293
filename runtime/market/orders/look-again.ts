import { AppError } from '../../../agents/errors.ts';

/** Something that a write depends on is unknown or has changed since it was read. Nothing was written. */
export class LookAgain extends Error {
  override readonly name = 'LookAgain';
}

/** How often the reads are repeated before giving up. */
export const MOST_AGAIN = 3;

/** The error for a caller for whom something changed each time it was read. */
export function changedTooOften({ message }: LookAgain): AppError {
  return new AppError(
    'unavailable',
    `${message} each time it was looked at, and nothing was written: try again.`,
  );
}

/**
 * Reads, and then writes if what was read is still current. The chain is read before a transaction and never within
 * one. What turns out to be outdated under the locks is read again, up to three times.
 * @param attempt reads first, then writes; throws {@link LookAgain} to have both repeated
 * @throws AppError unavailable, and whatever `attempt` throws
 */
export async function lookThenWrite<T>(attempt: () => Promise<T>): Promise<T> {
  for (let again = 0; ; again++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof LookAgain)) throw error;
      if (again >= MOST_AGAIN) throw changedTooOften(error);
    }
  }
}
