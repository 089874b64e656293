import { insertMessage, takeDueTimers } from '../../store/actors.ts';
import type { Database } from '../../store/database.ts';
import type { ActorEvent } from './durable-machine.ts';

/**
 * Turns due timers into events. Taking the timer and writing its event are one transaction, so that a timer fires
 * once whoever dies. @returns the actors to ring
 */
export async function fireTimers(db: Database, now: Date, limit = 500): Promise<string[]> {
  return await db.transaction().execute(async (trx) => {
    const due = await takeDueTimers(trx, now, limit);
    for (const timer of due) {
      await insertMessage(trx, {
        actorId: timer.actor_id,
        eventId: `timer:${timer.timer_id}:${timer.due_at.getTime()}`,
        event: timer.event as ActorEvent,
        now,
      });
    }
    return [...new Set(due.map((t) => t.actor_id))];
  });
}
