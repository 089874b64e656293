import { accountKind } from '../code/account-code.ts';
import type { ChainReading } from '../wallet-evidence.ts';
import type { TransferHistory } from './flows.ts';

/**
 * What a source that lists everything leaves out, or made up, of the native currency, as the chain itself shows it: more
 * is held than came in, fewer transactions are listed than were sent, or something is gone that nobody spent. Fees are
 * not known, so what went out is held to no sum.
 * @returns as the end of a sentence about the source; null where nothing shows
 */
export function nativeGap({ native }: TransferHistory, reading: ChainReading): string | null {
  if (native === undefined || reading.balance === null || reading.nonce === null || reading.code === null)
    return null;
  const rest = BigInt(native.net) - BigInt(reading.balance);
  if (rest < 0n) return 'lists less of the native currency than came in, by the balance';
  // A contract counts what it creates, and a delegation counts without a transaction.
  if (accountKind(reading.code).kind !== 'plain') return null;
  if (native.sent < reading.nonce)
    return `lists ${native.sent} transactions of the ${reading.nonce} that were sent, by the nonce`;
  if (reading.nonce === 0 && rest > 0n)
    return 'lists more of the native currency than came in: nothing was sent, and less is there';
  return null;
}
