import type { Database, Trx } from '../database.ts';
import { findCheckout } from './checkouts.ts';

/** Keeps why the payment of a checkout bought nothing, for its payer. The caller holds its actor. */
export async function noteUnserved(trx: Trx, checkoutId: string, reason: string): Promise<void> {
  const checkout = await findCheckout(trx, checkoutId);
  if (checkout === null) return;
  await trx
    .updateTable('checkouts')
    .set({ details: JSON.stringify({ ...checkout.details, unserved: reason }) })
    .where('id', '=', checkoutId)
    .execute();
}

/** True once the card processor has told that a payment is back whole: it was refunded, or its dispute was lost. */
export async function isRefunded(db: Database, paymentIntent: string | null): Promise<boolean> {
  if (paymentIntent === null) return false;
  const row = await db
    .selectFrom('payment_reversals')
    .select('reference')
    .where('payment_intent', '=', paymentIntent)
    .where('state', 'in', ['refunded', 'lost'])
    .executeTakeFirst();
  return row !== undefined;
}
