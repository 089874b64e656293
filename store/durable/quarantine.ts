import { sql } from 'kysely';
import type { Database } from '../database.ts';

/** An item of a periodic task that failed and is retried. All times are the database's. */
export interface SetAside {
  readonly id: bigint;
  readonly kind: string;
  readonly item: string;
  /** The reason of the latest failure. */
  readonly reason: string;
  /** What the task needs besides the id to retry it. */
  readonly context: Readonly<Record<string, unknown>>;
  /** Failures in a row. */
  readonly failures: number;
  readonly since: Date;
  readonly nextTryAt: Date;
  /** Whether it may be retried now. */
  readonly due: boolean;
}

const COLUMNS = sql`id, kind, item, reason, context, failures, set_aside_at as since, next_try_at as "nextTryAt",
  next_try_at <= clock_timestamp() as due`;

/** What is in quarantine, of one kind or of all, oldest first. */
export async function listQuarantine(db: Database, kind: string | null = null): Promise<SetAside[]> {
  const { rows } = await sql<SetAside>`
    select ${COLUMNS} from quarantine where ${kind}::text is null or kind = ${kind} order by id`.execute(db);
  return rows;
}

/**
 * Puts an item into quarantine, or prolongs it. The backoff doubles each time, with a jitter of a quarter, so that items
 * which failed together are not retried together.
 * @param pause the first backoff and the longest, milliseconds
 * @returns how often it failed in a row, and its reason before; null the first time
 */
export async function quarantine(
  db: Database,
  failed: { kind: string; item: string; reason: string; context: object },
  pause: { firstMs: number; mostMs: number },
): Promise<{ failures: number; before: string | null }> {
  const { kind, item, reason } = failed;
  const after = (failures: ReturnType<typeof sql>) => sql`clock_timestamp() + interval '1 millisecond'
    * least(${pause.firstMs}::float8 * 2 ^ least(${failures}, 30), ${pause.mostMs}::float8) * (0.75 + random() / 2)`;
  const { rows } = await sql<{ failures: number; before: string | null }>`
    with earlier as (select reason from quarantine where kind = ${kind} and item = ${item})
    insert into quarantine as q (kind, item, reason, context, failures, set_aside_at, next_try_at)
    values (${kind}, ${item}, ${reason}, ${JSON.stringify(failed.context)}::jsonb, 1, clock_timestamp(),
      ${after(sql`0`)})
    on conflict (kind, item) do update set reason = excluded.reason, context = excluded.context,
      failures = q.failures + 1, next_try_at = ${after(sql`q.failures`)}
    returning failures, (select reason from earlier) as before`.execute(db);
  return rows[0]!;
}

/** Ends an item's quarantine, because it succeeded or is gone. @returns false when it was not in quarantine */
export async function release(db: Database, kind: string, item: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('quarantine')
    .where('kind', '=', kind)
    .where('item', '=', item)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** How many items are in quarantine, by kind. */
export async function countQuarantine(db: Database): Promise<{ kind: string; count: number }[]> {
  const { rows } = await sql<{ kind: string; count: number }>`
    select kind, count(*)::int as count from quarantine group by kind order by kind`.execute(db);
  return rows;
}

export async function findQuarantined(db: Database, id: bigint): Promise<SetAside | null> {
  const { rows } = await sql<SetAside>`select ${COLUMNS} from quarantine where id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** Lets the next round retry it, as if it had never failed. @returns false when it is not in quarantine */
export async function retryQuarantined(db: Database, id: bigint): Promise<boolean> {
  const { rows } = await sql`
    update quarantine set next_try_at = clock_timestamp(), failures = 0 where id = ${id} returning id`.execute(
    db,
  );
  return rows.length > 0;
}

/** Drops it: it is tried again only if its task finds it again. @returns false when it is not in quarantine */
export async function dropQuarantined(db: Database, id: bigint): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('quarantine').where('id', '=', id).executeTakeFirst();
  return numDeletedRows === 1n;
}
