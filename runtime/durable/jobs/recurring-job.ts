import type { Database } from '../../../store/database.ts';
import { type Again, scheduleJobs } from '../../../store/durable/jobs.ts';
import type { PendingWork } from '../../../store/pending-work.ts';
import type { EffectContext, EffectRunner, Lane } from './effect.ts';

/**
 * What the service does again and again, once for each of some items: a row each, claimed by any worker. It schedules
 * itself in the transaction that closes it, so one that was missed for hours runs once. It is never given up because it
 * fails, and the operator sees it among what is quarantined. Only one in which process after process ends is a dead letter.
 */
export interface RecurringJob {
  readonly kind: string;
  readonly lane: Lane;
  /** What there is one job for: lists, signers. A job for anything else ends. */
  readonly items: readonly string[];
  /** After how long it is due again, milliseconds. */
  readonly everyMs: number;
  readonly timeLimitMs?: number;
  /** The longest backoff after failures, milliseconds; a minute by default. */
  readonly mostBackoffMs?: number;
  /** The items for which there is something to do: their jobs are brought forward to the usual time. */
  readonly waits?: (work: Waiting) => readonly string[];
  /** @returns when it is due again, where that is not after the usual time */
  run(item: string, context: EffectContext): Promise<Again | undefined>;
}

/**
 * A job that has found nothing to do passes over so many of its usual times, and over a minute: it is brought forward when
 * there is something.
 */
const AT_REST = 20;
const AT_REST_MS = 60_000;

/** When a job is due again that has found nothing to do. */
export function atRest({ everyMs }: Pick<RecurringJob, 'everyMs'>): Again {
  return { afterMs: Math.max(everyMs * AT_REST, AT_REST_MS) };
}

/** What rows wait for, and the newest block of each chain that answers, by its id. */
export interface Waiting extends PendingWork {
  readonly heads: ReadonlyMap<number, string>;
}

const BACKOFF = { firstMs: 1_000, mostMs: 60_000 };

export function recurringRunner(job: RecurringJob): EffectRunner {
  const { kind, lane, items, everyMs, timeLimitMs, mostBackoffMs = BACKOFF.mostMs } = job;
  return {
    kind,
    lane,
    maxAttempts: Number.POSITIVE_INFINITY,
    ...(timeLimitMs === undefined ? {} : { timeLimitMs }),
    backoff: { firstMs: BACKOFF.firstMs, mostMs: mostBackoffMs },
    async run(context) {
      const item = String(context.params.item);
      if (!items.includes(item)) return { again: async () => null };
      const again = await job.run(item, context);
      return { again: async () => again ?? { afterMs: everyMs } };
    },
  };
}

/** Has each job stand, for the first time after its usual time. One that is due sooner stays so. */
export async function scheduleRecurring(db: Database, jobs: readonly RecurringJob[]): Promise<void> {
  await scheduleJobs(
    db,
    jobs.flatMap(({ kind, items, everyMs }) =>
      items.map((item) => ({ key: `${kind}:${item}`, kind, params: { item }, afterMs: everyMs })),
    ),
  );
}
