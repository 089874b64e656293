import { type AnyMachineSnapshot, initialTransition } from 'xstate';
import { insertActor } from '../../store/actors.ts';
import type { Trx } from '../../store/database.ts';
import { consequences, type RawAction } from './actions.ts';
import { actorId, type DurableMachine } from './durable-machine.ts';
import { persist } from './snapshots.ts';
import { writeConsequences } from './write-consequences.ts';

/**
 * Brings an actor to life in the caller's transaction: its first snapshot, and the effects and timers of its initial
 * state. Again with the same key changes nothing. @returns its id
 */
export async function spawnActor(
  trx: Trx,
  machine: DurableMachine,
  birth: { key: string; input: unknown; now: Date },
): Promise<string> {
  const { key, now } = birth;
  const id = actorId(machine, key);
  const [first, actions] = initialTransition(machine.logic, birth.input as never) as [
    AnyMachineSnapshot,
    RawAction[],
  ];
  const fresh = await insertActor(trx, {
    id,
    kind: machine.kind,
    version: machine.version,
    snapshot: persist(machine, first),
    done: first.status === 'done',
    now,
  });
  if (!fresh) return id;
  await writeConsequences(trx, id, `${id}:0`, consequences(machine, actions), now);
  await machine.project?.(trx, { id, key }, first, now);
  return id;
}
