import { type Selectable, sql } from 'kysely';
import { assetKey } from '../../agents/assets.ts';
import type { Database, Trx } from '../database.ts';
import type { Tables } from '../tables.ts';

/** What owners have put on chain for sale, and whether a listing here still needs it. */
export type ChainListingRow = Selectable<Tables['chain_listings']>;
type ListingRow = Selectable<Tables['listings']>;

/** After this time, a request that had begun to list has either finished or crashed. */
const BEGUN_MS = 60_000;
/**
 * How long after a sale its listing may still be needed: a reorg that removes the settlement brings the listing back, and
 * the settlement is sent again under it.
 */
const SOLD_MS = 900_000;
/** A process that claimed a row and did not finish within this time has crashed. */
const TAKING_MS = 360_000;

/**
 * Records that a token is about to be put on chain for sale. Unless its listing is created here
 * ({@link keepChainListing}), the record counts as over after a minute.
 * @returns false while an earlier listing of it is being removed from the chain; nothing was then written
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

/** Records that a listing here needs its listing on chain. */
export async function keepChainListing(trx: Trx, handle: string, tokenKey: string): Promise<void> {
  await trx
    .updateTable('chain_listings')
    .set({ over_at: null })
    .where('handle', '=', handle)
    .where('token_key', '=', tokenKey)
    .execute();
}

/** Until when a listing that is over may be needed on chain: a sale uses it up, and it is looked for a while later. */
export function neededUntil(status: 'sold' | 'dropped', now: Date): Date {
  return new Date(now.getTime() + (status === 'sold' ? SOLD_MS : 0));
}

/** Records that a reorg brought back a listing on chain that a sale had used up, and that nothing here needs it. */
export async function reopenChainListing(
  trx: Trx,
  { handle, asset, asset_key }: Pick<ListingRow, 'handle' | 'asset' | 'asset_key'>,
  now: Date,
): Promise<void> {
  const token_key = assetKey(asset);
  await trx
    .insertInto('chain_listings')
    .values({ handle, token_key, lot: asset_key, touched_at: now, over_at: now, taking_since: null })
    .onConflict((oc) => oc.columns(['handle', 'token_key']).doUpdateSet({ over_at: now }))
    .execute();
}

/**
 * Claims rows to clean up: listings that are over, and listings that were started on chain but never made here. A row
 * stays claimed until {@link forgetChainListing}. When the process that claimed it has crashed, another may claim it.
 * @param quarantine the kind of the quarantine for rows that failed, by their {@link chainListingName}
 */
export async function takeChainListings(
  db: Database,
  { now, limit, quarantine }: { now: Date; limit: number; quarantine: string },
): Promise<(ChainListingRow & { token_id: bigint })[]> {
  const { rows } = await sql<ChainListingRow & { token_id: bigint }>`
    update chain_listings c set taking_since = ${now}
    where (c.handle, c.token_key) in (
      select o.handle, o.token_key from chain_listings o
      where o.over_at <= ${now}
        and not exists (select from quarantine q where q.kind = ${quarantine}
          and q.item = o.handle || ' ' || o.token_key and q.next_try_at > clock_timestamp())
        and (o.taking_since is null or o.taking_since < ${new Date(now.getTime() - TAKING_MS)})
        and not exists (select from listings l where l.handle = o.handle and l.asset_key = o.lot
          and l.status in ('unpaid', 'live', 'dealing'))
      order by o.touched_at limit ${limit} for update skip locked)
    returning c.*, (select a.token_id from agents a where a.handle = c.handle) as token_id`.execute(db);
  return rows;
}

/** The name of a row in the quarantine. */
export function chainListingName(row: Pick<ChainListingRow, 'handle' | 'token_key'>): string {
  return `${row.handle} ${row.token_key}`;
}

/** Deletes the row: the listing is no longer on chain. */
export async function forgetChainListing(db: Database, row: ChainListingRow): Promise<void> {
  await db
    .deleteFrom('chain_listings')
    .where('handle', '=', row.handle)
    .where('token_key', '=', row.token_key)
    .execute();
}

/** Releases the row, because the chain listing could not be removed now: the next run retries it. */
export async function leaveChainListing(db: Database, row: ChainListingRow): Promise<void> {
  await db
    .updateTable('chain_listings')
    .set({ taking_since: null })
    .where('handle', '=', row.handle)
    .where('token_key', '=', row.token_key)
    .execute();
}
