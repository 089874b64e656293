import { AppError } from '../agents/errors.ts';
import { giveBackGas, takeGas } from '../store/payments/relay-budgets.ts';
import type { Services } from './services.ts';

/** What somebody has so many of a day, because each costs him nothing. */
interface Daily {
  readonly purpose: string;
  /** Whose budgets it is taken from, all of them or none: a wallet, or whatever else would be handed to another wallet. */
  readonly subjects: readonly string[];
  readonly limit: number;
  /** What the refusal says, before how long to wait: "A wallet makes 50 pledges a day". */
  readonly says: string;
  /** What can be done in place of waiting, after it. */
  readonly instead?: string;
}

/**
 * Takes one from each budget of a day, which comes back evenly.
 * @returns gives it back, for what was not done
 * @throws AppError rate-limited with `retryAfter` seconds
 */
export async function takeDaily(
  { db, now }: Pick<Services, 'db' | 'now'>,
  { purpose, subjects, limit, says, instead = '' }: Daily,
): Promise<() => Promise<void>> {
  const charges = subjects.map((subject) => ({
    ...{ purpose, subject: subject.toLowerCase(), amount: 1n, limit: BigInt(limit) },
  }));
  const over = await takeGas(db, charges, now());
  if (over === null) return () => giveBackGas(db, charges, now());
  const retryAfter = over.retryAfterSeconds;
  throw new AppError('rate-limited', `${says}: wait ${retryAfter} seconds${instead}.`, {
    extra: { retryAfter },
  });
}
