import { type Selectable, sql } from 'kysely';
import type { Database, Trx } from './database.ts';
import type { Tables } from './tables.ts';

export type ActorRow = Selectable<Tables['actors']>;
export type MessageRow = Selectable<Tables['mailbox']>;
export type EffectRow = Selectable<Tables['effects']>;

type Event = { readonly type: string } & Readonly<Record<string, unknown>>;

/** Writes an event into a mailbox. @returns false when the actor has one of this id already */
export async function insertMessage(
  trx: Trx,
  message: { actorId: string; eventId: string; event: Event; now: Date },
): Promise<boolean> {
  const row = await trx
    .insertInto('mailbox')
    .values({
      actor_id: message.actorId,
      event_id: message.eventId,
      event: JSON.stringify(message.event),
      created_at: message.now,
      consumed_at: null,
      parked_at: null,
    })
    .onConflict((oc) => oc.columns(['actor_id', 'event_id']).doNothing())
    .returning('seq')
    .executeTakeFirst();
  return row !== undefined;
}

/** Waits for the actor's row lock: whoever holds it is in a turn, which does no I/O. */
export async function lockActor(trx: Trx, id: string): Promise<ActorRow | null> {
  return (
    (await trx.selectFrom('actors').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()) ?? null
  );
}

/** The next events of an actor, in the order in which they came. */
export async function unserved(trx: Trx, actorId: string, limit: number): Promise<MessageRow[]> {
  return await trx
    .selectFrom('mailbox')
    .selectAll()
    .where('actor_id', '=', actorId)
    .where('consumed_at', 'is', null)
    .where('parked_at', 'is', null)
    .orderBy('seq')
    .limit(limit)
    .execute();
}

/** @returns false when the actor was there already */
export async function insertActor(
  trx: Trx,
  actor: { id: string; kind: string; version: number; snapshot: unknown; done: boolean; now: Date },
): Promise<boolean> {
  const row = await trx
    .insertInto('actors')
    .values({
      id: actor.id,
      kind: actor.kind,
      version: actor.version,
      snapshot: JSON.stringify(actor.snapshot),
      status: actor.done ? 'done' : 'active',
      next_turn_at: null,
      fault: null,
      created_at: actor.now,
      updated_at: actor.now,
    })
    .onConflict((oc) => oc.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Saves a turn's outcome over the revision it was taken from. @throws Error when somebody else saved meanwhile */
export async function saveTurn(
  trx: Trx,
  turn: {
    id: string;
    revision: bigint;
    version: number;
    snapshot: unknown;
    done: boolean;
    consumed: readonly bigint[];
    now: Date;
  },
): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('actors')
    .set({
      version: turn.version,
      snapshot: JSON.stringify(turn.snapshot),
      revision: turn.revision + 1n,
      status: turn.done ? 'done' : 'active',
      next_turn_at: null,
      failures: 0,
      fault: null,
      updated_at: turn.now,
    })
    .where('id', '=', turn.id)
    .where('revision', '=', turn.revision)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) throw new Error(`the actor ${turn.id} was saved by another turn`);
  await trx.updateTable('mailbox').set({ consumed_at: turn.now }).where('seq', 'in', turn.consumed).execute();
}

/** Notes a turn that threw: the next try is held back, and after `parkAfter` the event that did it is parked. */
export async function noteFailure(
  trx: Trx,
  failure: {
    actorId: string;
    seq: bigint;
    fault: string;
    parkAfter: number;
    retryAt: (failures: number) => Date;
    now: Date;
  },
): Promise<{ parked: boolean }> {
  const actor = await lockActor(trx, failure.actorId);
  if (!actor) return { parked: false };
  const failures = actor.failures + 1;
  const parked = failures >= failure.parkAfter;
  await trx
    .updateTable('actors')
    .set({
      failures: parked ? 0 : failures,
      fault: failure.fault,
      next_turn_at: parked ? null : failure.retryAt(failures),
      updated_at: failure.now,
    })
    .where('id', '=', failure.actorId)
    .execute();
  if (parked)
    await trx.updateTable('mailbox').set({ parked_at: failure.now }).where('seq', '=', failure.seq).execute();
  return { parked };
}

