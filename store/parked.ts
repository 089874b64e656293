import { sql } from 'kysely';
import type { Database } from './database.ts';

/** What was given up after its tries and waits for a person: events that no turn could take, effects that failed. */
export interface Parked {
  /** `event-12` or `effect-7`: what the commands take. */
  readonly id: string;
  readonly actorId: string;
  /** The event's type, or the effect's kind. */
  readonly kind: string;
  /** The event's id, or the effect's key. */
  readonly name: string;
  readonly reason: string | null;
  readonly since: Date;
  /** The event, or what the effect was asked with. */
  readonly content: object;
}

const EVENTS = sql`
  select 'event-' || seq as id, actor_id as "actorId", event ->> 'type' as kind, event_id as name, fault as reason,
    parked_at as since, event as content
  from mailbox where parked_at is not null and consumed_at is null`;
const EFFECTS = sql`
  select 'effect-' || id as id, actor_id as "actorId", kind, key as name, error as reason,
    coalesce(finished_at, created_at) as since, params as content
  from effects where status = 'failed' and dropped_at is null`;

export async function listParked(db: Database): Promise<Parked[]> {
  const { rows } = await sql<Parked>`${EVENTS} union all ${EFFECTS} order by since, id`.execute(db);
  return rows;
}

export async function findParked(db: Database, id: string): Promise<Parked | null> {
  const { rows } = await sql<Parked>`
    select * from (${EVENTS} union all ${EFFECTS}) p where p.id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/**
 * Puts a parked event behind all that waits, and lets an effect go again that failed, with its tries before it.
 * An effect only as long as its actor has not acted on the failure: what it decided then stands.
 * @returns false when it is not parked any more, or the actor knows of the failure
 */
export async function redrive(db: Database, id: string, now: Date): Promise<boolean> {
  const [kind, number] = partsOf(id);
  if (kind === 'event') {
    // A number of its own again: events are served, and told afterwards, in the order of their numbers.
    const { rows } = await sql`
      update mailbox set seq = default, parked_at = null, fault = null, created_at = ${now}
      where seq = ${number} and parked_at is not null and consumed_at is null returning seq`.execute(db);
    return rows.length > 0;
  }
  const { rows } = await sql`
    with told as (
      delete from mailbox m using effects e
      where e.id = ${number} and e.status = 'failed' and e.dropped_at is null
        and m.actor_id = e.actor_id and m.event_id = 'effect:' || e.key and m.consumed_at is null
      returning e.id
    )
    update effects e set status = 'pending', failures = 0, deaths = 0, finished_at = null,
      next_attempt_at = clock_timestamp()
    from told where e.id = told.id returning e.id`.execute(db);
  return rows.length > 0;
}

/** Leaves it as it is for good: it is not listed any more, and nothing comes of it. @returns false when it is not parked */
export async function dropParked(db: Database, id: string, now: Date): Promise<boolean> {
  const [kind, number] = partsOf(id);
  const { rows } =
    kind === 'event'
      ? await sql`
          update mailbox set consumed_at = ${now}
          where seq = ${number} and parked_at is not null and consumed_at is null returning seq`.execute(db)
      : await sql`
          update effects set dropped_at = ${now}
          where id = ${number} and status = 'failed' and dropped_at is null returning id`.execute(db);
  return rows.length > 0;
}

/** @throws Error for what is no id of a parked thing */
function partsOf(id: string): readonly ['event' | 'effect', string] {
  const [, kind, number] = /^(event|effect)-(\d{1,18})$/.exec(id) ?? [];
  if (kind === undefined || number === undefined)
    throw new Error(`"${id}" is no id of what is parked: it must be such as event-12 or effect-7`);
  return [kind as 'event' | 'effect', number];
}
