import { defaultOpeningBid } from '../agents/market/book.ts';
import type { Micro } from '../agents/money.ts';
import type { ListingRow } from './listings.ts';

/** An order as it is written down. */
export interface Resting {
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
  /** Of the signature that asks for it, which counts once: used up in the same statement. */
  readonly nonce?: string;
}

/** What a bid opens at; null for a seller's order. */
export function openingOf(
  { side, openingBid, limit }: Pick<Resting, 'side' | 'openingBid' | 'limit'>,
  { ask }: Pick<ListingRow, 'ask'>,
): Micro | null {
  return side === 'sell' ? null : (openingBid ?? defaultOpeningBid(limit, ask));
}

/**
 * Common table expressions that write an order: the signature's one use, the order, what a buy order holds back, and the
 * lot's price where it is known already. `placed` has the order, or nothing, and then nothing is written.
 * @param when SQL, of one truth: nothing is written where it does not hold
 */
export function restingWrites(when: string): string {
  return `used as (
      update signature_challenges set used_at = $10
      where nonce = $13 and used_at is null and ${when} returning nonce
    ), placed as (
      insert into orders (order_id, handle, owner, side, asset_key, listing_ref, category, limit_price, opening_bid,
        status, created_at, expires_at)
      select $1, $2, $3, $4, $5, $6, $7, $8::bigint, $9::bigint, 'resting', $10::timestamptz, $11::timestamptz
      where ${when} and ($13::text is null or exists (select 1 from used))
      returning *
    ), holding as (
      insert into reservations (order_id, handle, amount, state, updated_at)
      select order_id, handle, limit_price, 'held', created_at from placed where side = 'buy'
    ), told as (
      update lots set price_to_beat = $12, open = true, updated_at = $10
      where asset_key = $5 and exists (select 1 from placed)
        and $12::bigint is not null and (price_to_beat <> $12 or not open)
    )`;
}

/**
 * The first thirteen parameters of a statement with {@link restingWrites}.
 * @param price the lot's price to beat with the order; null: not known yet
 */
export function restingValues(listing: ListingRow, order: Resting, price: Micro | null): readonly unknown[] {
  const { orderId, handle, owner, side, assetKey, limit, now, expiresAt, nonce = null } = order;
  const { listing_ref, category } = listing;
  const terms = [orderId, handle, owner, side, assetKey, listing_ref, category, limit];
  return [...terms, openingOf(order, listing), now, expiresAt, price, nonce];
}
