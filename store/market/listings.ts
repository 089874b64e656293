import { type RawBuilder, type Selectable, sql } from 'kysely';
import { type Asset, assetKey, parseAssetKey } from '../../agents/assets.ts';
import type { Category } from '../../agents/categories.ts';
import { Refusal } from '../../agents/errors.ts';
import { makersDiffer } from '../../agents/goods/aliases.ts';
import type { Attributes } from '../../agents/market/pricing/model/attributes.ts';
import type { Micro } from '../../agents/money.ts';
import { isNameLot } from '../../agents/names/name.ts';
import { lockActiveAgent } from '../agent/reservations.ts';
import { lotKeyOf } from '../certificates/certificates.ts';
import type { Database, Trx } from '../database.ts';
import { parsed, parsedAll, parsedOrNull } from '../parsed.ts';
import type { Tables } from '../tables.ts';
import { keepChainListing } from './chain-listings.ts';
import { lockLot, refreshLot } from './lots.ts';
import { doublePledge, insertPledge } from './pledges.ts';
import { sameThing } from './same-thing.ts';

export type ListingRow = Selectable<Tables['listings']>;

/** The ask that the owner signed when the lot was listed: half of it is the minimum on chain, wherever the ask has gone. */
export function listedAsk({ ask, listed_ask }: Pick<ListingRow, 'ask' | 'listed_ask'>): Micro {
  return listed_ask ?? ask;
}

export interface NewListing {
  readonly listingRef: string;
  readonly handle: string;
  /** The agent's owner now, lower case. Orders of the same owner never match this one. */
  readonly owner: string;
  /** The normalised asset that settles. A certificate's token lists its serial, under the serial's key. */
  readonly asset: Asset;
  readonly category: Category;
  /** The CAIP-2 chain on which the asset settles. */
  readonly chain: string;
  readonly description: string;
  /** What the seller tells of it; null where nothing is told. */
  readonly attributes?: Attributes | null;
  readonly ask: Micro;
  /** The private limit; null: the ask. It has no effect on a buy-now listing, which clears at its ask. */
  readonly floor: Micro | null;
  readonly negotiable: boolean;
  readonly gate: 'deposit' | 'owner-signed';
  /** False where nothing but the seller's signed word says that the asset is his. */
  readonly proven: boolean;
  readonly featured: boolean;
  /** False when its fee must be paid first: until then it blocks other listings of the thing, but is not for sale. */
  readonly paid: boolean;
  /** When an agent is for sale: the state of its account, in decimal. */
  readonly quotedState?: string | null;
  /** Ids of the sell order and the pledge that are created with it. */
  readonly orderId: string;
  readonly pledgeId: string;
  /** When the sell order, and the listing with it, ends by itself. */
  readonly expiresAt: Date;
  readonly now: Date;
}

/**
 * Lists an asset whose control was proved: the listing, its pledge, its lot and its own sell order, all or nothing.
 * @throws Refusal double-pledge naming the present listing, agent-not-active, not-found
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
  const standing = await standingListingOf(trx, key);
  if (standing) throw doublePledge(key, standing);
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
      attributes: listing.attributes == null ? null : JSON.stringify(listing.attributes),
      ask: listing.ask,
      floor: listing.negotiable ? listing.floor : null,
      negotiable: listing.negotiable,
      gate: listing.gate,
      proven: listing.proven,
      featured: listing.featured,
      status: listing.paid ? 'live' : 'unpaid',
      quoted_state: listing.quotedState ?? null,
      listed_at: now,
    })
    // The same asset in another spelling has another lot and another lock, so the unique index must refuse it.
    .onConflict((oc) => oc.expression(sql`claim_key(asset_key)`).where('status', 'in', STANDING).doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!row) {
    const other = await standingListingOf(trx, key);
    if (other) throw doublePledge(key, other);
    throw new Refusal('conflict', 'The listing of this asset changed while it was read: try again.');
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
    proven: listing.proven,
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
      rested_at: now,
      expires_at: listing.expiresAt,
      left_at: null,
    })
    .execute();
  await trx
    .updateTable('lots')
    .set({ category: listing.category, chain: listing.chain })
    .where('asset_key', '=', key)
    .execute();
  await refreshLot(trx, { assetKey: key, ask: listing.ask, seller: listing.owner, open: listing.paid }, now);
  return parsed('listings', row);
}

/** A listing with one of these statuses blocks another listing of the same thing. */
const STANDING = ['unpaid', 'live', 'dealing'] as const;
const LIVE = ['live', 'dealing'] as const;

/**
 * The present listing of an asset: for sale, in a deal, or not paid for yet. The spelling of the asset does not matter, nor
 * who is said to have made it: one number is promised once.
 */
export async function standingListingOf(db: Database | Trx, key: string): Promise<ListingRow | null> {
  const row = await db
    .selectFrom('listings')
    .selectAll()
    .where(sameThing(key))
    .where('status', 'in', STANDING)
    .executeTakeFirst();
  return parsedOrNull('listings', row);
}

/**
 * The listing of an asset that is live or in a deal. The spelling of the asset does not matter; what another maker is said
 * to have made is another thing.
 */
export async function liveListingOf(db: Database | Trx, key: string): Promise<ListingRow | null> {
  const row = await db
    .selectFrom('listings')
    .selectAll()
    .where(sameThing(key))
    .where('status', 'in', LIVE)
    .executeTakeFirst();
  if (row === undefined || isOfAnotherMaker(row.asset_key, key)) return null;
  return parsed('listings', row);
}

