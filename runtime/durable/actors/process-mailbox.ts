import type { AnyMachineSnapshot } from 'xstate';
import { readable } from '../../../agents/readable.ts';
import type { Database, Trx } from '../../../store/database.ts';
import { type ActorWithMail, insertMessage, noteFailure } from '../../../store/durable/actors.ts';
import { type BatchToSave, readActors, saveBatches } from '../../../store/durable/mailbox-batches.ts';
import { type EffectRow, type WaitingEffect, waitingEffects } from '../../../store/durable/outbox.ts';
import { carried, carrying } from '../../telemetry/scope.ts';
import { NO_SPANS, type Spans, type StartedSpan } from '../../telemetry/spans.ts';
import { type ActorEvent, type DurableMachine, keyOf, type Machines } from './durable-machine.ts';
import { refuseReserved } from './mailbox.ts';
import { persist } from './snapshots.ts';
import { EventFault, type Step, step } from './step.ts';
import { isOurs, isTransient } from './transient.ts';

export interface MailboxDeps {
  readonly db: Database;
  readonly machines: Machines;
  readonly now: () => Date;
  /** A named point at which a test may end the process; does nothing otherwise. */
  readonly crash: (point: string) => void;
  readonly spans?: Spans;
}

/** An effect that a batch asked for. With `row`, this process already holds the lease of its first attempt. */
export interface AskedEffect extends WaitingEffect {
  readonly row?: EffectRow;
}

export type MailboxOutcome =
  | {
      readonly kind: 'served';
      readonly events: number;
      readonly effects: readonly AskedEffect[];
      /** There may be more events: process another batch. */
      readonly more: boolean;
    }
  | { readonly kind: 'idle'; readonly effects: readonly WaitingEffect[] }
  | { readonly kind: 'failed'; readonly fault: string; readonly deadLettered: boolean };

/** The most events that one batch takes, so that an actor with thousands of events does not starve the others. */
export const EVENTS_A_BATCH = 50;
const DEAD_LETTER_AFTER = 5;
const BACKOFF_MS = 100;
const BACKOFF_MAX_MS = 30_000;

/**
 * Serves one batch of an actor's mailbox. The pure transition takes the events in order; then ONE transaction writes the
 * new snapshot, the effects, the timers, the consumed marks and the projection. The machine does no I/O, and nothing is
 * locked while it decides: the write succeeds only over the revision that was read. A batch that lost to another process
 * is taken again from what that process wrote.
 *
 * An event that throws is retried with backoff. After five tries it becomes a dead letter with its fault, and the events
 * after it go on. A snapshot or a kind that this release does not know, or a table that the database lacks, delays the
 * actor and makes no dead letter, because no event is to blame.
 */
export async function processMailbox(deps: MailboxDeps, id: string): Promise<MailboxOutcome> {
  for (let limit = EVENTS_A_BATCH; ; ) {
    const [actor] = await readActors(deps.db, [id], limit);
    const now = deps.now();
    if (!actor || isHeldBack(actor, now) || actor.messages.length === 0) {
      return { kind: 'idle', effects: actor ? await waitingEffects(deps.db, [id], now) : [] };
    }
    try {
      const machine = machineOf(deps, actor);
      const taken = spannedStep(deps, machine, actor, now);
      try {
        // Another process saved the actor first: start again from what it wrote.
        if (!(await save(deps.db, machine, actor, taken, now))) continue;
      } finally {
        taken.span.end();
      }
      deps.crash('after-batch-commit');
      return served(actor, taken, limit);
    } catch (error) {
      if (isTransient(error)) throw error;
      if (error instanceof RowsFault && actor.messages.length > 1) {
        // One at a time shows which of the events the database refuses.
        limit = 1;
        continue;
      }
      return await holdBack(deps, actor, error);
    }
  }
}

