import type { Category } from '../../../../agents/categories.ts';
import type { Comparable } from '../../../../agents/market/pricing/comparables.ts';
import type { Attributes } from '../../../../agents/market/pricing/model/attributes.ts';
import { type Worth, worthOf } from '../../../../agents/market/pricing/worth.ts';
import type { Database } from '../../../../store/database.ts';
import { salesVersions } from '../../../../store/market/comparables.ts';
import { behindOnce } from '../../../../store/read-once.ts';
import { BoundedMap } from '../../../bounded-map.ts';
import { CategorySales } from './category-sales.ts';
import { type NearestSales, nearestSales, type PastSale, seenBy } from './past-sales.ts';

/** How many lots' nearest sales are kept of a category. */
const MOST_LOTS = 2_000;
/** Among the same sales, what a thing is worth changes by their age alone, of which so much changes nothing. */
const WORTH_LASTS_MS = 600_000;

/** Whether what was found of some sales, from so many milliseconds on, still says what they are worth. */
export function isLasting(fromMs: number, now: Date): boolean {
  const age = now.getTime() - fromMs;
  return age >= 0 && age < WORTH_LASTS_MS;
}

/** Whose price is asked for. */
export interface SalesQuestion {
  readonly category: Category;
  /** The lot's key; null when only the category is known. */
  readonly lot: string | null;
  /** Lower-case wallets of the two sides of the deal; their own trades do not count. */
  readonly parties: readonly string[];
  /** What is told of the lot; sales of things alike are then nearer than others of its category. */
  readonly attributes?: Attributes | null;
  readonly now: Date;
}

/** The sales to weigh for a lot, those that are set aside, and how many more there are. */
interface SalesSeen {
  readonly comparables: readonly Comparable[];
  readonly leftOut: number;
}

/**
 * Of a category. All of it is forgotten with the sales that it was found among: else a lot that is sold, and never asked
 * for again, would keep the whole list that it was last compared with, one list for each sale.
 */
interface Shared {
  readonly sales: CategorySales;
  /** By lot, with the sales that they are the nearest of. */
  readonly lots: Map<string, { readonly of: readonly PastSale[]; readonly nearest: NearestSales }>;
  /** By lot and the sales that do not count, with the sales that it follows from, and from when on, milliseconds. */
  readonly worths: Map<string, { readonly of: NearestSales; readonly fromMs: number; readonly worth: Worth }>;
}

interface SalesNow {
  sales(question: SalesQuestion): Promise<SalesSeen>;
  /** The sales to weigh alone. */
  comparables(question: SalesQuestion): Promise<readonly Comparable[]>;
  /** What these sales say that a lot is worth; of each lot, and of the sales that count, it is worked out once. */
  worth(question: SalesQuestion): Promise<Worth>;
}

const SHARED = new WeakMap<Database, Map<Category, Shared>>();
/** What was found at one moment, by the database that is read once. */
const MOMENTS = new WeakMap<Database, Map<string, Promise<NearestSales>>>();

/**
 * The past sales as they are now, for whoever values lots of these categories. The sales of a category, and those nearest
 * to a lot, are read and compared once for each version that the database has of them, whoever asks. The version is read
 * here, before any of them, so that sales of an earlier version are never shown. Through a database that is read once, a
 * lot has the same sales however often it is asked for.
 */
export async function evidenceNow(db: Database, categories: readonly Category[]): Promise<SalesNow> {
  const versions = categories.length === 0 ? new Map() : await salesVersions(db, categories);
  const behind = behindOnce(db);
  const shared = (category: Category): Shared => sharedBy(behind ?? db, category);
  const moment = behind === null ? null : momentOf(db);

  const nearestTo = async ({ category, lot, now, attributes = null }: SalesQuestion) => {
    const version = versions.get(category);
    if (version === undefined) throw new Error(`the version of the sales of ${category} was not read`);
    const { sales, lots } = shared(category);
    const of = await sales.at(version, lot, now);
    const key = keyOf({ lot, attributes });
    const known = lots.get(key);
    if (known?.of === of) return known.nearest;
    const nearest = nearestSales(of, lot, attributes);
    lots.set(key, { of, nearest });
    return nearest;
  };

  const nearestNow = (question: SalesQuestion): Promise<NearestSales> => {
    const key = `${question.category} ${keyOf(question)} ${question.now.getTime()}`;
    const nearest = moment?.get(key) ?? nearestTo(question);
    moment?.set(key, nearest);
    return nearest;
  };
  return {
    async sales(question) {
      const nearest = await nearestNow(question);
      return { comparables: seenBy(question.parties, nearest), leftOut: nearest.leftOut };
    },
    comparables: async (question) => seenBy(question.parties, await nearestNow(question)),
    async worth(question) {
      const { category, parties, now, attributes = null } = question;
      const of = await nearestNow(question);
      const comparables = seenBy(parties, of);
      const own = comparables.filter(({ dropped }) => dropped === 'party').map(({ id }) => id);
      const key = `${keyOf(question)} ${own.join(' ')}`;
      const { worths } = shared(category);
      const known = worths.get(key);
      if (known?.of === of && isLasting(known.fromMs, now)) return known.worth;
      const worth = worthOf({ attributes, comparables, category, at: now.toISOString() });
      worths.set(key, { of, fromMs: now.getTime(), worth });
      return worth;
    },
  };
}

function keyOf({ lot, attributes = null }: Pick<SalesQuestion, 'lot' | 'attributes'>): string {
  return `${lot} ${JSON.stringify(attributes)}`;
}

function sharedBy(db: Database, category: Category): Shared {
  const categories = SHARED.get(db) ?? new Map<Category, Shared>();
  SHARED.set(db, categories);
  const known = categories.get(category);
  if (known !== undefined) return known;
  const lots: Shared['lots'] = new BoundedMap(MOST_LOTS);
  const worths: Shared['worths'] = new BoundedMap(MOST_LOTS);
  const sales = new CategorySales(db, category, () => {
    lots.clear();
    worths.clear();
  });
  const shared = { sales, lots, worths };
  categories.set(category, shared);
  return shared;
}

function momentOf(db: Database): Map<string, Promise<NearestSales>> {
  const moment = MOMENTS.get(db) ?? new Map();
  MOMENTS.set(db, moment);
  return moment;
}
