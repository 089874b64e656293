import type { Trx } from '../../store/database.ts';

const STATUS = {
  'awaiting-payment': 'awaiting-payment',
  expired: 'expired',
  minting: 'minting',
  minted: 'minted',
  done: 'minted',
  served: 'paid',
  // For whoever asks it came to nothing; its handle, if it had one, is free or another's.
  refunding: 'failed',
  refunded: 'failed',
  failed: 'failed',
} as const;

/** Shows the checkout actor's state as the row that `GET /agent/checkout/{id}` reads. */
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
