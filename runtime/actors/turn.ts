import type { AnyMachineSnapshot } from 'xstate';
import { type ActorWithMail, insertMessage, noteFailure } from '../../store/actors.ts';
import type { Database, Trx } from '../../store/database.ts';
import { type EffectRow, type WaitingEffect, waitingEffects } from '../../store/outbox.ts';
import { readActors, saveTurns, type TurnToSave } from '../../store/turns.ts';
import { carried, carrying } from '../telemetry/scope.ts';
import { NO_SPANS, type Spans, type StartedSpan } from '../telemetry/spans.ts';
import { type ActorEvent, type DurableMachine, keyOf, type Machines } from './durable-machine.ts';
import { refuseReserved } from './mailbox.ts';
import { persist } from './snapshots.ts';
import { EventFault, type Step, step } from './step.ts';
import { isOurs, isTransient } from './transient.ts';

export interface TurnDeps {
  readonly db: Database;
  readonly machines: Machines;
  readonly now: () => Date;
  /** A named point at which a test may end the process; does nothing otherwise. */
  readonly crash: (point: string) => void;
  readonly spans?: Spans;
}

/** An effect that a turn asked for; with `row` its first attempt is this process's already. */
export interface AskedEffect extends WaitingEffect {
  readonly row?: EffectRow;
}

export type TurnOutcome =
  | {
      readonly kind: 'served';
      readonly events: number;
      readonly effects: readonly AskedEffect[];
      /** There may be more events: take another turn. */
      readonly more: boolean;
    }
  | { readonly kind: 'idle'; readonly effects: readonly WaitingEffect[] }
  | { readonly kind: 'failed'; readonly fault: string; readonly parked: boolean };

/** The most that one turn takes, so that an actor with thousands of events leaves the others their turns. */
export const EVENTS_A_TURN = 50;
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
 * A snapshot or a kind that this release does not know, or a table that it expects and the database lacks, holds the
 * actor back and parks nothing.
 */
export async function runTurn(deps: TurnDeps, id: string): Promise<TurnOutcome> {
  for (let limit = EVENTS_A_TURN; ; ) {
    const [actor] = await readActors(deps.db, [id], limit);
    const now = deps.now();
    if (!actor || isHeldBack(actor, now) || actor.messages.length === 0) {
      return { kind: 'idle', effects: actor ? await waitingEffects(deps.db, [id], now) : [] };
    }
    try {
      const machine = machineOf(deps, actor);
      const taken = spannedStep(deps, machine, actor, now);
      try {
        // Lost to another turn: take what it left.
        if (!(await save(deps.db, machine, actor, taken, now))) continue;
      } finally {
        taken.span.end();
      }
      deps.crash('after-turn-commit');
      return served(actor, taken, limit);
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

/** Delivers an event by itself and takes the actor's turn. @returns false with the outcome when its id is known */
export async function deliverAndRun(
  deps: TurnDeps,
  message: { actorId: string; eventId: string; event: ActorEvent },
): Promise<{ fresh: boolean; outcome: TurnOutcome }> {
  refuseReserved(message.eventId);
  const fresh = await insertMessage(deps.db, { ...message, now: deps.now() });
  return { fresh, outcome: await runTurn(deps, message.actorId) };
}

export function isHeldBack(actor: ActorWithMail, now: Date): boolean {
  return actor.next_turn_at !== null && actor.next_turn_at > now;
}

/** @throws Error for a kind that nothing here runs */
export function machineOf(deps: TurnDeps, actor: ActorWithMail): DurableMachine {
  const machine = deps.machines.get(actor.kind);
  if (!machine) throw new Error(`no machine of kind "${actor.kind}" runs here`);
  return machine;
}

/** A step whose turn is a span: part of the trace of the latest event that is part of one. */
export interface SpannedStep extends Step {
  readonly span: StartedSpan;
}

/** As {@link step}. The span is the caller's to end, once the turn is written or lost. */
export function spannedStep(
  { spans = NO_SPANS }: TurnDeps,
  machine: DurableMachine,
  actor: ActorWithMail,
  now: Date,
  live: AnyMachineSnapshot | null = null,
): SpannedStep {
  const parent = actor.messages.reduce<string | null>((last, m) => carried(m.event).trace ?? last, null);
  const attributes = { actor: actor.id, turn: Number(actor.revision) + 1, events: actor.messages.length };
  const span = spans.start('turn', `turn ${actor.kind}`, { parent, attributes });
  try {
    return { ...step(machine, actor, now, live), span };
  } catch (error) {
    span.end(error);
    throw error;
  }
}

/** What a step leaves to be written; what it asks for goes on in its trace. */
export function toSave(
  machine: DurableMachine,
  actor: ActorWithMail,
  { snapshot, agenda, served, span: { trace } }: SpannedStep,
): TurnToSave {
  return {
    id: actor.id,
    revision: actor.revision,
    version: machine.version,
    snapshot: persist(machine, snapshot),
    done: snapshot.status === 'done',
    consumed: served.map((m) => m.seq),
    ended: agenda.ended,
    effects: agenda.effects.map((e) => ({ ...e, params: carrying(e.params, trace) })),
    timers: agenda.timers.map((t) => ({ ...t, event: carrying(t.event, trace) })),
    news: null,
    blind: false,
  };
}

export function served(actor: ActorWithMail, taken: Step, limit: number): TurnOutcome {
  return {
    kind: 'served',
    events: taken.served.length,
    effects: taken.agenda.effects,
    more: taken.served.length < actor.messages.length || actor.messages.length === limit,
  };
}

export async function project(
  trx: Trx,
  machine: DurableMachine,
  id: string,
  { snapshot }: Step,
  now: Date,
): Promise<void> {
  await machine.project?.(trx, { id, key: keyOf(id) }, snapshot, now);
}

/** The snapshot or its projection was refused by the database, or the projection threw. */
class RowsFault extends Error {}

/** @returns false when another turn was saved meanwhile */
async function save(
  db: Database,
  machine: DurableMachine,
  actor: ActorWithMail,
  taken: SpannedStep,
  now: Date,
): Promise<boolean> {
  try {
    const turn = toSave(machine, actor, taken);
    if (!machine.project) return (await saveTurns(db, [turn], now)).saved.has(actor.id);
    return await db.transaction().execute(async (trx) => {
      const saved = (await saveTurns(trx, [turn], now)).saved.has(actor.id);
      if (saved) await project(trx, machine, actor.id, taken, now);
      return saved;
    });
  } catch (error) {
    if (isTransient(error) || isOurs(error)) throw error;
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
