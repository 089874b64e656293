import { type Database, run, type Statement, type Trx } from '../database.ts';
import type { ActorWithMail, Event, NewEffect, NewTimer } from './actors.ts';
import { HOLDER, type LeaseClock } from './outbox.ts';

/**
 * What mailbox batches read and write, for any number of actors at once. One statement reads the actors with their
 * mailboxes and timers as of one moment. One statement writes all of those whose revision is still the one that was read.
 * So two batches of one actor never both count, and a batch that loses does not make the others fail.
 */

export interface BatchToSave {
  readonly id: string;
  readonly revision: bigint;
  readonly version: number;
  readonly snapshot: unknown;
  readonly done: boolean;
  readonly consumed: readonly string[];
  /** Timers that have ended: cancelled, or fired and served. */
  readonly ended: readonly string[];
  /** An effect that is `held` is written with this process's lease on it, as its first attempt. */
  readonly effects: readonly (NewEffect & { readonly held?: boolean })[];
  readonly timers: readonly NewTimer[];
  /** An event that this batch served before it was in the mailbox: it is inserted as served, with the batch. */
  readonly arrival: { readonly eventId: string; readonly event: Event } | null;
  /** Taken from the cache without reading the row: counts only if the mailbox has no unserved event. */
  readonly blind: boolean;
}

export interface Saved {
  /** Actors whose batch was saved. */
  readonly saved: ReadonlySet<string>;
  /** Actors whose arrival was new: where the batch was not saved, the event is in the mailbox, unserved. */
  readonly fresh: ReadonlySet<string>;
  /** Keys of the effects that did not exist before. */
  readonly asked: ReadonlySet<string>;
}

const READ: Statement = {
  name: 'read-actors',
  text: `
    select a.id, a.kind, a.version, a.snapshot, a.revision, a.next_batch_at,
      coalesce((select json_agg(json_build_object('seq', m.seq::text, 'eventId', m.event_id, 'event', m.event)
                                order by m.seq)
        from (select seq, event_id, event from mailbox
          where actor_id = a.id and consumed_at is null and dead_lettered_at is null
          order by seq limit $2) m), '[]') as messages,
      coalesce((select json_object_agg(t.timer_id, t.set_at) from timers t where t.actor_id = a.id), '{}') as timers
    from unnest($1::text[]) as w(id) cross join lateral (select * from actors where id = w.id offset 0) a`,
};

/** Actors, the next events of their mailboxes and their timers, all as of one moment. */
export async function readActors(
  db: Database,
  ids: readonly string[],
  limit: number,
): Promise<ActorWithMail[]> {
  return await run<ActorWithMail>(db, READ, [ids, limit]);
}

/**
 * Arrivals are inserted first; a batch whose arrival was delivered before is not saved. They are marked as served only
 * where the actor's row was locked at its revision, so that no event is served without its batch. An actor that another
 * transaction holds is not waited for: a process that stands still in one would stop the batches of all others. It counts
 * as saved by that process, and its arrival is mail.
 *
 * Rows are looked up one by one with `lateral`: a plan that was cached while the tables were small must not scan them
 * once they are large.
 */
