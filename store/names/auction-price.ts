import type { Selectable } from 'kysely';
import { type AuctionBid, type Standing, standing } from '../../agents/market/auction.ts';
import type { Micro } from '../../agents/money.ts';
import { isNameLot } from '../../agents/names/name.ts';
import type { Trx } from '../database.ts';
import type { Tables } from '../tables.ts';

type OrderRow = Selectable<Tables['orders']>;

/** A listing, as its auction's bids are found by it. */
export type Auctioned = Pick<Selectable<Tables['listings']>, 'asset_key' | 'listing_ref'>;

/** All buy orders that were ever placed on a listing. What is on another listing of the lot is nobody's bid here. */
export function buyOrdersOn(trx: Trx, { asset_key, listing_ref }: Auctioned) {
  return trx
    .selectFrom('orders')
    .selectAll()
    .where('asset_key', '=', asset_key)
    .where('listing_ref', '=', listing_ref)
    .where('side', '=', 'buy');
}

/**
 * The bids of an auction: the resting buy orders on its listing, one for each agent, in the order in which they came.
 */
export async function bidsOf(trx: Trx, listing: Auctioned): Promise<OrderRow[]> {
  return await buyOrdersOn(trx, listing).where('status', '=', 'resting').orderBy('seq').execute();
}

export function asAuctionBid(row: OrderRow): AuctionBid {
  return { orderId: row.order_id, seq: row.seq, owner: row.owner, limit: row.limit_price };
}

/** The state of an ascending auction by its present bids. The caller holds the lot's lock. */
export async function standingOf(trx: Trx, listing: Auctioned, reserve: Micro): Promise<Standing | null> {
  return standing(reserve, (await bidsOf(trx, listing)).map(asAuctionBid));
}

/**
 * The listings of a lot that are in a running auction, also in one whose end has come and was not carried out yet.
 * Nothing that stands there is taken back before the end: whoever could take back a bid would learn for nothing how far
 * the others go. The caller holds the lot's lock.
 */
export async function listingsInAuction(trx: Trx, assetKey: string): Promise<ReadonlySet<string>> {
  if (!isNameLot(assetKey)) return new Set();
  const rows = await trx
    .selectFrom('auctions')
    .innerJoin('listings', 'listings.listing_ref', 'auctions.listing_ref')
    .select('auctions.listing_ref')
    .where('listings.asset_key', '=', assetKey)
    .where('auctions.status', '=', 'open')
    .execute();
  return new Set(rows.map((row) => row.listing_ref));
}

/** The listings of a lot that were in a running auction at a moment of the past, and not in the deal of a winner of it. */
export async function listingsThenInAuction(
  trx: Trx,
  assetKey: string,
  at: Date,
): Promise<ReadonlySet<string>> {
  if (!isNameLot(assetKey)) return new Set();
  const rows = await trx
    .selectFrom('auctions')
    .innerJoin('orders', 'orders.listing_ref', 'auctions.listing_ref')
    .select('auctions.listing_ref')
    .where('orders.asset_key', '=', assetKey)
    .where('orders.side', '=', 'sell')
    .where('orders.created_at', '<=', at)
    .where((eb) => eb.or([eb('orders.left_at', 'is', null), eb('orders.left_at', '>', at)]))
    .where('auctions.starts_at', '<=', at)
    // One that goes on after its winner's deal was undone has no end again.
    .where((eb) => eb.or([eb('auctions.ended_at', 'is', null), eb('auctions.ended_at', '>', at)]))
    .execute();
  return new Set(rows.map((row) => row.listing_ref));
}

/** Recalculates the price to beat after bids have left with their listing. The caller holds the lot's lock. */
export async function refreshAuction(trx: Trx, assetKey: string): Promise<void> {
  // The auction of a listing that has left is open until its end, beside the one of the next listing.
  const auctions = await trx
    .selectFrom('auctions')
    .innerJoin('listings', 'listings.listing_ref', 'auctions.listing_ref')
    .select(['auctions.auction_id', 'auctions.reserve', 'listings.asset_key', 'listings.listing_ref'])
    .where('listings.asset_key', '=', assetKey)
    .where('auctions.status', '=', 'open')
    .where('auctions.format', '=', 'ascending')
    .execute();
  for (const auction of auctions) {
    const now = await standingOf(trx, auction, auction.reserve);
    await trx
      .updateTable('auctions')
      .set({ price: now?.price ?? null })
      .where('auction_id', '=', auction.auction_id)
      .execute();
  }
}
