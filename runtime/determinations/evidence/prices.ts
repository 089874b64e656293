import { parseAssetKey } from '../../../agents/assets.ts';
import type { Category } from '../../../agents/categories.ts';
import type { PriceCommon } from '../../../agents/determinations/price/price-evidence.ts';
import { kindPrefix, reachDays } from '../../../agents/market/pricing/comparables.ts';
import type { Attributes } from '../../../agents/market/pricing/model/attributes.ts';
import { marketOf } from '../../../agents/market/pricing/valuation.ts';
import { formatUsd, type Micro } from '../../../agents/money.ts';
import type { Database } from '../../../store/database.ts';
import { importedSales, settledSales } from '../../../store/market/comparables.ts';
import { attributesOf } from '../../../store/market/listings.ts';
import { listsOf } from '../../../store/registers/registers.ts';
import { attributesFor, importedPast, nearestSales, newestFirst, seenBy, settledPast } from './past-sales.ts';

export interface PriceQuestion {
  readonly category: Category;
  /** The lot's key; null when only the category is known. */
  readonly lot: string | null;
  /** Lower-case wallets of the two sides of the deal; their own trades do not count. */
  readonly parties: readonly string[];
  /** What the asker tells of the thing, over what its listing tells. */
  readonly attributes?: Attributes;
  readonly now: Date;
}

/** How many sales are read of each source. */
export const MOST_READ = 2_000;

/** The sales to weigh for a lot, and those that are set aside, with the reason. */
export async function gatherComparables(
  db: Database,
  { category, lot, parties, now, attributes }: PriceQuestion,
): Promise<Required<Pick<PriceCommon, 'subject' | 'comparables' | 'leftOut'>>> {
  const since = new Date(now.getTime() - reachDays(category) * 86_400_000);
  const prefix = lot === null ? null : kindPrefix(parseAssetKey(lot));
  const [settled, imported] = await Promise.all([
    settledSales(db, { category, since, prefix, limit: MOST_READ }),
    importedSales(db, { category, since, limit: MOST_READ }),
  ]);
  const past = newestFirst([...settledPast(settled), ...importedPast(imported, category)]);
  const nearest = nearestSales(past, lot, attributes ?? null);
  return { subject: lot, comparables: seenBy(parties, nearest), leftOut: nearest.leftOut };
}

/** What its listing tells of a lot, what the asker tells over that, and its VIN; null where nothing tells a price. */
export async function toldOf(
  db: Database,
  lot: string | null,
  asker: Attributes | undefined = undefined,
): Promise<Attributes | null> {
  const listed = lot === null ? null : await attributesOf(db, lot);
  return attributesFor(lot, { ...listed, ...asker });
}

/** The evidence for the determination of a price. */
export async function gatherPrice(
  db: Database,
  question: PriceQuestion & { readonly price: Micro },
): Promise<PriceCommon> {
  const attributes = await toldOf(db, question.lot, question.attributes);
  const asked = attributes === null ? question : { ...question, attributes };
  const [found, lists] = await Promise.all([gatherComparables(db, asked), listsOf(db, 'comparables')]);
  return {
    pricing: 2,
    ...(attributes === null ? {} : { attributes }),
    priceUsd: formatUsd(question.price),
    category: question.category,
    ...found,
    lists: lists.map((l) => ({ name: `comparables/${l.source}`, asOf: l.asOf.toISOString(), rows: l.rows })),
  };
}

/**
 * The evidence for the determination of a deal's price: sales of the lot itself and of its kind. If only the whole
 * category has enough sales, the price is not compared with quite different goods and cannot be judged.
 */
export async function gatherDealPrice(
  db: Database,
  question: PriceQuestion & { readonly price: Micro },
): Promise<PriceCommon> {
  const found = await gatherPrice(db, question);
  const { comparables = [], leftOut = 0 } = found;
  // With attributes, sales of the category tell by theirs what the thing is worth.
  return found.attributes === undefined
    ? { ...found, ...nearOnly(question, { comparables, leftOut }) }
    : found;
}

/** Leaves out the sales of a whole category, unless nearer ones already make the market. */
export function nearOnly(
  { category, now }: Pick<PriceQuestion, 'category' | 'now'>,
  { comparables, leftOut }: Required<Pick<PriceCommon, 'comparables' | 'leftOut'>>,
): Required<Pick<PriceCommon, 'comparables' | 'leftOut'>> {
  const market = marketOf(comparables, category, now.toISOString());
  if (market?.similarity !== 'same-category') return { comparables, leftOut };
  const near = comparables.filter((c) => c.similarity !== 'same-category');
  return { comparables: near, leftOut: leftOut + comparables.length - near.length };
}
