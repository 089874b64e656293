import { sql } from 'kysely';
import type { Database, Trx } from '../database.ts';

/**
 * An item of a periodic task, or a job of the service's own, that failed and is retried. All times are the database's.
 */
export interface SetAside {
  /** `12`, or `job-7`. */
  readonly id: string;
  readonly kind: string;
  readonly item: string;
  /** The reason of the latest failure. */
  readonly reason: string;
  /** What the task needs besides the id to retry it. */
  readonly context: Readonly<Record<string, unknown>>;
  /** Failures in a row. */
  readonly failures: number;
  /** Null: of a job, of which it is not kept. */
  readonly since: Date | null;
  readonly nextTryAt: Date;
  /** Whether it may be retried now. */
  readonly due: boolean;
}

/** The jobs among them are few, and an index holds no others. */
const ASIDE = sql`
  select id as n, id::text as id, kind, item, reason, context, failures, set_aside_at as since,
    next_try_at as "nextTryAt", next_try_at <= clock_timestamp() as due
  from quarantine
  union all
  select id, 'job-' || id, kind, substr(key, length(kind) + 2), coalesce(error, ''), params, failures, null,
    next_attempt_at, next_attempt_at <= clock_timestamp()
  from effects where actor_id is null and status in ('pending', 'running') and failures > 0`;
const COLUMNS = sql`id, kind, item, reason, context, failures, since, "nextTryAt", due`;

/** What is in quarantine, of one kind or of all, oldest first. */
export async function listQuarantine(db: Database, kind: string | null = null): Promise<SetAside[]> {
  const { rows } = await sql<SetAside>`
    select ${COLUMNS} from (${ASIDE}) a where ${kind}::text is null or kind = ${kind}
    order by since nulls last, n`.execute(db);
  return rows;
}

/** The kinds of which anything is in quarantine. */
export async function quarantinedKinds(db: Database): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ kind: string }>`select distinct kind from (${ASIDE}) a`.execute(db);
  return new Set(rows.map(({ kind }) => kind));
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
    select kind, count(*)::int as count from (${ASIDE}) a group by kind order by kind`.execute(db);
  return rows;
}

/** @throws Error when the text is no id of what is set aside */
export async function findQuarantined(db: Database, id: string): Promise<SetAside | null> {
  numberOf(id);
  const { rows } = await sql<SetAside>`select ${COLUMNS} from (${ASIDE}) a where id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** Lets the next round retry it, as if it had never failed. @returns false when it is not in quarantine */
export async function retryQuarantined(db: Database, id: string): Promise<boolean> {
  const { job, n } = numberOf(id);
  const { rows } = job
    ? await sql`
        update effects set next_attempt_at = clock_timestamp()
        where id = ${n} and actor_id is null and status = 'pending' and failures > 0 returning id`.execute(db)
    : await sql`
        update quarantine set next_try_at = clock_timestamp(), failures = 0 where id = ${n} returning id`.execute(
        db,
      );
  return rows.length > 0;
}

/**
 * Drops it: it is tried again only if its task finds it again, and a job that recurs when its usual time comes.
 * @returns false when it is not in quarantine
 */
export async function dropQuarantined(db: Database | Trx, id: string): Promise<boolean> {
  const { job, n } = numberOf(id);
  const { rows } = job
    ? await sql`
        delete from effects
        where id = ${n} and actor_id is null and status = 'pending' and failures > 0 returning id`.execute(db)
    : await sql`delete from quarantine where id = ${n} returning id`.execute(db);
  return rows.length === 1;
}

/** @throws Error when the text is no id of what is set aside */
function numberOf(id: string): { job: boolean; n: bigint } {
  const [, job, n] = /^(job-)?(\d{1,18})$/.exec(id) ?? [];
  if (n === undefined) throw new Error(`"${id}" is no number of what is set aside`);
  return { job: job !== undefined, n: BigInt(n) };
}
