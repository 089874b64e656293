import { type AnyMachineSnapshot, transition } from 'xstate';
import type { ActorWithMail, Message } from '../../store/actors.ts';
import { carried } from '../telemetry/scope.ts';
import { consequences, type RawAction } from './actions.ts';
import { Agenda } from './agenda.ts';
import type { DurableMachine } from './durable-machine.ts';
import { restore } from './snapshots.ts';

/** One event that the machine could not take: carries which, so that it can be parked. */
export class EventFault extends Error {
  readonly seq: string;
  constructor(seq: string, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.seq = seq;
  }
}

export interface Step {
  readonly snapshot: AnyMachineSnapshot;
  readonly agenda: Agenda;
  readonly served: readonly Message[];
}

/**
 * The pure part of a turn: events in order through the machine. When a later event throws, the ones before it are
 * served and it fails a turn of its own.
 * @param live what the stored snapshot was written from, where this process still has it
 * @throws EventFault for the first event, SnapshotError when there is nothing to begin from
 */
export function step(
  machine: DurableMachine,
  actor: ActorWithMail,
  now: Date,
  live: AnyMachineSnapshot | null = null,
): Step {
  let snapshot = live ?? restore(machine, actor.version, actor.snapshot);
  const agenda = new Agenda({
    actorId: actor.id,
    revision: actor.revision + 1n,
    now,
    timers: actor.timers,
  });
  const served: Message[] = [];
  for (const message of actor.messages) {
    // What has ended takes nothing more: a transition from its root would lead it out of its end.
    if (snapshot.status !== 'done' && agenda.takes(message.eventId)) {
      try {
        const [next, actions] = transition(machine.logic, snapshot, carried(message.event).json as never) as [
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
  return { snapshot, agenda, served };
}
