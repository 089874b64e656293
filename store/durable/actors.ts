import { sql } from 'kysely';
import type { Database, Trx } from '../database.ts';

/** The rows of durable actors: births, mailboxes, faults, and who is due. `mailbox-batches.ts` has what a batch reads and writes. */

export type Event = { readonly type: string } & Readonly<Record<string, unknown>>;

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
  readonly next_batch_at: Date | null;
  /** The unserved events, in the order in which they came. */
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

/** What a mailbox batch, or a birth, writes besides the snapshot. */
interface Written {
  readonly effects: readonly NewEffect[];
  readonly timers: readonly NewTimer[];
  readonly now: Date;
}

/**
 * Locks an actor until the transaction ends: meanwhile no batch of it is saved and none of its timers fires. The actor's
 * row is locked before its timers, in the order in which a batch locks them, so that the two cannot deadlock.
 */
export async function holdActor(trx: Trx, id: string): Promise<void> {
  await trx.selectFrom('actors').select('id').where('id', '=', id).forNoKeyUpdate().execute();
  await trx.selectFrom('timers').select('timer_id').where('actor_id', '=', id).forNoKeyUpdate().execute();
}

/** @returns which of these events an actor was sent; events that were deleted from its history are unknown */
export async function eventsAmong(
  trx: Trx,
  actorId: string,
  eventIds: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  const rows = await trx
    .selectFrom('mailbox')
    .select(['event_id', 'created_at'])
    .where('actor_id', '=', actorId)
    .where('event_id', 'in', eventIds)
    .execute();
  return new Map(rows.map((row) => [row.event_id, row.created_at]));
}

