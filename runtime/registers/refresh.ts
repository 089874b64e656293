import type { Database } from '../../store/database.ts';
import { listFetches, noteFetch, type RegisterFetch } from '../../store/register-fetches.ts';
import { importRegister, listsOf } from '../../store/registers.ts';
import { fetchList } from './fetch-list.ts';
import { type KindCounts, type ListContent, ListError } from './list-content.ts';
import type { ListSource, RegisterSettings } from './settings.ts';

interface RefreshDeps {
  readonly db: Database;
  readonly now: () => Date;
  /** Fetches and reads a whole list; over HTTP when left out. */
  readonly fetchList?: (source: ListSource) => Promise<ListContent>;
}

export interface Refreshed {
  readonly list: string;
  readonly ok: boolean;
  readonly rows: number;
  /** By what the list calls them. */
  readonly kept: KindCounts;
  readonly left: KindCounts;
  /** ISO 8601. */
  readonly asOf: string | null;
  readonly fault: string | null;
}

const DAY_MS = 86_400_000;
/** A server that hands out a list as old as this is not showing the present state of it. */
const OLDEST_PUBLICATION_DAYS = 30;
/** What failed is tried again sooner. */
const RETRY_SECONDS = 900;

/**
 * Fetches one list and puts it in the place of what was held, whole or not at all. A list that is empty, that has lost
 * more than half of its rows, or that was published before the one held, is not taken.
 * @param acceptShrunk takes one that has lost more than half
 * @param asOf of a list that was not fetched now: what state it shows, where it does not say so itself
 */
export async function refreshList(
  deps: RefreshDeps,
  source: ListSource,
  { acceptShrunk = false, asOf: stands }: { acceptShrunk?: boolean; asOf?: Date } = {},
): Promise<Refreshed> {
  const { db, now } = deps;
  const list = `${source.register}/${source.name}`;
  const triedAt = now();
  const head = { register: source.register, source: source.name, triedAt };
  try {
    const content = await (deps.fetchList ?? fetchList)(source);
    const [lists, fetches] = await Promise.all([listsOf(db, source.register), listFetches(db)]);
    const held = lists.find((l) => l.source === source.name)?.rows ?? 0;
    requireWhole(content, held, fetches.find(isOf(source)), acceptShrunk);
    const asOf = stateShown(content, triedAt, stands);
    await importRegister(db, {
      register: source.register,
      source: source.name,
      asOf,
      mode: 'replace',
      rows: each(content.rows),
    });
    await noteFetch(db, { ...head, fault: null, publishedAt: content.published });
    const { rows, kept, left } = content;
    return { list, ok: true, rows: rows.length, kept, left, asOf: asOf.toISOString(), fault: null };
  } catch (error) {
    if (!(error instanceof ListError)) throw error;
    await noteFetch(db, { ...head, fault: error.message, publishedAt: null });
    return { list, ok: false, rows: 0, kept: {}, left: {}, asOf: null, fault: error.message };
  }
}

const isOf = (source: ListSource) => (fetch: RegisterFetch) =>
  fetch.register === source.register && fetch.source === source.name;

/** @throws ListError */
function requireWhole(
  { rows, published }: ListContent,
  held: number,
  before: RegisterFetch | undefined,
  acceptShrunk: boolean,
): void {
  if (rows.length === 0) throw new ListError('it is empty');
  if (rows.length * 2 < held && !acceptShrunk)
    throw new ListError(
      `it has ${rows.length} rows where ${held} are held: take it by command, if that is right`,
    );
  const known = before?.publishedAt ?? null;
  if (published !== null && known !== null && published < known)
    throw new ListError('it was published before the one that is held');
}

/**
 * A list that is current where it is fetched shows the state of that moment, however long ago it last changed. One that
 * was not fetched now shows the state of its publication, or of when it was laid up.
 */
function stateShown({ published }: ListContent, now: Date, laidUp: Date | undefined): Date {
  if (laidUp !== undefined) return published !== null && published < now ? published : laidUp;
  if (published === null) return now;
  const old = now.getTime() - published.getTime() > OLDEST_PUBLICATION_DAYS * DAY_MS;
  return old ? published : now;
}

async function* each<T>(rows: readonly T[]): AsyncGenerator<T> {
  yield* rows;
}

/** Refreshes every list that is due, one after the other: after its interval, or sooner where it failed. */
export async function refreshDue(
  deps: RefreshDeps,
  { sources, refreshSeconds }: Pick<RegisterSettings, 'sources' | 'refreshSeconds'>,
): Promise<Refreshed[]> {
  if (sources.length === 0) return [];
  const fetches = await listFetches(deps.db);
  const done: Refreshed[] = [];
  for (const source of sources) {
    const last = fetches.find(isOf(source));
    const wait = last?.fault == null ? refreshSeconds : Math.min(refreshSeconds, RETRY_SECONDS);
    if (last !== undefined && deps.now().getTime() - last.triedAt.getTime() < wait * 1000) continue;
    done.push(await refreshList(deps, source));
  }
  return done;
}
