import { type AnyMachineSnapshot, transition } from 'xstate';
import {
  type ActorRow,
  lockActor,
  type MessageRow,
  noteFailure,
  saveTurn,
  unserved,
} from '../../store/actors.ts';
import type { Database, Trx } from '../../store/database.ts';
import { type Consequence, consequences, type RawAction } from './actions.ts';
import { type DurableMachine, keyOf, type Machines } from './durable-machine.ts';
import { persist, restore } from './snapshots.ts';
import { writeConsequences } from './write-consequences.ts';

export interface TurnDeps {
  readonly db: Database;
  readonly machines: Machines;
  readonly now: () => Date;
  readonly crash: (point: string) => void;
}

export type TurnOutcome =
  | {
      readonly kind: 'served';
      readonly events: number;
      readonly effects: readonly string[];
      readonly more: boolean;
    }
  | { readonly kind: 'idle' }
  | { readonly kind: 'failed'; readonly fault: string; readonly parked: boolean };

const EVENTS_A_TURN = 50;
const PARK_AFTER = 5;

/** One event that the machine could not take: carries which, so that it can be parked. */
class TurnFault extends Error {
  readonly seq: bigint;
  constructor(seq: bigint, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.seq = seq;
  }
}

/**
 * Serves an actor's mailbox: row lock, events in order through the pure transition, and in ONE transaction the new
 * snapshot, the effects, the timers, the consumed marks and the projection. No I/O inside. An event that throws is
 * held back and, after five tries, parked with its fault; the events behind it then go on.
 */
export async function runTurn(deps: TurnDeps, id: string): Promise<TurnOutcome> {
  try {
    const outcome = await deps.db.transaction().execute((trx) => serve(deps, trx, id));
    if (outcome.kind === 'served') deps.crash('after-turn-commit');
    return outcome;
  } catch (error) {
    if (!(error instanceof TurnFault)) throw error;
    const now = deps.now();
    const { parked } = await deps.db.transaction().execute((trx) =>
      noteFailure(trx, {
        actorId: id,
        seq: error.seq,
        fault: error.message,
        parkAfter: PARK_AFTER,
        retryAt: (failures) => new Date(now.getTime() + 100 * 2 ** failures),
        now,
      }),
    );
    return { kind: 'failed', fault: error.message, parked };
  }
}

async function serve(deps: TurnDeps, trx: Trx, id: string): Promise<TurnOutcome> {
  const row = await lockActor(trx, id);
  if (!row) return { kind: 'idle' };
  const now = deps.now();
  if (row.next_turn_at !== null && row.next_turn_at > now) return { kind: 'idle' };
  const messages = await unserved(trx, id, EVENTS_A_TURN);
  if (messages.length === 0) return { kind: 'idle' };
  const machine = deps.machines.get(row.kind);
  if (!machine) throw new Error(`no machine of kind "${row.kind}" runs here`);
  const { snapshot, list, served } = step(machine, row, messages);
  await saveTurn(trx, {
    id,
    revision: row.revision,
    version: machine.version,
    snapshot: persist(machine, snapshot),
    done: snapshot.status === 'done',
    consumed: served.map((m) => m.seq),
    now,
  });
  const effects = await writeConsequences(trx, id, `${id}:${row.revision + 1n}`, list, now);
  await machine.project?.(trx, { id, key: keyOf(id) }, snapshot, now);
  return {
    kind: 'served',
    events: served.length,
    effects,
    more: served.length < messages.length || messages.length === EVENTS_A_TURN,
  };
}

/** The pure part. When a later event throws, the ones before it are served and it fails a turn of its own. */
function step(machine: DurableMachine, row: ActorRow, messages: readonly MessageRow[]) {
  const [first] = messages;
  let snapshot: AnyMachineSnapshot;
  try {
    snapshot = restore(machine, row.version, row.snapshot);
  } catch (error) {
    throw new TurnFault(first!.seq, error);
  }
  const list: Consequence[] = [];
  const served: MessageRow[] = [];
  for (const message of messages) {
    try {
      const [next, actions] = transition(machine.logic, snapshot, message.event as never) as [
        AnyMachineSnapshot,
        RawAction[],
      ];
      if (next.status === 'error') throw next.error;
      list.push(...consequences(machine, actions));
      snapshot = next;
    } catch (error) {
      if (served.length > 0) break;
      throw new TurnFault(message.seq, error);
    }
    served.push(message);
  }
  return { snapshot, list, served };
}
