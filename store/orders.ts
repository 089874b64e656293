import { AppError, badField } from '../agents/errors.ts';
import { type Bid, priceToBeat } from '../agents/market/book.ts';
import { heldDown, PROBES } from '../agents/market/probing.ts';
import type { Micro } from '../agents/money.ts';
import { isNameLot } from '../agents/names/name.ts';
import { type Database, run, type Statement, type Trx } from './database.ts';
import type { ListingRow } from './listings.ts';
import { type OrderRow, refreshLot } from './lots.ts';
import { type Allows, fireMatch, type Match, type MatchIds } from './matches.ts';
import { type BeforeOrder, standBeforeOrder } from './order-standing.ts';
import { type Held, requireActive } from './reservations.ts';
import { openingOf, type Resting, restingValues, restingWrites } from './resting.ts';
import { expireOverdue } from './withdrawals.ts';

export interface PlaceOrder extends Resting {
  /** How many orders one owner may place on one lot an hour; `PROBES.most` where it is not said. */
  readonly probes?: number;
  /** Of the match and its deal, should there be one. */
  readonly ids: MatchIds;
  /**
   * Judges the order by its agent's mandate and caps, with what the agent holds already (this order not counted).
   * The agent is locked meanwhile: two orders of one agent are never judged on the same sum. Throws to refuse.
   */
  readonly judge: (held: Held, listing: ListingRow, before: BeforeOrder) => void | Promise<void>;
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
 *   (its owner has placed too many on this lot), signature-used, and whatever `judge` throws
 */
export async function placeOrder(trx: Trx, input: PlaceOrder): Promise<Placed> {
  const { now, assetKey } = input;
  if (input.openingBid !== null && input.side === 'sell') {
    throw badField('openingBidUsd', 'belongs to a buy order: leave it out');
  }
  if (input.openingBid !== null && input.openingBid > input.limit) {
    throw badField('openingBidUsd', 'must not be above limitUsd');
  }
  let before = await standBeforeOrder(trx, input);
  if (before?.overdue) {
    await expireOverdue(trx, assetKey, now, { refresh: false });
    before = await standBeforeOrder(trx, input);
  }
  if (!before) throw new AppError('not-listed', `${assetKey} is not listed.`);
  let listing = requirePlaceable(before, input);
  if (input.side === 'sell') listing = await reprice(trx, listing, input);
  await input.judge(before.held, listing, before);
  const reaches = input.side === 'sell' || reachesSeller(listing, input.limit);
  const rests = !reaches && !isNameLot(assetKey) ? priceWith(before, listing, input) : null;
  const order = await insertOrder(trx, listing, input, rests);
  if (rests !== null) return { order, priceToBeat: rests, match: null };
  const match = reaches
    ? await fireMatch(trx, listing, {
        ids: input.ids,
        allows: input.allows,
        now,
        ...(order.side === 'buy' ? { only: order } : {}),
      })
    : null;
  const seller = input.side === 'sell' ? input.owner : before.seller;
  const price = await refreshLot(trx, { assetKey, ask: listing.ask, seller, open: match === null }, now);
  return { order: match ? { ...order, status: 'matched', left_at: now } : order, priceToBeat: price, match };
}

/** @throws AppError not-listed, conflict, not-found, agent-not-active, rate-limited */
export function requirePlaceable(
  before: BeforeOrder,
  {
    assetKey,
    handle,
    side,
    now,
    probes,
  }: Pick<PlaceOrder, 'assetKey' | 'handle' | 'side' | 'now' | 'probes'>,
): ListingRow {
  const { listing } = before;
  if (!listing) throw new AppError('not-listed', `${assetKey} is not listed.`);
  if (listing.status === 'dealing') {
    throw new AppError(
      'conflict',
      `${assetKey} is in a deal: it is listed again if the deal does not settle.`,
    );
  }
  requireActive(handle, before.agentStatus);
  holdDown(before.probed, now, probes);
  if (side === 'sell' && listing.handle !== handle) {
    throw new AppError('not-listed', `${assetKey} is not listed by "${handle}".`);
  }
  return listing;
}

/** The seller's order rests at the floor, or at the ask where there is none. */
export function reachesSeller({ floor, ask }: Pick<ListingRow, 'floor' | 'ask'>, limit: Micro): boolean {
  return limit >= (floor ?? ask);
}

/** Whoever stands behind it, by however many agents: each order that is placed and taken back tells a little. */
function holdDown(probed: readonly Date[], now: Date, most: number = PROBES.most): void {
  const waitMs = heldDown(probed, now, most);
  if (waitMs === null) return;
  const retryAfter = Math.ceil(waitMs / 1000);
  throw new AppError(
    'rate-limited',
    `One owner may place ${most} ${most === 1 ? 'order' : 'orders'} on one lot an hour: wait ${retryAfter} seconds.`,
    { extra: { retryAfter } },
  );
}

/**
 * The lot's price to beat with a buy order that comes last. The rule looks at the best two that may match: the others
 * stay as they are, and so does the price where the order is the seller's own owner's.
 */
export function priceWith(
  { best, secondLimit, seller }: BeforeOrder,
  listing: ListingRow,
  input: Pick<PlaceOrder, 'owner' | 'side' | 'openingBid' | 'limit'>,
): Micro {
  // Those that stand before it are known not to be the seller's own owner's.
  const bid = (seq: bigint, limit: Micro, openingBid: Micro, owner = ''): Bid => ({
    orderId: '',
    owner,
    seq,
    limit,
    openingBid,
  });
  const bids = [
    ...(best === null ? [] : [bid(0n, best.limit, best.openingBid)]),
    ...(secondLimit === null ? [] : [bid(1n, secondLimit, secondLimit)]),
    bid(2n, input.limit, openingOf(input, listing) ?? input.limit, input.owner),
  ];
  return priceToBeat(listing.ask, bids, seller);
}

const REST: Statement = {
  name: 'rest-order',
  text: `with ${restingWrites('true')} select * from placed`,
};

async function insertOrder(
  trx: Trx,
  listing: ListingRow,
  input: PlaceOrder,
  price: Micro | null,
): Promise<OrderRow> {
  const [row] = await run<OrderRow>(trx, REST, restingValues(listing, input, price));
  if (!row) throw new AppError('signature-used', 'Each signature counts once.');
  return row;
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

/** An agent's orders, newest first, at most `limit` rows: for its owner. @param page begins after the order of this `seq` */
export async function ordersOf(
  db: Database,
  handle: string,
  page: { limit: number; offset: number; after?: bigint },
): Promise<OrderRow[]> {
  const rows = db.selectFrom('orders').selectAll().where('handle', '=', handle);
  return await (page.after === undefined ? rows : rows.where('seq', '<', page.after))
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
