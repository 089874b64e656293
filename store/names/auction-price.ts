import type { Selectable } from 'kysely';
import { type AuctionBid, type Standing, standing } from '../../agents/market/auction.ts';
import type { Micro } from '../../agents/money.ts';
import type { Trx } from '../database.ts';
import type { Tables } from '../tables.ts';

type OrderRow = Selectable<Tables['orders']>;

/** The bids of an auction: the resting buy orders on its lot, one for each agent, in the order in which they came. */
export async function bidsOf(trx: Trx, assetKey: string): Promise<OrderRow[]> {
  return await trx
    .selectFrom('orders')
    .selectAll()
    .where('asset_key', '=', assetKey)
    .where('side', '=', 'buy')
    .where('status', '=', 'resting')
    .orderBy('seq')
    .execute();
}

export function asAuctionBid(row: OrderRow): AuctionBid {
  return { orderId: row.order_id, seq: row.seq, owner: row.owner, limit: row.limit_price };
}

/** The state of an ascending auction by its present bids. The caller holds the lot's lock. */
export async function standingOf(trx: Trx, assetKey: string, reserve: Micro): Promise<Standing | null> {
  return standing(reserve, (await bidsOf(trx, assetKey)).map(asAuctionBid));
}

/**
 * Recalculates the price to beat after bids have left, because their agent was stopped or sold. The caller holds the
 * lot's lock.
 */
export async function refreshAuction(trx: Trx, assetKey: string): Promise<void> {
  const auction = await trx
    .selectFrom('auctions')
    .innerJoin('listings', 'listings.listing_ref', 'auctions.listing_ref')
    .select(['auctions.auction_id', 'auctions.reserve'])
    .where('listings.asset_key', '=', assetKey)
    .where('auctions.status', '=', 'open')
    .where('auctions.format', '=', 'ascending')
    .executeTakeFirst();
  if (!auction) return;
  const now = await standingOf(trx, assetKey, auction.reserve);
  await trx
    .updateTable('auctions')
    .set({ price: now?.price ?? null })
    .where('auction_id', '=', auction.auction_id)
    .execute();
}
