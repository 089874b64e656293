import { LARGEST_SHRINK, MINIMUM_ROWS } from '../../agents/determinations/provenance/register-row.ts';
import { countOf } from '../../agents/figures.ts';
import { readable } from '../../agents/readable.ts';
import type { Database } from '../../store/database.ts';
import type { OperatorAct } from '../../store/operators/operator-log.ts';
import { listFetches, noteFetch, type RegisterFetch } from '../../store/registers/register-fetches.ts';
import { importRegister, listsOf } from '../../store/registers/registers.ts';
import type { RecurringJob } from '../durable/jobs/recurring-job.ts';
import { fetchList } from './fetch-list.ts';
import { type KindCounts, type ListContent, ListError } from './list-content.ts';
import type { ListSource, RegisterSettings } from './settings.ts';

interface RefreshDeps {
  readonly db: Database;
  readonly now: () => Date;
  /** Fetches and reads a whole list; over HTTP when left out. */
  readonly fetchList?: (source: ListSource) => Promise<ListContent>;
  /** For the operators' log, once the list is read and taken. */
  readonly act?: () => OperatorAct;
}

interface RefreshOptions {
  readonly acceptShrunk?: boolean;
  readonly completeAsOf?: Date;
  readonly byHand?: boolean;
}

export interface Refreshed {
  readonly list: string;
  readonly ok: boolean;
  readonly rows: number;
  /** By what the list calls them. */
  readonly kept: KindCounts;
  readonly left: KindCounts;
  /** ISO 8601; null: nobody says as of when it is complete. */
  readonly asOf: string | null;
  readonly fault: string | null;
}

/** What failed is tried again sooner. */
const RETRY_SECONDS = 900;
const LIMIT_MS = 900_000;
/** A list that is new is first looked at after so long. */
const FIRST_MS = 60_000;
/** Where it fails in a way of its own. */
const MOST_BACKOFF_MS = 600_000;

/**
 * Fetches one list and puts it in the place of what was held, whole or not at all. A list that has fewer rows than it is
 * declared to have, that has lost more of them than it may, that was published before the one held, or tomorrow, is not
 * taken: what is held stays until it is too old. Its age is its publisher's date; else as of when somebody vouches that
 * it is complete, which stays through later fetches; never when it was fetched, or changed.
 * @param acceptShrunk takes one that has lost more than it may
 * @param byHand it is a file that is given once: where it is not taken, nothing waits for it
 * @param completeAsOf as of when the caller vouches for it, where it carries no date of its own
 */
export async function refreshList(
  deps: RefreshDeps,
  source: ListSource,
  { acceptShrunk = false, completeAsOf, byHand = false }: RefreshOptions = {},
): Promise<Refreshed> {
  const { db, now } = deps;
  const list = `${source.register}/${source.name}`;
  const triedAt = now();
  const head = { register: source.register, source: source.name, triedAt };
  try {
    const content = await (deps.fetchList ?? fetchList)(source);
    const [lists, fetches] = await Promise.all([listsOf(db, source.register), listFetches(db)]);
    const held = lists.find((l) => l.source === source.name);
    const minimum = source.minimum ?? MINIMUM_ROWS[source.register];
    const most = acceptShrunk ? 100 : (source.largestShrink ?? LARGEST_SHRINK);
    const remedy = byHand
      ? 'where it is whole, declare it by --minimum <rows>'
      : 'where it is whole, declare it by #minimum=<rows> in REGISTER_SOURCES';
    requireWhole(content, { held: held?.rows ?? 0, minimum, largestShrink: most, remedy });
    requireNewest(content, fetches.find(isOf(source)), triedAt);
    const vouched = completeAsOf ?? (held?.basis === 'attested' ? held.asOf : null);
    const asOf = content.published ?? vouched;
    await importRegister(db, {
      register: source.register,
      source: source.name,
      asOf,
      basis: content.published === null ? 'attested' : 'published',
      minimum,
      mode: 'replace',
      rows: each(content.rows),
      ...(deps.act === undefined ? {} : { act: deps.act }),
    });
    await noteFetch(db, { ...head, fault: null, publishedAt: content.published });
    const { rows, kept, left } = content;
    return { list, ok: true, rows: rows.length, kept, left, asOf: asOf?.toISOString() ?? null, fault: null };
  } catch (error) {
    if (!(error instanceof ListError)) throw error;
    // It may quote what a stranger's server sent.
    const fault = readable(error.message);
    if (!byHand) await noteFetch(db, { ...head, fault, publishedAt: null });
    return { list, ok: false, rows: 0, kept: {}, left: {}, asOf: null, fault };
  }
}

const isOf = (source: ListSource) => (fetch: RegisterFetch) =>
  fetch.register === source.register && fetch.source === source.name;

/** @throws ListError */
function requireWhole(
  { rows }: ListContent,
  {
    held,
    minimum,
    largestShrink,
    remedy,
  }: { held: number; minimum: number; largestShrink: number; remedy: string },
): void {
  if (rows.length === 0) throw new ListError('it is empty');
  if (rows.length < minimum)
    throw new ListError(
      `it has ${countOf(rows.length, 'row')}, fewer than the ${minimum} that it is declared to have at least: ${remedy}`,
    );
  if (rows.length * 100 < held * (100 - largestShrink))
    throw new ListError(
      `it has ${countOf(rows.length, 'row')} where ${held} are held: take it by command, if that is right`,
    );
}

/** @throws ListError */
function requireNewest({ published }: ListContent, before: RegisterFetch | undefined, now: Date): void {
  if (published === null) return;
  if (published > now) throw new ListError('it was published on a day that has not come yet');
  const known = before?.publishedAt ?? null;
  if (known !== null && published < known)
    throw new ListError('it was published before the one that is held');
}

async function* each<T>(rows: readonly T[]): AsyncGenerator<T> {
  yield* rows;
}

/**
 * Refreshes each list by a job of its own: after its interval, or sooner where it failed. One that was refreshed by command
 * meanwhile waits for its time.
 */
export function refreshListsJob(
  deps: RefreshDeps,
  { sources, refreshSeconds }: Pick<RegisterSettings, 'sources' | 'refreshSeconds'>,
): RecurringJob {
  const byName = new Map(sources.map((source) => [`${source.register}/${source.name}`, source]));
  const waitOf = async (source: ListSource): Promise<number> => {
    const last = (await listFetches(deps.db)).find(isOf(source));
    if (last === undefined) return 0;
    const seconds = last.fault === null ? refreshSeconds : Math.min(refreshSeconds, RETRY_SECONDS);
    return last.triedAt.getTime() + seconds * 1000 - deps.now().getTime();
  };
  return {
    kind: 'refresh-list',
    lane: 'lists',
    items: [...byName.keys()],
    everyMs: FIRST_MS,
    timeLimitMs: LIMIT_MS,
    mostBackoffMs: MOST_BACKOFF_MS,
    async run(item) {
      const source = byName.get(item)!;
      if ((await waitOf(source)) <= 0) await refreshList(deps, source);
      // A clock that was set does not make a list wait for ever.
      return { afterMs: Math.min(Math.max(await waitOf(source), 0), refreshSeconds * 1000) };
    },
  };
}
