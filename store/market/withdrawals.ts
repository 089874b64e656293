import { sql } from 'kysely';
import { assetKey } from '../../agents/assets.ts';
import { Refusal } from '../../agents/errors.ts';
import { LEAST_REST_MS } from '../../agents/market/probing.ts';
import { isNameLot } from '../../agents/names/name.ts';
import { type Database, run, type Statement, type Trx } from '../database.ts';
import { listingsInAuction, listingsThenInAuction, refreshAuction } from '../names/auction-price.ts';
import { neededUntil } from './chain-listings.ts';
import { type ListingRow, standingListingOf } from './listings.ts';
import { lockLot, type OrderRow, refreshLot } from './lots.ts';
import { restingSell } from './matches.ts';

/** The states of an order that its owner may still take back. */
const ON_HAND = ['resting', 'unfunded'] as const;

/** Those of one that may rest again: a seller's that is matched returns to the book if its deal does not settle. */
const MAY_REST = [...ON_HAND, 'matched'] as const;

/**
 * Takes a resting or unfunded order back. A seller's order takes its listing with it: a lot without a seller side is
 * no lot.
 * @param input.owner the agent's beneficial owner, lower case; left out: the owner that the order was placed for
 * @throws Refusal not-found (also for another agent's order, and for an earlier owner's), conflict (not resting, or two seconds not over)
 */
export async function cancelOrder(
  trx: Trx,
  input: { orderId: string; handle: string; owner?: string; now: Date },
): Promise<void> {
  const named = await trx
    .selectFrom('orders')
    .select(['asset_key', 'handle', 'owner'])
    .where('order_id', '=', input.orderId)
    .executeTakeFirst();
  const isTheirs = input.owner === undefined || input.owner === named?.owner;
  if (!named || named.handle !== input.handle || !isTheirs) {
    throw new Refusal('not-found', `"${input.handle}" has no order "${input.orderId}".`);
  }
  await lockLot(trx, named.asset_key);
  const order = await trx
    .selectFrom('orders')
    .select(['status', 'created_at', 'placed_at'])
    .where('order_id', '=', input.orderId)
    .executeTakeFirstOrThrow();
  if (order.status !== 'resting' && order.status !== 'unfunded') {
    throw new Refusal('conflict', `The order is ${order.status}: only a resting order can be cancelled.`);
  }
  // An order that returned to the book was not placed just now, so its seller may withdraw it at once after a stop.
  const wasPlaced = order.placed_at === null;
  if (wasPlaced && input.now.getTime() - order.created_at.getTime() < LEAST_REST_MS) {
    throw new Refusal('conflict', 'An order rests for at least two seconds before it can be cancelled.');
  }
  await leaveBook(trx, named.asset_key, [input.orderId], 'cancelled', input.now);
}

/** The orders of an agent that its owner may still take back. */
export async function ordersOnHand(db: Database | Trx, handle: string): Promise<string[]> {
  const query = db.selectFrom('orders').select('order_id').where('handle', '=', handle);
  return (await query.where('status', 'in', ON_HAND).execute()).map((row) => row.order_id);
}

/** How many of these orders were taken back, by whomever. */
export async function countCancelled(db: Database, orderIds: readonly string[]): Promise<number> {
  if (orderIds.length === 0) return 0;
  const query = db.selectFrom('orders').select('order_id').where('order_id', 'in', orderIds);
  return (await query.where('status', '=', 'cancelled').execute()).length;
}

/**
 * Withdraws every resting order of an agent, each lot in its own transaction. What it bid in a running auction, and the
 * name that it sells in one, stay until the end: the close passes over an agent that may not trade then. What it sells in
 * a deal is left to the deal, and is not listed again if that is undone.
 * @param askedAt when the agent stopped: of an agent that is active again, what came to the book later stays. One that is
 *   not keeps nothing, whatever the clock of who placed it said.
 * @returns how many left
 */
