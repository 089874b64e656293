import type { AnyMachineSnapshot } from 'xstate';
import { holdActor } from '../../store/actors.ts';
import type { Trx } from '../../store/database.ts';
import { readActors } from '../../store/turns.ts';
import { actorId, type DurableMachine } from './durable-machine.ts';
import { step } from './step.ts';

/** More than any actor has waiting whose state is asked for. */
const MOST_EVENTS = 1_000;

/**
 * An actor as it will be when all that stands in its mailbox is served: what the next event will find. It is held until
 * the transaction ends, by a lock that every process waits for, so that an event which is delivered in the same
 * transaction finds exactly that. Asks for no turn and writes nothing.
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
  // Read after it is held: what was committed while this waited is seen.
  const [actor] = await readActors(trx, [id], MOST_EVENTS);
  return actor ? step(machine, actor, now).snapshot : null;
}
