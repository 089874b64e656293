import { type RawBuilder, sql } from 'kysely';

/**
 * The parts of a statement that delete actors with all that is of them, but for effects.
 * @param gone a part that gives, as `actor_id`, actors that the statement holds and that have asked for nothing
 */
export function forgetActors(gone: string): RawBuilder<unknown> {
  const from = sql.table(gone);
  return sql`actor as (
        delete from actors a using ${from} g where a.id = g.actor_id
      ), birth as (
        delete from actor_births b using ${from} g where b.actor_id = g.actor_id
      ), checkpoints as (
        delete from actor_checkpoints c using ${from} g where c.actor_id = g.actor_id
      ), mail as (
        delete from mailbox m using ${from} g where m.actor_id = g.actor_id
      ), timer as (
        delete from timers t using ${from} g where t.actor_id = g.actor_id
      )`;
}
