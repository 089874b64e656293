import { type Asset, assetKey } from '../../agents/assets.ts';
import type { Claim, PledgeCommon } from '../../agents/determinations/double-pledge.ts';
import { lotKeyOf } from '../../store/certificates.ts';
import type { Database } from '../../store/database.ts';
import { sameThing } from '../../store/pledges.ts';

/**
 * The live claims on an asset, under every key the same thing may have been written down by. A certificate is known by
 * the serial it stands for: resolve it with `lotOf` first where it may be new here.
 */
export async function gatherPledges(
  db: Database,
  question: { asset: Asset; listingRef: string | null; handle: string | null; now: Date },
): Promise<PledgeCommon> {
  const { asset, listingRef, handle, now } = question;
  const key = await lotKeyOf(db, assetKey(asset));
  const [listings, pledges] = await Promise.all([
    db
      .selectFrom('listings')
      .select(['listing_ref', 'asset_key', 'handle', 'listed_at'])
      .where(sameThing(key))
      .where('status', 'in', ['live', 'dealing'])
      .orderBy('listing_ref')
      .execute(),
    db
      .selectFrom('pledges')
      .select(['id', 'asset_key', 'listing_ref', 'wallet', 'lender', 'created_at', 'source'])
      .where(sameThing(key))
      .where('released_at', 'is', null)
      .where((eb) => eb.or([eb('until', 'is', null), eb('until', '>', now)]))
      .orderBy('id')
      .execute(),
  ]);
  const claims: Claim[] = [
    ...listings.map((l) => ({
      id: l.listing_ref,
      kind: 'listing' as const,
      listingRef: l.listing_ref,
      holder: l.handle,
      lender: null,
      since: l.listed_at.toISOString(),
      sameKey: l.asset_key === key,
    })),
    // A listing's own pledge is the listing, already counted above.
    ...pledges
      .filter((p) => p.source !== 'listing' || !listings.some((l) => l.listing_ref === p.listing_ref))
      .map((p) => ({
        id: p.id,
        kind: 'pledge' as const,
        listingRef: p.listing_ref,
        holder: p.wallet,
        lender: p.lender,
        since: p.created_at.toISOString(),
        sameKey: p.asset_key === key,
      })),
  ];
  return { assetKey: key, listingRef, handle, claims };
}
