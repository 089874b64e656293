import { type Selectable, sql } from 'kysely';
import { Refusal } from '../../agents/errors.ts';
import { isNameLot } from '../../agents/names/name.ts';
import { lockNamed } from '../advisory-locks.ts';
import { lotKeyOf } from '../certificates/certificates.ts';
import { refuseDisputed } from '../certificates/disputes.ts';
import type { Database, Trx } from '../database.ts';
import type { Tables } from '../tables.ts';
import { maybeSameThing, pledgedAs, sameThing } from './same-thing.ts';

export type PledgeRow = Selectable<Tables['pledges']>;

export interface NewPledge {
  readonly id: string;
  /** From `assetKey(normaliseAsset(…))`; a certificate's token is stored under its serial. */
  readonly assetKey: string;
  readonly listingRef: string;
  /** Lower case. */
  readonly wallet: string;
  readonly lender: string | null;
  /** When the debt is due; null: no day was said. A pledge ends when it is released, and not by its date. */
  readonly until: Date | null;
  readonly source: 'listing' | 'owner' | 'operator';
  /** False where nothing but a signed word says whose the asset is. */
  readonly proven: boolean;
  readonly now: Date;
}

/** The error of a second live pledge or listing: it names the first one, and the key under which that stands. */
export function doublePledge(
  assetKey: string,
  { listing_ref: listingRef, asset_key: as }: Pick<PledgeRow, 'listing_ref' | 'asset_key'>,
): Refusal {
  const otherwise =
    as === assetKey ? '' : ` as ${as}: one number is promised once, whoever is said to have made the thing`;
  return new Refusal(
    'double-pledge',
    `${assetKey} is already listed or pledged under "${listingRef}"${otherwise}.`,
    { extra: { asset: assetKey, listingRef } },
  );
}

/**
 * Records a pledge. The database allows one active pledge for each asset, even for simultaneous requests and in any
 * spelling.
 * @throws Refusal double-pledge naming the listing reference of the other, disputed
 */
export async function insertPledge(trx: Trx, pledge: NewPledge): Promise<PledgeRow> {
  if (!pledge.assetKey.startsWith('serial:')) await lockKey(trx, pledge.assetKey);
  const assetKey = await lotKeyOf(trx, pledge.assetKey);
  if (isNameLot(assetKey)) await lockKey(trx, assetKey);
  await refuseDisputed(trx, assetKey, pledge.now);
  // What the database's own rule cannot tell: the same number with less said about it, and a name by its token.
  const held = assetKey.startsWith('serial:') ? await livePledge(trx, assetKey) : null;
  if (held !== null) throw doublePledge(assetKey, held);
  // The other pledge may be released after the insert collided with it and before it is read; then the insert is tried
  // again.
  for (let attempt = 0; attempt < 3; attempt++) {
    const row = await trx
      .insertInto('pledges')
      .values({
        id: pledge.id,
        asset_key: assetKey,
        listing_ref: pledge.listingRef,
        wallet: pledge.wallet,
        lender: pledge.lender,
        until: pledge.until,
        source: pledge.source,
        proven: pledge.proven,
        created_at: pledge.now,
        released_at: null,
      })
      .onConflict((oc) =>
        oc.expression(sql`claim_key(asset_key)`).where('released_at', 'is', null).doNothing(),
      )
      .returningAll()
      .executeTakeFirst();
    if (row) return row;
    const other = await trx
      .selectFrom('pledges')
      .select(['listing_ref', 'asset_key'])
      .where(maybeSameThing(assetKey))
      .where('released_at', 'is', null)
      .executeTakeFirst();
    if (other) throw doublePledge(assetKey, other);
  }
  throw new Refusal('conflict', 'The pledge of this asset changed while it was read: try again.');
}

/**
 * What was pledged by a token before it was known for what it stands for is pledged of that, unless something stands there
 * already: then both stand.
 */
export async function adoptPledges(
  trx: Trx,
  { assetKey, tokenKey }: { readonly assetKey: string; readonly tokenKey: string },
): Promise<void> {
  await lockKey(trx, tokenKey);
  await lockKey(trx, assetKey);
  const standing = await trx
    .selectFrom('pledges')
    .select('id')
    .where(sameThing(assetKey))
    .where('released_at', 'is', null)
    .executeTakeFirst();
  if (standing) return;
  await trx
    .updateTable('pledges')
    .set({ asset_key: assetKey })
    .where('asset_key', '=', tokenKey)
    .where('released_at', 'is', null)
    .execute();
}

/**
 * One at a time pledges by a key, or says what it stands for: no index sees a pledge of a token and one of its name as two
 * of one thing. A token's key is locked before its name's.
 */
const lockKey = (trx: Trx, key: string): Promise<void> => lockNamed(trx, `pledge:${key}`);

/**
 * The pledge that holds an asset, if any, in any spelling; a proven one before others. Its date ends none: only its release
 * does.
 */
export async function livePledge(db: Database | Trx, assetKey: string): Promise<PledgeRow | null> {
  const row = await db
    .selectFrom('pledges')
    .selectAll()
    .where(pledgedAs(await lotKeyOf(db, assetKey)))
    .where('released_at', 'is', null)
    .orderBy('proven', 'desc')
    .executeTakeFirst();
  return row ?? null;
}

export async function findPledge(db: Database | Trx, id: string): Promise<PledgeRow | null> {
  const row = await db.selectFrom('pledges').selectAll().where('id', '=', id).executeTakeFirst();
  return row ?? null;
}

/**
 * Ends a pledge. False when it had ended already.
 * @throws Refusal conflict for the pledge of a listing, which ends with the listing
 */
export async function releasePledge(trx: Trx, id: string, now: Date): Promise<boolean> {
  const pledge = await findPledge(trx, id);
  if (!pledge) throw new Refusal('not-found', `There is no pledge "${id}".`);
  if (pledge.source === 'listing' && pledge.released_at === null) {
    throw new Refusal(
      'conflict',
      `This pledge belongs to the listing "${pledge.listing_ref}": cancel its order.`,
    );
  }
  const { numUpdatedRows } = await trx
    .updateTable('pledges')
    .set({ released_at: now })
    .where('id', '=', id)
    .where('released_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/**
 * Ends the pledges of a thing that stand on the word of its certificate alone, once a decided dispute has made that void: who
 * never had the thing cannot have pledged it. What is proved by a chain, or by the operator, stays.
 * @param by whose pledges end, lower case, where another certificate of the thing stands in other hands; null: everybody's
 */
export async function releaseDisputedPledges(
  trx: Trx,
  assetKey: string,
  now: Date,
  by: readonly string[] | null,
): Promise<void> {
  let pledges = trx
    .updateTable('pledges')
    .set({ released_at: now })
    .where(sameThing(await lotKeyOf(trx, assetKey)))
    .where('proven', '=', false)
    .where('released_at', 'is', null);
  if (by !== null) pledges = pledges.where('wallet', 'in', by.length === 0 ? [''] : by);
  await pledges.execute();
}
