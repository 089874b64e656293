import type { Asset } from '../../agents/assets.ts';
import type { Category } from '../../agents/categories.ts';
import { badField } from '../../agents/errors.ts';
import { parseUsd } from '../../agents/money.ts';
import { type Name, readName } from '../../agents/names/name.ts';
import type { SignedText } from '../../chain/clients/asset-listings.ts';
import type { LiveAgent } from '../agent/public.ts';
import { type Listed, type ListingTerms, listAsset } from '../market/public.ts';
import type { LastCall, Services } from '../services.ts';
import { keepNameToken, nameAsset } from './name-asset.ts';

/** The category under which mandates allow trading in names. */
export const NAME_CATEGORY: Category = 'digital-products';

export interface NameListingRequest {
  readonly name: string;
  readonly askUsd: number | string;
  readonly gate?: 'deposit' | 'owner-signed';
}

/** A listing of a name as its body states it. Which token stands for the name, the chain says. */
export type NameListingTerms = Omit<ListingTerms, 'asset'> & { readonly name: Name };

/**
 * Reads a request to list a name at an ask, which is its price. A name is listed like any asset: by its token on chain
 * and its owner's signed statement.
 * @throws AppError bad-request that names the field
 */
export function readNameListing(request: NameListingRequest): NameListingTerms {
  const name = readName(request.name);
  if (name.labels.length > 2) throw badField('name', 'must be label.tld, or a top-level name');
  const ask = parseUsd(request.askUsd, 'askUsd', 2);
  if (ask === 0n) throw badField('askUsd', 'must be more than nothing');
  return {
    name,
    description: `The name ${name.name}`,
    ask,
    attributes: null,
    floor: null,
    negotiable: false,
    category: NAME_CATEGORY,
    gate: request.gate ?? 'deposit',
    market: 'names',
  };
}

/** The terms with what stands for the name on chain now. @throws AppError unavailable */
export async function withNameAsset<T extends NameListingTerms>(
  services: Services,
  terms: T,
): Promise<T & { readonly asset: Asset }> {
  return { ...terms, asset: await nameAsset(services, terms.name) };
}

/**
 * Does what {@link listAsset} does, and lists it under the name, whichever token stands for it.
 * @param terms as {@link withNameAsset} gives them
 * @throws AppError as that does
 */
export async function listName(
  services: Services,
  live: LiveAgent,
  terms: NameListingTerms & { readonly asset: Asset; readonly words: SignedText },
  lastCall: LastCall,
): Promise<Listed> {
  const { name, ...listing } = terms;
  if (listing.asset.kind === 'token') await keepNameToken(services, name, listing.asset);
  const listed = await listAsset(services, live, listing, lastCall);
  return listing.asset.kind === 'token' ? { ...listed, certificate: null } : listed;
}
