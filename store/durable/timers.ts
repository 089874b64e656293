import { sql } from 'kysely';
import type { Database } from '../database.ts';

/**
 * Turns due timers into events. One statement marks the timer as fired and writes the event, so that it fires once even if
 * a process is killed; rows that another process has locked are skipped. The event id names the revision that set the
 * timer, so that the batch recognises a timer that was cancelled or set again meanwhile.
 * @returns the actors that got an event
 */
export async function fireDueTimers(db: Database, now: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ actor_id: string }>`
    with due as (
      select actor_id, timer_id from timers
      where fired_at is null and due_at <= ${now}
      order by due_at limit ${limit}
      for update skip locked
    ), fired as (
      update timers t set fired_at = ${now} from due
      where t.actor_id = due.actor_id and t.timer_id = due.timer_id
      returning t.actor_id, t.timer_id, t.set_at, t.due_at, t.event
    )
    insert into mailbox (actor_id, event_id, event, created_at)
    select actor_id, 'timer:' || timer_id || ':' || set_at, event, ${now} from fired order by due_at
    on conflict (actor_id, event_id) do nothing
    returning actor_id`.execute(db);
  return [...new Set(rows.map((r) => r.actor_id))];
}
