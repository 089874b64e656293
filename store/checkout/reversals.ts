import type { Selectable } from 'kysely';
import { lockNamed } from '../advisory-locks.ts';
import type { Trx } from '../database.ts';
import { parsedOrNull } from '../parsed.ts';
import type { Tables } from '../tables.ts';

/** What the card processor reports about a payment after it was made. */
export interface Reversal {
  readonly paymentIntent: string;
  /** The id of the dispute, or of the charge that was refunded. */
  readonly reference: string;
  /** `open`: an undecided dispute; `won`: decided for us, so the money stays. */
  readonly state: 'refunded' | 'open' | 'won' | 'lost';
}

/**
 * Notes what became of a payment's money. Events may come in any order: a decided dispute does not open again.
 * @returns the checkout when it is now suspended, or no longer is; null when nothing changed
 */
export async function noteReversal(
  trx: Trx,
  reversal: Reversal,
  now: Date,
): Promise<Selectable<Tables['checkouts']> | null> {
  const { paymentIntent, reference, state } = reversal;
  await lockPayment(trx, paymentIntent);
  await trx
    .insertInto('payment_reversals')
    .values({ payment_intent: paymentIntent, reference, state, updated_at: now })
    .onConflict((oc) =>
      oc
        .columns(['payment_intent', 'reference'])
        .doUpdateSet({ state, updated_at: now })
        .where('payment_reversals.state', '=', 'open'),
    )
    .execute();
  const rests = await moneyIsAway(trx, paymentIntent);
  const changed = await trx
    .updateTable('checkouts')
    .set({ suspended_at: rests ? now : null })
    .where('payment_intent', '=', paymentIntent)
    .where('suspended_at', rests ? 'is' : 'is not', null)
    .returningAll()
    .executeTakeFirst();
  return parsedOrNull('checkouts', changed);
}

/** Whether what a checkout paid for rests. Until the transaction ends, it stays so. */
export async function lockSuspended(trx: Trx, checkoutId: string): Promise<boolean> {
  const row = trx.selectFrom('checkouts').select('suspended_at').where('id', '=', checkoutId).forUpdate();
  return (await row.executeTakeFirstOrThrow()).suspended_at !== null;
}

/** True when a payment was refunded, lost, or is in dispute. */
export async function moneyIsAway(trx: Trx, paymentIntent: string): Promise<boolean> {
  const row = await trx
    .selectFrom('payment_reversals')
    .select('reference')
    .where('payment_intent', '=', paymentIntent)
    .where('state', '!=', 'won')
    .executeTakeFirst();
  return row !== undefined;
}

/** Locks a payment, so that events about it run one at a time and each sees what the others wrote. */
export async function lockPayment(trx: Trx, paymentIntent: string): Promise<void> {
  await lockNamed(trx, `payment:${paymentIntent}`);
}
