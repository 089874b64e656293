import { type AssetInput, normaliseAsset } from '../../agents/assets.ts';
import type { Category } from '../../agents/categories.ts';
import { badField } from '../../agents/errors.ts';
import type { Attributes } from '../../agents/market/pricing/model/attributes.ts';
import { comparedWith } from '../../agents/market/pricing/model/compare-attributes.ts';
import { parseUsd } from '../../agents/money.ts';
import { lotKeyOf } from '../../store/certificates/certificates.ts';
import { type ListingRow, liveListingOf } from '../../store/market/listings.ts';
import type { EvidenceDeps } from './deps.ts';
import type { Named, NamingFacts } from './one-thing.ts';

/** Of the facts of a tier request, those that say which deal it is about. */
interface DealFacts extends NamingFacts {
  readonly priceUsd?: number | string;
  readonly attributes?: Attributes;
  readonly proposal?: NamingFacts['proposal'] & {
    readonly category: Category;
    readonly priceUsd: number | string;
    readonly chainId?: number;
  };
}

/** What a field of a tier request states. */
interface Stated<T> {
  readonly field: string;
  readonly value: T;
}

/**
 * Requires that a tier request tells of one deal: one category, which it pays for, one price, one chain, and of the thing
 * nothing else than its seller signed. Call it before payment, and not where a question of a record is asked again: its thing may have been listed anew since.
 * @param category the category of the path
 * @param named the fields that name the thing, as `requireOneThing` found them
 * @throws AppError bad-request naming the field
 */
export async function requireOneDeal(
  deps: EvidenceDeps,
  category: Category,
  facts: DealFacts,
  named: readonly Named[],
): Promise<void> {
  const { proposal } = facts;
  if (proposal !== undefined && proposal.category !== category)
    throw badField('proposal.category', otherCategory(proposal.category, category));
  requireOnePrice(facts);
  const listings = await listingsOf(deps, named);
  const other = listings.find(({ value }) => value.category !== category);
  if (other !== undefined)
    throw badField(other.field, `is listed, and ${otherCategory(other.value.category, category)}`);
  for (const { value } of listings) requireAsListed(value, facts.attributes ?? {});
  if (proposal !== undefined) requireOneChain(facts, listings);
}

function otherCategory(own: string, path: string): string {
  return `is of the category ${own}, and the path of ${path}: ask under the path of ${own}`;
}

function requireOnePrice({ priceUsd, proposal }: DealFacts): void {
  if (priceUsd === undefined || proposal === undefined) return;
  if (parseUsd(priceUsd, 'priceUsd') === parseUsd(proposal.priceUsd, 'proposal.priceUsd')) return;
  throw badField(
    'proposal.priceUsd',
    'is another price than priceUsd, and one answer is about one deal: give the same twice, or ask about each by itself',
  );
}

function requireAsListed({ listing_ref: ref, attributes: listed }: ListingRow, asked: Attributes): void {
  const [other] = comparedWith(listed ?? {}, asked).contradicted;
  if (other === undefined) return;
  throw badField(
    `attributes.${other}`,
    `is told otherwise by the listing ${ref}, which its seller signed: leave it out to ask about the thing as it is listed`,
  );
}

function requireOneChain(facts: DealFacts, listings: readonly Stated<ListingRow>[]): void {
  const ofListings = listings.map(({ field, value }) => ({
    field,
    value: Number(value.chain.split(':')[1]),
  }));
  const chainId = facts.proposal?.chainId;
  const own = chainId === undefined ? [] : [{ field: 'proposal.chainId', value: chainId }];
  const [first, ...others] = [...chainsOfAssets(facts), ...ofListings, ...own];
  const other = others.find(({ value }) => value !== first!.value);
  if (other === undefined) return;
  throw badField(
    other.field,
    `is of chain ${other.value}, and ${first!.field} of chain ${first!.value}: name the chain of the deal in both`,
  );
}

/** The chain that the facts state for the deal; null where they state none. */
export function chainStated(facts: DealFacts): number | null {
  const own = facts.proposal?.chainId ?? facts.proposal?.asset?.chainId;
  return own ?? chainsOfAssets(facts)[0]?.value ?? null;
}

function chainsOfAssets({ asset, subject, proposal }: NamingFacts): Stated<number>[] {
  return [
    ...chainOf('asset', asset),
    ...chainOf('subject', subject),
    ...chainOf('proposal.asset', proposal?.asset),
  ];
}

/** The chain of a token, or what is said of a serial's. */
function chainOf(field: string, input: AssetInput | undefined): Stated<number>[] {
  if (input === undefined) return [];
  const asset = normaliseAsset(input, field);
  const value = asset.kind === 'token' ? asset.chainId : input.chainId;
  return value === undefined ? [] : [{ field, value }];
}

/**
 * The listings under which the things that are named are for sale now; where they are not, those that are named. What a
 * listing of before says binds nobody who asks about the thing as it is listed now, nor gets round that.
 */
async function listingsOf({ db }: EvidenceDeps, named: readonly Named[]): Promise<Stated<ListingRow>[]> {
  const found = await Promise.all(
    named.map(async ({ field, key, listing }): Promise<Stated<ListingRow>[]> => {
      const value = (await liveListingOf(db, await lotKeyOf(db, key))) ?? listing;
      return value === null ? [] : [{ field, value }];
    }),
  );
  return found.flat();
}