/** Writes an event into a mailbox. @returns false when the actor has one of this id already */
export async function insertMessage(
  trx: Database | Trx,
  message: { actorId: string; eventId: string; event: Event; now: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into mailbox (actor_id, event_id, event, created_at)
    values (${message.actorId}, ${message.eventId}, ${JSON.stringify(message.event)}::jsonb, ${message.now})
    on conflict (actor_id, event_id) do nothing
    returning seq`.execute(trx);
  return rows.length > 0;
}

/** Writes events on their own. @returns for each event, at its index, whether it was new */
export async function insertMessages(
  db: Database | Trx,
  messages: readonly NewMail[],
  now: Date,
): Promise<boolean[]> {
  const { rows } = await sql<{ actor_id: string; event_id: string }>`
    insert into mailbox (actor_id, event_id, event, created_at)
    select m.actor_id, m.event_id, m.event::jsonb, ${now}
    from unnest(${messages.map((m) => m.actorId)}::text[], ${messages.map((m) => m.eventId)}::text[],
      ${messages.map((m) => JSON.stringify(m.event))}::text[]) with ordinality as m(actor_id, event_id, event, n)
    order by m.n
    on conflict (actor_id, event_id) do nothing
    returning actor_id, event_id`.execute(db);
  const left = new Set(rows.map((r) => JSON.stringify([r.actor_id, r.event_id])));
  // When one event comes twice in this call, only the first counts as new.
  return messages.map((m) => left.delete(JSON.stringify([m.actorId, m.eventId])));
}

/** An event for an actor. */
export interface NewMail {
  readonly actorId: string;
  readonly eventId: string;
  readonly event: Event;
}

/**
 * Writes a first snapshot, with what it asks for and events for others that are told of it.
 * @returns false when the actor was there already, and nothing was written
 */
export async function insertActor(
  trx: Trx,
  actor: Written & {
    id: string;
    kind: string;
    version: number;
    snapshot: unknown;
    done: boolean;
    mail: readonly NewMail[];
  },
): Promise<boolean> {
  const mail = actor.mail.map((m) => ({ actor_id: m.actorId, event_id: m.eventId, event: m.event }));
  const { rows } = await sql`
    with saved as (
      insert into actors (id, kind, version, snapshot, status, created_at, updated_at, born)
      select n.id, n.kind, n.version, n.snapshot, n.status, n.at, n.at,
        jsonb_build_object('version', n.version, 'snapshot', n.snapshot)
      from (select ${actor.id}::text, ${actor.kind}::text, ${actor.version}::integer,
        ${JSON.stringify(actor.snapshot)}::jsonb, ${actor.done ? 'done' : 'active'}::text, ${actor.now}::timestamptz)
        as n (id, kind, version, snapshot, status, at)
      on conflict (id) do nothing
      returning id, revision
    ), told as (
      insert into mailbox (actor_id, event_id, event, created_at)
      select m.actor_id, m.event_id, m.event, ${actor.now}
      from saved, jsonb_to_recordset(${JSON.stringify(mail)}::jsonb) as m (actor_id text, event_id text, event jsonb)
      on conflict (actor_id, event_id) do nothing
    ), ${writes(actor)}
    select id from saved`.execute(trx);
  return rows.length > 0;
}

/** Inserts the effects and timers that belong to the row `saved`. A timer that is set again replaces the one of its id. */
function writes({ effects, timers, now }: Written) {
  const asked = effects.map((e) => ({ key: e.key, kind: e.kind, params: e.params }));
  const set = timers.map((t) => ({ timer_id: t.timerId, due_at: t.dueAt, event: t.event }));
  return sql`
    asked as (
      insert into effects (key, actor_id, kind, params, next_attempt_at, created_at)
      select e.key, saved.id, e.kind, e.params, least(${now}, clock_timestamp()), ${now}
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

/** Gives an event up with its fault: those behind it go on, and an operator retries or drops it. */
export async function makeDeadLetter(
  trx: Trx,
  { seq, fault, now }: { seq: string; fault: string; now: Date },
): Promise<void> {
  await sql`update mailbox set dead_lettered_at = ${now}, fault = ${fault} where seq = ${seq}`.execute(trx);
}

/**
 * Notes a batch that threw and delays the retry. After `deadLetterAfter` tries the event `seq` becomes a dead letter with
 * its fault. Without `seq` no event is to blame, and none becomes one. Writes nothing when the actor went on meanwhile.
 */
export async function noteFailure(
  db: Database,
  failure: {
    actorId: string;
    revision: bigint;
    seq: string | null;
    fault: string;
    deadLetterAfter: number;
    retryAt: (failures: number) => Date;
    now: Date;
  },
): Promise<{ deadLettered: boolean }> {
  const { actorId, revision, seq, now } = failure;
  const fault = failure.fault.slice(0, 2000);
  return await db.transaction().execute(async (trx) => {
    const actor = await trx
      .selectFrom('actors')
      .select('failures')
      .where('id', '=', actorId)
      .where('revision', '=', revision)
      .where((eb) => eb.or([eb('next_batch_at', 'is', null), eb('next_batch_at', '<=', now)]))
      .forUpdate()
      .executeTakeFirst();
    if (!actor) return { deadLettered: false };
    const failures = actor.failures + 1;
    const deadLettered = seq !== null && failures >= failure.deadLetterAfter;
    await trx
      .updateTable('actors')
      .set({
        failures: deadLettered ? 0 : failures,
        fault,
        next_batch_at: deadLettered ? null : failure.retryAt(failures),
        updated_at: now,
      })
      .where('id', '=', actorId)
      .execute();
    if (deadLettered) await makeDeadLetter(trx, { seq, fault, now });
    return { deadLettered };
  });
}

/**
 * Actors with an unserved event older than `before` that no backoff delays, the one with the oldest event first. It goes
 * from actor to actor through the index of unserved mail, so that an actor with thousands of events costs as much as an
 * actor with one, and dormant actors cost nothing. `from` is where the last call ended, so that calls go through all
 * actors in turn. An event from a clock that is ahead is due, too.
 */
export async function dueActors(
  db: Database,
  look: { before: Date; now: Date; limit: number; from?: string },
): Promise<{ ids: string[]; next: string }> {
  const { before, now, limit, from = '' } = look;
  const { rows } = await sql<{ id: string; n: number; due: boolean }>`
    with recursive waiting as (
      (select actor_id, seq, created_at, 1 as n from mailbox
        where consumed_at is null and dead_lettered_at is null and actor_id > ${from}
        order by actor_id, seq limit 1)
      union all
      select m.actor_id, m.seq, m.created_at, w.n + 1 from waiting w cross join lateral
        (select actor_id, seq, created_at from mailbox
          where consumed_at is null and dead_lettered_at is null and actor_id > w.actor_id
          order by actor_id, seq limit 1) m
      where w.n < ${limit}
    )
    select w.actor_id as id, w.n, (w.created_at <= ${before} or w.created_at > ${now}) and a.id is not null
      and (a.next_batch_at is null or a.next_batch_at <= ${now}) as due
    from waiting w left join actors a on a.id = w.actor_id
    order by w.seq`.execute(db);
  const next = rows.find((r) => r.n === limit)?.id ?? '';
  return { ids: rows.filter((r) => r.due).map((r) => r.id), next };
}
