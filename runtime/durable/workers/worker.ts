import type { Logger } from 'pino';
import { dueActors } from '../../../store/durable/actors.ts';
import { overdueWork } from '../../../store/durable/outbox.ts';
import { fireDueTimers } from '../../../store/durable/timers.ts';
import type { Meter } from '../../telemetry/metrics.ts';
import { carrying, currentTrace, within } from '../../telemetry/scope.ts';
import type { NewMessage, Prefetching } from '../actors/actor-batch.ts';
import type { AskedEffect, MailboxDeps, MailboxOutcome } from '../actors/actor-step.ts';
import { batchedMailboxes, openActorCache } from '../actors/mailbox-batches.ts';
import { OutcomeEvent } from '../actors/outcome-event.ts';
import { LANES, type Lane } from '../jobs/effect.ts';
import { type JobLane, jobLane } from '../jobs/job-lane.ts';
import { jobStore } from '../jobs/job-store.ts';
import { type Attempt, attemptEffect, LEASE_MS, type OutboxDeps } from '../jobs/outbox.ts';
import type { WakeQueue } from '../queue/bullmq.ts';
import type { Concurrency } from '../queue/notifier.ts';
import { every } from './every.ts';
import { lessAtRest } from './gates.ts';

export interface WorkerDeps extends MailboxDeps, OutboxDeps {
  readonly notifier: WakeQueue;
  readonly log: Pick<Logger, 'warn'>;
  /** How often a sweep looks in Postgres for work that no wake-up came for. */
  readonly sweepMs?: number;
  readonly concurrency?: Partial<Concurrency>;
  readonly meter?: Pick<Meter, 'mailbox' | 'effect'>;
}

export interface RunningWorker {
  /**
   * Delivers an event on its own, serves the actor's mailbox in the same transaction, and starts the effects it asks
   * for. The same id twice is one event. @returns false when the id was delivered before
   */
  send(message: NewMessage): Promise<boolean>;
  /** Ends the sweep. The caller closes the notifier, which waits for what runs. */
  stop(): Promise<void>;
}

const SWEEP_MS = 500;
const TIMERS = 200;
const ACTORS = 1_000;
/** What the service does for itself, whatever else a process has room for. */
export const UPKEEP = { rebroadcast: 8, lists: 2, upkeep: 4 } as const;
const CONCURRENCY: Concurrency = {
  mailboxes: 64,
  chain: 4,
  determination: 4,
  default: 4,
  'evaluate-market': 2,
  webhooks: 32,
  ...UPKEEP,
};

