import type { Database } from '../../../store/database.ts';
import { failedEffect, redrive, redriveTold } from '../../../store/durable/dead-letters.ts';
import type { Machines } from '../actors/durable-machine.ts';
import { keyOf } from '../actors/durable-machine.ts';
import { heldState } from '../actors/held-state.ts';
import { stillAsks } from '../actors/still-asks.ts';

/**
 * Retries a dead letter, as `redrive` of the store. An effect of which the actor was told that it failed is retried, too,
 * where the actor still stands in the state that asked for it: it decided nothing, and waits.
 * @returns false when it is no dead letter any more, or the actor has decided something because of the failure
 * @throws EventFault, SnapshotError when the state of an actor that was told cannot be read
 */
export async function redriveDeadLetter(
  db: Database,
  machines: Machines,
  id: string,
  now: Date,
): Promise<boolean> {
  if (await redrive(db, id, now)) return true;
  return await db.transaction().execute(async (trx) => {
    const effect = await failedEffect(trx, id);
    const machine = machines.get(effect?.actorId?.split(':')[0] ?? '');
    if (!effect?.actorId || !machine) return false;
    const state = await heldState(trx, machine, keyOf(effect.actorId), now);
    if (state === null || !stillAsks(state, effect.kind)) return false;
    return await redriveTold(trx, id);
  });
}
