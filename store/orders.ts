import { AppError, badField } from '../agents/errors.ts';
import { defaultOpeningBid } from '../agents/market/book.ts';
import { heldDown, PROBES } from '../agents/market/probing.ts';
import type { Micro } from '../agents/money.ts';
import type { Database, Trx } from './database.ts';
import { type ListingRow, liveListingOf } from './listings.ts';
import { lockLot, type OrderRow, refreshLot } from './lots.ts';
import { type Allows, fireMatch, type Match, type MatchIds } from './matches.ts';
import { type Held, heldBy, holdReservation, lockActiveAgent } from './reservations.ts';
import { expireOverdue } from './withdrawals.ts';

export interface PlaceOrder {
  readonly orderId: string;
  readonly handle: string;
  /** The agent's owner now, lower case. */
  readonly owner: string;
  readonly side: 'buy' | 'sell';
  readonly assetKey: string;
  readonly limit: Micro;
  /** Buys only; null: the smaller of the limit and half the ask. */
  readonly openingBid: Micro | null;
  readonly expiresAt: Date;
  readonly now: Date;
  /** Of the match and its deal, should there be one. */
  readonly ids: MatchIds;
  /**
   * Judges the order by its agent's mandate and caps, with what the agent holds already (this order not counted).
   * The agent is locked meanwhile: two orders of one agent are never judged on the same sum. Throws to refuse.
   */
  readonly judge: (held: Held, listing: ListingRow) => void | Promise<void>;
  readonly allows: Allows;
}

export interface Placed {
  readonly order: OrderRow;
  /** The lot's, after this order. */
  readonly priceToBeat: Micro;
  readonly match: Match | null;
}

/**
 * Rests an order and fires the match it makes, in the caller's transaction. A sell order re-prices the listing's
 * own: the old one is cancelled, and the ask moves with the limit on a buy-now lot, or where the limit is above it.
 * @throws AppError not-listed, conflict (the lot is in a deal), agent-not-active, not-found, bad-request, rate-limited
 *   (its owner has placed too many on this lot), and whatever `judge` throws
 */
export async function placeOrder(trx: Trx, input: PlaceOrder): Promise<Placed> {
  const { now, assetKey } = input;
  if (input.openingBid !== null && input.side === 'sell') {
    throw badField('openingBidUsd', 'belongs to a buy order: leave it out');
  }
  if (input.openingBid !== null && input.openingBid > input.limit) {
    throw badField('openingBidUsd', 'must not be above limitUsd');
  }
  const lot = await lockLot(trx, assetKey);
  const expired = lot ? await expireOverdue(trx, assetKey, now, { refresh: false }) : 0;
  let listing = lot && (await liveListingOf(trx, assetKey));
  if (!listing) throw new AppError('not-listed', `${assetKey} is not listed.`);
  if (listing.status === 'dealing') {
    throw new AppError(
      'conflict',
      `${assetKey} is in a deal: it is listed again if the deal does not settle.`,
    );
  }
  await lockActiveAgent(trx, input.handle);
  await holdDown(trx, input);
  if (input.side === 'sell' && listing.handle !== input.handle) {
    throw new AppError('not-listed', `${assetKey} is not listed by "${input.handle}".`);
  }
  if (input.side === 'sell') listing = await reprice(trx, listing, input);
  await input.judge(await heldBy(trx, input.handle, now), listing);
  const order = await insertOrder(trx, listing, input);
  if (order.side === 'buy') {
    await holdReservation(trx, {
      orderId: order.order_id,
      handle: order.handle,
      amount: order.limit_price,
      now,
    });
  }
  // The seller's order rests at the floor, or at the ask where there is none.
  const reaches = order.side === 'sell' || order.limit_price >= (listing.floor ?? listing.ask);
  const match = reaches
    ? await fireMatch(trx, listing, {
        ids: input.ids,
        allows: input.allows,
        now,
        ...(order.side === 'buy' ? { only: order } : {}),
      })
    : null;
  const priceToBeat = await refreshLot(
    trx,
    { assetKey, ask: listing.ask, open: match === null, ...(expired === 0 && lot ? { stands: lot } : {}) },
    now,
  );
  return { order: match ? { ...order, status: 'matched', left_at: now } : order, priceToBeat, match };
}

/** Whoever stands behind it, by however many agents: each order that is placed and taken back tells a little. */
async function holdDown(trx: Trx, { owner, assetKey, now }: PlaceOrder): Promise<void> {
  const rows = await trx
    .selectFrom('orders')
    .select('created_at')
    .where('owner', '=', owner)
    .where('asset_key', '=', assetKey)
    .where('created_at', '>', new Date(now.getTime() - PROBES.withinMs))
    .orderBy('created_at', 'desc')
    .limit(PROBES.most)
    .execute();
  const waitMs = heldDown(
    rows.map((r) => r.created_at),
    now,
  );
  if (waitMs === null) return;
  throw new AppError(
    'rate-limited',
    `${PROBES.most} orders of one owner on one lot within an hour are enough: wait.`,
    { extra: { retryAfter: Math.ceil(waitMs / 1000) } },
  );
}

async function insertOrder(trx: Trx, listing: ListingRow, input: PlaceOrder): Promise<OrderRow> {
  return await trx
    .insertInto('orders')
    .values({
      order_id: input.orderId,
      handle: input.handle,
      owner: input.owner,
      side: input.side,
      asset_key: input.assetKey,
      listing_ref: listing.listing_ref,
      category: listing.category,
      limit_price: input.limit,
      opening_bid:
        input.side === 'sell' ? null : (input.openingBid ?? defaultOpeningBid(input.limit, listing.ask)),
      status: 'resting',
      created_at: input.now,
      expires_at: input.expiresAt,
      left_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

async function reprice(trx: Trx, listing: ListingRow, input: PlaceOrder): Promise<ListingRow> {
  await trx
    .updateTable('orders')
    .set({ status: 'cancelled', left_at: input.now })
    .where('listing_ref', '=', listing.listing_ref)
    .where('side', '=', 'sell')
    .where('status', '=', 'resting')
    .execute();
  const moves = !listing.negotiable || input.limit > listing.ask;
  return await trx
    .updateTable('listings')
    .set({ ask: moves ? input.limit : listing.ask, floor: listing.negotiable ? input.limit : null })
    .where('listing_ref', '=', listing.listing_ref)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function findOrder(db: Database | Trx, orderId: string): Promise<OrderRow | null> {
  const row = await db.selectFrom('orders').selectAll().where('order_id', '=', orderId).executeTakeFirst();
  return row ?? null;
}

/** An agent's orders, newest first, at most `limit` rows: for its owner. */
export async function ordersOf(
  db: Database,
  handle: string,
  page: { limit: number; offset: number },
): Promise<OrderRow[]> {
  return await db
    .selectFrom('orders')
    .selectAll()
    .where('handle', '=', handle)
    .orderBy('seq', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
}

/** How many orders an agent has placed and how many of its deals were matched: what has been issued to it. */
export async function issuedTo(
  db: Database | Trx,
  handle: string,
): Promise<{ orders: number; matches: number }> {
  const { orders } = await db
    .selectFrom('orders')
    .select((eb) => eb.fn.countAll<bigint>().as('orders'))
    .where('handle', '=', handle)
    .executeTakeFirstOrThrow();
  const { matches } = await db
    .selectFrom('deals')
    .select((eb) => eb.fn.countAll<bigint>().as('matches'))
    .where((eb) => eb.or([eb('seller', '=', handle), eb('buyer', '=', handle)]))
    .executeTakeFirstOrThrow();
  return { orders: Number(orders), matches: Number(matches) };
}
