import { type Asset, assetKey, normaliseAsset, SERIAL_KINDS } from '../../agents/assets.ts';
import type { Claim, PledgeCommon } from '../../agents/determinations/double-pledge.ts';
import type { Database } from '../../store/database.ts';

/** The live claims on an asset, under every key the same thing may have been written down by. */
export async function gatherPledges(
  db: Database,
  question: { asset: Asset; listingRef: string | null; handle: string | null; now: Date },
): Promise<PledgeCommon> {
  const { asset, listingRef, handle, now } = question;
  const key = assetKey(asset);
  const keys = spellings(asset);
  const [listings, pledges] = await Promise.all([
    db
      .selectFrom('listings')
      .select(['listing_ref', 'asset_key', 'handle', 'listed_at'])
      .where('asset_key', 'in', keys)
      .where('status', 'in', ['live', 'dealing'])
      .orderBy('listing_ref')
      .execute(),
    db
      .selectFrom('pledges')
      .select(['id', 'asset_key', 'listing_ref', 'wallet', 'lender', 'created_at', 'source'])
      .where('asset_key', 'in', keys)
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

/** A bare serial is recognised by form: the same digits may stand under another serial kind. */
function spellings(asset: Asset): string[] {
  if (asset.kind === 'token') return [assetKey(asset)];
  return [
    ...new Set(
      SERIAL_KINDS.map((kind) => assetKey(normaliseAsset({ serial: asset.serial, serialKind: kind }))),
    ),
  ];
}
