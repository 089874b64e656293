import { AppError } from '../../agents/errors.ts';

/** What a write rests on is not known, or not as it was when it was looked at: nothing was written. */
export class LookAgain extends Error {
  override readonly name = 'LookAgain';
}

/** How often one looks again before giving up. */
export const MOST_AGAIN = 3;

/** What is told to whoever met something that changed each time it was looked at. */
export function changedTooOften({ message }: LookAgain): AppError {
  return new AppError(
    'unavailable',
    `${message} each time it was looked at, and nothing was written: try again.`,
  );
}

/**
 * Looks, and then writes where what was seen still stands: the chain is read before a transaction, never within one, and
 * what is found out of date under its locks is read again, three times.
 * @param attempt reads first, then writes; throws {@link LookAgain} to have both done again
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