/** Whether a listing of the same number names another maker than this key. What is no key of an asset names none. */
export function isOfAnotherMaker(listed: string, key: string): boolean {
  try {
    return listed !== key && makersDiffer(parseAssetKey(listed), parseAssetKey(key));
  } catch {
    return false;
  }
}

/** Whether a listing is public. */
export function isLive({ status }: Pick<ListingRow, 'status'>): boolean {
  return LIVE.some((live) => live === status);
}

export async function findListing(db: Database | Trx, listingRef: string): Promise<ListingRow | null> {
  const row = await db
    .selectFrom('listings')
    .selectAll()
    .where('listing_ref', '=', listingRef)
    .executeTakeFirst();
  return parsedOrNull('listings', row);
}

/** The listing of this reference, or else the live one of the asset whose key it is. */
export async function listingNamed(db: Database | Trx, ref: string): Promise<ListingRow | null> {
  return (await findListing(db, ref)) ?? (await liveListingOf(db, ref));
}

/** Whether anything was ever listed under this reference, or as the asset whose key it is. */
export async function wasListed(db: Database, ref: string): Promise<boolean> {
  const row = await db
    .selectFrom('listings')
    .select('listing_ref')
    .where((eb) => eb.or([eb('listing_ref', '=', ref), eb('asset_key', '=', ref)]))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** How many tokens one statement queries. */
const TOKENS_AT_ONCE = 1_000;

/** The present listings that settle with one of these tokens; for a certificate, the listing of its serial. */
export async function listingsOfTokens(
  db: Database,
  chainId: number,
  tokens: readonly { readonly contract: string; readonly tokenId: bigint }[],
): Promise<ListingRow[]> {
  const found: ListingRow[] = [];
  for (let i = 0; i < tokens.length; i += TOKENS_AT_ONCE) {
    const some = tokens.slice(i, i + TOKENS_AT_ONCE);
    const { rows } = await sql<ListingRow>`
      select l.* from listings l
      join unnest(${some.map((t) => t.contract)}::text[], ${some.map((t) => t.tokenId.toString())}::text[])
        as t(contract, token_id) on l.asset ->> 'contract' = t.contract and l.asset ->> 'tokenId' = t.token_id
      where l.status = any(${[...STANDING]}::text[]) and l.asset ->> 'kind' = 'token'
        and l.asset ->> 'chainId' = ${String(chainId)}`.execute(db);
    found.push(...parsedAll('listings', rows));
  }
  return found;
}

/** The lots of a collection that are listed now, by the keys of their listings. */
export async function lotsOfCollection(db: Database, chainId: number, contract: string): Promise<string[]> {
  const rows = await db
    .selectFrom('listings')
    .select('asset_key')
    .where('status', 'in', STANDING)
    .where(sql`asset->>'kind'`, '=', 'token')
    .where(sql`asset->>'chainId'`, '=', String(chainId))
    .where(sql`asset->>'contract'`, '=', contract)
    .orderBy('asset_key')
    .execute();
  return rows.map((r) => r.asset_key);
}

/** The collections of all present listings, lower case. It walks from one to the next, however many listings each has. */
export async function listedCollections(db: Database): Promise<string[]> {
  const next = (after: RawBuilder<unknown>) => sql`
    (select asset->>'contract' from listings where status in ('unpaid', 'live', 'dealing') and asset->>'contract' > ${after}
      order by asset->>'contract' limit 1)`;
  const { rows } = await sql<{ contract: string }>`
    with recursive collections (contract) as (
      select ${next(sql`''`)}
      union all
      select ${next(sql`c.contract`)} from collections c where c.contract is not null
    )
    select contract from collections where contract is not null`.execute(db);
  return rows.map((r) => r.contract);
}

/** Why a placement cannot be had: no longer or never in the catalogue, not shown there while in a deal, placed already. */
export type Unplaced = 'gone' | 'name' | 'dealing' | 'featured';

/**
 * Features a listing whose placement was paid for: once, however many paid at the same time.
 * @param rests the money is away already: the listing could be featured, and is when the money comes back
 */
export async function buyPlacement(
  trx: Trx,
  listingRef: string,
  { rests }: { rests: boolean },
): Promise<'placed' | Unplaced> {
  const listing = await trx
    .selectFrom('listings')
    .select(['asset_key', 'featured', 'status'])
    .where('listing_ref', '=', listingRef)
    .forUpdate()
    .executeTakeFirst();
  if (listing === undefined) return 'gone';
  if (isNameLot(listing.asset_key)) return 'name';
  if (listing.status === 'dealing') return 'dealing';
  if (listing.status !== 'live') return 'gone';
  if (listing.featured) return 'featured';
  if (!rests) await placeListing(trx, listingRef, true);
  return 'placed';
}

/**
 * Sets or removes paid placement. Repeating it changes nothing, and a listing that has ended stays as it is. One that is
 * off the market while its fee is disputed comes back with what is paid for it then.
 */
export async function placeListing(trx: Trx, listingRef: string, featured: boolean): Promise<void> {
  await trx
    .updateTable('listings')
    .set({ featured })
    .where('listing_ref', '=', listingRef)
    .where('status', 'in', STANDING)
    .execute();
}

/** What was told of a lot when it was listed last; null where nothing was. */
export async function attributesOf(db: Database, lot: string): Promise<Attributes | null> {
  const row = await db
    .selectFrom('listings')
    .select('attributes')
    .where('asset_key', '=', lot)
    .where('status', '!=', 'unpaid')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return parsedOrNull('listings', row)?.attributes ?? null;
}