export async function withdrawOrders(
  db: Database,
  handle: string,
  now: Date,
  askedAt?: Date,
): Promise<number> {
  return await eachLot(db, { handle }, async (trx, assetKey) => {
    // Read under the lot's lock: an agent that is resumed after this has placed nothing new on the lot yet.
    const until = askedAt !== undefined && (await isActive(trx, handle)) ? askedAt : null;
    const rows = await trx
      .selectFrom('orders')
      .select(['order_id', 'listing_ref', 'status'])
      .where('asset_key', '=', assetKey)
      .where('handle', '=', handle)
      .where('status', 'in', MAY_REST)
      .where((eb) => eb.or([eb('status', '!=', 'matched'), eb('side', '=', 'sell')]))
      // An order that has returned from a deal was placed before it.
      .$if(until !== null, (all) => all.where(sql`coalesce(placed_at, created_at)`, '<=', until!))
      .execute();
    const held = await listingsInAuction(trx, assetKey);
    // What stood in an auction when its agent stopped stays also where this is carried out after the end.
    const stood = until === null ? held : await listingsThenInAuction(trx, assetKey, until);
    const leaving = rows.filter((r) => !held.has(r.listing_ref) && !stood.has(r.listing_ref));
    const bound = leaving.filter((r) => r.status === 'matched').map((r) => r.listing_ref);
    await endWithDeal(trx, bound);
    const ids = leaving.filter((r) => r.status !== 'matched').map((r) => r.order_id);
    await leaveBook(trx, assetKey, ids, 'cancelled', now);
    return ids.length;
  });
}

async function isActive(trx: Trx, handle: string): Promise<boolean> {
  const query = trx.selectFrom('agents').select('status').where('handle', '=', handle);
  return (await query.executeTakeFirst())?.status === 'active';
}

/** Ends every resting order that is overdue, each lot in its own transaction. @returns how many ended */
export async function expireOrders(db: Database, now: Date): Promise<number> {
  return await eachLot(db, { overdue: now }, (trx, assetKey) => expireOverdue(trx, assetKey, now));
}

/** The lots that have an overdue order. */
export async function overdueLots(db: Database, now: Date): Promise<string[]> {
  return await restingLots(db, { overdue: now });
}

/** Ends the overdue orders of one lot, in its own transaction. @returns how many ended */
export async function expireLot(db: Database, assetKey: string, now: Date): Promise<number> {
  return await inLot(db, assetKey, (trx) => expireOverdue(trx, assetKey, now));
}