/** Delivers one event and serves the actor's mailbox. `fresh` is false when the id was delivered before. */
export async function deliverAndRun(
  deps: MailboxDeps,
  message: { actorId: string; eventId: string; event: ActorEvent },
): Promise<{ fresh: boolean; outcome: MailboxOutcome }> {
  refuseReserved(message.eventId);
  const fresh = await insertMessage(deps.db, { ...message, now: deps.now() });
  return { fresh, outcome: await processMailbox(deps, message.actorId) };
}

export function isHeldBack(actor: ActorWithMail, now: Date): boolean {
  return actor.next_batch_at !== null && actor.next_batch_at > now;
}

/** @throws Error when this process has no machine of the actor's kind */
export function machineOf(deps: MailboxDeps, actor: ActorWithMail): DurableMachine {
  const machine = deps.machines.get(actor.kind);
  if (!machine) throw new Error(`no machine of kind "${actor.kind}" runs here`);
  return machine;
}

/** A step with its tracing span. The span belongs to the trace of the latest event that carries one. */
export interface SpannedStep extends Step {
  readonly span: StartedSpan;
}

/** As {@link step}. The caller ends the span once the batch is saved or lost. */
export function spannedStep(
  { spans = NO_SPANS }: MailboxDeps,
  machine: DurableMachine,
  actor: ActorWithMail,
  now: Date,
  live: AnyMachineSnapshot | null = null,
): SpannedStep {
  const parent = actor.messages.reduce<string | null>((last, m) => carried(m.event).trace ?? last, null);
  const attributes = { actor: actor.id, batch: Number(actor.revision) + 1, events: actor.messages.length };
  const span = spans.start('mailbox', `mailbox ${actor.kind}`, { parent, attributes });
  try {
    return { ...step(machine, actor, now, live), span };
  } catch (error) {
    span.end(error);
    throw error;
  }
}

/** What a step has to save. Its effects and timers continue its trace. */
export function toSave(
  machine: DurableMachine,
  actor: ActorWithMail,
  { snapshot, agenda, served, span: { trace } }: Step & { readonly span: Pick<StartedSpan, 'trace'> },
): BatchToSave {
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
    arrival: null,
    blind: false,
  };
}

export function served(actor: ActorWithMail, taken: Step, limit: number): MailboxOutcome {
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

/** The database refused the snapshot or its projection, or the projection threw. */
class RowsFault extends Error {}

/** @returns false when another process saved the actor meanwhile */
async function save(
  db: Database,
  machine: DurableMachine,
  actor: ActorWithMail,
  taken: SpannedStep,
  now: Date,
): Promise<boolean> {
  try {
    const batch = toSave(machine, actor, taken);
    if (!machine.project) return (await saveBatches(db, [batch], now)).saved.has(actor.id);
    return await db.transaction().execute(async (trx) => {
      const saved = (await saveBatches(trx, [batch], now)).saved.has(actor.id);
      if (saved) await project(trx, machine, actor.id, taken, now);
      return saved;
    });
  } catch (error) {
    if (isTransient(error) || isOurs(error)) throw error;
    throw new RowsFault(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

async function holdBack(deps: MailboxDeps, actor: ActorWithMail, error: unknown): Promise<MailboxOutcome> {
  const fault = readable(error instanceof Error ? error.message : String(error), 2000);
  const [first] = actor.messages;
  const seq =
    error instanceof EventFault ? error.seq : error instanceof RowsFault ? (first?.seq ?? null) : null;
  const now = deps.now();
  const { deadLettered } = await noteFailure(deps.db, {
    actorId: actor.id,
    revision: actor.revision,
    seq,
    fault,
    deadLetterAfter: DEAD_LETTER_AFTER,
    retryAt: (failures) =>
      new Date(now.getTime() + Math.min(BACKOFF_MS * 2 ** Math.min(failures, 16), BACKOFF_MAX_MS)),
    now,
  });
  return { kind: 'failed', fault, deadLettered };
}
