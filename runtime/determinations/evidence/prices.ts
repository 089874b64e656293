import { parseAssetKey } from '../../../agents/assets.ts';
import type { Category } from '../../../agents/categories.ts';
import type { PriceCommon } from '../../../agents/determinations/price/price-evidence.ts';
import { kindPrefix, reachDays } from '../../../agents/market/pricing/comparables.ts';
import { marketOf } from '../../../agents/market/pricing/valuation.ts';
import { formatUsd, type Micro } from '../../../agents/money.ts';
import type { Database } from '../../../store/database.ts';
import {
  type ImportedSale,
  importedSales,
  type SettledSale,
  settledSales,
} from '../../../store/market/comparables.ts';
import { listsOf } from '../../../store/registers/registers.ts';
import { importedPast, nearestSales, newestFirst, seenBy, settledPast } from './past-sales.ts';

export interface PriceQuestion {
  readonly category: Category;
  /** The lot's key; null when only the category is known. */
  readonly lot: string | null;
  /** Lower-case wallets of the two sides of the deal; their own trades do not count. */
  readonly parties: readonly string[];
  readonly now: Date;
}

/** How many sales are read of each source. */
export const MOST_READ = 2_000;

/** Reads each list of sales once, however often it is asked for: for the lots that one evaluation values at one time. */
export interface SalesReader {
  settled(query: Parameters<typeof settledSales>[1]): ReturnType<typeof settledSales>;
  imported(query: Parameters<typeof importedSales>[1]): ReturnType<typeof importedSales>;
}

export function salesReader(db: Database): SalesReader {
  const asked = new Map<string, Promise<unknown>>();
  const once = <T>(name: string, query: object, read: () => Promise<T>): Promise<T> => {
    const key = `${name} ${JSON.stringify(query)}`;
    const known = asked.get(key) ?? read();
    asked.set(key, known);
    return known as Promise<T>;
  };
  return {
    settled: (query) => once('settled', query, () => settledSales(db, query)),
    imported: (query) => once('imported', query, () => importedSales(db, query)),
  };
}

/** The sales that are read for a lot, whoever asks. */
export async function readSales(
  sales: SalesReader,
  { category, lot, now }: Omit<PriceQuestion, 'parties'>,
): Promise<{ readonly settled: readonly SettledSale[]; readonly imported: readonly ImportedSale[] }> {
  const since = new Date(now.getTime() - reachDays(category) * 86_400_000);
  const prefix = lot === null ? null : kindPrefix(parseAssetKey(lot));
  const [settled, imported] = await Promise.all([
    sales.settled({ category, since, prefix, limit: MOST_READ }),
    sales.imported({ category, since, limit: MOST_READ }),
  ]);
  return { settled, imported };
}

/** The sales to weigh for a lot, and those that are set aside, with the reason. */
export async function gatherComparables(
  sales: SalesReader,
  question: PriceQuestion,
): Promise<Required<Pick<PriceCommon, 'subject' | 'comparables' | 'leftOut'>>> {
  const { category, lot, parties } = question;
  const { settled, imported } = await readSales(sales, question);
  const past = newestFirst([...settledPast(settled), ...importedPast(imported, category)]);
  const nearest = nearestSales(past, lot);
  return { subject: lot, comparables: seenBy(parties, nearest), leftOut: nearest.leftOut };
}

/** The evidence for the determination of a price. */
export async function gatherPrice(
  db: Database,
  question: PriceQuestion & { readonly price: Micro },
): Promise<PriceCommon> {
  const [found, lists] = await Promise.all([
    gatherComparables(salesReader(db), question),
    listsOf(db, 'comparables'),
  ]);
  return {
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
  return { ...found, ...nearOnly(question, { comparables, leftOut }) };
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
