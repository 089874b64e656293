import type { Micro } from '../../agents/money.ts';
import type { Database, Trx } from '../database.ts';
import { run, type Statement } from '../database.ts';
import { standingListingOf } from './listings.ts';
import { type OrderRow, refreshLot } from './lots.ts';
import { restingSell } from './matches.ts';

/** Orders that their agent's account cannot cover: they leave the book, and come back with the money. */

/**
 * What an agent has promised of the money in its account: its resting buys and its deals under way. What it bids on one
 * lot can be left out, since an agent has one bid there. Unfunded orders hold no money.
 */
export async function moneyInFlight(
  db: Database | Trx,
  handle: string,
  { without }: { readonly without?: string } = {},
): Promise<Micro> {
  let rows = db
    .selectFrom('reservations')
    .innerJoin('orders', 'orders.order_id', 'reservations.order_id')
    .select((eb) => eb.fn.sum<string | null>('amount').as('amount'))
    .where('reservations.handle', '=', handle)
    .where('reservations.state', '=', 'held')
    .where('orders.status', '!=', 'unfunded');
  if (without !== undefined) rows = rows.where('orders.asset_key', '!=', without);
  return BigInt((await rows.executeTakeFirstOrThrow()).amount ?? 0);
}

/** The agents that have unfunded orders, by handle, at most `limit`. @param after the last one seen */
export async function unfundedAgents(
  db: Database,
  page: { readonly after: string; readonly limit: number },
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('orders')
    .select('handle')
    .distinct()
    .where('status', '=', 'unfunded')
    .where('handle', '>', page.after)
    .orderBy('handle')
    .limit(page.limit)
    .execute();
  return rows.map(({ handle }) => handle);
}

/**
 * The unfunded orders of an agent that need no more than this, in the order in which they came, at most `limit`.
 * @param after the `seq` of the last one seen
 */
export async function unfundedOrders(
  db: Database,
  page: { readonly handle: string; readonly most: Micro; readonly after: bigint; readonly limit: number },
): Promise<Pick<OrderRow, 'order_id' | 'seq'>[]> {
  return await db
    .selectFrom('orders')
    .select(['order_id', 'seq'])
    .where('handle', '=', page.handle)
    .where('status', '=', 'unfunded')
    .where('limit_price', '<=', page.most)
    .where('seq', '>', page.after)
    .orderBy('seq')
    .limit(page.limit)
    .execute();
}

/**
 * Takes a buyer's order off the book whose account was found short, and writes the lot's price without it. It goes on
 * holding its agent's caps. The caller holds the lot's lock.
 * @returns false when it does not rest any more
 */
export async function becomeUnfunded(
  trx: Trx,
  { assetKey, orderId, now }: { readonly assetKey: string; readonly orderId: string; readonly now: Date },
): Promise<boolean> {
  const left = await trx
    .updateTable('orders')
    .set({ status: 'unfunded', left_at: now })
    .where('order_id', '=', orderId)
    .where('side', '=', 'buy')
    .where('status', '=', 'resting')
    .returning('order_id')
    .executeTakeFirst();
  const listing = await standingListingOf(trx, assetKey);
  if (!left || !listing) return left !== undefined;
  const seller = (await restingSell(trx, listing.listing_ref))?.owner ?? null;
  await refreshLot(trx, { assetKey, ask: listing.ask, seller, open: listing.status === 'live' }, now);
  return true;
}

const REST: Statement = {
  name: 'rest-funded-order',
  text: `
    update orders set status = 'resting', seq = default, rested_at = $2, left_at = null, account_held = $3
    where order_id = $1 and status = 'unfunded' and expires_at > $2
    returning *`,
};

/**
 * Puts an unfunded order on the book, behind whoever rests there at the same limit: it could not have been taken before.
 * The caller holds the locks of its lot and of its agent, and writes the lot's price.
 * @param accountHolds what its agent's account holds, as the chain shows everybody
 * @returns null when it is not unfunded any more, or its time is over
 */
export async function restFunded(
  trx: Trx,
  {
    orderId,
    accountHolds,
    now,
  }: { readonly orderId: string; readonly accountHolds: Micro; readonly now: Date },
): Promise<OrderRow | null> {
  const [row] = await run<OrderRow>(trx, REST, [orderId, now, accountHolds]);
  return row ?? null;
}