const SAVE: Statement = {
  name: 'save-batches',
  text: `
    with wanted as (
      select * from unnest($2::text[], $3::bigint[], $4::int[], $5::text[], $6::text[], $22::bool[])
        as w(id, revision, version, snapshot, status, blind)
      where set_config('lock_timeout', coalesce($26::text, current_setting('lock_timeout')), true) is not null
    ), held as (
      select h.id, h.revision from (select * from wanted order by id) w cross join lateral (
        select a.id, a.revision from actors a where a.id = w.id and a.revision = w.revision and (not w.blind or not exists (
          select from mailbox m where m.actor_id = w.id and m.consumed_at is null and m.dead_lettered_at is null))
        for no key update of a skip locked) h
    ), arrival as (
      select * from unnest($7::text[], $8::text[], $9::text[]) as n(actor_id, event_id, event)
    ), fresh as (
      insert into mailbox (actor_id, event_id, event, created_at, consumed_at, served_in)
      select n.actor_id, n.event_id, n.event::jsonb, $1, case when h.id is not null then $1::timestamptz end,
        h.revision + 1
      from arrival n left join held h on h.id = n.actor_id
      on conflict (actor_id, event_id) do nothing
      returning actor_id
    ), saved as (
      update actors a set version = w.version, snapshot = w.snapshot::jsonb, revision = a.revision + 1,
        status = w.status, next_batch_at = null, failures = 0, fault = null, updated_at = $1
      from wanted w join held h on h.id = w.id
      where a.id = w.id and not exists (
        select from arrival n where n.actor_id = w.id and not exists (select from fresh f where f.actor_id = w.id))
      returning a.id, a.revision
    ), consumed as (
      update mailbox m set consumed_at = $1, served_in = s.revision
      from unnest($10::bigint[], $11::text[]) as c(seq, actor_id) join saved s on s.id = c.actor_id
      where m.seq = c.seq
    ), ended as (
      delete from timers t using unnest($12::text[], $13::text[]) as e(actor_id, timer_id), saved s
      where s.id = e.actor_id and t.actor_id = e.actor_id and t.timer_id = e.timer_id
    ), asked as (
      insert into effects (key, actor_id, kind, params, next_attempt_at, created_at, status, attempts, lease_until,
        lease_holder)
      select e.key, e.actor_id, e.kind, e.params::jsonb, least($1, clock_timestamp()), $1,
        case when e.held then 'running' else 'pending' end, case when e.held then 1 else 0 end,
        case when e.held then coalesce($24::timestamptz, clock_timestamp()) + $25 * interval '1 millisecond' end,
        case when e.held then ${HOLDER} end
      from unnest($14::text[], $15::text[], $16::text[], $17::text[], $23::bool[]) with ordinality
        as e(actor_id, key, kind, params, held, n) join saved s on s.id = e.actor_id
      order by e.n
      on conflict (key) do nothing
      returning key
    ), set_timers as (
      insert into timers (actor_id, timer_id, due_at, event, set_at)
      select t.actor_id, t.timer_id, t.due_at, t.event::jsonb, s.revision
      from unnest($18::text[], $19::text[], $20::timestamptz[], $21::text[])
        as t(actor_id, timer_id, due_at, event) join saved s on s.id = t.actor_id
      on conflict (actor_id, timer_id) do update
        set due_at = excluded.due_at, event = excluded.event, set_at = excluded.set_at, fired_at = null
    )
    select id, 'saved' as what from saved union all select actor_id, 'fresh' from fresh
    union all select key, 'asked' from asked`,
};

/**
 * Saves batches over the revisions they were taken from, in one statement. Each is saved or not by itself.
 * @param how.lockMs how long this statement, and what its transaction does next, waits for each lock; the connection's limit
 *   where it is left out
 */
export async function saveBatches(
  db: Database | Trx,
  batches: readonly BatchToSave[],
  now: Date,
  how: { readonly leaseMs: number; readonly clock: LeaseClock; readonly lockMs?: number } = {
    leaseMs: 0,
    clock: null,
  },
): Promise<Saved> {
  const arrival = batches.flatMap((t) => (t.arrival ? [{ id: t.id, ...t.arrival }] : []));
  const consumed = batches.flatMap(({ id, consumed: seqs }) => seqs.map((seq) => ({ id, seq })));
  const ended = batches.flatMap(({ id, ended: timers }) => timers.map((timer) => ({ id, timer })));
  const effects = batches.flatMap((t) => t.effects.map((e) => ({ id: t.id, ...e })));
  const timers = batches.flatMap((t) => t.timers.map((e) => ({ id: t.id, ...e })));
  const rows = await run<{ id: string; what: 'saved' | 'fresh' | 'asked' }>(db, SAVE, [
    now,
    batches.map((t) => t.id),
    batches.map((t) => t.revision),
    batches.map((t) => t.version),
    batches.map((t) => JSON.stringify(t.snapshot)),
    batches.map((t) => (t.done ? 'done' : 'active')),
    arrival.map((n) => n.id),
    arrival.map((n) => n.eventId),
    arrival.map((n) => JSON.stringify(n.event)),
    consumed.map((c) => c.seq),
    consumed.map((c) => c.id),
    ended.map((e) => e.id),
    ended.map((e) => e.timer),
    effects.map((e) => e.id),
    effects.map((e) => e.key),
    effects.map((e) => e.kind),
    effects.map((e) => JSON.stringify(e.params)),
    timers.map((t) => t.id),
    timers.map((t) => t.timerId),
    timers.map((t) => t.dueAt),
    timers.map((t) => JSON.stringify(t.event)),
    batches.map((t) => t.blind),
    effects.map((e) => e.held === true),
    how.clock,
    how.leaseMs,
    how.lockMs === undefined ? null : String(how.lockMs),
  ]);
  const of = (what: string) => new Set(rows.filter((r) => r.what === what).map((r) => r.id));
  return { saved: of('saved'), fresh: of('fresh'), asked: of('asked') };
}