async function eachLot(
  db: Database,
  which: { handle?: string; overdue?: Date },
  act: (trx: Trx, assetKey: string) => Promise<number>,
): Promise<number> {
  let left = 0;
  const failures: unknown[] = [];
  for (const assetKey of await restingLots(db, which)) {
    try {
      left += await inLot(db, assetKey, (trx) => act(trx, assetKey));
    } catch (error) {
      // A lot that fails must not keep the orders on the other lots.
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return left;
}

async function restingLots(db: Database, which: { handle?: string; overdue?: Date }): Promise<string[]> {
  let rows = db.selectFrom('orders').select('asset_key').distinct();
  if (which.handle !== undefined)
    rows = rows.where('handle', '=', which.handle).where('status', 'in', MAY_REST);
  if (which.overdue !== undefined)
    rows = rows.where('expires_at', '<=', which.overdue).where('status', 'in', ON_HAND);
  return (await rows.execute()).map(({ asset_key }) => asset_key);
}

async function inLot(db: Database, assetKey: string, act: (trx: Trx) => Promise<number>): Promise<number> {
  return await db.transaction().execute(async (trx) => {
    await lockLot(trx, assetKey);
    return await act(trx);
  });
}

/**
 * Ends the overdue orders of one lot, whose lock the caller holds.
 * @param options.refresh false when the caller refreshes the lot itself before it commits. An intermediate price is
 *   never public, so it must not change the time at which the public price is said to have changed.
 * @returns how many ended
 */
export async function expireOverdue(
  trx: Trx,
  assetKey: string,
  now: Date,
  options: { refresh: boolean } = { refresh: true },
): Promise<number> {
  const rows = await trx
    .selectFrom('orders')
    .select('order_id')
    .where('asset_key', '=', assetKey)
    .where('status', 'in', ON_HAND)
    .where('expires_at', '<=', now)
    .execute();
  const ids = rows.map((r) => r.order_id);
  await leaveBook(trx, assetKey, ids, 'expired', now, options);
  return ids.length;
}

/**
 * Takes a lot off the market whose asset has left its seller. A lot in a deal is left to the deal, which the chain will
 * refuse; when that deal is unwound, the lot is not listed again.
 * @param only the listing that is meant; any that stands for the lot when left out
 * @returns what was done; null when the lot is not listed
 */
export async function dropLot(
  trx: Trx,
  assetKey: string,
  now: Date,
  only?: string,
): Promise<'dropped' | 'ends' | null> {
  await lockLot(trx, assetKey);
  const listing = await standingListingOf(trx, assetKey);
  if (!listing || (only !== undefined && listing.listing_ref !== only)) return null;
  if (listing.status !== 'dealing') {
    await closeListing(trx, listing, 'dropped', now);
    return 'dropped';
  }
  await endWithDeal(trx, [listing.listing_ref]);
  return 'ends';
}

/**
 * Lets the seller's orders of listings in deals end with these deals: if one is undone, the lot is not listed again. They end
 * at their beginning, because who undoes a deal goes by the time at which it began to, by a clock of its own.
 */
async function endWithDeal(trx: Trx, listingRefs: readonly string[]): Promise<void> {
  if (listingRefs.length === 0) return;
  await trx
    .updateTable('orders')
    .set((eb) => ({ expires_at: eb.ref('created_at') }))
    .where('listing_ref', 'in', listingRefs)
    .where('side', '=', 'sell')
    .where('status', '=', 'matched')
    .execute();
}

const END: Statement = {
  name: 'end-orders',
  text: `
    with gone as (
      update orders set status = $3, left_at = case when status = 'resting' then $4 else left_at end
      where asset_key = $1 and order_id = any($2) and status in ('resting', 'unfunded')
      returning order_id, side
    ), freed as (
      update reservations set state = 'released', updated_at = $4
      where state = 'held' and order_id in (select order_id from gone)
    )
    select order_id, side from gone`,
};

/** Ends orders of one lot that rest or are unfunded, and releases what they hold. An unfunded one has left the book before. */
async function endOrders(
  trx: Trx,
  which: { readonly assetKey: string; readonly orderIds: readonly string[] },
  status: 'cancelled' | 'expired',
  now: Date,
): Promise<Pick<OrderRow, 'order_id' | 'side'>[]> {
  return await run(trx, END, [which.assetKey, which.orderIds, status, now]);
}

/** Takes orders of one lot off the book, whose lock the caller holds. */
export async function leaveBook(
  trx: Trx,
  assetKey: string,
  orderIds: readonly string[],
  status: 'cancelled' | 'expired',
  now: Date,
  { refresh }: { refresh: boolean } = { refresh: true },
): Promise<void> {
  if (orderIds.length === 0) return;
  const left = await endOrders(trx, { assetKey, orderIds }, status, now);
  const listing = await standingListingOf(trx, assetKey);
  if (!listing) return;
  if (left.some((o) => o.side === 'sell')) await closeListing(trx, listing, 'dropped', now);
  else if (refresh) {
    const seller = (await restingSell(trx, listing.listing_ref))?.owner ?? null;
    await refreshLot(trx, { assetKey, ask: listing.ask, seller, open: listing.status === 'live' }, now);
  }
}

/**
 * What takes a listing off the market, for a statement that does that among other things. Parameters: $1 the listing, $2
 * its lot, $3 its agent, $4 the token that stands for it, $5 what becomes of it, $6 now, $7 until when its listing on
 * chain may be needed. Postgres does the last of them first, and what is public of it is told in that order.
 */
export const CLOSING = `
    shut as (
      update lots set open = false, updated_at = $6 where asset_key = $2 and open
    ), over as (
      update chain_listings set over_at = $7 where handle = $3 and token_key = $4
    ), released as (
      update pledges set released_at = $6 where listing_ref = $1 and source = 'listing' and released_at is null
    ), gone as (
      update orders set status = 'cancelled', left_at = case when status = 'resting' then $6 else left_at end
      where asset_key = $2 and status in ('resting', 'unfunded')
      returning order_id
    ), freed as (
      update reservations set state = 'released', updated_at = $6
      where state = 'held' and order_id in (select order_id from gone)
    ), ended as (
      update listings set status = $5 where listing_ref = $1 and status in ('unpaid', 'live', 'dealing')
    )`;

/** The parameters of {@link CLOSING}. */
export function closing(
  listing: Pick<ListingRow, 'listing_ref' | 'asset_key' | 'handle' | 'asset'>,
  status: 'sold' | 'dropped',
  now: Date,
): unknown[] {
  const { listing_ref, asset_key, handle, asset } = listing;
  return [listing_ref, asset_key, handle, assetKey(asset), status, now, neededUntil(status, now)];
}

const CLOSE: Statement = { name: 'close-listing', text: `with ${CLOSING} select 1 as done` };

/**
 * Takes a listing off the market: ends its pledge, cancels and releases the orders on its lot, and closes the lot, whose
 * price nobody sees until it opens again with another. The caller holds the lot's lock.
 */
export async function closeListing(
  trx: Trx,
  listing: ListingRow,
  status: 'sold' | 'dropped',
  now: Date,
): Promise<void> {
  await run(trx, CLOSE, closing(listing, status, now));
  // Names have a market of their own.
  if (isNameLot(listing.asset_key)) await refreshAuction(trx, listing.asset_key);
}
