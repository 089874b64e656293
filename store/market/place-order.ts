import { defaultOpeningBid } from '../../agents/market/book.ts';
import type { Short } from '../../agents/market/funds.ts';
import type { Micro } from '../../agents/money.ts';
import { type Database, run, type Statement, type Trx } from '../database.ts';
import type { ListingRow } from './listings.ts';
import { type OrderRow, refreshLot } from './lots.ts';
import { type Allows, fireMatch, type Match, type MatchIds } from './matches.ts';
import { type OrderSnapshot, probedSince } from './order-context.ts';
import { liftStops } from './stops.ts';

/** An order as its owner asks for it. */
export interface AskedOrder {
  readonly orderId: string;
  readonly side: 'buy' | 'sell';
  readonly limit: Micro;
  /** Buys only; null: the smaller of the limit and half the ask. */
  readonly openingBid: Micro | null;
  readonly expiresAt: Date;
  /** Of the signature that asks for it, which counts once: used up in the same statement. */
  readonly nonce?: string;
}

/** An order with what a look made of it. */
export interface JudgedOrder {
  readonly look: OrderSnapshot;
  readonly order: AskedOrder;
  /** Its listing as the order leaves it: a sell order moves its floor, and maybe its ask. */
  readonly listing: ListingRow;
  /** The order that it takes the place of; null: none. */
  readonly replaces: string | null;
  /** What its account lacks, and then it rests unfunded: it matches nobody, and makes no price. Null: it is covered. */
  readonly short: Short | null;
  /** The lot's price to beat with it, where it reaches nobody; null: it may match, or lift a stop. */
  readonly priceToBeat: Micro | null;
}

export interface Placed {
  readonly order: OrderRow;
  /** The lot's, after this order. */
  readonly priceToBeat: Micro;
  readonly match: Match | null;
  /** What the account lacks of an order that rests unfunded. */
  readonly short: Short | null;
}

/** Why nothing was written: what the order was judged by is another now, or its signature was used before. */
export type NotPlaced = 'changed' | 'signature-used';

/** What a bid opens at; null for a seller's order. */
export function openingOf(
  { side, openingBid, limit }: Pick<AskedOrder, 'side' | 'openingBid' | 'limit'>,
  { ask }: Pick<ListingRow, 'ask'>,
): Micro | null {
  return side === 'sell' ? null : (openingBid ?? defaultOpeningBid(limit, ask));
}

/**
 * Everything in one statement: the locks, what is found under them, and only where that is as it was looked at, all that
 * is written: the signature's one use, the order, what a buy order holds back, what it takes the place of, the terms of
 * a listing that is priced anew, and the lot's price where it is known. What is on the lot past its time is ended.
 */
const PLACE: Statement = {
  name: 'place-order',
  text: `
    with stands as materialized (
      select is_as_looked($5, $2, $3, $10, $14, $15, $16, $17) as same
    ), used as (
      insert into used_signatures (nonce, used_at)
      select $13, $10::timestamptz where $13::text is not null and (select same from stands)
      on conflict (nonce) do nothing returning nonce
    ), may as materialized (
      select (select same from stands) and ($13::text is null or exists (select 1 from used)) as so
    ), gone as (
      update orders set status = case when expires_at <= $10::timestamptz then 'expired' else 'cancelled' end,
        left_at = case when status = 'resting' then $10 else left_at end
      where (select so from may) and status in ('resting', 'unfunded') and order_id in (
        select $18::text
        union all
        select o.order_id from orders o
        where o.asset_key = $5 and o.status in ('resting', 'unfunded') and o.expires_at <= $10::timestamptz and o.side = 'buy'
      )
      returning order_id
    ), freed as (
      update reservations set state = 'released', updated_at = $10
      where state = 'held' and order_id in (select order_id from gone)
    ), placed as (
      insert into orders (order_id, handle, owner, side, asset_key, listing_ref, category, limit_price, opening_bid,
        status, created_at, expires_at, rested_at)
      select $1, $2, $3, $4, $5, $6, $7, $8::bigint, $9::bigint, $21, $10::timestamptz, $11::timestamptz,
        case when $21 = 'resting' then $10::timestamptz end
      -- Whoever leaves has left before.
      where (select so from may) and (select count(*) from gone) >= 0
      returning *
    ), holding as (
      insert into reservations (order_id, handle, amount, state, updated_at)
      select order_id, handle, limit_price, 'held', created_at from placed where side = 'buy'
    ), repriced as (
      update listings set ask = $19, floor = $20
      where $4 = 'sell' and listing_ref = $6 and exists (select 1 from placed)
    ), told as (
      update lots set price_to_beat = $12, open = true, updated_at = $10
      where asset_key = $5 and exists (select 1 from placed)
        and $12::bigint is not null and (price_to_beat <> $12 or not open)
    )
    select stands.same, placed.* from stands left join placed on true`,
};

/**
 * Places an order that was judged by a look. Of one that may match, `matchPlaced` fires the match in the same
 * transaction.
 * @returns why nothing was written, where nothing was
 */
export async function writeOrder(
  db: Database | Trx,
  { look, order, listing, replaces, short, priceToBeat }: JudgedOrder,
): Promise<OrderRow | NotPlaced> {
  const { handle, owner, now, probes } = look.asked;
  const { orderId, side, limit, expiresAt, nonce = null } = order;
  const { listing_ref, category, ask, floor } = listing;
  const terms = [orderId, handle, owner, side, look.lot, listing_ref, category, limit];
  const rest = [openingOf(order, listing), now, expiresAt, priceToBeat, nonce];
  const looked = [probedSince(now), probes, look.seen, look.digest];
  const values = [
    ...terms,
    ...rest,
    ...looked,
    replaces,
    ask,
    floor,
    short === null ? 'resting' : 'unfunded',
  ];
  const [row] = await run<{ same: boolean } & OrderRow>(db, PLACE, values);
  const { same, ...placed } = row!;
  if (!same) return 'changed';
  return placed.order_id === null ? 'signature-used' : placed;
}

/**
 * Fires the match that an order makes which was just placed, and writes the lot's price. What stood between its owner
 * and others is lifted first where its grounds have changed.
 */
export async function matchPlaced(
  trx: Trx,
  { look, listing, short }: JudgedOrder,
  order: OrderRow,
  firing: { readonly allows: Allows; readonly ids: MatchIds },
): Promise<Placed> {
  const { now } = look.asked;
  const only = order.side === 'buy' ? { only: order } : {};
  if (look.before.stops) await liftStops(trx, { assetKey: look.lot, owner: order.owner, now });
  const match = short === null ? await fireMatch(trx, listing, { ...firing, now, ...only }) : null;
  const seller = order.side === 'sell' ? order.owner : (look.before.sell?.owner ?? null);
  const { asset_key: assetKey, ask } = listing;
  const price = await refreshLot(trx, { assetKey, ask, seller, open: match === null }, now);
  const placed = match ? { ...order, status: 'matched' as const, left_at: now } : order;
  return { order: placed, priceToBeat: price, match, short };
}
