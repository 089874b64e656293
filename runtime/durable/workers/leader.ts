import type { Logger } from 'pino';
import { ADVISORY_LOCKS } from '../../../store/advisory-locks.ts';
import type { Database } from '../../../store/database.ts';
import { type AdvisoryLock, tryAdvisoryLock } from '../../../store/durable/advisory-lock.ts';
import { every } from './every.ts';

export interface PeriodicTask {
  stop(): Promise<void>;
}

/** Makes a task run only while this process is known to be the leader: one that hung for a while may not be any more. */
export type Guard = (task: () => Promise<unknown>) => () => Promise<void>;

export interface Leader {
  /** True while this process is the leader. */
  keeps(): boolean;
  stop(): Promise<void>;
}

const PERIODIC_TASKS_LOCK = ADVISORY_LOCKS.periodicTasks;
const ASK_MS = 2_000;

/**
 * Elects a leader by an advisory lock. The leader runs the periodic tasks for all processes; when it ends or hangs, however
 * it does, another process takes the lock and runs them. One that goes on begins no task before it knows that it still
 * leads; but two processes may both be in a task for a moment, so every task is safe to run twice: the lock saves work and
 * protects nothing.
 */
export function runPeriodicTasks(
  db: Database,
  begin: (guarded: Guard) => readonly PeriodicTask[],
  log: Pick<Logger, 'warn'>,
  askMs: number = ASK_MS,
): Leader {
  let lock: AdvisoryLock | null = null;
  let periodicTasks: readonly PeriodicTask[] = [];
  const end = async (): Promise<void> => {
    const [held, kept] = [lock, periodicTasks];
    lock = null;
    periodicTasks = [];
    // A task that does not stop must keep neither the others running nor the lock held.
    await Promise.allSettled(kept.map((task) => task.stop()));
    await held?.release();
  };
  const asking = every(
    askMs,
    async () => {
      if (lock !== null) {
        if (await lock.stillMine()) return;
        log.warn({}, 'the leader lost its lock: another process may lead now');
        await end();
        return;
      }
      lock = await tryAdvisoryLock(db, PERIODIC_TASKS_LOCK);
      if (lock === null) return;
      const taken = lock;
      try {
        periodicTasks = begin((task) => async () => {
          if (await taken.stillMine()) await task();
        });
      } catch (error) {
        await end();
        throw error;
      }
    },
    log,
  );
  return {
    keeps: () => lock !== null,
    async stop() {
      await asking.stop();
      await end();
    },
  };
}
