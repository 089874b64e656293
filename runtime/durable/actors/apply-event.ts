import { readable } from '../../../agents/readable.ts';
import type { Trx } from '../../../store/database.ts';
import {
  type ActorWithMail,
  holdActor,
  insertMessage,
  type Message,
  makeDeadLetter,
} from '../../../store/durable/actors.ts';
import { readActors, type Saved, saveBatches } from '../../../store/durable/mailbox-batches.ts';
import { carrying, currentTrace } from '../../telemetry/scope.ts';
import { isHeldBack, isShownAnew, project, toSave } from './actor-step.ts';
import { type ActorEvent, actorId, type DurableMachine } from './durable-machine.ts';
import { NOT_DELIVERED, refuseReserved } from './mailbox.ts';
import { EVENTS_A_BATCH } from './process-mailbox.ts';
import { EventFault, type Step, step } from './step.ts';

/**
 * Runs the machine on an event inside the caller's transaction, so that what the event changes holds with what the caller
 * writes, or not at all: snapshot, effects, timers, the event as served and the projection. It writes what a mailbox batch
 * writes, by the same statements and over the revision that it read. A batch that another process takes meanwhile finds
 * another revision and starts again, and so does a batch from the cache.
 *
 * Events that wait are served first, in their order, also where the actor waits out a backoff. One that throws becomes a
 * dead letter at once and not after five tries: served later, it could undo what this event has done. For an actor that
 * is not born yet the event waits in its mailbox.
 *
 * Wake the actor after the commit: its effects are then run.
 * @returns false when the actor had an event of this id already: nothing is done then, unless that one still waits
 * @throws EventFault when the machine throws on this event, SnapshotError when this release cannot read the actor. The
 *   caller's transaction then ends, and nothing seems to hold that does not.
 */
export async function applyEvent(
  trx: Trx,
  machine: DurableMachine,
  given: { readonly key: string; readonly eventId: string; readonly event: ActorEvent; readonly now: Date },
): Promise<boolean> {
  const { key, eventId, now } = given;
  refuseReserved(eventId);
  const id = actorId(machine, key);
  const message = { seq: NOT_DELIVERED, eventId, event: carrying(given.event, currentTrace()) };
  const isOurs = (m: Message): boolean => m.eventId === eventId;
  let isNew = false;
  let isLocked = false;
  const lock = async (): Promise<void> => {
    if (!isLocked) await holdActor(trx, id);
    isLocked = true;
  };
  for (;;) {
    const [actor] = await readActors(trx, [id], EVENTS_A_BATCH);
    if (!actor) return await insertMessage(trx, { ...message, actorId: id, now });
    const waits = isNew || actor.messages.some(isOurs) || actor.messages.length >= EVENTS_A_BATCH;
    const messages = waits ? actor.messages : [...actor.messages, message];
    const taken = stepOrFault(machine, { ...actor, messages }, now);
    if (taken instanceof EventFault) {
      const poison = messages.find((m) => m.seq === taken.seq);
      if (!poison || isOurs(poison)) throw taken;
      if (isLocked) await makeDeadLetter(trx, { seq: taken.seq, fault: readable(taken.message, 2000), now });
      // What throws is judged again under the lock, where no other process serves it.
      await lock();
      continue;
    }
    const { saved, fresh } = await save(trx, machine, { actor, taken, now });
    if (taken.served.includes(message)) {
      if (!fresh.has(id)) return false;
      isNew = true;
    }
    if (!saved.has(id)) await lock();
    else if (taken.served.some(isOurs)) return isNew;
  }
}

/**
 * Serves the events that wait for an actor, inside the caller's transaction: for an effect whose commit writes what its
 * own event stands for. What cannot be served here is left to the mailbox: an event that throws, an actor that waits out
 * a backoff, one that another process serves.
 */
export async function serveWaiting(
  trx: Trx,
  machine: DurableMachine,
  { key, now }: { readonly key: string; readonly now: Date },
): Promise<void> {
  const [actor] = await readActors(trx, [actorId(machine, key)], EVENTS_A_BATCH);
  if (!actor || actor.messages.length === 0 || isHeldBack(actor, now)) return;
  let taken: Step;
  try {
    taken = step(machine, actor, now);
  } catch {
    return;
  }
  await save(trx, machine, { actor, taken, now });
}

function stepOrFault(machine: DurableMachine, actor: ActorWithMail, now: Date): Step | EventFault {
  try {
    return step(machine, actor, now);
  } catch (error) {
    if (error instanceof EventFault) return error;
    throw error;
  }
}

/** Saves one batch and, where nobody saved the actor meanwhile, its projection. */
async function save(
  trx: Trx,
  machine: DurableMachine,
  { actor, taken, now }: { actor: ActorWithMail; taken: Step; now: Date },
): Promise<Saved> {
  const batch = toSave(machine, actor, { ...taken, span: { trace: currentTrace() } });
  const arrival = taken.served.find((m) => m.seq === NOT_DELIVERED) ?? null;
  const consumed = batch.consumed.filter((seq) => seq !== NOT_DELIVERED);
  const written = await saveBatches(trx, [{ ...batch, consumed, arrival }], now);
  if (written.saved.has(actor.id) && isShownAnew(machine, actor, taken))
    await project(trx, machine, actor.id, taken, now);
  return written;
}
