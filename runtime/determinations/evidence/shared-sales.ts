import { parseAssetKey } from '../../../agents/assets.ts';
import type { Category } from '../../../agents/categories.ts';
import { type Comparable, kindPrefix, reachDays } from '../../../agents/market/pricing/comparables.ts';
import type { Attributes } from '../../../agents/market/pricing/model/attributes.ts';
import { type Worth, worthOf } from '../../../agents/market/pricing/worth.ts';
import type { Database } from '../../../store/database.ts';
import {
  importedSales,
  type SettledSale,
  salesVersions,
  settledSales,
} from '../../../store/market/comparables.ts';
import { BoundedMap } from '../../bounded-map.ts';
import {
  importedPast,
  type NearestSales,
  nearestSales,
  newestFirst,
  type PastSale,
  seenBy,
  settledPast,
} from './past-sales.ts';
import { MOST_READ, type PriceQuestion } from './prices.ts';

/** How many lots' nearest sales are kept. */
const MOST_LOTS = 2_000;
/** Of how many kinds of goods all sales are kept. */
const MOST_KINDS = 50;
const DAY_MS = 86_400_000;
/** Among the same sales, what a thing is worth changes by their age alone, of which so much changes nothing. */
const WORTH_LASTS_MS = 600_000;

/** What was read at a version of the sales. */
interface Kept<Value> {
  readonly version: string;
  readonly fromMs: number;
  readonly value: Promise<Value & Lasting>;
}

interface Lasting {
  /** From this moment on, milliseconds, the oldest of the sales is too old to be read. */
  readonly untilMs: number;
}

interface CategorySales extends Lasting {
  readonly settled: readonly SettledSale[];
  readonly imported: readonly PastSale[];
  readonly all: readonly PastSale[];
}

/** The newest sales of a category, and those of one kind of goods. */
interface KindSales extends Lasting {
  readonly all: readonly PastSale[];
}

interface Shared {
  readonly categories: Map<string, Kept<CategorySales>>;
  readonly kinds: Map<string, Kept<KindSales>>;
  readonly lots: Map<string, Kept<NearestSales>>;
  readonly worths: Map<string, Kept<{ readonly worth: Worth }>>;
}

const SHARED = new WeakMap<Database, Shared>();

type LotQuestion = Omit<PriceQuestion, 'attributes'> & {
  readonly lot: string;
  /** What is told of the lot; sales of things alike are then nearer than others of its category. */
  readonly attributes?: Attributes | null;
};

interface SalesNow {
  comparables(question: LotQuestion): Promise<readonly Comparable[]>;
  /** What these sales say that a lot is worth; of each lot, and of the sales that count, it is worked out once. */
  worth(question: LotQuestion): Promise<Worth>;
}

/**
 * The past sales as they are now, for whoever values lots of these categories. The sales of a category, and those nearest
 * to a lot, are read and compared once for each version that the database has of them, whoever asks. The version is read
 * here, before any of them, so that sales of an earlier version are never shown.
 */
export async function evidenceNow(db: Database, categories: readonly Category[]): Promise<SalesNow> {
  const versions = categories.length === 0 ? new Map() : await salesVersions(db, categories);
  const shared = SHARED.get(db) ?? {
    categories: new Map(),
    kinds: new BoundedMap(MOST_KINDS),
    lots: new BoundedMap(MOST_LOTS),
    worths: new BoundedMap(MOST_LOTS),
  };
  SHARED.set(db, shared);
  const versionOf = (category: Category): string => {
    const version = versions.get(category);
    if (version === undefined) throw new Error(`the version of the sales of ${category} was not read`);
    return version;
  };
  const comparables: SalesNow['comparables'] = async ({ category, lot, parties, now, attributes = null }) => {
    const at = { version: versionOf(category), now };
    const nearest = await keptOr(shared.lots, keyOf({ category, lot, attributes }), at, async () => {
      const prefix = kindPrefix(parseAssetKey(lot));
      const sales = await keptOr(shared.kinds, `${category} ${prefix}`, at, async () => {
        const newest = await keptOr(shared.categories, category, at, () => readCategory(db, category, now));
        return await readKind(db, newest, { category, prefix, now });
      });
      return { ...nearestSales(sales.all, lot, attributes), untilMs: sales.untilMs };
    });
    return seenBy(parties, nearest);
  };
  return {
    comparables,
    async worth(question) {
      const { category, now, attributes = null } = question;
      const sales = await comparables(question);
      const own = sales.filter(({ dropped }) => dropped === 'party').map(({ id }) => id);
      const key = `${keyOf(question)} ${own.join(' ')}`;
      const { worth } = await keptOr(shared.worths, key, { version: versionOf(category), now }, async () => ({
        worth: worthOf({ attributes, comparables: sales, category, at: now.toISOString() }),
        untilMs: Math.min(lastsUntil(category, sales), now.getTime() + WORTH_LASTS_MS),
      }));
      return worth;
    },
  };
}

function keyOf({
  category,
  lot,
  attributes = null,
}: Pick<LotQuestion, 'category' | 'lot' | 'attributes'>): string {
  return `${category} ${lot} ${JSON.stringify(attributes)}`;
}

/** What is kept of this version and would be read the same now; else what is read. */
async function keptOr<Value>(
  kept: Map<string, Kept<Value>>,
  key: string,
  { version, now }: { readonly version: string; readonly now: Date },
  read: () => Promise<Value & Lasting>,
): Promise<Value> {
  const at = now.getTime();
  const known = kept.get(key);
  if (known?.version === version && known.fromMs <= at) {
    const value = await known.value;
    if (at < value.untilMs) return value;
  }
  const value = read();
  const entry = { version, fromMs: at, value };
  kept.set(key, entry);
  value.catch(() => {
    if (kept.get(key) === entry) kept.delete(key);
  });
  return await value;
}

async function readCategory(db: Database, category: Category, now: Date): Promise<CategorySales> {
  const since = sinceOf(category, now);
  const [settled, read] = await Promise.all([
    settledSales(db, { category, since, prefix: null, limit: MOST_READ }),
    importedSales(db, { category, since, limit: MOST_READ }),
  ]);
  const imported = importedPast(read, category);
  const all = newestFirst([...settledPast(settled), ...imported]);
  return { settled, imported, all, untilMs: lastsUntil(category, all) };
}

/** The sales of a kind are read besides where the newest of the category may not contain them all. */
async function readKind(
  db: Database,
  newest: CategorySales,
  { category, prefix, now }: { readonly category: Category; readonly prefix: string; readonly now: Date },
): Promise<KindSales> {
  if (newest.settled.length < MOST_READ) return newest;
  const query = { category, since: sinceOf(category, now), prefix, limit: MOST_READ, nearOnly: true };
  const known = new Set(newest.settled.map((s) => s.matchId));
  const older = (await settledSales(db, query)).filter((s) => !known.has(s.matchId));
  if (older.length === 0) return newest;
  const all = newestFirst([...settledPast([...newest.settled, ...older]), ...newest.imported]);
  return { all, untilMs: lastsUntil(category, all) };
}

function sinceOf(category: Category, now: Date): Date {
  return new Date(now.getTime() - reachDays(category) * DAY_MS);
}

function lastsUntil(category: Category, sales: readonly Pick<PastSale, 'soldAt'>[]): number {
  const oldest = sales.map((s) => Date.parse(s.soldAt)).filter((ms) => !Number.isNaN(ms));
  return (
    oldest.reduce((least, ms) => Math.min(least, ms), Number.POSITIVE_INFINITY) + reachDays(category) * DAY_MS
  );
}
