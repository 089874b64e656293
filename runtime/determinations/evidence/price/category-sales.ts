import { parseAssetKey } from '../../../../agents/assets.ts';
import type { Category } from '../../../../agents/categories.ts';
import { kindPrefix, reachDays } from '../../../../agents/market/pricing/comparables.ts';
import type { Database } from '../../../../store/database.ts';
import {
  importedSales,
  type SalesVersion,
  type SettledSale,
  salesOfMatches,
  settledSales,
} from '../../../../store/market/comparables.ts';
import { BoundedMap } from '../../../bounded-map.ts';
import { countSince, type NewestSales, newestSales, withChanges } from './newest-sales.ts';
import { importedPast, newestFirst, type PastSale, settledPast } from './past-sales.ts';

/** How many sales are read of each source. */
export const MOST_READ = 2_000;
/** Of how many kinds of goods all sales are kept. */
const MOST_KINDS = 50;
/** In how many ways the same sales are kept prepared: by kind, and as some grow too old. */
const MOST_PREPARED = 100;
const DAY_MS = 86_400_000;
/** Sales are kept for so long after they are too old, for those who ask by an earlier clock. */
const MARGIN_MS = DAY_MS;

/** What is held of a category, and of which version. */
interface Held {
  readonly version: bigint;
  readonly imports: string;
  readonly newest: NewestSales;
  readonly imported: readonly PastSale[];
  /** Everything newer than this is held, but for what the limit cut off. */
  readonly since: Date;
}

/**
 * The past sales of one category, as far as a price is judged by them. They are read once; of a later version only what
 * has changed is read, so that a sale costs the same however many there were before it.
 */
export class CategorySales {
  readonly #db: Database;
  readonly #category: Category;
  readonly #kinds = new BoundedMap<string, NewestSales>(MOST_KINDS);
  readonly #prepared = new BoundedMap<string, readonly PastSale[]>(MOST_PREPARED);
  readonly #outdated: () => void;
  #held: Held | null = null;
  /** One reads and changes them after the other. */
  #turn: Promise<unknown> = Promise.resolve();

  /** @param outdated called when no list that was returned is of use any more, because a sale has changed */
  constructor(db: Database, category: Category, outdated: () => void) {
    this.#db = db;
    this.#category = category;
    this.#outdated = outdated;
  }

  /**
   * The sales of this version or a later one, newest first: the newest of the category, and of the kind of goods that a
   * lot is of. The same list as before, as long as they are the same sales.
   * @param lot null: no lot is known
   * @throws what reading them throws; then they are read anew for whoever asks next
   */
  at(version: SalesVersion, lot: string | null, now: Date): Promise<readonly PastSale[]> {
    const mine = this.#turn.then(async () => {
      try {
        const since = new Date(now.getTime() - reachDays(this.#category) * DAY_MS);
        const held = await this.#advance(version, since);
        const newest = within(held.newest, since);
        const prefix = lot === null || newest.length < MOST_READ ? null : kindPrefix(parseAssetKey(lot));
        const kind = prefix === null ? [] : within(await this.#kind(prefix, held), since);
        return this.#prepare(newest, { prefix, kind, imported: since.toISOString() }, held);
      } catch (error) {
        this.#forget();
        throw error;
      }
    });
    this.#turn = mine.catch(() => {});
    return mine;
  }

  async #advance(asked: SalesVersion, since: Date): Promise<Held> {
    const held = this.#held;
    if (held === null || since < held.since) return await this.#readAll(asked, since);
    const behind = Number(asked.version - held.version);
    if (behind > asked.changed.length) return await this.#readAll(asked, since);
    if (behind > 0) {
      const ids = [...new Set(asked.changed.slice(0, behind))];
      const found = new Map((await salesOfMatches(this.#db, ids)).map((sale) => [sale.matchId, sale]));
      const keepsSince = later(held.since, margin(since));
      const newest = this.#change(new Map(ids.map((id) => [id, found.get(id) ?? null])), keepsSince, held);
      if (newest === null) return await this.#readAll(asked, since);
      this.#held = { ...held, version: asked.version, newest, since: keepsSince };
    }
    if (asked.imports !== held.imports) {
      this.#outdate();
      const imported = await this.#readImported(margin(since));
      this.#held = { ...this.#held!, imports: asked.imports, imported };
    }
    return this.#held!;
  }

  /** @returns the newest of the category; null when they must be read again */
  #change(
    changed: ReadonlyMap<string, SettledSale | null>,
    since: Date,
    { newest }: Held,
  ): NewestSales | null {
    this.#outdate();
    const held = { limit: MOST_READ, since };
    for (const [prefix, kind] of this.#kinds) {
      const ofKind = new Map(
        [...changed].map(([id, sale]) => [id, sale !== null && isOf(prefix, sale) ? sale : null]),
      );
      const now = withChanges(kind, ofKind, held);
      if (now === null) this.#kinds.delete(prefix);
      else this.#kinds.set(prefix, now);
    }
    return withChanges(newest, changed, held);
  }

  async #readAll({ version, imports }: SalesVersion, needed: Date): Promise<Held> {
    this.#forget();
    const since = margin(needed);
    const question = { category: this.#category, since, prefix: null, limit: MOST_READ };
    const [settled, imported] = await Promise.all([
      settledSales(this.#db, question),
      this.#readImported(since),
    ]);
    this.#held = { version, imports, newest: newestSales(settled, MOST_READ), imported, since };
    return this.#held;
  }

  async #readImported(since: Date): Promise<readonly PastSale[]> {
    const question = { category: this.#category, since, limit: MOST_READ };
    return importedPast(await importedSales(this.#db, question), this.#category);
  }

  async #kind(prefix: string, { since }: Held): Promise<NewestSales> {
    const known = this.#kinds.get(prefix);
    if (known !== undefined) return known;
    const question = { category: this.#category, since, prefix, limit: MOST_READ };
    const kind = newestSales(await settledSales(this.#db, question), MOST_READ);
    this.#kinds.set(prefix, kind);
    return kind;
  }

  #prepare(
    newest: readonly SettledSale[],
    of: { readonly prefix: string | null; readonly kind: readonly SettledSale[]; readonly imported: string },
    held: Held,
  ): readonly PastSale[] {
    const imported = held.imported.filter((sale) => sale.soldAt > of.imported);
    const key = `${newest.length} ${of.kind.length} ${imported.length} ${of.prefix}`;
    const known = this.#prepared.get(key);
    if (known !== undefined) return known;
    const ids = new Set(newest.map((sale) => sale.matchId));
    const older = of.kind.filter((sale) => !ids.has(sale.matchId));
    const all = newestFirst([...settledPast([...newest, ...older]), ...imported]);
    this.#prepared.set(key, all);
    return all;
  }

  #forget(): void {
    this.#held = null;
    this.#kinds.clear();
    this.#outdate();
  }

  #outdate(): void {
    this.#prepared.clear();
    this.#outdated();
  }
}

function within({ sales }: NewestSales, since: Date): readonly SettledSale[] {
  return sales.slice(0, countSince(sales, since));
}

function isOf(prefix: string, { lot }: SettledSale): boolean {
  return kindPrefix(parseAssetKey(lot)) === prefix;
}

function margin(since: Date): Date {
  return new Date(since.getTime() - MARGIN_MS);
}

function later(one: Date, other: Date): Date {
  return one > other ? one : other;
}
