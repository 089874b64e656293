import type { Logger } from 'pino';
import type { Database } from '../../../store/database.ts';
import type { RateLimit } from '../../../store/durable/rate-limits.ts';
import {
  absentWorkers,
  deregister,
  endLeasesOf,
  heartbeat,
  type WorkerSelf,
} from '../../../store/durable/workers.ts';
import { InFlightJobs } from '../jobs/in-flight-jobs.ts';
import { rateLimiter } from '../jobs/rate-limit.ts';
import { type RecurringJob, recurringRunner, scheduleRecurring } from '../jobs/recurring-job.ts';
import { every } from './every.ts';
import type { Leader } from './leader.ts';
import { startWorker, UPKEEP, type WorkerDeps } from './worker.ts';

/** A worker as one of several: it sends heartbeats, keeps to the shared rate limits, and deregisters when it ends. */
export interface WorkerPool {
  /**
   * Takes no new work and waits up to `drainMs` for what runs. What has not ended by then is released, so that others
   * may claim it at once. The process must end soon after, because nobody records what its runs still do.
   * @returns how many effects were released
   */
  stop(): Promise<number>;
}

interface WorkerPoolDeps extends Omit<WorkerDeps, 'inFlight' | 'rateLimit' | 'concurrency'> {
  readonly self: Pick<WorkerSelf, 'id' | 'host' | 'pid' | 'concurrency'>;
  readonly leader: Leader;
  /** What the pool does again and again, whichever worker has room. */
  readonly recurring?: readonly RecurringJob[];
  /** By kind of effect; a kind without one is not limited. */
  readonly rateLimits: ReadonlyMap<string, RateLimit>;
  /** How long running effects may take to end, milliseconds; 20,000 when left out. */
  readonly drainMs?: number;
}

const HEARTBEAT_MS = 2_000;
/** How often it is looked whose connections are gone; whoever is missing twice is. */
const ABSENCE_MS = 750;
const DRAIN_MS = 20_000;
/** Mailbox batches are short: most of them wait for the database and do not compute. */
const MAILBOXES_TIMES = 16;
/** What is sent to a chain waits for its block, and all of a block wait at once. */
const CHAIN_TIMES = 16;
/** A webhook waits for its receiver. */
const WEBHOOKS_TIMES = 8;
/** How often it is seen to that what recurs has its rows. */
const SCHEDULE_MS = 60_000;

export async function startWorkerPool(deps: WorkerPoolDeps): Promise<WorkerPool> {
  const { db, notifier, leader, self, log } = deps;
  const inFlight = new InFlightJobs();
  const n = self.concurrency;
  const recurring = (deps.recurring ?? []).filter((job) => job.items.length > 0);
  const schedule = (): Promise<void> => scheduleRecurring(db, recurring);
  await schedule();
  const worker = await startWorker({
    ...deps,
    runners: new Map([...deps.runners, ...recurring.map((job) => [job.kind, recurringRunner(job)] as const)]),
    inFlight,
    ...(deps.rateLimits.size > 0 ? { rateLimit: rateLimiter(db, deps.rateLimits) } : {}),
    concurrency: {
      mailboxes: n * MAILBOXES_TIMES,
      chain: n * CHAIN_TIMES,
      determination: n,
      default: n,
      'evaluate-market': Math.ceil(n / 2),
      webhooks: n * WEBHOOKS_TIMES,
      ...UPKEEP,
    },
  });
  let alone = false;
  const tell = async (): Promise<void> => {
    alone = !(await heartbeat(db, { ...self, leader: leader.keeps(), inHand: inFlight.size }));
    notifier.alone(alone);
  };
  await tell();
  const takeOver = takingOver(db, log);
  const heartbeats = every(HEARTBEAT_MS, tell, log);
  const absences = every(ABSENCE_MS, async () => alone || (await takeOver()), log);
  const schedules = every(SCHEDULE_MS, schedule, log);
  return {
    async stop() {
      // The notifier closes first, so that nothing new starts while the sweep and the heartbeats end.
      const ended = Promise.all([
        notifier.close(),
        leader.stop(),
        worker.stop(),
        schedules.stop(),
        absences.stop(),
      ]);
      const quiet = heartbeats.stop();
      const inTime = await within(deps.drainMs ?? DRAIN_MS, ended);
      await quiet;
      const at = { now: deps.now(), clock: deps.leaseClock?.() ?? null };
      const back = inTime ? 0 : await inFlight.giveBack(db, at);
      if (back > 0) log.warn({ effects: back }, 'what did not end in time was given back');
      await deregister(db, self.id);
      return back;
    },
  };
}

/**
 * Ends the leases of workers that two looks in a row find without a connection. One look is not enough: after a restart of
 * the database a worker that lives is without one until its next statement.
 */
function takingOver(db: Database, log: Pick<Logger, 'warn'>): () => Promise<void> {
  let missing: readonly string[] = [];
  return async () => {
    const absent = await absentWorkers(db);
    const gone = absent.filter((id) => missing.includes(id));
    missing = absent;
    if (gone.length === 0) return;
    const effects = await endLeasesOf(db, gone);
    log.warn({ workers: gone, effects }, 'workers are gone: what they had in hand is free');
  };
}

/** @returns false when `work` had not ended after `ms` */
async function within(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
