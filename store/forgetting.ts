import { sql } from 'kysely';
import type { Database } from './database.ts';

/**
 * What of an actor's history may go. A replay begins from its base, a snapshot as it once stood; what was served up to
 * there is of no more use, but for the ids of events that somebody might deliver again. Bases are copies of rows that
 * stood, never worked out anew: they hold whatever becomes of the machines.
 */

/** Actors whose events are forgotten in one step. */
const AT_ONCE = 50;
/** Checkpoints of one actor within the time that history is kept: that much longer than said it may stay. */
const CHECKPOINTS = 8;

export interface Keeping {
  readonly now: Date;
  /** How long served events are kept at least. */
  readonly keepMs: number;
}

/**
 * Goes through the next actors by id: takes a checkpoint of those that are at work, and moves the base of those whose
 * latest checkpoint, or last turn, is old enough. Nothing is locked: whatever turn is taken meanwhile comes after.
 * @param from where the last look ended; empty at the beginning
 * @returns where this one ended; empty after the last actor
 */
export async function foldHistories(
  db: Database,
  { now, keepMs }: Keeping,
  { from, limit }: { from: string; limit: number },
): Promise<string> {
  const before = new Date(now.getTime() - keepMs);
  const lately = new Date(now.getTime() - keepMs / CHECKPOINTS);
  const timers = sql`coalesce(
    (select json_object_agg(t.timer_id, t.set_at) from timers t where t.actor_id = a.id), '{}')::jsonb`;
  const { rows } = await sql<{ last: string | null; n: number }>`
    with seen as materialized (
      select a.id, a.revision, a.created_at, a.updated_at, coalesce(b.revision, -1) as base
      from actors a left join actor_births b on b.actor_id = a.id
      where a.id > ${from} order by a.id limit ${limit}
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
 * Forgets some of what was served up to the bases, oldest turns first. An event goes with its effect when its id begins
 * with one of `transient`; of any other the id and the type stay, so that it is still known when it comes again. Any number of processes may do it, and die over it, at once.
 * @returns false when nothing was left to be forgotten
 */
export async function clearFolded(
  db: Database,
  { limit, transient }: { limit: number; transient: readonly string[] },
): Promise<boolean> {
  const { rows } = await sql<{ some: boolean }>`
    with due as (
      select actor_id, revision from actor_births where cleared < revision order by actor_id limit ${AT_ONCE}
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
