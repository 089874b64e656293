import { defaultOpeningBid } from '../../agents/market/book.ts';
import type { Short } from '../../agents/market/funds.ts';
import type { Micro } from '../../agents/money.ts';
import { type Database, run, type Statement, type Trx } from '../database.ts';
import type { ListingRow } from './listings.ts';
import { type OrderRow, refreshLot } from './lots.ts';
import { type Allows, fireMatch, type Match, type MatchIds } from './matches.ts';
import { type OrderContext, type OrderSnapshot, probedSince } from './order-context.ts';
import { liftStops } from './stops.ts';

/** An order as its owner requests it. */
export interface AskedOrder {
  readonly orderId: string;
  readonly side: 'buy' | 'sell';
  readonly limit: Micro;
  /** For buy orders only; null: the smaller of the limit and half the ask. */
  readonly openingBid: Micro | null;
  /** Null for a seller's order that ends when the one ends which it replaces. */
  readonly expiresAt: Date | null;
  /** The nonce of the signature on the request, which counts once: the same statement uses it up. */
  readonly nonce?: string;
}

/** An order with the result of judging it by a snapshot. */
export interface JudgedOrder {
  readonly look: OrderSnapshot;
  readonly order: AskedOrder;
  /** Its listing after the order: a sell order changes its floor, and may change its ask. */
  readonly listing: ListingRow;
  /** The order that it replaces; null: none. */
  readonly replaces: string | null;
  /** What its account lacks, and then it rests unfunded: it matches nobody, and makes no price. Null: it is covered. */
  readonly short: Short | null;
  /** What the account of a buyer's order holds, as the chain shows everybody; null: a seller's, or it was not read. */
  readonly accountHolds: Micro | null;
  /** The lot's price to beat with it, where it reaches nobody; null: it may match, or lift a stop. */
  readonly priceToBeat: Micro | null;
}

export interface Placed {
  readonly order: OrderRow;
  /** The lot's price to beat after this order. */
  readonly priceToBeat: Micro;
  /** What it set off: of this order, which is `matched` then, or of a better one that had waited. */
  readonly match: Match | null;
  /** What the account lacks of an order that rests unfunded. */
  readonly short: Short | null;
}

/** Why nothing was written: what the order was judged by has changed, or its signature was used before. */
export type NotPlaced = 'changed' | 'signature-used';

/** The opening bid of a buy order; null for a seller's order. */
export function openingOf(
  { side, openingBid, limit }: Pick<AskedOrder, 'side' | 'openingBid' | 'limit'>,
  { ask }: Pick<ListingRow, 'ask'>,
): Micro | null {
  return side === 'sell' ? null : (openingBid ?? defaultOpeningBid(limit, ask));
}

/**
 * One statement does everything. It takes the locks and compares what it finds under them with the snapshot. Only if
 * nothing has changed does it write: it uses up the signature, inserts the order, reserves a buy order's money,
 * withdraws the replaced order, and updates the terms of a repriced listing and the lot's price where that is known. It
 * also ends what is overdue on the lot.
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
        status, created_at, expires_at, rested_at, account_held)
      select $1, $2, $3, $4, $5, $6, $7, $8::bigint, $9::bigint, $21, $10::timestamptz,
        -- A seller's order that says no end takes over the one of the order that it replaces: its listing keeps it.
        coalesce($11::timestamptz, (select r.expires_at from orders r where r.order_id = $18 and r.side = 'sell')),
        case when $21 = 'resting' then $10::timestamptz end, case when $21 = 'resting' then $22::bigint end
      -- Whoever leaves has left before.
      where (select so from may) and (select count(*) from gone) >= 0
      returning *
    ), holding as (
      insert into reservations (order_id, handle, amount, state, updated_at)
      select order_id, handle, limit_price, 'held', created_at from placed where side = 'buy'
    ), repriced as (
      update listings set ask = $19, floor = $20, listed_ask = $23
      where $4 = 'sell' and listing_ref = $6 and exists (select 1 from placed)
    ), told as (
      update lots set price_to_beat = $12, open = true, updated_at = $10
      where asset_key = $5 and exists (select 1 from placed)
        and $12::bigint is not null and (price_to_beat <> $12 or not open)
    )
    select stands.same, placed.* from stands left join placed on true`,
};

/**
 * Places an order that was judged by a snapshot. If the order may match, `matchPlaced` makes the match in the same
 * transaction.
 * @returns the row, or why nothing was written
 */
export async function writeOrder(
  db: Database | Trx,
  { look, order, listing, replaces, short, accountHolds, priceToBeat }: JudgedOrder,
): Promise<OrderRow | NotPlaced> {
  const { handle, owner, now, probes } = look.asked;
  const { orderId, side, limit, expiresAt, nonce = null } = order;
  const { listing_ref, category, ask, floor, listed_ask } = listing;
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
    accountHolds,
    listed_ask,
  ];
  const [row] = await run<{ same: boolean } & OrderRow>(db, PLACE, values);
  const { same, ...placed } = row!;
  if (!same) return 'changed';
  return placed.order_id === null ? 'signature-used' : placed;
}

/**
 * Whether a resting bid reaches the seller's limit already, so that any buy order must let it match first. It lay there
 * while the pair could not match: the listing's fee was disputed, or a mandate barred the one from the other.
 */
export function isOverdue({ best, sell }: Pick<OrderContext, 'best' | 'sell'>): boolean {
  return best !== null && sell !== null && best.limit >= sell.limit;
}

/**
 * Makes the match of an order that was just placed, if there is one, and writes the lot's price. First it lifts the
 * stops between the order's owner and others whose grounds have changed.
 */
export async function matchPlaced(
  trx: Trx,
  { look, listing, short }: JudgedOrder,
  order: OrderRow,
  firing: { readonly allows: Allows; readonly ids: MatchIds },
): Promise<Placed> {
  const { now } = look.asked;
  // Where a stop may have been lifted, or a better bid waits already, another order may be the best one now.
  const alone = order.side === 'buy' && !look.before.stops && !isOverdue(look.before);
  const only = alone ? { only: order } : {};
  if (look.before.stops) await liftStops(trx, { assetKey: look.lot, owner: order.owner, now });
  const match = short === null ? await fireMatch(trx, listing, { ...firing, now, ...only }) : null;
  const seller = order.side === 'sell' ? order.owner : (look.before.sell?.owner ?? null);
  const { asset_key: assetKey, ask } = listing;
  const price = await refreshLot(trx, { assetKey, ask, seller, open: match === null }, now);
  const isOwn = match !== null && [match.sellOrder, match.buyOrder].includes(order.order_id);
  const placed = isOwn ? { ...order, status: 'matched' as const, left_at: now } : order;
  return { order: placed, priceToBeat: price, match, short };
}
