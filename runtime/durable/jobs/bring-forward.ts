import type { Database } from '../../../store/database.ts';
import { scheduleJobs } from '../../../store/durable/jobs.ts';
import type { PendingWork } from '../../../store/pending-work.ts';
import type { RecurringJob } from './recurring-job.ts';

interface Parts {
  readonly db: Database;
  readonly look: () => Promise<PendingWork>;
  readonly jobs: readonly RecurringJob[];
  /** Milliseconds of a clock that nobody can set. */
  readonly steady?: () => number;
}

/**
 * The periodic task that brings forward the jobs which found nothing to do and are not due for long, once there is: to
 * their usual time, as if they had looked all along.
 */
export function jobsBroughtForward({
  db,
  look,
  jobs,
  steady = () => performance.now(),
}: Parts): () => Promise<void> {
  const brought = new Map<string, number>();
  return async () => {
    const work = await look();
    const at = steady();
    const due = jobs.flatMap(({ kind, everyMs, waits }) =>
      (waits?.(work) ?? [])
        .map((item) => ({ key: `${kind}:${item}`, kind, params: { item }, afterMs: everyMs }))
        .filter(({ key }) => at - (brought.get(key) ?? Number.NEGATIVE_INFINITY) >= everyMs),
    );
    await scheduleJobs(db, due);
    for (const { key } of due) brought.set(key, at);
  };
}
