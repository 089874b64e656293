import { performance } from 'node:perf_hooks';
import type { Logger } from 'pino';
import { type Database, databaseTime } from '../../../store/database.ts';
import { clocksApart, maybeSuspended } from '../../../store/durable/suspended.ts';

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
/** How often it asks at most where the machine seems to have been suspended. */
const PAUSE_MS = 1_000;
/** How often it asks at the start; the quickest answer counts. */
const FIRST = 3;

/**
 * Asks the database at the start and again now and then. Between two answers it counts by a monotonic clock, so that no
 * process fires timers early or expires orders because the clock of its machine jumped. That one stands still while the
 * machine is suspended, and is behind by the whole sleep after it: where the machine's other clock says that this may have
 * been, the database is asked at once.
 * @throws Error when the first answer does not come
 */
export async function sharedClock({
  ask,
  log,
  steady = () => performance.now(),
  everyMs = EVERY_MS,
}: Parts): Promise<SharedClock> {
  let apart = 0;
  const measure = async (): Promise<{ ahead: number; wrongBy: number }> => {
    const asked = steady();
    const apartBefore = clocksApart(steady);
    const at = await ask();
    const answered = steady();
    // From before it asked: a machine that was suspended meanwhile has to ask again.
    apart = apartBefore;
    // The answer can be wrong by at most half the time that it took.
    return { ahead: at.getTime() - (asked + answered) / 2, wrongBy: (answered - asked) / 2 };
  };
  let { ahead, wrongBy } = await measure();
  for (let i = 1; i < FIRST; i++) {
    const next = await measure();
    if (next.wrongBy < wrongBy) ({ ahead, wrongBy } = next);
  }
  const again = async (): Promise<void> => {
    const next = await measure();
    // Adjust only when the round trip does not explain the difference.
    if (Math.abs(next.ahead - ahead) > next.wrongBy) ahead = next.ahead;
  };
  let asking: Promise<void> | null = null;
  let askedAt = Number.NEGATIVE_INFINITY;
  const askAgain = (): void => {
    if (asking !== null) return;
    askedAt = steady();
    asking = again()
      .catch((error: unknown) => log.warn({ error: String(error) }, 'the database did not say its time'))
      .finally(() => {
        asking = null;
      });
  };
  const timer = setInterval(askAgain, everyMs);
  // The timer alone must not keep the process alive.
  timer.unref();
  return {
    now() {
      if (maybeSuspended(apart, steady) && steady() - askedAt >= PAUSE_MS) askAgain();
      return new Date(Math.round(steady() + ahead));
    },
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
