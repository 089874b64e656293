import type { Database } from '../../../store/database.ts';
import { actorsToClear, clearFolded, foldHistories, nextActors } from '../../../store/durable/forgetting.ts';
import { eachIsolated } from '../isolation/each-isolated.ts';
import type { Quarantine } from '../isolation/quarantine.ts';
import type { RecurringJob } from '../jobs/recurring-job.ts';
import { NOT_FOR_EVER } from './mailbox.ts';

/** The most that one round does of each step. At this size a million actors take less than a day. */
const ACTORS = 1_000;
const EVENTS = 500;
const MOST_STEPS = 20;
const DAY_MS = 86_400_000;
/** An actor whose history cannot be forgotten. */
const HISTORY = 'history';

const EVERY_MS = 60_000;

interface ForgettingDeps {
  readonly db: Database;
  readonly now: () => Date;
  readonly quarantine: Quarantine;
  readonly config: { readonly historyDays: number };
}

/** Forgets histories round by round. Where a round ended, the next one begins, in whichever process. */
export function forgetHistoriesJob(deps: ForgettingDeps): RecurringJob {
  return {
    kind: 'forget-histories',
    lane: 'upkeep',
    items: deps.config.historyDays > 0 ? ['all'] : [],
    everyMs: EVERY_MS,
    async run(item, { params }) {
      const from = await forgetHistories(deps, typeof params.from === 'string' ? params.from : '');
      return { afterMs: EVERY_MS, params: { item, from } };
    },
  };
}

/**
 * One round. It looks at the next actors and deletes some of the events that they served more than HISTORY_DAYS ago and
 * that a checkpoint covers. Each step commits by itself, so the next round does what a killed process left undone. A step
 * that fails is repeated actor by actor: the actor that makes it fail is put into quarantine, and later rounds skip it.
 * @param from where the last round ended; empty at the beginning
 * @returns where this round ended
 */
export async function forgetHistories(
  { db, now, config, quarantine }: ForgettingDeps,
  from: string,
): Promise<string> {
  const keeping = { now: now(), keepMs: config.historyDays * DAY_MS };
  const clearing = { limit: EVENTS, transient: NOT_FOR_EVER };
  const forget = async (only: string): Promise<void> => {
    await foldHistories(db, keeping, { from: '', limit: 1, only });
    await clearFolded(db, { ...clearing, only });
  };
  const oneByOne = (ids: readonly string[]) =>
    eachIsolated(
      quarantine,
      HISTORY,
      ids.map((id) => ({ id })),
      ({ id }) => forget(id),
      { atOnce: 1 },
    );
  await oneByOne([]);
  const except = (await quarantine.of(HISTORY)).map(({ item }) => item);
  const next = await foldHistories(db, keeping, { from, limit: ACTORS, except }).catch(async () => {
    const ids = await nextActors(db, from, ACTORS);
    await oneByOne(ids);
    return ids.length < ACTORS ? '' : ids.at(-1)!;
  });
  for (let i = 0; i < MOST_STEPS; i++) {
    try {
      if (!(await clearFolded(db, { ...clearing, except }))) break;
    } catch {
      await oneByOne(await actorsToClear(db));
      break;
    }
  }
  return next;
}