export async function insertEffect(
  trx: Trx,
  effect: { key: string; actorId: string; kind: string; params: object; now: Date },
): Promise<void> {
  await trx
    .insertInto('effects')
    .values({
      key: effect.key,
      actor_id: effect.actorId,
      kind: effect.kind,
      params: JSON.stringify(effect.params),
      next_attempt_at: effect.now,
      lease_until: null,
      error: null,
      created_at: effect.now,
      finished_at: null,
    })
    .onConflict((oc) => oc.column('key').doNothing())
    .execute();
}

export async function setTimer(
  trx: Trx,
  timer: { actorId: string; timerId: string; dueAt: Date; event: Event },
): Promise<void> {
  const row = { due_at: timer.dueAt, event: JSON.stringify(timer.event) };
  await trx
    .insertInto('timers')
    .values({ actor_id: timer.actorId, timer_id: timer.timerId, ...row })
    .onConflict((oc) => oc.columns(['actor_id', 'timer_id']).doUpdateSet(row))
    .execute();
}

export async function cancelTimer(trx: Trx, actorId: string, timerId: string): Promise<void> {
  await trx.deleteFrom('timers').where('actor_id', '=', actorId).where('timer_id', '=', timerId).execute();
}

/** Takes due timers off the table for this transaction; other processes pass them over. */
export async function takeDueTimers(trx: Trx, now: Date, limit: number) {
  const rows = await trx
    .selectFrom('timers')
    .selectAll()
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
  for (const row of rows) await cancelTimer(trx, row.actor_id, row.timer_id);
  return rows;
}

/** Actors with an event older than `before` that nobody served, and not held back after a failure. */
export async function dueActors(db: Database, before: Date, now: Date, limit: number): Promise<string[]> {
  const rows = await sql<{ actor_id: string }>`
    select distinct m.actor_id
    from mailbox m join actors a on a.id = m.actor_id
    where m.consumed_at is null and m.parked_at is null and m.created_at <= ${before}
      and (a.next_turn_at is null or a.next_turn_at <= ${now})
    limit ${limit}`.execute(db);
  return rows.rows.map((r) => r.actor_id);
}

/** Effects that wait, or whose worker let the lease run out. */
export async function dueEffects(db: Database, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('effects')
    .select('key')
    .where('status', 'in', ['pending', 'running'])
    .where('next_attempt_at', '<=', now)
    .where((eb) => eb.or([eb('status', '=', 'pending'), eb('lease_until', '<', now)]))
    .orderBy('next_attempt_at')
    .limit(limit)
    .execute();
  return rows.map((r) => r.key);
}

/** Takes an effect for one attempt. @returns null when it is not due, done, or in another worker's hands */
export async function claimEffect(
  db: Database,
  key: string,
  now: Date,
  leaseUntil: Date,
): Promise<EffectRow | null> {
  const row = await db
    .updateTable('effects')
    .set((eb) => ({ status: 'running', attempts: eb('attempts', '+', 1), lease_until: leaseUntil }))
    .where('key', '=', key)
    .where((eb) =>
      eb.or([
        eb.and([eb('status', '=', 'pending'), eb('next_attempt_at', '<=', now)]),
        eb.and([eb('status', '=', 'running'), eb('lease_until', '<', now)]),
      ]),
    )
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

export async function extendLease(db: Database, key: string, attempt: number, until: Date): Promise<void> {
  await db
    .updateTable('effects')
    .set({ lease_until: until })
    .where('key', '=', key)
    .where('status', '=', 'running')
    .where('attempts', '=', attempt)
    .execute();
}

/** Closes an attempt, if it is still this attempt's to close. @returns false when the lease went to another */
export async function closeEffect(
  trx: Trx,
  effect: {
    key: string;
    attempt: number;
    status: 'done' | 'failed' | 'pending';
    error: string | null;
    nextAttemptAt?: Date;
    now: Date;
  },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('effects')
    .set({
      status: effect.status,
      error: effect.error,
      lease_until: null,
      finished_at: effect.status === 'pending' ? null : effect.now,
      ...(effect.nextAttemptAt === undefined ? {} : { next_attempt_at: effect.nextAttemptAt }),
    })
    .where('key', '=', effect.key)
    .where('status', '=', 'running')
    .where('attempts', '=', effect.attempt)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
