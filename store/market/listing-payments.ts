import { sql } from 'kysely';
import { run, type Statement, type Trx } from '../database.ts';
import { findListing, type ListingRow, placeListing } from './listings.ts';
import { lockLot, refreshLot } from './lots.ts';

/** What stands paid for a listing, by all payments for it together. */
export interface ListingPayments {
  /** Away: it was paid, and all that money is disputed or returned. None: nobody ever paid a fee for it. */
  readonly fee: 'none' | 'paid' | 'away';
  readonly featured: boolean;
}

interface PaymentRow {
  readonly places: boolean;
  readonly stands: boolean;
  /** Its money went after it had bought something; false where it was away when the payment was booked. */
  readonly went: boolean;
}

const PAYMENTS: Statement = {
  name: 'payments-of-listing',
  text: `
    select coalesce(details ->> 'featured', 'true') <> 'false' as places, suspended_at is null as stands,
      coalesce(suspended_at > paid_at, false) as went
    from checkouts
    where kind = 'listing' and paid_at is not null and details ->> 'listingRef' = $1 and status <> 'failed'`,
};

/** The caller holds the lock of the listing's lot. A payment that bought nothing counts for nothing. */
export async function paymentsOf(trx: Trx, listingRef: string): Promise<ListingPayments> {
  const rows = await run<PaymentRow>(trx, PAYMENTS, [listingRef]);
  const fees = rows.filter((row) => !row.places);
  const paid = fees.some((row) => row.stands) ? 'paid' : 'away';
  return {
    fee: fees.length === 0 ? 'none' : paid,
    featured: rows.some((row) => row.places && row.stands),
  };
}

/**
 * Puts a listing on the market when its fee was paid, or takes it off while that money is disputed or returned. An
 * unpaid listing ends after a day; a paid one lasts until `expiresAt`. The first payment makes it the newest of all; when
 * money comes back, or is paid anew, it keeps the place it had.
 * @param expiresAt null where money that was paid before goes or comes back
 * @param rests the money of a first payment is away already: the listing has its place and its end by it, and is shown when
 *   the money comes back
 * @returns `shown` when it is already on the market, `gone` when it has ended
 */
export async function payListing(
  trx: Trx,
  listingRef: string,
  {
    paid,
    expiresAt,
    now,
    rests = false,
  }: { paid: boolean; expiresAt: Date | null; now: Date; rests?: boolean },
): Promise<'done' | 'shown' | 'gone'> {
  const named = await findListing(trx, listingRef);
  if (named === null) return 'gone';
  await lockLot(trx, named.asset_key);
  const listing = (await findListing(trx, listingRef)) as ListingRow;
  if (listing.status === 'dealing') return 'shown';
  if (listing.status !== 'unpaid' && listing.status !== 'live') return 'gone';
  if ((listing.status === 'live') === paid) return 'shown';
  const sell = await trx
    .updateTable('orders')
    .set(expiresAt === null ? { created_at: sql`created_at` } : { expires_at: expiresAt })
    .where('listing_ref', '=', listingRef)
    .where('side', '=', 'sell')
    .where('status', '=', 'resting')
    .returning('owner')
    .executeTakeFirst();
  if (sell === undefined) return 'gone';
  // Before it is shown: whoever is told of the listing is told when it was listed.
  if (expiresAt !== null && !(await wasShown(trx, listingRef)))
    await sql`update listings set listed_at = ${now}, seq = default where listing_ref = ${listingRef}`.execute(
      trx,
    );
  if (rests) return 'done';
  await trx
    .updateTable('listings')
    .set({ status: paid ? 'live' : 'unpaid' })
    .where('listing_ref', '=', listingRef)
    .execute();
  const { asset_key: assetKey, ask } = listing;
  await refreshLot(trx, { assetKey, ask, seller: sell.owner, open: paid }, now);
  return 'done';
}

/**
 * Whether an unpaid listing was on the market before, by a fee that was taken back since. Its auction may be running, and
 * has the place of the listing as its own.
 */
async function wasShown(trx: Trx, listingRef: string): Promise<boolean> {
  const rows = await run<PaymentRow>(trx, PAYMENTS, [listingRef]);
  return rows.some((row) => !row.places && row.went);
}

/**
 * Shows and features a listing as its payments are, after the money of one of them went or came back: another one may
 * hold what that one held. A listing in a deal is shown again, or not, when its deal is undone.
 */
export async function reviewPayments(trx: Trx, listingRef: string, now: Date): Promise<void> {
  const listing = await findListing(trx, listingRef);
  if (listing === null) return;
  await lockLot(trx, listing.asset_key);
  const { fee, featured } = await paymentsOf(trx, listingRef);
  if (fee !== 'none') await payListing(trx, listingRef, { paid: fee === 'paid', expiresAt: null, now });
  await placeListing(trx, listingRef, featured);
}
