import { clearFolded, foldHistories } from '../../store/forgetting.ts';
import { NOT_FOR_EVER } from '../actors/mailbox.ts';
import type { Services } from '../services.ts';

/** Of each kind of step, a round's worth: a million actors are gone through in less than a day. */
const ACTORS = 1_000;
const EVENTS = 500;
const MOST_STEPS = 20;
const DAY_MS = 86_400_000;

/**
 * One round after another: looks at the next actors, and forgets some of what they served more than HISTORY_DAYS ago
 * and a checkpoint holds. Each step stands by itself; what a killed process left undone, the next round does.
 */
export function forgetHistories({
  db,
  now,
  config,
}: Pick<Services, 'db' | 'now'> & {
  readonly config: { readonly historyDays: number };
}): () => Promise<void> {
  let from = '';
  return async () => {
    const keeping = { now: now(), keepMs: config.historyDays * DAY_MS };
    from = await foldHistories(db, keeping, { from, limit: ACTORS });
    for (let i = 0; i < MOST_STEPS; i++)
      if (!(await clearFolded(db, { limit: EVENTS, transient: NOT_FOR_EVER }))) return;
  };
}
