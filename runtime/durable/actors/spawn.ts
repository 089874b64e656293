import { type AnyMachineSnapshot, initialTransition } from 'xstate';
import type { Trx } from '../../../store/database.ts';
import { insertActor, type NewMail } from '../../../store/durable/actors.ts';
import { consequences, type RawAction } from './actions.ts';
import { Agenda } from './agenda.ts';
import { actorId, type DurableMachine } from './durable-machine.ts';
import { addressed } from './mailbox.ts';
import { persist } from './snapshots.ts';

/**
 * Creates an actor in the caller's transaction: its first snapshot, the effects and timers of its initial state, and the
 * events by which others are told of it. A second call with the same key changes nothing. Wake it after the commit.
 * @returns its id
 * @throws Error when the machine asks for what it does not declare, or ends in an error at once
 */
export async function spawnActor(
  trx: Trx,
  machine: DurableMachine,
  birth: { key: string; input: unknown; now: Date; told?: readonly NewMail[] },
): Promise<string> {
  const { key, now } = birth;
  const id = actorId(machine, key);
  const [first, actions] = initialTransition(machine.logic, birth.input) as [AnyMachineSnapshot, RawAction[]];
  if (first.status === 'error') throw first.error;
  const agenda = new Agenda({ actorId: id, revision: 0n, now });
  agenda.add(consequences(machine, actions));
  const fresh = await insertActor(trx, {
    id,
    kind: machine.kind,
    version: machine.version,
    snapshot: persist(machine, first),
    done: first.status === 'done',
    effects: agenda.effects,
    timers: agenda.timers,
    mail: addressed(birth.told ?? []),
    now,
  });
  if (fresh && machine.shownAtBirth !== true) await machine.project?.(trx, { id, key }, first, now);
  return id;
}
