import type { Category } from '../../../agents/categories.ts';
import { badField } from '../../../agents/errors.ts';
import { parseUsd } from '../../../agents/money.ts';
import { type Name, readName } from '../../../agents/names/name.ts';
import type { ListingTerms } from '../list-asset.ts';

/** What names are traded as: mandates know them under this category. */
export const NAME_CATEGORY: Category = 'digital-products';

export interface NameListingRequest {
  readonly name: string;
  readonly askUsd: number | string;
  readonly gate?: 'deposit' | 'owner-signed';
}

/**
 * A name's listing as its body states it: at an ask, which is its price. It is listed like any serial, by its
 * certificate on chain and its owner's signed words.
 * @throws AppError bad-request naming the field
 */
export function readNameListing(request: NameListingRequest): ListingTerms & { readonly name: Name } {
  const name = readName(request.name);
  if (name.labels.length > 2) throw badField('name', 'must be label.tld, or a top-level name');
  const ask = parseUsd(request.askUsd, 'askUsd', 2);
  if (ask === 0n) throw badField('askUsd', 'must be more than nothing');
  return {
    name,
    asset: { kind: 'serial', serialKind: 'name', serial: name.name },
    description: `The name ${name.name}`,
    ask,
    floor: null,
    negotiable: false,
    category: NAME_CATEGORY,
    gate: request.gate ?? 'deposit',
    market: 'names',
  };
}
