import { sql } from 'kysely';
import type { Database } from '../database.ts';

/** How much waits, and since when, for the metrics. */
export interface Backlog {
  readonly unservedEvents: number;
  /** Age of the oldest, seconds; null where nothing waits. */
  readonly oldestUnserved: number | null;
  readonly deadLetterEvents: number;
  /** Age of the oldest dead letter that nobody has handled, seconds; null where there is none. */
  readonly oldestDeadLetter: number | null;
  /** The effects that are pending, running or failed. A job that recurs counts when it is due, runs or fails. */
  readonly effects: readonly { readonly kind: string; readonly status: string; readonly count: number }[];
}

/** Reads partial indexes only, so that served events and done effects cost nothing. */
export async function backlog(db: Database, now: Date): Promise<Backlog> {
  const [{ rows: mail }, { rows: deadLettered }, { rows: effects }] = await Promise.all([
    sql<{ count: number; oldest: Date | null }>`
      select count(*)::int as count, min(created_at) as oldest
      from mailbox where consumed_at is null and dead_lettered_at is null`.execute(db),
    sql<{ count: number; oldest: Date | null }>`
      select count(*)::int as count, least(min(dead_lettered_at), (select min(coalesce(finished_at, created_at))
        from effects where status = 'failed' and dropped_at is null)) as oldest
      from mailbox where dead_lettered_at is not null and consumed_at is null`.execute(db),
    sql<{ kind: string; status: string; count: number }>`
      select kind, status, count(*)::int as count from effects
      where status in ('pending', 'running') and (actor_id is not null or failures > 0 or next_attempt_at <= clock_timestamp())
      group by kind, status
      union all
      select kind, status, count(*)::int from effects where status = 'failed' and dropped_at is null
      group by kind, status`.execute(db),
  ]);
  const age = (at: Date | null | undefined): number | null =>
    at ? Math.max(0, (now.getTime() - at.getTime()) / 1000) : null;
  return {
    unservedEvents: mail[0]?.count ?? 0,
    oldestUnserved: age(mail[0]?.oldest),
    deadLetterEvents: deadLettered[0]?.count ?? 0,
    oldestDeadLetter: age(deadLettered[0]?.oldest),
    effects,
  };
}
