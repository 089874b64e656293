import type { Trx } from '../database.ts';
import { standingListingOf } from './listings.ts';
import { lockLot } from './lots.ts';
import { adoptPledges } from './pledges.ts';
import { sameThing } from './same-thing.ts';
import { closeListing } from './withdrawals.ts';

interface Proof {
  readonly assetKey: string;
  readonly tokenKey: string;
  readonly by: readonly string[];
  readonly now: Date;
}

/**
 * Ends what stands on nothing but somebody's word where another proves that the thing is his: an unproven listing and
 * an unproven pledge. One in a deal is left to its deal, and a proven one stands, as does what the one who proves it has
 * himself pledged to a lender: that ends by its lender's release. With these the proof collides.
 * @param assetKey of the lot
 * @param tokenKey of the token that proves it: what was pledged by that token before it had a name is of the same lot
 * @param by the wallets and the account of whom it proves, lower case
 * @returns the listing that ended, null where none did
 */
export async function displaceClaim(
  trx: Trx,
  { assetKey, tokenKey, by, now }: Proof,
): Promise<string | null> {
  await lockLot(trx, assetKey);
  const listing = await standingListingOf(trx, assetKey);
  const ends = listing !== null && !listing.proven && listing.status !== 'dealing';
  if (ends) await closeListing(trx, listing, 'dropped', now);
  await trx
    .updateTable('pledges')
    .set({ released_at: now })
    .where(sameThing(assetKey))
    .where('released_at', 'is', null)
    .where('proven', '=', false)
    .where('source', '<>', 'listing')
    .where((pledge) => pledge.or([pledge('lender', 'is', null), pledge('wallet', 'not in', by)]))
    .execute();
  await adoptPledges(trx, { assetKey, tokenKey });
  return ends ? listing.listing_ref : null;
}
