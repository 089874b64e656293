import { sql } from 'kysely';
import type { Database, Trx } from './database.ts';

/**
 * The rows of durable actors: snapshot, mailbox, and what a turn writes. A turn is two round trips: one statement
 * that reads the actor with its mailbox and its timers as of one moment, and one that writes everything, provided the
 * revision is still the one that was read. Two turns of one actor at once therefore never both count.
 */

type Event = { readonly type: string } & Readonly<Record<string, unknown>>;

export interface Message {
  readonly seq: string;
  readonly eventId: string;
  readonly event: Event;
}

export interface ActorWithMail {
  readonly id: string;
  readonly kind: string;
  readonly version: number;
  readonly snapshot: unknown;
  readonly revision: bigint;
  readonly next_turn_at: Date | null;
  /** Unserved, in the order in which they came. */
  readonly messages: readonly Message[];
  /** By timer id: the revision that set it. */
  readonly timers: Readonly<Record<string, number>>;
}

export interface NewEffect {
  readonly key: string;
  readonly kind: string;
  readonly params: object;
}

export interface NewTimer {
  readonly timerId: string;
  readonly dueAt: Date;
  readonly event: Event;
}

/** What a turn, or a birth, leaves behind besides the snapshot. */
interface Written {
  readonly effects: readonly NewEffect[];
  readonly timers: readonly NewTimer[];
  readonly now: Date;
}

/** Writes an event into a mailbox. @returns false when the actor has one of this id already */
export async function insertMessage(
  trx: Trx,
  message: { actorId: string; eventId: string; event: Event; now: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into mailbox (actor_id, event_id, event, created_at)
    values (${message.actorId}, ${message.eventId}, ${JSON.stringify(message.event)}::jsonb, ${message.now})
    on conflict (actor_id, event_id) do nothing
    returning seq`.execute(trx);
  return rows.length > 0;
}

/** An actor, the next events of its mailbox and its timers, all as of one moment. */
export async function readActor(db: Database, id: string, limit: number): Promise<ActorWithMail | null> {
  const { rows } = await sql<ActorWithMail>`
    select a.id, a.kind, a.version, a.snapshot, a.revision, a.next_turn_at,
      coalesce((select json_agg(json_build_object('seq', m.seq::text, 'eventId', m.event_id, 'event', m.event)
                                order by m.seq)
        from (select seq, event_id, event from mailbox
          where actor_id = a.id and consumed_at is null and parked_at is null
          order by seq limit ${limit}) m), '[]') as messages,
      coalesce((select json_object_agg(t.timer_id, t.set_at) from timers t where t.actor_id = a.id), '{}') as timers
    from actors a where a.id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** @returns false when the actor was there already, and nothing was written */
export async function insertActor(
  trx: Trx,
  actor: Written & { id: string; kind: string; version: number; snapshot: unknown; done: boolean },
): Promise<boolean> {
  const { rows } = await sql`
    with saved as (
      insert into actors (id, kind, version, snapshot, status, created_at, updated_at)
      values (${actor.id}, ${actor.kind}, ${actor.version}, ${JSON.stringify(actor.snapshot)}::jsonb,
        ${actor.done ? 'done' : 'active'}, ${actor.now}, ${actor.now})
      on conflict (id) do nothing
      returning id, revision
    ), ${writes(actor)}
    select id from saved`.execute(trx);
  return rows.length > 0;
}

/** Saves a turn over the revision it was taken from. @returns false when another turn was saved meanwhile */
export async function saveTurn(
  db: Database,
  turn: Written & {
    id: string;
    revision: bigint;
    version: number;
    snapshot: unknown;
    done: boolean;
    consumed: readonly string[];
    /** Timers that are over: cancelled, or fired and taken. */
    ended: readonly string[];
  },
): Promise<boolean> {
  const { rows } = await sql`
    with saved as (
      update actors set version = ${turn.version}, snapshot = ${JSON.stringify(turn.snapshot)}::jsonb,
        revision = revision + 1, status = ${turn.done ? 'done' : 'active'}, next_turn_at = null, failures = 0,
        fault = null, updated_at = ${turn.now}
      where id = ${turn.id} and revision = ${turn.revision}
      returning id, revision
    ), consumed as (
      update mailbox set consumed_at = ${turn.now}
      where seq = any(${turn.consumed}::bigint[]) and exists (select from saved)
    ), ended as (
      delete from timers t using saved where t.actor_id = saved.id and t.timer_id = any(${turn.ended}::text[])
    ), ${writes(turn)}
    select id from saved`.execute(db);
  return rows.length > 0;
}

/** The effects and timers that belong to the row `saved`. A timer set anew replaces the one of its id. */
function writes({ effects, timers, now }: Written) {
  const asked = effects.map((e) => ({ key: e.key, kind: e.kind, params: e.params }));
  const set = timers.map((t) => ({ timer_id: t.timerId, due_at: t.dueAt, event: t.event }));
  return sql`
    asked as (
      insert into effects (key, actor_id, kind, params, next_attempt_at, created_at)
      select e.key, saved.id, e.kind, e.params, ${now}, ${now}
      from saved, jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as e (key text, kind text, params jsonb)
      on conflict (key) do nothing
    ), set_timers as (
      insert into timers (actor_id, timer_id, due_at, event, set_at)
      select saved.id, t.timer_id, t.due_at, t.event, saved.revision
      from saved, jsonb_to_recordset(${JSON.stringify(set)}::jsonb)
        as t (timer_id text, due_at timestamptz, event jsonb)
      on conflict (actor_id, timer_id) do update
        set due_at = excluded.due_at, event = excluded.event, set_at = excluded.set_at, fired_at = null
    )`;
}

/**
 * Notes a turn that threw: the next try is held back. After `parkAfter` tries the event named by `seq` is parked with
 * the fault; with no `seq` nothing is, because no event is to blame. Writes nothing when the actor went on meanwhile.
 */
export async function noteFailure(
  db: Database,
  failure: {
    actorId: string;
    revision: bigint;
    seq: string | null;
    fault: string;
    parkAfter: number;
    retryAt: (failures: number) => Date;
    now: Date;
  },
): Promise<{ parked: boolean }> {
  const { actorId, revision, seq, now } = failure;
  const fault = failure.fault.slice(0, 2000);
  return await db.transaction().execute(async (trx) => {
    const actor = await trx
      .selectFrom('actors')
      .select('failures')
      .where('id', '=', actorId)
      .where('revision', '=', revision)
      .where((eb) => eb.or([eb('next_turn_at', 'is', null), eb('next_turn_at', '<=', now)]))
      .forUpdate()
      .executeTakeFirst();
    if (!actor) return { parked: false };
    const failures = actor.failures + 1;
    const parked = seq !== null && failures >= failure.parkAfter;
    await trx
      .updateTable('actors')
      .set({
        failures: parked ? 0 : failures,
        fault,
        next_turn_at: parked ? null : failure.retryAt(failures),
        updated_at: now,
      })
      .where('id', '=', actorId)
      .execute();
    if (parked)
      await sql`update mailbox set parked_at = ${now}, fault = ${fault} where seq = ${seq}`.execute(trx);
    return { parked };
  });
}

/** Actors with an event older than `before` that nobody served, and not held back after a failure. */
export async function dueActors(db: Database, before: Date, now: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ actor_id: string }>`
    select distinct m.actor_id
    from mailbox m join actors a on a.id = m.actor_id
    where m.consumed_at is null and m.parked_at is null and m.created_at <= ${before}
      and (a.next_turn_at is null or a.next_turn_at <= ${now})
    limit ${limit}`.execute(db);
  return rows.map((r) => r.actor_id);
}
