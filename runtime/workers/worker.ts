import type { Logger } from 'pino';
import { dueActors } from '../../store/actors.ts';
import { dueEffects } from '../../store/outbox.ts';
import { fireDueTimers } from '../../store/timers.ts';
import { runTurn, type TurnDeps } from '../actors/turn.ts';
import type { Lane } from '../effects/effect.ts';
import { attemptEffect, type OutboxDeps } from '../effects/outbox.ts';
import type { Concurrency } from '../queue/bell.ts';
import type { BellQueue } from '../queue/bullmq.ts';
import { every } from './every.ts';

export interface WorkerDeps extends TurnDeps, OutboxDeps {
  readonly bell: BellQueue;
  readonly log: Pick<Logger, 'warn'>;
  /** How often Postgres is swept for what no bell rang for. */
  readonly sweepMs?: number;
  readonly concurrency?: Partial<Concurrency>;
}

export interface RunningWorker {
  /** Ends the sweep. The bell is the caller's to close, which waits for what is in hand. */
  stop(): Promise<void>;
}

const SWEEP_MS = 500;
const BATCH = 200;
const CONCURRENCY: Concurrency = { turns: 8, chain: 4, determination: 4, default: 4 };

/** Serves turns and effects as the bell rings, and rings again for whatever Postgres says is overdue. */
export async function startWorker(deps: WorkerDeps): Promise<RunningWorker> {
  const { bell } = deps;
  await bell.answer(
    {
      async actor(id) {
        for (let more = true; more; ) {
          const outcome = await runTurn(deps, id);
          if (outcome.kind === 'failed') deps.log.warn({ actor: id, ...outcome }, 'a turn failed');
          else for (const { key, kind } of outcome.effects) bell.effect(key, laneOf(deps, kind));
          more = outcome.kind === 'served' ? outcome.more : outcome.kind === 'failed' && outcome.parked;
        }
      },
      async effect(key) {
        const attempt = await attemptEffect(deps, key);
        if (attempt === null) return;
        if (attempt.retryAt !== null) {
          // A moment late, so that the ring never finds it not due yet.
          const delay = Math.max(0, attempt.retryAt.getTime() - deps.now().getTime()) + 5;
          bell.effect(key, laneOf(deps, attempt.kind), delay);
        }
        if (attempt.status === 'done' || attempt.status === 'failed') bell.actor(attempt.actorId);
        for (const id of attempt.ring) bell.actor(id);
      },
    },
    { ...CONCURRENCY, ...deps.concurrency },
  );
  const sweep = every(deps.sweepMs ?? SWEEP_MS, () => ringOverdue(deps), deps.log);
  return { stop: () => sweep.stop() };
}

function laneOf(deps: Pick<OutboxDeps, 'runners'>, kind: string): Lane {
  return deps.runners.get(kind)?.lane ?? 'default';
}

/**
 * Rings for due timers, for events nobody served and for effects nobody runs. This alone recovers everything after
 * every queue was wiped, and any number of processes may do it at once.
 */
export async function ringOverdue(
  deps: Pick<WorkerDeps, 'db' | 'now' | 'bell' | 'runners' | 'sweepMs'>,
): Promise<number> {
  const now = deps.now();
  const timers = await fireDueTimers(deps.db, now, BATCH);
  // What is younger than a sweep has most likely been rung for already.
  const before = new Date(now.getTime() - (deps.sweepMs ?? SWEEP_MS));
  const actors = new Set([...timers, ...(await dueActors(deps.db, before, now, BATCH))]);
  const effects = await dueEffects(deps.db, before, BATCH);
  deps.bell.overdue(
    [...actors],
    effects.map(({ key, kind }) => ({ key, lane: laneOf(deps, kind) })),
  );
  return actors.size + effects.length;
}
