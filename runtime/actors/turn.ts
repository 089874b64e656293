import { type ActorWithMail, noteFailure, readActor, saveTurn } from '../../store/actors.ts';
import type { Database } from '../../store/database.ts';
import { type WaitingEffect, waitingEffects } from '../../store/outbox.ts';
import { type DurableMachine, keyOf, type Machines } from './durable-machine.ts';
import { persist } from './snapshots.ts';
import { EventFault, type Step, step } from './step.ts';
import { isTransient } from './transient.ts';

export interface TurnDeps {
  readonly db: Database;
  readonly machines: Machines;
  readonly now: () => Date;
  /** A named point at which a test may end the process; does nothing otherwise. */
  readonly crash: (point: string) => void;
}

export type TurnOutcome =
  | {
      readonly kind: 'served';
      readonly events: number;
      readonly effects: readonly WaitingEffect[];
      /** There may be more events: take another turn. */
      readonly more: boolean;
    }
  | { readonly kind: 'idle'; readonly effects: readonly WaitingEffect[] }
  | { readonly kind: 'failed'; readonly fault: string; readonly parked: boolean };

const EVENTS_A_TURN = 50;
const PARK_AFTER = 5;
const BACKOFF_MS = 100;
const BACKOFF_MAX_MS = 30_000;

/**
 * Serves an actor's mailbox: events in order through the pure transition, and in ONE transaction the new snapshot, the
 * effects, the timers, the consumed marks and the projection. No I/O inside. Nothing is locked while the machine
 * decides: the write holds the actor's row and counts only over the revision that was read, and a turn that lost to
 * another is taken again from what that one left.
 *
 * An event that throws is held back and, after five tries, parked with its fault; the events behind it then go on.
 * A snapshot or a kind that this release does not know holds the actor back and parks nothing.
 */
export async function runTurn(deps: TurnDeps, id: string): Promise<TurnOutcome> {
  for (let limit = EVENTS_A_TURN; ; ) {
    const actor = await readActor(deps.db, id, limit);
    const now = deps.now();
    const heldBack = actor?.next_turn_at != null && actor.next_turn_at > now;
    if (!actor || heldBack || actor.messages.length === 0) {
      return { kind: 'idle', effects: actor ? await waitingEffects(deps.db, id, now) : [] };
    }
    try {
      const machine = deps.machines.get(actor.kind);
      if (!machine) throw new Error(`no machine of kind "${actor.kind}" runs here`);
      const taken = step(machine, actor, now);
      // Lost to another turn: take what it left.
      if (!(await save(deps.db, machine, actor, taken, now))) continue;
      deps.crash('after-turn-commit');
      return {
        kind: 'served',
        events: taken.served.length,
        effects: taken.agenda.effects,
        more: taken.served.length < actor.messages.length || actor.messages.length === limit,
      };
    } catch (error) {
      if (isTransient(error)) throw error;
      if (error instanceof RowsFault && actor.messages.length > 1) {
        // Which of several events the rows would not take shows when they go one by one.
        limit = 1;
        continue;
      }
      return await holdBack(deps, actor, error);
    }
  }
}

/** The snapshot or its projection was refused by the database, or the projection threw. */
class RowsFault extends Error {}

/** @returns false when another turn was saved meanwhile */
async function save(
  db: Database,
  machine: DurableMachine,
  actor: ActorWithMail,
  { snapshot, agenda, served }: Step,
  now: Date,
): Promise<boolean> {
  const { id, revision } = actor;
  const turn = {
    id,
    revision,
    version: machine.version,
    snapshot: persist(machine, snapshot),
    done: snapshot.status === 'done',
    consumed: served.map((m) => m.seq),
    ended: agenda.ended,
    effects: agenda.effects,
    timers: agenda.timers,
    now,
  };
  try {
    if (!machine.project) return await saveTurn(db, turn);
    return await db.transaction().execute(async (trx) => {
      const saved = await saveTurn(trx, turn);
      if (saved) await machine.project?.(trx, { id, key: keyOf(id) }, snapshot, now);
      return saved;
    });
  } catch (error) {
    if (isTransient(error)) throw error;
    throw new RowsFault(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

async function holdBack(deps: TurnDeps, actor: ActorWithMail, error: unknown): Promise<TurnOutcome> {
  const fault = error instanceof Error ? error.message : String(error);
  const [first] = actor.messages;
  const seq =
    error instanceof EventFault ? error.seq : error instanceof RowsFault ? (first?.seq ?? null) : null;
  const now = deps.now();
  const { parked } = await noteFailure(deps.db, {
    actorId: actor.id,
    revision: actor.revision,
    seq,
    fault,
    parkAfter: PARK_AFTER,
    retryAt: (failures) =>
      new Date(now.getTime() + Math.min(BACKOFF_MS * 2 ** Math.min(failures, 16), BACKOFF_MAX_MS)),
    now,
  });
  return { kind: 'failed', fault, parked };
}
