import { holdAgent } from '../agent/owner-acts.ts';
import { type Held, heldBeside } from '../agent/reservations.ts';
import type { Database, Trx } from '../database.ts';
import { listingsInAuction } from '../names/auction-price.ts';
import { type ListingRow, standingListingOf } from './listings.ts';
import { lockLot, type OrderRow } from './lots.ts';
import { leaveBook } from './withdrawals.ts';

/** Whether an order may rest on, or again. It runs within the transaction that takes it off the book where it may not. */
export type MayRest = (trx: Trx, resting: RestingOrder) => Promise<boolean>;

/** A resting or unfunded order with what its agent holds besides it. */
export interface RestingOrder {
  readonly order: OrderRow;
  readonly listing: ListingRow;
  readonly held: Held;
}

/**
 * Goes through the resting and unfunded orders of an active agent, the newest first, and takes those off the book that
 * may rest no more, each in its own transaction. What stands in a running auction is not asked about and stays: the close
 * judges it by the mandate of that time.
 * @returns how many left
 */
export async function reviewOrders(
  db: Database,
  handle: string,
  now: Date,
  mayRest: MayRest,
): Promise<number> {
  const orders = await db
    .selectFrom('orders')
    .select(['order_id', 'asset_key'])
    .where('handle', '=', handle)
    .where('status', 'in', ['resting', 'unfunded'])
    .orderBy('seq', 'desc')
    .execute();
  let left = 0;
  for (const { order_id, asset_key } of orders) {
    left += await db.transaction().execute(async (trx) => {
      await lockLot(trx, asset_key);
      await holdAgent(trx, handle);
      const order = await trx
        .selectFrom('orders')
        .selectAll()
        .where('order_id', '=', order_id)
        .where('status', 'in', ['resting', 'unfunded'])
        .executeTakeFirst();
      const listing = await standingListingOf(trx, asset_key);
      if (!order || !listing) return 0;
      if ((await listingsInAuction(trx, asset_key)).has(order.listing_ref)) return 0;
      if (await mayRest(trx, { order, listing, held: await heldBeside(trx, order, now) })) return 0;
      await leaveBook(trx, asset_key, [order_id], 'cancelled', now);
      return 1;
    });
  }
  return left;
}
