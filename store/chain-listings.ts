import { type Selectable, sql } from 'kysely';
import { type Asset, assetKey } from '../agents/assets.ts';
import type { Database, Trx } from './database.ts';
import type { Tables } from './tables.ts';

/** What owners' words put on chain for sale, and what of it no listing here needs any more. */
export type ChainListingRow = Selectable<Tables['chain_listings']>;
type ListingRow = Selectable<Tables['listings']>;

/** A request that lists has come to its end, or never will, this long after it wrote down what it is about to do. */
const BEGUN_MS = 60_000;
/** Who took a row on to take it off the chain, and was not heard of since, has vanished. */
const TAKING_MS = 360_000;

/**
 * Writes down that a token is about to be put on chain for sale: unless its listing comes about here
 * ({@link keepChainListing}), it is over in a minute.
 * @returns false while it is being taken off, for an earlier listing: then nothing was written
 */
export async function beginChainListing(
  db: Database,
  { handle, tokenKey, lot }: { handle: string; tokenKey: string; lot: string },
  now: Date,
): Promise<boolean> {
  const over_at = new Date(now.getTime() + BEGUN_MS);
  const row = await db
    .insertInto('chain_listings')
    .values({ handle, token_key: tokenKey, lot, touched_at: now, over_at, taking_since: null })
    .onConflict((oc) =>
      oc
        .columns(['handle', 'token_key'])
        .doUpdateSet({ lot, touched_at: now, over_at })
        .where('chain_listings.taking_since', 'is', null),
    )
    .returning('handle')
    .executeTakeFirst();
  return row !== undefined;
}

/** Notes that a listing here needs what stands on chain. */
export async function keepChainListing(trx: Trx, handle: string, tokenKey: string): Promise<void> {
  await trx
    .updateTable('chain_listings')
    .set({ over_at: null })
    .where('handle', '=', handle)
    .where('token_key', '=', tokenKey)
    .execute();
}

/** Notes that a listing is over. A sale has used up what stood on chain; a chain that goes back brings it again. */
export async function endChainListing(
  trx: Trx,
  { handle, asset }: Pick<ListingRow, 'handle' | 'asset'>,
  now: Date,
): Promise<void> {
  await trx
    .updateTable('chain_listings')
    .set({ over_at: now })
    .where('handle', '=', handle)
    .where('token_key', '=', assetKey(asset as unknown as Asset))
    .execute();
}

/** Notes that what a sale had used up stands on chain again, and that nothing here needs it. */
export async function reopenChainListing(
  trx: Trx,
  { handle, asset, asset_key }: Pick<ListingRow, 'handle' | 'asset' | 'asset_key'>,
  now: Date,
): Promise<void> {
  const token_key = assetKey(asset as unknown as Asset);
  await trx
    .insertInto('chain_listings')
    .values({ handle, token_key, lot: asset_key, touched_at: now, over_at: now, taking_since: null })
    .onConflict((oc) => oc.columns(['handle', 'token_key']).doUpdateSet({ over_at: now }))
    .execute();
}

/**
 * Takes on what is to be looked at: listings that are over, and such as were begun and never came about here. A row
 * stays taken until {@link forgetChainListing}, or for whoever asks once its taker has vanished.
 */
export async function takeChainListings(
  db: Database,
  now: Date,
  limit: number,
): Promise<(ChainListingRow & { token_id: bigint })[]> {
  const { rows } = await sql<ChainListingRow & { token_id: bigint }>`
    update chain_listings c set taking_since = ${now} from agents a
    where a.handle = c.handle and (c.handle, c.token_key) in (
      select o.handle, o.token_key from chain_listings o
      where o.over_at <= ${now}
        and (o.taking_since is null or o.taking_since < ${new Date(now.getTime() - TAKING_MS)})
        and not exists (select from listings l where l.handle = o.handle and l.asset_key = o.lot
          and l.status in ('live', 'dealing'))
      order by o.touched_at limit ${limit} for update skip locked)
    returning c.*, a.token_id`.execute(db);
  return rows;
}

/** It stands on chain no more. */
export async function forgetChainListing(db: Database, row: ChainListingRow): Promise<void> {
  await db
    .deleteFrom('chain_listings')
    .where('handle', '=', row.handle)
    .where('token_key', '=', row.token_key)
    .execute();
}

/** It could not be taken off now: whoever looks next tries again. */
export async function leaveChainListing(db: Database, row: ChainListingRow): Promise<void> {
  await db
    .updateTable('chain_listings')
    .set({ taking_since: null })
    .where('handle', '=', row.handle)
    .where('token_key', '=', row.token_key)
    .execute();
}
