import { sql } from 'kysely';
import type { Database } from './database.ts';

/**
 * Turns due timers into events, in one statement: taken and written together, so a timer fires once whoever dies;
 * rows in another process's hands are passed over. The event id names the very setting of the timer, so that the turn
 * can tell one that was cancelled or set anew meanwhile. @returns the actors that got an event
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
