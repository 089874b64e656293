import { type AssetInput, assetKey, normaliseAsset, parseAssetKey } from '../../agents/assets.ts';
import { badField } from '../../agents/errors.ts';
import { type ListingRow, listingNamed } from '../../store/market/listings.ts';
import type { EvidenceDeps } from './deps.ts';
import { lotOf } from './evidence/lots.ts';

/** Of the facts of a tier request, those that name a thing. */
export interface NamingFacts {
  readonly asset?: AssetInput;
  readonly subject?: AssetInput;
  readonly listingRef?: string;
  readonly lotRef?: string;
  readonly proposal?: { readonly asset?: AssetInput; readonly listingRef?: string };
}

/** A field of a tier request that names a thing, with the key under which it names it. */
export interface Named {
  readonly field: string;
  readonly key: string;
  /** The listing that the field names; null where it names the thing itself. */
  readonly listing: ListingRow | null;
}

/**
 * Requires that all facts of a tier request are about one thing, in any spelling: a certificate's token and its serial are
 * one. One signed answer about two things would pass off what was found of one as found of the other. Call it before
 * payment. A reference that leads to nothing here names no thing.
 * @returns every field that names it
 * @throws AppError bad-request naming the field; unavailable when it cannot be read what one of two certificates is
 */
export async function requireOneThing(deps: EvidenceDeps, facts: NamingFacts): Promise<readonly Named[]> {
  const named = await thingsNamed(deps, facts);
  // What is spelled alike is one thing, whatever the chain says of it.
  if (new Set(named.map(({ key }) => key)).size <= 1) return named;
  const lots: Pick<Named, 'field' | 'key'>[] = [];
  for (const { field, key } of named)
    lots.push({ field, key: (await lotOf(deps, parseAssetKey(key, field))).key });
  const other = lots.find(({ key }) => key !== lots[0]!.key);
  if (other === undefined) return named;
  throw badField(
    other.field,
    `names another thing than ${lots[0]!.field} does, and one answer is about one thing: ask about each by itself`,
  );
}

/** Every field that names a thing, the assets first. @throws AppError bad-request naming an asset that cannot be read */
export async function thingsNamed(deps: EvidenceDeps, facts: NamingFacts): Promise<readonly Named[]> {
  const { proposal } = facts;
  const assets = [
    { field: 'asset', asset: facts.asset },
    { field: 'subject', asset: facts.subject },
    { field: 'proposal.asset', asset: proposal?.asset },
  ];
  const refs = [
    { field: 'listingRef', ref: facts.listingRef },
    { field: 'proposal.listingRef', ref: proposal?.listingRef },
    { field: 'lotRef', ref: facts.lotRef },
  ];
  const spelled = assets.flatMap(({ field, asset }): Named[] =>
    asset === undefined ? [] : [{ field, key: assetKey(normaliseAsset(asset, field)), listing: null }],
  );
  const referred = await Promise.all(
    refs.map(async ({ field, ref }): Promise<Named[]> => {
      const found = ref === undefined ? null : await behind(deps, ref);
      return found === null ? [] : [{ field, ...found }];
    }),
  );
  return [...spelled, ...referred.flat()];
}

/** The thing that is, or was, listed under a reference, or whose key it is; null where it is neither. */
async function behind({ db }: EvidenceDeps, ref: string): Promise<Pick<Named, 'key' | 'listing'> | null> {
  const listing = await listingNamed(db, ref);
  if (listing !== null) return { key: listing.asset_key, listing };
  try {
    return { key: assetKey(parseAssetKey(ref)), listing: null };
  } catch {
    return null;
  }
}
