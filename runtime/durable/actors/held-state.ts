import type { AnyMachineSnapshot } from 'xstate';
import type { Trx } from '../../../store/database.ts';
import { holdActor } from '../../../store/durable/actors.ts';
import { readActors } from '../../../store/durable/mailbox-batches.ts';
import { actorId, type DurableMachine } from './durable-machine.ts';
import { step } from './step.ts';

/** More events than ever wait for an actor whose state is asked for. */
const MOST_EVENTS = 1_000;

/**
 * The state that an actor will have when all the events in its mailbox are served: what the next event will find. The
 * actor's row stays locked until the transaction ends, so that an event delivered in the same transaction finds exactly
 * this state. Serves no event and writes nothing.
 * @returns null where there is no such actor
 * @throws EventFault, SnapshotError
 */
export async function heldState(
  trx: Trx,
  machine: DurableMachine,
  key: string,
  now: Date,
): Promise<AnyMachineSnapshot | null> {
  const id = actorId(machine, key);
  await holdActor(trx, id);
  // Read after the lock is taken, so that it sees what was committed while this waited.
  const [actor] = await readActors(trx, [id], MOST_EVENTS);
  return actor ? step(machine, actor, now).snapshot : null;
}
