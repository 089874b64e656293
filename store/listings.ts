import { type Selectable, sql } from 'kysely';
import { type Asset, assetKey } from '../agents/assets.ts';
import type { Category } from '../agents/categories.ts';
import { AppError } from '../agents/errors.ts';
import type { Micro } from '../agents/money.ts';
import { lotKeyOf } from './certificates.ts';
import { keepChainListing } from './chain-listings.ts';
import type { Database, Trx } from './database.ts';
import { lockLot, refreshLot } from './lots.ts';
import { doublePledge, insertPledge, sameThing } from './pledges.ts';
import { lockActiveAgent } from './reservations.ts';
import type { Tables } from './tables.ts';

export type ListingRow = Selectable<Tables['listings']>;

export interface NewListing {
  readonly listingRef: string;
  readonly handle: string;
  /** The agent's owner now, lower case: whose orders never match this one. */
  readonly owner: string;
  /** Normalised: what settles. A certificate's token lists its serial, under the serial's key. */
  readonly asset: Asset;
  readonly category: Category;
  /** CAIP-2 chain the asset settles on. */
  readonly chain: string;
  readonly description: string;
  readonly ask: Micro;
  /** The private limit; null: the ask. Of no meaning on a buy-now listing, which clears at its ask. */
  readonly floor: Micro | null;
  readonly negotiable: boolean;
  readonly gate: 'deposit' | 'owner-signed';
  readonly featured: boolean;
  /** Ids of the sell order and the pledge that come with it. */
  readonly orderId: string;
  readonly pledgeId: string;
  /** When the sell order, and the listing with it, ends by itself. */
  readonly expiresAt: Date;
  readonly now: Date;
}

/**
 * Lists an asset whose control was proved: the listing, its pledge, its lot and its own resting sell order, or
 * nothing of them.
 * @throws AppError double-pledge naming the listing that stands, agent-not-active, not-found
 */
export async function insertListing(trx: Trx, listing: NewListing): Promise<ListingRow> {
  const key = await lotKeyOf(trx, assetKey(listing.asset));
  const { now } = listing;
  await trx
    .insertInto('lots')
    .values({
      asset_key: key,
      category: listing.category,
      chain: listing.chain,
      price_to_beat: listing.ask,
      open: false,
      updated_at: now,
    })
    .onConflict((oc) => oc.column('asset_key').doNothing())
    .execute();
  await lockLot(trx, key);
  await lockActiveAgent(trx, listing.handle);
  const standing = await liveListingOf(trx, key);
  if (standing) throw doublePledge(key, standing.listing_ref);
  const row = await trx
    .insertInto('listings')
    .values({
      listing_ref: listing.listingRef,
      handle: listing.handle,
      asset_key: key,
      asset: JSON.stringify(listing.asset),
      category: listing.category,
      chain: listing.chain,
      description: listing.description,
      ask: listing.ask,
      floor: listing.negotiable ? listing.floor : null,
      negotiable: listing.negotiable,
      gate: listing.gate,
      featured: listing.featured,
      status: 'live',
      listed_at: now,
    })
    // Under another spelling it has another lot, whose lock kept nobody out: then the index does.
    .onConflict((oc) =>
      oc.expression(sql`claim_key(asset_key)`).where('status', 'in', ['live', 'dealing']).doNothing(),
    )
    .returningAll()
    .executeTakeFirst();
  if (!row) {
    const other = await liveListingOf(trx, key);
    if (other) throw doublePledge(key, other.listing_ref);
    throw new AppError('conflict', 'The listing of this asset changed while it was read: try again.');
  }
  await keepChainListing(trx, listing.handle, assetKey(listing.asset));
  await insertPledge(trx, {
    id: listing.pledgeId,
    assetKey: key,
    listingRef: listing.listingRef,
    wallet: listing.owner,
    lender: null,
    until: null,
    source: 'listing',
    now,
  });
  await trx
    .insertInto('orders')
    .values({
      order_id: listing.orderId,
      handle: listing.handle,
      owner: listing.owner,
      side: 'sell',
      asset_key: key,
      listing_ref: listing.listingRef,
      category: listing.category,
      limit_price: row.floor ?? row.ask,
      opening_bid: null,
      status: 'resting',
      created_at: now,
      expires_at: listing.expiresAt,
      left_at: null,
    })
    .execute();
  await trx
    .updateTable('lots')
    .set({ category: listing.category, chain: listing.chain })
    .where('asset_key', '=', key)
    .execute();
  await refreshLot(trx, { assetKey: key, ask: listing.ask, seller: listing.owner, open: true }, now);
  return row;
}

/** The listing under which an asset stands now, live or in a deal, however either is spelled. */
export async function liveListingOf(db: Database | Trx, key: string): Promise<ListingRow | null> {
  const row = await db
    .selectFrom('listings')
    .selectAll()
    .where(sameThing(key))
    .where('status', 'in', ['live', 'dealing'])
    .executeTakeFirst();
  return row ?? null;
}

export async function findListing(db: Database | Trx, listingRef: string): Promise<ListingRow | null> {
  const row = await db
    .selectFrom('listings')
    .selectAll()
    .where('listing_ref', '=', listingRef)
    .executeTakeFirst();
  return row ?? null;
}

/** The collections of what is listed now, lower case. */
export async function listedCollections(db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom('listings')
    .select(sql<string>`asset->>'contract'`.as('contract'))
    .distinct()
    .where('status', 'in', ['live', 'dealing'])
    .where(sql`asset->>'kind'`, '=', 'token')
    .execute();
  return rows.map((r) => r.contract);
}

/**
 * Places a listing first for a payment that came: once, however many paid for it at once.
 * @returns `gone` when the listing has left the catalogue, `featured` when another payment placed it
 */
export async function buyPlacement(trx: Trx, listingRef: string): Promise<'placed' | 'featured' | 'gone'> {
  const listing = await trx
    .selectFrom('listings')
    .select(['featured', 'status'])
    .where('listing_ref', '=', listingRef)
    .forUpdate()
    .executeTakeFirst();
  if (listing === undefined || !(listing.status === 'live' || listing.status === 'dealing')) return 'gone';
  if (listing.featured) return 'featured';
  await placeListing(trx, listingRef, true);
  return 'placed';
}

/** Paid placement, while its payment holds. Again is nothing; a listing that has left the catalogue stays as it is. */
export async function placeListing(trx: Trx, listingRef: string, featured: boolean): Promise<void> {
  await trx
    .updateTable('listings')
    .set({ featured })
    .where('listing_ref', '=', listingRef)
    .where('status', 'in', ['live', 'dealing'])
    .execute();
}
