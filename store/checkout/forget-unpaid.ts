import { sql } from 'kysely';
import type { Database } from '../database.ts';
import { forgetActors } from '../durable/forget-actors.ts';

/** Checkouts that are looked at in one statement, which may read the whole table to find them. */
const AT_ONCE = 5_000;

/**
 * Deletes the checkouts that expired before then and that nobody paid, with their actors: an actor that expired has asked
 * for nothing, so it has no effects. It is held before its row, as by whoever books a payment; where somebody holds either,
 * or an event still waits for the actor, both stay until the next time.
 */
export async function forgetUnpaid(db: Database, before: Date): Promise<void> {
  for (let from: string | null = ''; from !== null; ) {
    const { rows } = await sql<{ last: string | null }>`
      with due as materialized (
        select id, 'checkout:' || id as actor_id from checkouts
        where status = 'expired' and paid_at is null and expires_at < ${before} and id > ${from}
        order by id limit ${AT_ONCE}
      ), held as materialized (
        select a.id from (select actor_id from due order by actor_id) d cross join lateral (
          select id from actors where id = d.actor_id and snapshot ->> 'value' = 'expired' and not exists (
            select from mailbox m where m.actor_id = d.actor_id and m.consumed_at is null)
          for update skip locked) a
      ), free as materialized (
        select c.id, d.actor_id from due d cross join lateral (
          select id from checkouts where id = d.id and status = 'expired' and paid_at is null
            and (d.actor_id in (select id from held) or not exists (select from actors where id = d.actor_id))
          for update skip locked) c
      ), gone as (
        delete from checkouts c using free f where c.id = f.id returning f.actor_id
      ), ${forgetActors('gone')}
      select case when count(*) = ${AT_ONCE} then max(id) end as last from due`.execute(db);
    from = rows[0]?.last ?? null;
  }
}
