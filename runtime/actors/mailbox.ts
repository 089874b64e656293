import { insertMessage } from '../../store/actors.ts';
import type { Trx } from '../../store/database.ts';
import { carrying, currentTrace } from '../telemetry/scope.ts';
import { isTimerEvent } from './agenda.ts';
import type { ActorEvent } from './durable-machine.ts';

/**
 * Puts an event into an actor's mailbox, in the transaction of whatever caused it. The same id twice is one event.
 * The actor need not exist yet: its events wait for it. Ring the bell after the commit; a sweep rings it otherwise.
 * @returns false when the event was there already
 * @throws Error for an id of the form that timers or effects have
 */
export async function deliver(
  trx: Trx,
  message: { actorId: string; eventId: string; event: ActorEvent; now: Date },
): Promise<boolean> {
  refuseReserved(message.eventId);
  return await insertMessage(trx, { ...message, event: carrying(message.event, currentTrace()) });
}

/**
 * Ids of events that need not be known for ever. A timer fires once a setting, and a turn to which it does not stand drops
 * it; an effect ends once; and who is told a second time that the market moved only looks once more.
 */
export const NOT_FOR_EVER: readonly string[] = ['timer:', 'effect:', 'market:'];

/** A stranger's event under such an id would stand where the timer's or the effect's own belongs, and silence it. */
export function refuseReserved(eventId: string): void {
  if (isTimerEvent(eventId)) throw new Error(`the event id ${eventId} is of the form timers have`);
  if (eventId.startsWith('effect:'))
    throw new Error(`the event id ${eventId} is of the form the outcomes of effects have`);
}
