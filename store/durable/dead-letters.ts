import { sql } from 'kysely';
import type { Database, Trx } from '../database.ts';

/** What was given up after its retries and waits for a person: events that a machine threw on, and effects that failed. */
export interface DeadLetter {
  /** `event-12` or `effect-7`: the id that the commands take. */
  readonly id: string;
  /** Null: a job of the service's own. */
  readonly actorId: string | null;
  /** The event's type, or the effect's kind. */
  readonly kind: string;
  /** The event's id, or the effect's key. */
  readonly name: string;
  readonly reason: string | null;
  readonly since: Date;
  /** The event, or the parameters of the effect. */
  readonly content: object;
}

const EVENTS = sql`
  select 'event-' || seq as id, actor_id as "actorId", event ->> 'type' as kind, event_id as name, fault as reason,
    dead_lettered_at as since, event as content
  from mailbox where dead_lettered_at is not null and consumed_at is null`;
const EFFECTS = sql`
  select 'effect-' || id as id, actor_id as "actorId", kind, key as name, error as reason,
    coalesce(finished_at, created_at) as since, params as content
  from effects where status = 'failed' and dropped_at is null`;

export async function listDeadLetters(db: Database): Promise<DeadLetter[]> {
  const { rows } = await sql<DeadLetter>`${EVENTS} union all ${EFFECTS} order by since, id`.execute(db);
  return rows;
}

export async function findDeadLetter(db: Database, id: string): Promise<DeadLetter | null> {
  const { rows } = await sql<DeadLetter>`
    select * from (${EVENTS} union all ${EFFECTS}) p where p.id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/**
 * Retries a dead letter. An event goes to the end of its mailbox, and a failed effect gets all its tries again. An effect
 * is retried only while its actor has not served the failure: what the actor decided because of it stays decided. Where it
 * decided nothing, {@link redriveTold} retries it.
 * @returns false when it is no dead letter any more, or the actor knows of the failure
 */
export async function redrive(db: Database, id: string, now: Date): Promise<boolean> {
  const [kind, number] = partsOf(id);
  if (kind === 'event') {
    // It gets a new number, because events are served and listed in the order of their numbers.
    const { rows } = await sql`
      update mailbox set seq = default, dead_lettered_at = null, fault = null, created_at = ${now}
      where seq = ${number} and dead_lettered_at is not null and consumed_at is null returning seq`.execute(
      db,
    );
    return rows.length > 0;
  }
  const { rows } = await sql`
    with untold as (
      delete from mailbox m using effects e
      where e.id = ${number} and e.status = 'failed' and e.dropped_at is null
        and m.actor_id = e.actor_id and m.event_id = 'effect:' || e.key and m.consumed_at is null
      returning e.id
    ), told as (
      select id from untold
      union all
      select id from effects where id = ${number} and status = 'failed' and dropped_at is null and actor_id is null
    )
    update effects e set status = 'pending', failures = 0, crash_count = 0, finished_at = null,
      next_attempt_at = clock_timestamp()
    from told where e.id = told.id returning e.id`.execute(db);
  return rows.length > 0;
}

/** A failed effect that nobody has dropped. */
export async function failedEffect(
  trx: Trx,
  id: string,
): Promise<{ readonly actorId: string | null; readonly kind: string } | null> {
  const [kind, number] = partsOf(id);
  if (kind === 'event') return null;
  const { rows } = await sql<{ actorId: string | null; kind: string }>`
    select actor_id as "actorId", kind from effects
    where id = ${number} and status = 'failed' and dropped_at is null`.execute(trx);
  return rows[0] ?? null;
}

/**
 * Retries a failed effect of which its actor was told: the caller holds the actor, and knows that it still waits. The
 * failure stays in the actor's history under another id, so that the outcome to come is no duplicate of it.
 * @returns false when it is no dead letter any more
 */
export async function redriveTold(trx: Trx, id: string): Promise<boolean> {
  const [, number] = partsOf(id);
  const { rows } = await sql`
    with told as (
      update mailbox m set event_id = m.event_id || ':failed-' || m.seq from effects e
      where e.id = ${number} and m.actor_id = e.actor_id and m.event_id = 'effect:' || e.key
        and m.consumed_at is not null
    )
    update effects set status = 'pending', failures = 0, crash_count = 0, finished_at = null,
      next_attempt_at = clock_timestamp()
    where id = ${number} and status = 'failed' and dropped_at is null returning id`.execute(trx);
  return rows.length > 0;
}

/**
 * Drops a dead letter: it is no longer listed and never retried. Of an actor's effect the row stays. A job of the service's
 * own is deleted, for its row would keep it from being scheduled again.
 * @returns false when it is no dead letter
 */
export async function dropDeadLetter(db: Database | Trx, id: string, now: Date): Promise<boolean> {
  const [kind, number] = partsOf(id);
  const { rows } =
    kind === 'event'
      ? await sql`
          update mailbox set consumed_at = ${now}
          where seq = ${number} and dead_lettered_at is not null and consumed_at is null returning seq`.execute(
          db,
        )
      : await sql`
          with job as (
            delete from effects
            where id = ${number} and status = 'failed' and dropped_at is null and actor_id is null returning id
          ), effect as (
            update effects set dropped_at = ${now}
            where id = ${number} and status = 'failed' and dropped_at is null and actor_id is not null returning id
          )
          select id from job union all select id from effect`.execute(db);
  return rows.length > 0;
}

/** @throws Error when the text is no id of a dead letter */
function partsOf(id: string): readonly ['event' | 'effect', string] {
  const [, kind, number] = /^(event|effect)-(\d{1,18})$/.exec(id) ?? [];
  if (kind === undefined || number === undefined)
    throw new Error(`"${id}" is no id of a dead letter: it must be such as event-12 or effect-7`);
  return [kind as 'event' | 'effect', number];
}
