import type { PriceCommon } from '../../../../agents/determinations/price/price-evidence.ts';
import { type Attributes, attributeName } from '../../../../agents/market/pricing/model/attributes.ts';
import { comparedWith } from '../../../../agents/market/pricing/model/compare-attributes.ts';
import { marketOf } from '../../../../agents/market/pricing/valuation.ts';
import { formatUsd, type Micro } from '../../../../agents/money.ts';
import type { Database } from '../../../../store/database.ts';
import { attributesOf } from '../../../../store/market/listings.ts';
import { listsOf } from '../../../../store/registers/registers.ts';
import { attributesFor } from './past-sales.ts';
import { evidenceNow, type SalesQuestion } from './shared-sales.ts';

export interface PriceQuestion extends Omit<SalesQuestion, 'attributes'> {
  /** What the asker tells of the thing, beside what its listing tells. */
  readonly attributes?: Attributes;
}

/** The sales to weigh for a lot, and those that are set aside, with the reason. */
async function gatherComparables(
  db: Database,
  question: PriceQuestion,
): Promise<Required<Pick<PriceCommon, 'subject' | 'comparables' | 'leftOut'>>> {
  const evidence = await evidenceNow(db, [question.category]);
  return { subject: question.lot, ...(await evidence.sales(question)) };
}

async function listedOf(db: Database, lot: string | null): Promise<Attributes | null> {
  return lot === null ? null : await attributesOf(db, lot);
}

/** What is told of a lot, and which of it only the asker tells. What a listing of before told, the asker may tell anew. */
async function toldWith(
  db: Database,
  lot: string | null,
  asker: Attributes,
): Promise<Pick<PriceCommon, 'attributes' | 'askersWord'>> {
  const listed = await listedOf(db, lot);
  const { contradicted, untold } = comparedWith(listed ?? {}, asker);
  const anew = new Set(contradicted.map(attributeName));
  const kept = Object.entries(listed ?? {}).filter(([name]) => !anew.has(attributeName(name)));
  const attributes = attributesFor(lot, { ...Object.fromEntries(kept), ...asker });
  const askersWord = [...contradicted, ...untold];
  return {
    ...(attributes === null ? {} : { attributes }),
    ...(attributes === null || askersWord.length === 0 ? {} : { askersWord }),
  };
}

/** The evidence for the determination of a price. */
export async function gatherPrice(
  db: Database,
  question: PriceQuestion & { readonly price: Micro },
): Promise<PriceCommon> {
  const told = await toldWith(db, question.lot, question.attributes ?? {});
  const { attributes } = told;
  const asked = attributes === undefined ? question : { ...question, attributes };
  const [found, lists] = await Promise.all([gatherComparables(db, asked), listsOf(db, 'comparables')]);
  return {
    pricing: 2,
    ...told,
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
