import type { Database } from '../database.ts';
import type { ListingRow } from './listings.ts';

/** The name of a lot in texts about its listing. */
export interface LotName {
  readonly key: string;
  readonly description: string;
}

/** The lot of a listing, whether or not it is still for sale, so that an old reference keeps its name. */
export async function lotOfListing(db: Database, listingRef: string): Promise<LotName | null> {
  return await named(db).where('listing_ref', '=', listingRef).executeTakeFirst().then(orNull);
}

/** As {@link lotOfListing}, of a listing that was read. */
export function lotNameOf({ asset_key: key, description, status }: ListingRow): LotName | null {
  return status === 'unpaid' ? null : { key, description };
}

/** The newest listing of an asset, by its key. */
export async function newestLotOf(db: Database, key: string): Promise<LotName | null> {
  const rows = named(db).where('asset_key', '=', key).orderBy('seq', 'desc').limit(1);
  return await rows.executeTakeFirst().then(orNull);
}

/** How people call a lot, and where it is for sale; `listingRef` is null when it no longer is. */
export interface LotTitle {
  readonly description: string;
  readonly listingRef: string | null;
}

/** The newest public listing of each of these assets, by key. */
export async function lotTitles(
  db: Database,
  keys: readonly string[],
): Promise<ReadonlyMap<string, LotTitle>> {
  if (keys.length === 0) return new Map();
  const rows = await db
    .selectFrom('listings')
    .distinctOn('asset_key')
    .select(['asset_key', 'description', 'listing_ref', 'status'])
    .where('asset_key', 'in', [...new Set(keys)])
    .where('status', '!=', 'unpaid')
    .orderBy('asset_key')
    .orderBy('seq', 'desc')
    .execute();
  return new Map(
    rows.map((r) => [
      r.asset_key,
      { description: r.description, listingRef: r.status === 'live' ? r.listing_ref : null },
    ]),
  );
}

function named(db: Database) {
  // Listings that were never paid for were never public.
  return db
    .selectFrom('listings')
    .select(['asset_key as key', 'description'])
    .where('status', '!=', 'unpaid');
}

function orNull<T>(row: T | undefined): T | null {
  return row ?? null;
}
