import type { Logger } from 'pino';
import { dueActors, dueEffects } from '../../store/actors.ts';
import { fireTimers } from '../actors/timers.ts';
import { runTurn, type TurnDeps } from '../actors/turn.ts';
import { attemptEffect, type OutboxDeps } from '../effects/outbox.ts';
import type { BellQueue } from '../queue/bullmq.ts';
import { every } from './every.ts';

export interface WorkerDeps extends TurnDeps, OutboxDeps {
  readonly bell: BellQueue;
  readonly log: Pick<Logger, 'warn'>;
  /** How often Postgres is swept for what no bell rang for. */
  readonly sweepMs?: number;
  readonly concurrency?: { turns: number; effects: number };
}

export interface RunningWorker {
  /** Ends the sweep and waits for what is in hand. The bell is the caller's to close, which drains its rings first. */
  stop(): Promise<void>;
}

const SWEEP_MS = 500;
const BATCH = 200;

/** Serves turns and effects as the bell rings, and rings again for whatever Postgres says is overdue. */
export async function startWorker(deps: WorkerDeps): Promise<RunningWorker> {
  const { bell } = deps;
  await bell.answer(
    {
      async actor(id) {
        for (let more = true; more; ) {
          const outcome = await runTurn(deps, id);
          if (outcome.kind === 'failed') deps.log.warn({ actor: id, ...outcome }, 'a turn failed');
          if (outcome.kind === 'served') for (const key of outcome.effects) bell.effect(key);
          more = outcome.kind === 'served' && outcome.more;
        }
      },
      async effect(key) {
        const attempt = await attemptEffect(deps, key);
        if (attempt === null) return;
        if (attempt.retryAt !== null) {
          bell.effect(key, Math.max(1, attempt.retryAt.getTime() - deps.now().getTime()));
        } else {
          bell.actor(attempt.actorId);
        }
      },
    },
    deps.concurrency ?? { turns: 8, effects: 8 },
  );
  const sweep = every(deps.sweepMs ?? SWEEP_MS, () => ringOverdue(deps), deps.log);
  return { stop: () => sweep.stop() };
}

/**
 * Rings for due timers, for events nobody served and for effects nobody runs. This alone recovers everything after
 * every queue was wiped.
 */
export async function ringOverdue(
  deps: Pick<WorkerDeps, 'db' | 'now' | 'bell' | 'sweepMs'>,
): Promise<number> {
  const now = deps.now();
  const timers = await fireTimers(deps.db, now, BATCH);
  // What is younger than a sweep has most likely been rung for already.
  const before = new Date(now.getTime() - (deps.sweepMs ?? SWEEP_MS));
  const actors = new Set([...timers, ...(await dueActors(deps.db, before, now, BATCH))]);
  const effects = await dueEffects(deps.db, before, BATCH);
  for (const id of actors) deps.bell.actor(id);
  for (const key of effects) deps.bell.effect(key);
  return actors.size + effects.length;
}
