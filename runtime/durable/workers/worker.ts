import type { Logger } from 'pino';
import { dueActors } from '../../../store/durable/actors.ts';
import { dueEffects } from '../../../store/durable/outbox.ts';
import { fireDueTimers } from '../../../store/durable/timers.ts';
import type { Meter } from '../../telemetry/metrics.ts';
import { carrying, currentTrace, within } from '../../telemetry/scope.ts';
import { batchedMailboxes, type NewMessage } from '../actors/mailbox-batches.ts';
import type { AskedEffect, MailboxDeps, MailboxOutcome } from '../actors/process-mailbox.ts';
import { batchedJobStore } from '../jobs/batched-job-store.ts';
import type { Lane } from '../jobs/effect.ts';
import { attemptEffect, LEASE_MS, type OutboxDeps } from '../jobs/outbox.ts';
import { prefetchedJobs } from '../jobs/prefetched-jobs.ts';
import type { WakeQueue } from '../queue/bullmq.ts';
import type { Concurrency } from '../queue/notifier.ts';
import { every } from './every.ts';

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
  /** Resolves when the effects are released that the last batches asked for while the notifier closed. */
  settled(): Promise<void>;
}

const SWEEP_MS = 500;
const TIMERS = 200;
const ACTORS = 1_000;
const EFFECTS = 200;
const CONCURRENCY: Concurrency = {
  mailboxes: 64,
  chain: 4,
  determination: 4,
  default: 4,
  'evaluate-market': 2,
};

/** Serves mailboxes and effects as wake-ups come, and wakes again whatever is overdue in Postgres. */
export async function startWorker(deps: WorkerDeps): Promise<RunningWorker> {
  const { notifier } = deps;
  const jobs = prefetchedJobs(batchedJobStore(deps));
  const outbox: OutboxDeps = { ...deps, jobs };
  const mailboxes = batchedMailboxes(deps, {
    prefetching: {
      room: (kind) => (deps.runners.has(kind) ? notifier.room(laneOf(deps, kind)) : 0),
      leaseMs: deps.leaseMs ?? LEASE_MS,
      clock: () => deps.leaseClock?.() ?? null,
    },
  });
  const after = (id: string, outcome: MailboxOutcome): void => {
    if (outcome.kind === 'failed') deps.log.warn({ actor: id, ...outcome }, 'a mailbox batch failed');
    else for (const effect of outcome.effects) begin(effect);
    // One batch for each wake-up: the rest queues behind the other actors.
    if (outcome.kind === 'failed' ? outcome.deadLettered : outcome.kind === 'served' && outcome.more)
      notifier.actor(id);
  };
  const begin = ({ key, kind, row }: AskedEffect): void => {
    const lane = laneOf(deps, kind);
    if (!row) {
      notifier.effect(key, lane);
      return;
    }
    jobs.hand(row);
    if (!notifier.begin(key, lane)) jobs.letGo(row);
  };
  await notifier.answer(
    {
      actor: (id) =>
        within({ bindings: { actor: id } }, async () => {
          const began = performance.now();
          const outcome = await mailboxes.take(id);
          const how = outcome.kind === 'failed' && outcome.deadLettered ? 'dead-lettered' : outcome.kind;
          deps.meter?.mailbox(id.slice(0, id.indexOf(':')), how, (performance.now() - began) / 1000);
          after(id, outcome);
        }),
      async effect(key, free) {
        const began = performance.now();
        const attempt = await attemptEffect(outbox, key, free);
        if (attempt === null) return;
        deps.meter?.effect(attempt.kind, attempt.status, (performance.now() - began) / 1000);
        if (attempt.retryAt !== null) {
          // A moment late, so that the wake-up never comes before the effect is due.
          const delay = Math.max(0, attempt.retryAt.getTime() - deps.now().getTime()) + 5;
          notifier.effect(key, laneOf(deps, attempt.kind), delay);
        }
        if (attempt.told) notifier.actor(attempt.actorId);
        for (const id of attempt.wake) notifier.actor(id);
      },
    },
    { ...CONCURRENCY, ...deps.concurrency },
  );
  const cursor: Cursor = { actors: '' };
  const sweep = every(deps.sweepMs ?? SWEEP_MS, () => wakeOverdue(deps, cursor), deps.log);
  return {
    async send(message) {
      const event = carrying(message.event, currentTrace());
      const { fresh, outcome } = await mailboxes.send({ ...message, event });
      after(message.actorId, outcome);
      return fresh;
    },
    stop: () => sweep.stop(),
    settled: () => jobs.settled(),
  };
}

function laneOf(deps: Pick<OutboxDeps, 'runners'>, kind: string): Lane {
  return deps.runners.get(kind)?.lane ?? 'default';
}

/** Where the last sweep ended among the actors with mail. */
interface Cursor {
  actors: string;
}

/**
 * Wakes due timers, events that nobody served and effects that nobody runs. This alone recovers everything after every
 * queue was wiped. Any number of processes may do it at the same time.
 */
export async function wakeOverdue(
  deps: Pick<WorkerDeps, 'db' | 'now' | 'notifier' | 'runners' | 'sweepMs' | 'leaseClock'>,
  cursor: Cursor = { actors: '' },
): Promise<number> {
  const now = deps.now();
  const timers = await fireDueTimers(deps.db, now, TIMERS);
  // For what is younger than a sweep, a wake-up is most likely on its way.
  const youngMs = deps.sweepMs ?? SWEEP_MS;
  const before = new Date(now.getTime() - youngMs);
  const due = await dueActors(deps.db, { before, now, limit: ACTORS, from: cursor.actors });
  cursor.actors = due.next;
  const actors = new Set([...timers, ...due.ids]);
  const effects = await dueEffects(deps.db, {
    kinds: [...deps.runners.keys()],
    ms: youngMs,
    limit: EFFECTS,
    clock: deps.leaseClock?.() ?? null,
  });
  deps.notifier.overdue(
    [...actors],
    effects.map(({ key, kind }) => ({ key, lane: laneOf(deps, kind) })),
  );
  return actors.size + effects.length;
}
