import type { Logger } from 'pino';
import { claimEffect, closeEffect, type EffectRow, extendLease, insertMessage } from '../../store/actors.ts';
import type { Database } from '../../store/database.ts';
import { EffectError, type EffectOutcome, type EffectRunner } from './effect.ts';

export interface OutboxDeps {
  readonly db: Database;
  readonly runners: ReadonlyMap<string, EffectRunner>;
  readonly now: () => Date;
  readonly crash: (point: string) => void;
  readonly log: Pick<Logger, 'warn'>;
  /** How long a worker may be silent before its effect is another's to take. */
  readonly leaseMs?: number;
}

export interface Attempt {
  readonly actorId: string;
  readonly status: 'done' | 'failed' | 'pending';
  /** When to try again, for a pending one. */
  readonly retryAt: Date | null;
}

const LEASE_MS = 15_000;
const BACKOFF_MS = 200;
const BACKOFF_MAX_MS = 30_000;

/**
 * Makes one attempt at an effect: takes its lease, asks for an earlier outcome where there may be one, runs it, and
 * writes the outcome, the event and the done mark in one transaction. An attempt whose lease went to another worker
 * writes nothing. @returns null when the effect was not this worker's to take
 */
export async function attemptEffect(deps: OutboxDeps, key: string): Promise<Attempt | null> {
  const lease = deps.leaseMs ?? LEASE_MS;
  const until = (): Date => new Date(deps.now().getTime() + lease);
  const row = await claimEffect(deps.db, key, deps.now(), until());
  if (!row) return null;
  const renewal = setInterval(() => {
    extendLease(deps.db, key, row.attempts, until()).catch((error: unknown) =>
      deps.log.warn({ effect: key, error }, 'the lease of an effect could not be extended'),
    );
  }, lease / 3);
  try {
    deps.crash('before-effect-run');
    const outcome = await perform(deps, row);
    deps.crash('after-effect-run-before-commit');
    return await succeed(deps, row, outcome);
  } catch (error) {
    return await fail(deps, row, error);
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
  return earlier ?? (await runner.run(context));
}

async function succeed(deps: OutboxDeps, row: EffectRow, outcome: EffectOutcome): Promise<Attempt> {
  await deps.db.transaction().execute(async (trx) => {
    const now = deps.now();
    const mine = await closeEffect(trx, {
      key: row.key,
      attempt: row.attempts,
      status: 'done',
      error: null,
      now,
    });
    if (!mine) return;
    await outcome.commit?.(trx);
    if (outcome.event) {
      await insertMessage(trx, {
        actorId: row.actor_id,
        eventId: `effect:${row.key}`,
        event: outcome.event,
        now,
      });
    }
  });
  return { actorId: row.actor_id, status: 'done', retryAt: null };
}

async function fail(deps: OutboxDeps, row: EffectRow, error: unknown): Promise<Attempt> {
  const reason = error instanceof Error ? error.message : String(error);
  const final = (error instanceof EffectError && !error.retry) || row.attempts >= attemptsOf(deps, row);
  const now = deps.now();
  const wait = Math.min(BACKOFF_MS * 2 ** Math.min(row.attempts - 1, 16), BACKOFF_MAX_MS);
  const retryAt = final ? null : new Date(now.getTime() + wait);
  deps.log.warn(
    { effect: row.key, kind: row.kind, attempt: row.attempts, final, reason },
    'an effect did not succeed',
  );
  await deps.db.transaction().execute(async (trx) => {
    const mine = await closeEffect(trx, {
      key: row.key,
      attempt: row.attempts,
      status: final ? 'failed' : 'pending',
      error: reason.slice(0, 2000),
      ...(retryAt === null ? {} : { nextAttemptAt: retryAt }),
      now,
    });
    if (!mine || !final) return;
    await insertMessage(trx, {
      actorId: row.actor_id,
      eventId: `effect:${row.key}`,
      event: { type: 'EFFECT_FAILED', effect: row.kind, reason },
      now,
    });
  });
  return { actorId: row.actor_id, status: final ? 'failed' : 'pending', retryAt };
}

function attemptsOf(deps: OutboxDeps, row: EffectRow): number {
  return deps.runners.get(row.kind)?.maxAttempts ?? Number.POSITIVE_INFINITY;
}
