import { setTimeout as sleep } from 'node:timers/promises';
import { readable } from '../../../agents/readable.ts';
import type { Trx } from '../../../store/database.ts';
import { type Again, scheduleAgain } from '../../../store/durable/jobs.ts';
import { type Closing, closeEffects, type EffectRow } from '../../../store/durable/outbox.ts';
import { carrying, currentTrace } from '../../telemetry/scope.ts';
import type { AskedEffect } from '../actors/actor-step.ts';
import type { ActorEvent } from '../actors/durable-machine.ts';
import type { OutcomeEvent, Went } from '../actors/outcome-event.ts';
import { isTransient } from '../actors/transient.ts';
import type { Attempt, JobStore, OutboxDeps } from './attempt.ts';
import type { EffectContext, EffectOutcome, EffectRunner } from './effect.ts';
import { isKept, pauseAfter } from './failures.ts';
import { RateLimited } from './rate-limit.ts';

/** Pauses before the outcome is written again when the database was away; the effect itself does not run again. */
const REWRITE_MS = [50, 250, 1_000];

/** Writes the outcome, the event and the done mark in one transaction. */
export async function succeed(
  deps: OutboxDeps,
  jobs: JobStore,
  row: EffectRow,
  outcome: EffectOutcome,
): Promise<Attempt> {
  const closing: Closing = {
    key: row.key,
    attempt: row.attempts,
    status: outcome.again ? 'pending' : 'done',
    error: null,
    failed: false,
    event: outcome.event ? carrying(outcome.event, currentTrace()) : null,
    waitMs: 0,
  };
  const { commit, again } = outcome;
  const { actor_id: actorId } = row;
  const { event } = closing;
  const isServed = outcome.atOnce === true && commit !== undefined && actorId !== null && event !== null;
  const told = isServed
    ? (deps.serving?.({ actorId, eventId: `effect:${row.key}`, event: event as ActorEvent }) ?? null)
    : null;
  let next: Again | null = null;
  const write = async (): Promise<boolean> => {
    if (!commit && !again) return await jobs.close(closing);
    const at = { now: deps.now(), clock: deps.leaseClock?.() ?? null };
    return await deps.db.transaction().execute(async (trx) => {
      const quiet = told ? { ...closing, event: null } : closing;
      const closed = (await closeEffects(trx, [quiet], at)).has(closing.key);
      if (!closed) return false;
      await told?.serve(trx);
      await commit?.call(outcome, trx);
      if (again) {
        next = await again.call(outcome, trx);
        await scheduleAgain(trx, row.key, next, at.clock);
      }
      return true;
    });
  };
  const { mine, went } = await writtenWith(told, write);
  const freed = mine ? [] : await setFree(jobs, told?.unsure ?? []);
  // The compiler does not see the assignment in `write`.
  const atOnce = mine && (next as Again | null)?.afterMs === 0;
  return {
    actorId: row.actor_id,
    kind: row.kind,
    status: mine ? 'done' : 'lost',
    told: went?.more ?? (mine && closing.event !== null),
    asked: mine ? (went?.effects ?? []) : freed,
    retryAt: atOnce ? deps.now() : null,
    wake: mine ? (outcome.wake ?? []) : [],
  };
}

/** Writes an outcome together with what its event leads to; without that, where the database refuses it. */
async function writtenWith(
  told: OutcomeEvent | null,
  write: () => Promise<boolean>,
): Promise<{ readonly mine: boolean; readonly went: Went | null }> {
  if (told === null) return { mine: await written(write), went: null };
  let mine = false;
  try {
    mine = await written(write).catch((error: unknown) => {
      if (told.refused) return written(write);
      throw error;
    });
  } catch (error) {
    told.ended(false);
    throw error;
  }
  return { mine, went: told.ended(mine) };
}

/**
 * The outcome is written, and not by the transaction that was answered: where one before it was committed, its effects have
 * a lease of this process, which does not know of them. @returns those that wait to be run
 */
async function setFree(jobs: JobStore, effects: readonly AskedEffect[]): Promise<AskedEffect[]> {
  const free: AskedEffect[] = [];
  for (const { key, kind } of effects) {
    const closing = {
      key,
      attempt: 1,
      status: 'pending',
      error: null,
      failed: false,
      event: null,
      waitMs: 0,
    } as const;
    if (await jobs.close(closing)) free.push({ key, kind });
  }
  return free;
}

/** Retries the write while the database is away. The outcome is known, so the effect does not run again. */
async function written(write: () => Promise<boolean>): Promise<boolean> {
  for (const pause of REWRITE_MS) {
    try {
      return await write();
    } catch (error) {
      if (!isTransient(error)) throw error;
      await sleep(pause);
    }
  }
  return await write();
}

/** Ends an effect that failed for good, with what its runner writes then. Where that cannot be said yet, it is retried. */
export async function giveUp(
  deps: OutboxDeps,
  jobs: JobStore,
  runner: EffectRunner,
  row: EffectRow,
  { error, context }: { error: unknown; context: EffectContext },
): Promise<Attempt> {
  const reason = reasonOf(error);
  let commit: ((trx: Trx) => Promise<void>) | undefined;
  try {
    commit = await runner.givenUp?.(context, reason);
  } catch (unsaid) {
    return await fail(deps, jobs, row, unsaid, { counts: false });
  }
  warn(deps, row, reason, true);
  const closing: Closing = {
    key: row.key,
    attempt: row.attempts,
    status: 'failed',
    error: reason,
    failed: isKept(row, error),
    event: carrying({ type: 'EFFECT_FAILED', effect: row.kind, reason }, currentTrace()),
    waitMs: 0,
  };
  const at = { now: deps.now(), clock: deps.leaseClock?.() ?? null };
  const mine =
    commit === undefined
      ? await jobs.close(closing)
      : await deps.db.transaction().execute(async (trx) => {
          const closed = (await closeEffects(trx, [closing], at)).has(closing.key);
          if (closed) await commit(trx);
          return closed;
        });
  const status = mine ? 'failed' : 'lost';
  const told = mine && row.actor_id !== null;
  return { actorId: row.actor_id, kind: row.kind, wake: [], asked: [], status, told, retryAt: null };
}

/** Sets an effect back until its next attempt. */
export async function fail(
  deps: OutboxDeps,
  jobs: JobStore,
  row: EffectRow,
  error: unknown,
  { counts }: { counts: boolean },
): Promise<Attempt> {
  const reason = reasonOf(error);
  const waitMs = pauseAfter(row, error, deps.runners.get(row.kind)?.backoff);
  if (!(error instanceof RateLimited)) warn(deps, row, reason, false);
  const mine = await jobs.close({
    key: row.key,
    attempt: row.attempts,
    status: 'pending',
    error: reason,
    failed: counts,
    event: null,
    waitMs,
  });
  const of = { actorId: row.actor_id, kind: row.kind, wake: [], asked: [], told: false };
  if (!mine) return { ...of, status: 'lost', retryAt: null };
  return { ...of, status: 'pending', retryAt: new Date(deps.now().getTime() + waitMs) };
}

/** The message may quote a contract or a server. Text that the database refuses would keep the attempt open. */
function reasonOf(error: unknown): string {
  return readable(error instanceof Error ? error.message : String(error), 2000);
}

function warn({ log }: OutboxDeps, row: EffectRow, reason: string, final: boolean): void {
  log.warn(
    { effect: row.key, actor: row.actor_id, kind: row.kind, attempt: row.attempts, final, reason },
    'an effect did not succeed',
  );
}
