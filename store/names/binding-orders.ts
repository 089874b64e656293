import type { Trx } from '../database.ts';
import type { OrderRow } from '../market/lots.ts';
import type { Auctioned } from './auction-price.ts';

/** What stands in a running auction is never taken back. Whether it still binds its agent is asked at the end. */

/**
 * Whether an order of an auction still binds: its agent may trade, and no other owner is known to stand behind it. Who
 * owns it on chain is proved with the pair.
 */
export async function stillBinds(trx: Trx, order: Pick<OrderRow, 'handle' | 'owner'>): Promise<boolean> {
  const agent = await trx
    .selectFrom('agents')
    .leftJoin('beneficial_owners', 'beneficial_owners.owner', 'agents.owner')
    .select(['agents.status', 'beneficial_owners.beneficial_owner as owner'])
    .where('agents.handle', '=', order.handle)
    .executeTakeFirst();
  return agent?.status === 'active' && (agent.owner === null || agent.owner === order.owner);
}

/** The bids on a listing whose agents may not trade. */
export async function stoppedBids(trx: Trx, { asset_key, listing_ref }: Auctioned): Promise<string[]> {
  const rows = await trx
    .selectFrom('orders')
    .innerJoin('agents', 'agents.handle', 'orders.handle')
    .select('orders.order_id')
    .where('orders.asset_key', '=', asset_key)
    .where('orders.listing_ref', '=', listing_ref)
    .where('orders.side', '=', 'buy')
    .where('orders.status', '=', 'resting')
    .where('agents.status', '!=', 'active')
    .execute();
  return rows.map((row) => row.order_id);
}
