import { type AnyMachineSnapshot, transition } from 'xstate';
import type { ActorWithMail, Message } from '../../../store/durable/actors.ts';
import { carried } from '../../telemetry/scope.ts';
import { consequences, type RawAction } from './actions.ts';
import { Agenda } from './agenda.ts';
import type { DurableMachine } from './durable-machine.ts';
import { restore } from './snapshots.ts';

/** The machine threw on one event. `seq` says which, so that it can become a dead letter. */
export class EventFault extends Error {
  readonly seq: string;
  constructor(seq: string, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.seq = seq;
  }
}

export interface Step {
  /** From where it began. */
  readonly before: AnyMachineSnapshot;
  readonly snapshot: AnyMachineSnapshot;
  readonly agenda: Agenda;
  readonly served: readonly Message[];
}

/**
 * The pure part of a mailbox batch: the events go through the machine in order. When a later event throws, the ones
 * before it are served, and it fails in the next batch, of which it is the first.
 * @param live the snapshot in memory from which the stored one was written, where this process still has it
 * @throws EventFault for the first event, SnapshotError when there is nothing to begin from
 */
export function step(
  machine: DurableMachine,
  actor: ActorWithMail,
  now: Date,
  live: AnyMachineSnapshot | null = null,
): Step {
  const before = live ?? restore(machine, actor.version, actor.snapshot);
  let snapshot = before;
  const agenda = new Agenda({
    actorId: actor.id,
    revision: actor.revision + 1n,
    now,
    timers: actor.timers,
  });
  const served: Message[] = [];
  for (const message of actor.messages) {
    // A machine that is done takes no events: a transition of its root would leave the final state.
    if (snapshot.status !== 'done' && agenda.takes(message.eventId)) {
      try {
        const [next, actions] = transition(machine.logic, snapshot, carried(message.event).json) as [
          AnyMachineSnapshot,
          RawAction[],
        ];
        if (next.status === 'error') throw next.error;
        agenda.add(consequences(machine, actions));
        snapshot = next;
      } catch (error) {
        if (served.length > 0) break;
        throw new EventFault(message.seq, error);
      }
    }
    served.push(message);
  }
  return { before, snapshot, agenda, served };
}
