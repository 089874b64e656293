import type { Logger } from 'pino';
import { dueActors } from '../../store/actors.ts';
import { dueEffects } from '../../store/outbox.ts';
import { fireDueTimers } from '../../store/timers.ts';
import type { AskedEffect, TurnDeps, TurnOutcome } from '../actors/turn.ts';
import { groupedTurns, type NewMessage } from '../actors/turns.ts';
import type { Lane } from '../effects/effect.ts';
import { groupedBook } from '../effects/grouped-book.ts';
import { handedBook } from '../effects/handed-book.ts';
import { attemptEffect, LEASE_MS, type OutboxDeps } from '../effects/outbox.ts';
import type { Concurrency } from '../queue/bell.ts';
import type { BellQueue } from '../queue/bullmq.ts';
import type { Meter } from '../telemetry/metrics.ts';
import { carrying, currentTrace, within } from '../telemetry/scope.ts';
import { every } from './every.ts';

export interface WorkerDeps extends TurnDeps, OutboxDeps {
  readonly bell: BellQueue;
  readonly log: Pick<Logger, 'warn'>;
  /** How often Postgres is swept for what no bell rang for. */
  readonly sweepMs?: number;
  readonly concurrency?: Partial<Concurrency>;
  readonly meter?: Pick<Meter, 'turn' | 'effect'>;
}

export interface RunningWorker {
  /**
   * Delivers an event that nothing else is written with, takes the actor's turn in the same transaction, and starts
   * the effects it asks for. The same id twice is one event. @returns false when its id was known
   */
  send(message: NewMessage): Promise<boolean>;
  /** Ends the sweep. The bell is the caller's to close, which waits for what is in hand. */
  stop(): Promise<void>;
  /** Resolves when the effects are given back that the last turns asked for as the bell closed: they never began here. */
  settled(): Promise<void>;
}

const SWEEP_MS = 500;
const TIMERS = 200;
const ACTORS = 1_000;
const EFFECTS = 200;
const CONCURRENCY: Concurrency = { turns: 64, chain: 4, determination: 4, default: 4, survey: 2 };

/** Serves turns and effects as the bell rings, and rings again for whatever Postgres says is overdue. */
export async function startWorker(deps: WorkerDeps): Promise<RunningWorker> {
  const { bell } = deps;
  const book = handedBook(groupedBook(deps));
  const outbox: OutboxDeps = { ...deps, book };
  const turns = groupedTurns(deps, {
    hands: {
      room: (kind) => (deps.runners.has(kind) ? bell.room(laneOf(deps, kind)) : 0),
      leaseMs: deps.leaseMs ?? LEASE_MS,
      clock: () => deps.leaseClock?.() ?? null,
    },
  });
  const after = (id: string, outcome: TurnOutcome): void => {
    if (outcome.kind === 'failed') deps.log.warn({ actor: id, ...outcome }, 'a turn failed');
    else for (const effect of outcome.effects) begin(effect);
    // One turn a ring: what is left goes behind what others wait for.
    if (outcome.kind === 'failed' ? outcome.parked : outcome.kind === 'served' && outcome.more)
      bell.actor(id);
  };
  const begin = ({ key, kind, row }: AskedEffect): void => {
    const lane = laneOf(deps, kind);
    if (!row) {
      bell.effect(key, lane);
      return;
    }
    book.hand(row);
    if (!bell.begin(key, lane)) book.letGo(row);
  };
  await bell.answer(
    {
      actor: (id) =>
        within({ bindings: { actor: id } }, async () => {
          const began = performance.now();
          const outcome = await turns.take(id);
          const how = outcome.kind === 'failed' && outcome.parked ? 'parked' : outcome.kind;
          deps.meter?.turn(id.slice(0, id.indexOf(':')), how, (performance.now() - began) / 1000);
          after(id, outcome);
        }),
      async effect(key, free) {
        const began = performance.now();
        const attempt = await attemptEffect(outbox, key, free);
        if (attempt === null) return;
        deps.meter?.effect(attempt.kind, attempt.status, (performance.now() - began) / 1000);
        if (attempt.retryAt !== null) {
          // A moment late, so that the ring never finds it not due yet.
          const delay = Math.max(0, attempt.retryAt.getTime() - deps.now().getTime()) + 5;
          bell.effect(key, laneOf(deps, attempt.kind), delay);
        }
        if (attempt.told) bell.actor(attempt.actorId);
        for (const id of attempt.ring) bell.actor(id);
      },
    },
    { ...CONCURRENCY, ...deps.concurrency },
  );
  const cursor: Cursor = { actors: '' };
  const sweep = every(deps.sweepMs ?? SWEEP_MS, () => ringOverdue(deps, cursor), deps.log);
  return {
    async send(message) {
      const event = carrying(message.event, currentTrace());
      const { fresh, outcome } = await turns.send({ ...message, event });
      after(message.actorId, outcome);
      return fresh;
    },
    stop: () => sweep.stop(),
    settled: () => book.settled(),
  };
}

function laneOf(deps: Pick<OutboxDeps, 'runners'>, kind: string): Lane {
  return deps.runners.get(kind)?.lane ?? 'default';
}

/** How far the last sweep came through the actors with mail. */
interface Cursor {
  actors: string;
}

/**
 * Rings for due timers, for events nobody served and for effects nobody runs. This alone recovers everything after
 * every queue was wiped, and any number of processes may do it at once.
 */
export async function ringOverdue(
  deps: Pick<WorkerDeps, 'db' | 'now' | 'bell' | 'runners' | 'sweepMs' | 'leaseClock'>,
  cursor: Cursor = { actors: '' },
): Promise<number> {
  const now = deps.now();
  const timers = await fireDueTimers(deps.db, now, TIMERS);
  // What is younger than a sweep has most likely been rung for already.
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
  deps.bell.overdue(
    [...actors],
    effects.map(({ key, kind }) => ({ key, lane: laneOf(deps, kind) })),
  );
  return actors.size + effects.length;
}
