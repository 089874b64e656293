import type { AnyMachineSnapshot } from 'xstate';
import type { Database, Trx } from '../../../store/database.ts';
import type { ActorWithMail } from '../../../store/durable/actors.ts';
import type { BatchToSave } from '../../../store/durable/mailbox-batches.ts';
import type { EffectRow, WaitingEffect } from '../../../store/durable/outbox.ts';
import { carried, carrying } from '../../telemetry/scope.ts';
import { NO_SPANS, type Spans, type StartedSpan } from '../../telemetry/spans.ts';
import { type DurableMachine, keyOf, type Machines } from './durable-machine.ts';
import { persist } from './snapshots.ts';
import { type Step, step } from './step.ts';

/** What a mailbox batch is made of, for each of its actors: the step, what it saves, and what comes of it. */

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

/** Whether the step changes what the rows of its actor show. */
export function isShownAnew(machine: DurableMachine, actor: ActorWithMail, step: Step): boolean {
  if (!machine.project) return false;
  if (!machine.shows || actor.version !== machine.version) return true;
  const shown = machine.shows(step.snapshot);
  return shown === null || machine.shows(step.before) !== shown;
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

/** The row of an effect that was written with this process's lease on it. */
export function firstAttempt(
  actorId: string,
  { key, kind, params }: { readonly key: string; readonly kind: string; readonly params: object },
): EffectRow {
  return {
    key,
    kind,
    actor_id: actorId,
    // The same value as if it were read back from its row.
    params: JSON.parse(JSON.stringify(params)),
    attempts: 1,
    failures: 0,
    crash_count: 0,
    error: null,
  };
}
