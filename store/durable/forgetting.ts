import { sql } from 'kysely';
import type { Database } from '../database.ts';

/**
 * Which part of an actor's history may be deleted. A replay begins from the base, a snapshot of an earlier moment. Events
 * served before the base are no longer needed, except for the ids of events that somebody might deliver again. A base is
 * a copy of a row and never computed, so that it stays valid when the machine changes.
 */

/** Actors whose events are forgotten in one step. */
const AT_ONCE = 50;
/** Checkpoints of one actor within the retention time. Events may outlive the retention time by one such interval. */
const CHECKPOINTS = 8;

/** Narrows a step to some actors. Without either, it looks at all of them. */
export interface Among {
  readonly only?: string;
  readonly except?: readonly string[];
}

function isAmong(id: ReturnType<typeof sql>, { only, except = [] }: Among) {
  return sql`(${only ?? null}::text is null or ${id} = ${only ?? null}) and not ${id} = any(${[...except]}::text[])`;
}

/** The next actors, by id, whose histories {@link foldHistories} would look at. */
export async function nextActors(db: Database, from: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('actors')
    .select('id')
    .where('id', '>', from)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** The actors from whose histories {@link clearFolded} would delete events next. */
export async function actorsToClear(db: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select actor_id as id from actor_births where cleared < revision order by actor_id limit ${AT_ONCE}`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

export interface Keeping {
  readonly now: Date;
  /** How long served events are kept at least, milliseconds. */
  readonly keepMs: number;
}

/**
 * Goes through the next actors by id. It takes a checkpoint of active actors, and moves the base of those whose latest
 * checkpoint, or last batch, is old enough. It locks nothing: a batch that is saved meanwhile comes after the checkpoint.
 * @param from where the last call ended; empty at the beginning
 * @returns where this call ended; empty after the last actor
 */
export async function foldHistories(
  db: Database,
  { now, keepMs }: Keeping,
  { from, limit, ...among }: { from: string; limit: number } & Among,
): Promise<string> {
  const before = new Date(now.getTime() - keepMs);
  const lately = new Date(now.getTime() - keepMs / CHECKPOINTS);
  const timers = sql`coalesce(
    (select json_object_agg(t.timer_id, t.set_at) from timers t where t.actor_id = a.id), '{}')::jsonb`;
  const { rows } = await sql<{ last: string | null; n: number }>`
    with seen as materialized (
      select a.id, a.revision, a.created_at, a.updated_at, coalesce(b.revision, case when a.born is null then -1 else 0 end) as base
      from actors a left join actor_births b on b.actor_id = a.id
      where a.id > ${from} and ${isAmong(sql`a.id`, among)} order by a.id limit ${limit}
    ), taken as (
      insert into actor_checkpoints (actor_id, revision, version, snapshot, timers, taken_at)
      select a.id, a.revision, a.version, a.snapshot, ${timers}, ${now}
      from seen s join actors a on a.id = s.id
      where s.updated_at > ${lately} and s.created_at <= ${lately} and s.revision > s.base and not exists (
        select from actor_checkpoints c where c.actor_id = s.id and c.taken_at > ${lately})
      on conflict (actor_id, revision) do nothing
    ), old as (
      select a.id, a.revision, a.version, a.snapshot, ${timers} as timers
      from seen s join actors a on a.id = s.id
      where s.updated_at <= ${before} and s.revision > s.base
      union all
      select s.id, c.revision, c.version, c.snapshot, c.timers
      from seen s cross join lateral (
        select * from actor_checkpoints c where c.actor_id = s.id and c.taken_at <= ${before}
        order by c.revision desc limit 1) c
      where s.updated_at > ${before} and c.revision > s.base
    ), folded as (
      insert into actor_births as b (actor_id, revision, version, snapshot, timers)
      select id, revision, version, snapshot, timers from old
      on conflict (actor_id) do update set revision = excluded.revision, version = excluded.version,
        snapshot = excluded.snapshot, timers = excluded.timers
      where b.revision < excluded.revision
    )
    select max(id) as last, count(*)::int as n from seen`.execute(db);
  const [{ last, n } = { last: null, n: 0 }] = rows;
  return n < limit ? '' : (last ?? '');
}

/**
 * Deletes some of the events that were served before the bases, oldest batches first. An event whose id begins with one
 * of `transient` is deleted with its effect; of every other event the id and the type stay, so that a repeated delivery
 * is still recognised. Any number of processes may do this at the same time, and may be killed while they do.
 * @returns false when nothing was left to be deleted
 */
export async function clearFolded(
  db: Database,
  { limit, transient, ...among }: { limit: number; transient: readonly string[] } & Among,
): Promise<boolean> {
  const { rows } = await sql<{ some: boolean }>`
    with due as (
      select actor_id, revision from actor_births
      where cleared < revision and ${isAmong(sql`actor_id`, among)} order by actor_id limit ${AT_ONCE}
      for no key update skip locked
    ), old as (
      select m.seq, m.actor_id, m.event_id,
        exists (select from unnest(${transient}::text[]) as p where starts_with(m.event_id, p)) as whole
      from due d cross join lateral (
        select seq, actor_id, event_id, served_in from mailbox
        where actor_id = d.actor_id and served_in <= d.revision order by served_in limit ${limit}) m
      order by m.actor_id, m.served_in limit ${limit}
    ), dropped as (
      delete from mailbox m using old o where o.whole and m.seq = o.seq
    ), stripped as (
      update mailbox m set event = jsonb_build_object('type', m.event -> 'type'), served_in = null
      from old o where not o.whole and m.seq = o.seq
    ), effects_dropped as (
      delete from effects e using old o
      where e.key = substr(o.event_id, 8) and starts_with(o.event_id, 'effect:') and o.whole
        and e.status = 'done' and starts_with(e.key, o.actor_id || ':')
        and substr(e.key, length(o.actor_id) + 2) ~ '^[0-9]+:[0-9]+$'
    ), passed as (
      delete from actor_checkpoints c using due d where c.actor_id = d.actor_id and c.revision <= d.revision
    ), cleared as (
      update actor_births b set cleared = d.revision from due d
      where b.actor_id = d.actor_id
        and ((select count(*) from old) < ${limit} or b.actor_id < (select max(actor_id) from old))
    )
    select exists (select from due) as some`.execute(db);
  return rows[0]?.some ?? false;
}
