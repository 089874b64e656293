import type { Database } from '../../../store/database.ts';
import { scheduleJobs } from '../../../store/durable/jobs.ts';
import type { RecurringJob, Waiting } from './recurring-job.ts';

interface Parts {
  readonly db: Database;
  readonly look: () => Promise<Waiting>;
  readonly jobs: readonly RecurringJob[];
  /** Milliseconds of a clock that nobody can set. */
  readonly steady?: () => number;
}

/** How long what has changed counts as waiting, whatever a job found meanwhile: it may have looked just before. */
const CHANGED_MS = 5_000;

/** Names what has another value than it had, for a while after it changed. A value that is new has changed. */
export function changedOfLate<Value>(
  steady: () => number = () => performance.now(),
): (values: Iterable<readonly [string, Value]>) => readonly string[] {
  const seen = new Map<string, { readonly value: Value; readonly at: number }>();
  return (values) => {
    const at = steady();
    for (const [key, value] of values) if (seen.get(key)?.value !== value) seen.set(key, { value, at });
    return [...seen].flatMap(([key, { at: since }]) => (at - since < CHANGED_MS ? [key] : []));
  };
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
