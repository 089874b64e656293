import { insertMessage } from '../../store/actors.ts';
import type { Trx } from '../../store/database.ts';
import { isTimerEvent } from './agenda.ts';
import type { ActorEvent } from './durable-machine.ts';

/**
 * Puts an event into an actor's mailbox, in the transaction of whatever caused it. The same id twice is one event.
 * The actor need not exist yet: its events wait for it. Ring the bell after the commit; a sweep rings it otherwise.
 * @returns false when the event was there already
 */
export async function deliver(
  trx: Trx,
  message: { actorId: string; eventId: string; event: ActorEvent; now: Date },
): Promise<boolean> {
  if (isTimerEvent(message.eventId))
    throw new Error(`the event id ${message.eventId} is of the form timers have`);
  return await insertMessage(trx, message);
}
