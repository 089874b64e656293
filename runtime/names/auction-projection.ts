import type { Trx } from '../../store/database.ts';

const STATUS = { running: 'open', won: 'won', unsold: 'unsold', withdrawn: 'withdrawn' } as const;

interface AuctionState {
  readonly value: unknown;
  readonly context: { readonly dealId: string | null };
}

/** Writes how an auction ended, and the deal of its winner; of one that goes on after it, neither. Nothing else does. */
export async function projectAuction(
  trx: Trx,
  auctionId: string,
  { value, context: { dealId } }: AuctionState,
  now: Date,
): Promise<void> {
  const top = typeof value === 'string' ? value : Object.keys(value as object)[0];
  const status = STATUS[top as keyof typeof STATUS];
  if (status === undefined)
    throw new Error(`the auction machine has no status for its state "${String(top)}"`);
  await trx
    .updateTable('auctions')
    .set((eb) => ({
      status,
      deal_id: dealId,
      ended_at: status === 'open' ? null : eb.fn.coalesce('ended_at', eb.val(now)),
    }))
    .where('auction_id', '=', auctionId)
    .where((eb) => eb.or([eb('status', '!=', status), eb('deal_id', 'is distinct from', dealId)]))
    .execute();
}
