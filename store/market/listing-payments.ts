import { run, type Statement, type Trx } from '../database.ts';
import { findListing, payListing, placeListing } from './listings.ts';
import { lockLot } from './lots.ts';

/** What stands paid for a listing, by all payments for it together. */
export interface ListingPayments {
  /** Away: it was paid, and all that money is disputed or returned. None: nobody ever paid a fee for it. */
  readonly fee: 'none' | 'paid' | 'away';
  readonly featured: boolean;
}

const PAYMENTS: Statement = {
  name: 'payments-of-listing',
  text: `
    select coalesce(details ->> 'featured', 'true') <> 'false' as places, suspended_at is null as stands
    from checkouts
    where kind = 'listing' and paid_at is not null and details ->> 'listingRef' = $1 and status <> 'failed'`,
};

/** The caller holds the lock of the listing's lot. A payment that bought nothing counts for nothing. */
export async function paymentsOf(trx: Trx, listingRef: string): Promise<ListingPayments> {
  const rows = await run<{ places: boolean; stands: boolean }>(trx, PAYMENTS, [listingRef]);
  const fees = rows.filter((row) => !row.places);
  const paid = fees.some((row) => row.stands) ? 'paid' : 'away';
  return {
    fee: fees.length === 0 ? 'none' : paid,
    featured: rows.some((row) => row.places && row.stands),
  };
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
