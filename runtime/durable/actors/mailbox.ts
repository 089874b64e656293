import type { Trx } from '../../../store/database.ts';
import { insertMessage, insertMessages, type NewMail } from '../../../store/durable/actors.ts';
import { carrying, currentTrace } from '../../telemetry/scope.ts';
import { isTimerEvent } from './agenda.ts';
import type { ActorEvent } from './durable-machine.ts';

/**
 * Puts an event into an actor's mailbox, in the transaction of whatever caused it. The same id twice is one event.
 * The actor need not exist yet: its events wait for it. Wake it after the commit; otherwise a sweep does, later.
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

/** As {@link deliver}, for several in one statement. @returns for each, at its index, whether it was new */
export async function deliverAll(trx: Trx, messages: readonly NewMail[], now: Date): Promise<boolean[]> {
  if (messages.length === 0) return [];
  return await insertMessages(trx, addressed(messages), now);
}

/** Events as a mailbox takes them. @throws Error for an id of the form that timers or effects have */
export function addressed(messages: readonly NewMail[]): NewMail[] {
  for (const { eventId } of messages) refuseReserved(eventId);
  const trace = currentTrace();
  return messages.map((m) => ({ ...m, event: carrying(m.event, trace) }));
}

/**
 * How the ids of events begin that need not be remembered for ever. A timer fires once for each time it is set, and an
 * actor that no longer has it drops the event. An effect ends once. An agent that is told twice that the market moved
 * only evaluates it once more.
 */
export const NOT_FOR_EVER: readonly string[] = ['timer:', 'effect:', 'market:'];

/** Takes the place of the mailbox number of an event that is not in the mailbox yet. */
export const NOT_DELIVERED = '';

/** An event of somebody else with such an id would make the timer's or the effect's own event a duplicate and so drop it. */
export function refuseReserved(eventId: string): void {
  if (isTimerEvent(eventId)) throw new Error(`the event id ${eventId} is of the form timers have`);
  if (eventId.startsWith('effect:'))
    throw new Error(`the event id ${eventId} is of the form the outcomes of effects have`);
}
