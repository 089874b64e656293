import type { Logger } from 'pino';
import type { Database } from '../../store/database.ts';
import { claimEffect, closeEffect, type EffectRow, extendLease } from '../../store/outbox.ts';
import { EffectError, type EffectOutcome, type EffectRunner } from './effect.ts';

export interface OutboxDeps {
  readonly db: Database;
  readonly runners: ReadonlyMap<string, EffectRunner>;
  readonly now: () => Date;
  /** A named point at which a test may end the process; does nothing otherwise. */
  readonly crash: (point: string) => void;
  readonly log: Pick<Logger, 'warn'>;
  /** How long a worker may be silent before its effect is another's to take. Clocks must agree better than this. */
  readonly leaseMs?: number;
}

export interface Attempt {
  readonly actorId: string;
  readonly kind: string;
  /** `lost`: the lease went to another worker meanwhile, and this one wrote nothing. */
  readonly status: 'done' | 'failed' | 'pending' | 'lost';
  /** When to try again, for a pending one. */
  readonly retryAt: Date | null;
  /** Actors that got an event by the effect, besides its own. */
  readonly ring: readonly string[];
}

const LEASE_MS = 15_000;
const BACKOFF_MS = 200;
const BACKOFF_MAX_MS = 30_000;
/**
 * Attempts that ended with their process, or whose outcome could not be written, are not the effect's failures. One
 * that cannot be reconciled is given up after this many of them: it may be what ends the processes.
 */
const ENDED_UNSEEN = 3;

/**
 * Makes one attempt at an effect: takes its lease, asks for an earlier outcome where there may be one, runs it, and
 * writes the outcome, the event and the done mark in one transaction. An attempt whose lease went to another worker
 * writes nothing. An effect that can be reconciled is failed only once its reconciling said that nothing happened.
 * @returns null when the effect was not this worker's to take
 */
export async function attemptEffect(deps: OutboxDeps, key: string): Promise<Attempt | null> {
  const lease = deps.leaseMs ?? LEASE_MS;
  const until = (): Date => new Date(deps.now().getTime() + lease);
  const row = await claimEffect(deps.db, key, deps.now(), until());
  if (!row) return null;
  const renewal = setInterval(() => {
    extendLease(deps.db, key, row.attempts, until()).catch((error: unknown) =>
      deps.log.warn({ effect: key, error: String(error) }, 'the lease of an effect could not be extended'),
    );
  }, lease / 3);
  try {
    let outcome: EffectOutcome;
    try {
      deps.crash('before-effect-run');
      outcome = await perform(deps, row);
    } catch (error) {
      return await fail(deps, row, error, isFinal(deps, row, error));
    }
    deps.crash('after-effect-run-before-commit');
    deps.crash(`after-${row.kind}-run-before-commit`);
    try {
      return await succeed(deps, row, outcome);
    } catch (error) {
      // It happened, only the row does not say so yet: the next attempt finds it, or makes it happen again.
      return await fail(deps, row, error, false);
    }
  } finally {
    clearInterval(renewal);
  }
}

async function perform(deps: OutboxDeps, row: EffectRow): Promise<EffectOutcome> {
  const runner = deps.runners.get(row.kind);
  if (!runner) throw new EffectError(`no runner for effects of kind "${row.kind}"`, { retry: true });
  const context = {
    key: row.key,
    actorId: row.actor_id,
    params: row.params as Record<string, unknown>,
    attempt: row.attempts,
    now: deps.now(),
  };
  const earlier = row.attempts > 1 ? await runner.reconcile?.(context) : null;
  if (earlier) return earlier;
  const allowed = runner.maxAttempts + (runner.reconcile ? 0 : ENDED_UNSEEN);
  if (row.attempts > allowed)
    throw new EffectError(row.error ?? 'no attempt came to an end', { retry: false });
  return await runner.run(context);
}

/**
 * The last attempt of an effect that can be reconciled may have succeeded unseen: one more round asks, and only asks.
 */
function isFinal(deps: OutboxDeps, row: EffectRow, error: unknown): boolean {
  if (error instanceof EffectError && !error.retry) return true;
  const runner = deps.runners.get(row.kind);
  return runner !== undefined && !runner.reconcile && row.attempts >= runner.maxAttempts;
}

async function succeed(deps: OutboxDeps, row: EffectRow, outcome: EffectOutcome): Promise<Attempt> {
  const now = deps.now();
  const closing = {
    key: row.key,
    attempt: row.attempts,
    status: 'done' as const,
    error: null,
    event: outcome.event ?? null,
    nextAttemptAt: now,
    now,
  };
  const { commit } = outcome;
  const mine = commit
    ? await deps.db.transaction().execute(async (trx) => {
        const closed = await closeEffect(trx, closing);
        if (closed) await commit.call(outcome, trx);
        return closed;
      })
    : await closeEffect(deps.db, closing);
  return {
    actorId: row.actor_id,
    kind: row.kind,
    status: mine ? 'done' : 'lost',
    retryAt: null,
    ring: mine ? (outcome.ring ?? []) : [],
  };
}

async function fail(deps: OutboxDeps, row: EffectRow, error: unknown, final: boolean): Promise<Attempt> {
  const reason = (error instanceof Error ? error.message : String(error)).slice(0, 2000);
  const now = deps.now();
  const wait = Math.min(BACKOFF_MS * 2 ** Math.min(row.attempts - 1, 16), BACKOFF_MAX_MS);
  const retryAt = final ? null : new Date(now.getTime() + wait);
  deps.log.warn(
    { effect: row.key, kind: row.kind, attempt: row.attempts, final, reason },
    'an effect did not succeed',
  );
  const mine = await closeEffect(deps.db, {
    key: row.key,
    attempt: row.attempts,
    status: final ? 'failed' : 'pending',
    error: reason,
    event: final ? { type: 'EFFECT_FAILED', effect: row.kind, reason } : null,
    nextAttemptAt: retryAt ?? now,
    now,
  });
  const of = { actorId: row.actor_id, kind: row.kind, ring: [] };
  if (!mine) return { ...of, status: 'lost', retryAt: null };
  return { ...of, status: final ? 'failed' : 'pending', retryAt };
}
