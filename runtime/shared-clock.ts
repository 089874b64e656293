import { performance } from 'node:perf_hooks';
import type { Logger } from 'pino';
import { type Database, databaseTime } from '../store/database.ts';

/** The time that all processes of a service share: the database's, whatever the clocks of their machines say. */
export interface SharedClock {
  now(): Date;
  stop(): Promise<void>;
}

interface Parts {
  /** What the database's clock says. */
  readonly ask: () => Promise<Date>;
  readonly log: Pick<Logger, 'warn'>;
  /** Milliseconds of a clock that nobody can set. */
  readonly steady?: () => number;
  readonly everyMs?: number;
}

const EVERY_MS = 10_000;
/** Answers at the start, of which the quickest is the one that counts. */
const FIRST = 3;

/**
 * Asks before it answers, and again now and then; between two answers it counts by a clock that nobody can set.
 * So no process fires timers early, or expires orders, because its machine's clock jumped.
 * @throws Error when the first answer does not come
 */
export async function sharedClock({
  ask,
  log,
  steady = () => performance.now(),
  everyMs = EVERY_MS,
}: Parts): Promise<SharedClock> {
  const measure = async (): Promise<{ ahead: number; wrongBy: number }> => {
    const asked = steady();
    const at = await ask();
    const answered = steady();
    // Half the time that the answer took is the most by which this can be wrong.
    return { ahead: at.getTime() - (asked + answered) / 2, wrongBy: (answered - asked) / 2 };
  };
  let { ahead, wrongBy } = await measure();
  for (let i = 1; i < FIRST; i++) {
    const next = await measure();
    if (next.wrongBy < wrongBy) ({ ahead, wrongBy } = next);
  }
  const again = async (): Promise<void> => {
    const next = await measure();
    // Only what the way of the answer cannot explain is a clock that went apart.
    if (Math.abs(next.ahead - ahead) > next.wrongBy) ahead = next.ahead;
  };
  let asking: Promise<void> | null = null;
  const timer = setInterval(() => {
    asking ??= again()
      .catch((error: unknown) => log.warn({ error: String(error) }, 'the database did not say its time'))
      .finally(() => {
        asking = null;
      });
  }, everyMs);
  // Nobody goes on living for the time alone.
  timer.unref();
  return {
    now: () => new Date(Math.round(steady() + ahead)),
    async stop() {
      clearInterval(timer);
      await asking;
    },
  };
}

/** The clock of the database that all processes of a service are on. */
export function databaseClock(db: Database, log: Pick<Logger, 'warn'>): Promise<SharedClock> {
  return sharedClock({ ask: () => databaseTime(db), log });
}