/** Serves mailboxes and effects as wake-ups come, and finds by itself whatever is overdue in Postgres. */
export async function startWorker(deps: WorkerDeps): Promise<RunningWorker> {
  const { notifier } = deps;
  const concurrency = { ...CONCURRENCY, ...deps.concurrency };
  const after = (attempt: Attempt): void => {
    if (attempt.retryAt !== null) {
      const wait = attempt.retryAt.getTime() - deps.now().getTime();
      // A moment late, so that the wake-up never comes before the effect is due.
      notifier.jobs(laneOf(deps, attempt.kind), wait > 0 ? wait + 5 : 0);
    }
    if (attempt.told && attempt.actorId !== null) notifier.actor(attempt.actorId);
    for (const id of attempt.wake) notifier.actor(id);
    begin(attempt.asked);
  };
  const prefetching: Prefetching = {
    room: (kind) => (deps.runners.has(kind) ? notifier.room(laneOf(deps, kind)) : 0),
    leaseMs: deps.leaseMs ?? LEASE_MS,
    clock: () => deps.leaseClock?.() ?? null,
  };
  const actorCache = openActorCache();
  const serving = (message: NewMessage) => new OutcomeEvent({ ...deps, actorCache, prefetching }, message);
  const lanes = lanesOf({ ...deps, serving }, concurrency, after);
  const mailboxes = batchedMailboxes(deps, { prefetching, actorCache });
  const afterBatch = (id: string, outcome: MailboxOutcome): void => {
    if (outcome.kind === 'failed') deps.log.warn({ actor: id, ...outcome }, 'a mailbox batch failed');
    else begin(outcome.effects);
    // One batch for each wake-up: the rest queues behind the other actors.
    if (outcome.kind === 'failed' ? outcome.deadLettered : outcome.kind === 'served' && outcome.more)
      notifier.actor(id);
  };
  const begin = (effects: readonly AskedEffect[]): void => {
    for (const { kind, row } of effects) if (row) lanes.get(laneOf(deps, kind))?.begin(row);
    const waiting = effects.filter(({ row }) => !row).map(({ kind }) => laneOf(deps, kind));
    for (const lane of new Set(waiting)) notifier.jobs(lane);
  };
  const actor = (id: string): Promise<void> =>
    within({ bindings: { actor: id } }, async () => {
      const began = performance.now();
      const outcome = await mailboxes.take(id);
      const how = outcome.kind === 'failed' && outcome.deadLettered ? 'dead-lettered' : outcome.kind;
      deps.meter?.mailbox(id.slice(0, id.indexOf(':')), how, (performance.now() - began) / 1000);
      afterBatch(id, outcome);
    });
  await notifier.answer({ actor, lanes }, concurrency.mailboxes);
  const cursor: Cursor = { actors: '' };
  const sweep = every(
    deps.sweepMs ?? SWEEP_MS,
    lessAtRest(() => wakeOverdue(deps, lanes, cursor)),
    deps.log,
  );
  return {
    async send(message) {
      const event = carrying(message.event, currentTrace());
      const { fresh, outcome } = await mailboxes.send({ ...message, event });
      afterBatch(message.actorId, outcome);
      return fresh;
    },
    stop: () => sweep.stop(),
  };
}

function lanesOf(
  deps: WorkerDeps,
  concurrency: Concurrency,
  after: (attempt: Attempt) => void,
): ReadonlyMap<Lane, JobLane> {
  const jobs = jobStore(deps);
  const runners = [...deps.runners.values()];
  const of = (lane: Lane): JobLane =>
    jobLane({
      kinds: runners.filter((r) => r.lane === lane).map((r) => r.kind),
      jobs,
      parallel: concurrency[lane],
      async run(row, free) {
        const began = performance.now();
        const attempt = await attemptEffect(deps, jobs, row, free);
        deps.meter?.effect(attempt.kind, attempt.status, (performance.now() - began) / 1000);
        after(attempt);
      },
      more: () => deps.notifier.jobs(lane),
      failed: (error) =>
        deps.log.warn({ lane, error: String(error) }, 'work failed: it is claimed again after its lease'),
    });
  return new Map(LANES.map((lane) => [lane, of(lane)]));
}

function laneOf(deps: Pick<OutboxDeps, 'runners'>, kind: string): Lane {
  return deps.runners.get(kind)?.lane ?? 'default';
}

/** Where the last sweep ended among the actors with mail. */
interface Cursor {
  actors: string;
}

/**
 * Wakes due timers and events that nobody served, and looks into every lane in which something is due. This alone
 * recovers everything after every queue was wiped. Any number of processes may do it at the same time.
 * @returns whether anything was due
 */
async function wakeOverdue(
  deps: WorkerDeps,
  lanes: ReadonlyMap<Lane, JobLane>,
  cursor: Cursor,
): Promise<boolean> {
  const now = deps.now();
  const overdue = await overdueWork(deps.db, {
    kinds: [...deps.runners.keys()],
    now,
    clock: deps.leaseClock?.() ?? null,
  });
  for (const lane of new Set(overdue.kinds.map((kind) => laneOf(deps, kind)))) lanes.get(lane)?.wake();
  const fired = overdue.timers ? await fireDueTimers(deps.db, now, TIMERS) : [];
  if (fired.length === 0 && !overdue.mail) return overdue.kinds.length > 0;
  // For what is younger than a sweep, a wake-up is most likely on its way.
  const before = new Date(now.getTime() - (deps.sweepMs ?? SWEEP_MS));
  const due = await dueActors(deps.db, { before, now, limit: ACTORS, from: cursor.actors });
  cursor.actors = due.next;
  deps.notifier.overdue([...new Set([...fired, ...due.ids])]);
  return true;
}
