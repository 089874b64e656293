import { type Selectable, sql } from 'kysely';
import { type Database, run, type Statement, type Trx } from '../database.ts';
import type { Tables } from '../tables.ts';

export type EffectRow = Pick<
  Selectable<Tables['effects']>,
  'key' | 'actor_id' | 'kind' | 'params' | 'attempts' | 'failures' | 'crash_count' | 'error'
>;

/** An effect that waits for a worker. Its kind decides the lane. */
export interface WaitingEffect {
  readonly key: string;
  readonly kind: string;
}

/** When an effect was asked for, however late or often it runs. */
export async function effectAskedAt(db: Database, key: string): Promise<Date> {
  const row = db.selectFrom('effects').select('created_at').where('key', '=', key);
  return (await row.executeTakeFirstOrThrow()).created_at;
}

/**
 * Leases and backoffs use the database's clock, which all processes share. A process whose own clock jumped then neither
 * takes a lease that is still valid nor loses its own. A simulator gives its own time; null is the database's.
 */
export type LeaseClock = Date | null;

/**
 * When the effect of a crashed process may be claimed again. Each crash adds a pause, so that an effect that makes its
 * process crash does not run again together with the effects that were only in flight beside it.
 */
const PAUSE_AFTER_CRASH = "least(power(2, crash_count) - 1, 300) * interval '1 second'";
const FREE = (now: string): string =>
  `((status = 'pending' and next_attempt_at <= ${now})
    or (status = 'running' and lease_until + ${PAUSE_AFTER_CRASH} < ${now}))`;

/** The process whose connection this is: {@link openDatabase} names it. Null for a connection without a name. */
export const HOLDER = "nullif(current_setting('application_name'), '')";

/** What is due and may have been woken by nobody. */
export interface OverdueWork {
  /** Of the kinds that were asked about, those of which something is due. */
  readonly kinds: readonly string[];
  /** Whether a timer is due. */
  readonly timers: boolean;
  /** Whether any actor has mail, due or not. */
  readonly mail: boolean;
}

/** Looks for all that is due in one statement, so that a service at rest asks no more than that. */
export async function overdueWork(
  db: Database,
  due: { kinds: readonly string[]; now: Date; clock: LeaseClock },
): Promise<OverdueWork> {
  const rows = await run<{ kind: string | null; timers: boolean; mail: boolean }>(
    db,
    {
      name: 'overdue-work',
      text: `
        select k.kind, false as timers, false as mail
          from (select coalesce($1::timestamptz, clock_timestamp()) as now) clock, unnest($2::text[]) as k(kind)
          where exists (select from effects where kind = k.kind and status in ('pending', 'running')
            and next_attempt_at <= clock.now and ${FREE('clock.now')})
        union all select null,
          exists (select from timers where fired_at is null and due_at <= $3),
          exists (select from mailbox where consumed_at is null and dead_lettered_at is null)`,
    },
    [due.clock, due.kinds, due.now],
  );
  return {
    kinds: rows.flatMap(({ kind }) => (kind === null ? [] : [kind])),
    timers: rows.some(({ timers }) => timers),
    mail: rows.some(({ mail }) => mail),
  };
}

/** The effects of these actors that wait to be run. */
export async function waitingEffects(
  db: Database,
  actorIds: readonly string[],
  now: Date,
): Promise<(WaitingEffect & { actorId: string })[]> {
  const { rows } = await sql<WaitingEffect & { actorId: string }>`
    select key, kind, actor_id as "actorId" from effects
    where actor_id = any(${actorIds}::text[]) and status = 'pending'
      and next_attempt_at <= greatest(${now}, clock_timestamp())
    order by id`.execute(db);
  return rows;
}

/**
 * Each kind is looked up through the index by itself, so that a claim costs as much as it takes, whatever waits in other
 * lanes and however much is done.
 */
