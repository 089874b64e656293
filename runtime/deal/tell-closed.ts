import type { Trx } from '../../store/database.ts';
import { deliverAll } from '../durable/actors/mailbox.ts';

/** The agents of a deal. */
interface Sides {
  readonly deal_id: string;
  readonly buyer: string;
  readonly seller: string;
}

/** Tells both agents that their deal is over, once. */
export async function tellClosed(
  trx: Trx,
  { deal_id: dealId, buyer, seller }: Sides,
  now: Date,
): Promise<void> {
  await deliverAll(
    trx,
    [buyer, seller].map((handle) => ({
      actorId: `agent:${handle}`,
      eventId: `closed:${dealId}`,
      event: { type: 'DEAL_CLOSED', dealId },
    })),
    now,
  );
}
