import type { Trx } from '../../store/database.ts';

const STATUS = {
  'awaiting-payment': 'awaiting-payment',
  expired: 'expired',
  minting: 'minting',
  minted: 'minted',
  done: 'minted',
  served: 'paid',
  // Callers see these as failed: the purchase came to nothing, and its handle, if it had one, is free or taken by
  // another.
  refunding: 'failed',
  refunded: 'failed',
  failed: 'failed',
} as const;

/** Writes the checkout actor's state to the row that `GET /agent/checkout/{id}` reads. */
export async function projectCheckout(trx: Trx, checkoutId: string, state: string): Promise<void> {
  const status = STATUS[state as keyof typeof STATUS];
  if (status === undefined) throw new Error(`the checkout machine has no status for its state "${state}"`);
  await trx
    .updateTable('checkouts')
    .set({ status })
    .where('id', '=', checkoutId)
    .where('status', '!=', status)
    .execute();
}
