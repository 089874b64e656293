import { sql } from 'kysely';
import type { Database, Trx } from '../database.ts';
import type { LeaseClock } from './outbox.ts';

/**
 * Jobs of the service's own: effects without an actor, one row each under a key of their own. They are claimed, leased and
 * retried like every effect. One that recurs schedules itself again in the transaction that closes it.
 */

export interface NewJob {
  readonly key: string;
  readonly kind: string;
  readonly params: object;
  readonly afterMs: number;
}

/**
 * Has jobs run once their time comes. One that stands already is brought forward, never put off. One that runs now, was
 * set back by a failure, or is a dead letter stays as it is: a run looks for what is to be done when it closes.
 */
export async function scheduleJobs(db: Database | Trx, jobs: readonly NewJob[]): Promise<void> {
  if (jobs.length === 0) return;
  await sql`
    insert into effects (key, kind, params, next_attempt_at, created_at)
    select j.key, j.kind, j.params::jsonb, clock_timestamp() + j.after * interval '1 millisecond', clock_timestamp()
    from unnest(${jobs.map((j) => j.key)}::text[], ${jobs.map((j) => j.kind)}::text[],
      ${jobs.map((j) => JSON.stringify(j.params))}::text[], ${jobs.map((j) => j.afterMs)}::float8[])
      as j(key, kind, params, after)
    order by j.key
    on conflict (key) do update set next_attempt_at = least(effects.next_attempt_at, excluded.next_attempt_at)
      where effects.status = 'pending' and effects.failures = 0 and effects.next_attempt_at > excluded.next_attempt_at`.execute(
    db,
  );
}

/** When a job that was just closed is due again, and what it is told then. */
export interface Again {
  readonly afterMs: number;
  /** What it is told the next time; left out: the same. */
  readonly params?: object;
}

/** Ends a job, or sets when it is due again, as if it had never failed. The caller has closed it in this transaction. */
export async function scheduleAgain(
  trx: Trx,
  key: string,
  again: Again | null,
  clock: LeaseClock,
): Promise<void> {
  if (again === null) {
    await trx.deleteFrom('effects').where('key', '=', key).execute();
    return;
  }
  const params = again.params === undefined ? null : JSON.stringify(again.params);
  await sql`
    update effects set failures = 0, crash_count = 0, error = null, params = coalesce(${params}::jsonb, params),
      next_attempt_at = coalesce(${clock}::timestamptz, clock_timestamp()) + ${again.afterMs} * interval '1 millisecond'
    where key = ${key}`.execute(trx);
}
