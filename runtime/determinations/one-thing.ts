import { type AssetInput, assetKey, normaliseAsset, parseAssetKey } from '../../agents/assets.ts';
import { badField } from '../../agents/errors.ts';
import { listingNamed } from '../../store/market/listings.ts';
import type { EvidenceDeps } from './deps.ts';
import { lotOf } from './evidence/lots.ts';

/** Of the facts of a tier request, those that name a thing. */
interface NamingFacts {
  readonly asset?: AssetInput;
  readonly subject?: AssetInput;
  readonly listingRef?: string;
  readonly lotRef?: string;
  readonly proposal?: { readonly asset?: AssetInput; readonly listingRef?: string };
}

/** A field of a tier request that names a thing, with the key under which it names it. */
interface Named {
  readonly field: string;
  readonly key: string;
}

/**
 * Requires that all facts of a tier request are about one thing, in any spelling: a certificate's token and its serial are
 * one. One signed answer about two things would pass off what was found of one as found of the other. Call it before
 * payment. A reference that leads to nothing here names no thing.
 * @throws AppError bad-request naming the field; unavailable when it cannot be read what one of two certificates is
 */
export async function requireOneThing(deps: EvidenceDeps, facts: NamingFacts): Promise<void> {
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
    asset === undefined ? [] : [{ field, key: assetKey(normaliseAsset(asset, field)) }],
  );
  const referred = await Promise.all(
    refs.map(async ({ field, ref }): Promise<Named[]> => {
      const key = ref === undefined ? null : await keyBehind(deps, ref);
      return key === null ? [] : [{ field, key }];
    }),
  );
  const named = [...spelled, ...referred.flat()];
  // What is spelled alike is one thing, whatever the chain says of it.
  if (new Set(named.map(({ key }) => key)).size <= 1) return;
  const lots: Named[] = [];
  for (const { field, key } of named)
    lots.push({ field, key: (await lotOf(deps, parseAssetKey(key, field))).key });
  const other = lots.find(({ key }) => key !== lots[0]!.key);
  if (other === undefined) return;
  throw badField(
    other.field,
    `names another thing than ${lots[0]!.field} does, and one answer is about one thing: ask about each by itself`,
  );
}

/** The thing that is, or was, listed under a reference, or whose key it is; null where it is neither. */
async function keyBehind({ db }: EvidenceDeps, ref: string): Promise<string | null> {
  const listing = await listingNamed(db, ref);
  if (listing !== null) return listing.asset_key;
  try {
    return assetKey(parseAssetKey(ref));
  } catch {
    return null;
  }
}