export const CLAIM: Statement = {
  name: 'claim-effects',
  text: `
    with clock as (select coalesce($1::timestamptz, clock_timestamp()) as now), free as (
      select f.id from clock, unnest($2::text[]) as k(kind) cross join lateral (
        select id, next_attempt_at from effects
        where kind = k.kind and status in ('pending', 'running') and next_attempt_at <= clock.now
          and ${FREE('clock.now')}
        order by next_attempt_at, id limit $3 for update skip locked) f
      order by f.next_attempt_at, f.id limit $3
    )
    update effects e set status = 'running', attempts = e.attempts + 1,
      crash_count = e.crash_count + case when e.status = 'running' then 1 else 0 end,
      lease_until = clock.now + $4 * interval '1 millisecond', lease_holder = ${HOLDER}
    from free, clock where e.id = free.id
    returning e.key, e.actor_id, e.kind, e.params, e.attempts, e.failures, e.crash_count, e.error`,
};

/**
 * Claims up to `limit` effects of these kinds for one attempt each, the longest due first. Leaves out what is not due,
 * what is done, and what another worker has under a lease. Fewer than `limit` says that nothing more is due, except for
 * what another claim looked at in the same moment.
 */
export async function claimEffects(
  db: Database,
  claim: { kinds: readonly string[]; limit: number; leaseMs: number; clock: LeaseClock },
): Promise<EffectRow[]> {
  return await run<EffectRow>(db, CLAIM, [claim.clock, claim.kinds, claim.limit, claim.leaseMs]);
}

/** @returns false when another worker has taken the lease */
export async function extendLease(
  db: Database,
  lease: { key: string; attempt: number; leaseMs: number; clock: LeaseClock },
): Promise<boolean> {
  const { rows } = await sql`
    update effects
    set lease_until = coalesce(${lease.clock}::timestamptz, clock_timestamp()) + ${lease.leaseMs} * interval '1 millisecond'
    where key = ${lease.key} and status = 'running' and attempts = ${lease.attempt}
    returning key`.execute(db);
  return rows.length > 0;
}

export interface Closing {
  readonly key: string;
  readonly attempt: number;
  readonly status: 'done' | 'failed' | 'pending';
  readonly error: string | null;
  /** The run itself failed, which counts towards the most failures allowed. */
  readonly failed: boolean;
  readonly event: object | null;
  /** The backoff before the next attempt of a pending effect. */
  readonly waitMs: number;
}

const CLOSE: Statement = {
  name: 'close-effects',
  text: `
    with clock as (select coalesce($1::timestamptz, clock_timestamp()) as now), wanted as (
      select * from unnest($3::text[], $4::int[], $5::text[], $6::text[], $7::bool[], $8::text[], $9::int[])
        with ordinality as w(key, attempt, status, error, failed, event, wait, n)
    ), held as (
      select h.key from (select * from wanted order by key) w cross join lateral (
        select e.key from effects e where e.key = w.key and e.status = 'running' and e.attempts = w.attempt
        for update of e) h
    ), closed as (
      update effects e set status = w.status, error = w.error, lease_until = null,
        failures = e.failures + case when w.failed then 1 else 0 end,
        next_attempt_at = clock.now + w.wait * interval '1 millisecond',
        finished_at = case when w.status <> 'pending' then $2::timestamptz end
      from wanted w join held h on h.key = w.key, clock
      where e.key = w.key and e.status = 'running' and e.attempts = w.attempt
      returning e.key, e.actor_id
    ), told as (
      insert into mailbox (actor_id, event_id, event, created_at)
      select c.actor_id, 'effect:' || c.key, w.event::jsonb, $2
      from wanted w join closed c on c.key = w.key where w.event is not null and c.actor_id is not null
      order by w.n
      on conflict (actor_id, event_id) do nothing
    )
    select key from closed`,
};

/**
 * Closes attempts and delivers their events, in one statement. Skips an effect whose lease another worker has taken.
 * @returns the keys of the effects that were closed; nothing was written for the others
 */
export async function closeEffects(
  db: Database | Trx,
  closings: readonly Closing[],
  at: { now: Date; clock: LeaseClock },
): Promise<Set<string>> {
  const rows = await run<{ key: string }>(db, CLOSE, [
    at.clock,
    at.now,
    closings.map((c) => c.key),
    closings.map((c) => c.attempt),
    closings.map((c) => c.status),
    closings.map((c) => c.error),
    closings.map((c) => c.failed),
    closings.map((c) => (c.event === null ? null : JSON.stringify(c.event))),
    closings.map((c) => c.waitMs),
  ]);
  return new Set(rows.map((r) => r.key));
}
