import { AppError } from '../agents/errors.ts';
import { giveBackGas, takeGas } from '../store/payments/relay-budgets.ts';
import type { Services } from './services.ts';

/** What a wallet has so many of a day, because each costs it nothing. */
interface Daily {
  readonly purpose: string;
  readonly wallet: string;
  readonly limit: number;
  /** What the refusal says, before how long to wait: "A wallet makes 50 pledges a day". */
  readonly says: string;
  /** What can be done in place of waiting, after it. */
  readonly instead?: string;
}

/**
 * Takes one from a wallet's budget of a day, which comes back evenly.
 * @returns gives it back, for what was not done
 * @throws AppError rate-limited with `retryAfter` seconds
 */
export async function takeDaily(
  { db, now }: Pick<Services, 'db' | 'now'>,
  { purpose, wallet, limit, says, instead = '' }: Daily,
): Promise<() => Promise<void>> {
  const charge = { purpose, subject: wallet.toLowerCase(), amount: 1n, limit: BigInt(limit) };
  const over = await takeGas(db, [charge], now());
  if (over === null) return () => giveBackGas(db, [charge], now());
  const retryAfter = over.retryAfterSeconds;
  throw new AppError('rate-limited', `${says}: wait ${retryAfter} seconds${instead}.`, {
    extra: { retryAfter },
  });
}
