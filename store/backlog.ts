import { sql } from 'kysely';
import type { Database } from './database.ts';

/** What waits, and since when, as metrics show it. */
export interface Backlog {
  readonly unservedEvents: number;
  /** Seconds; null where nothing waits. */
  readonly oldestUnserved: number | null;
  readonly parkedEvents: number;
  /** Seconds since the oldest event or effect was given up that nobody has dealt with; null where there is none. */
  readonly oldestParked: number | null;
  /** Those that are pending, running or given up. */
  readonly effects: readonly { readonly kind: string; readonly status: string; readonly count: number }[];
}

/** Reads what the partial indexes hold: what is served and done costs nothing. */
export async function backlog(db: Database, now: Date): Promise<Backlog> {
  const [{ rows: mail }, { rows: parked }, { rows: effects }] = await Promise.all([
    sql<{ count: number; oldest: Date | null }>`
      select count(*)::int as count, min(created_at) as oldest
      from mailbox where consumed_at is null and parked_at is null`.execute(db),
    sql<{ count: number; oldest: Date | null }>`
      select count(*)::int as count, least(min(parked_at), (select min(coalesce(finished_at, created_at))
        from effects where status = 'failed' and dropped_at is null)) as oldest
      from mailbox where parked_at is not null and consumed_at is null`.execute(db),
    sql<{ kind: string; status: string; count: number }>`
      select kind, status, count(*)::int as count from effects where status in ('pending', 'running')
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
    parkedEvents: parked[0]?.count ?? 0,
    oldestParked: age(parked[0]?.oldest),
    effects,
  };
}
