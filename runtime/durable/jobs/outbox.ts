import { setTimeout as sleep } from 'node:timers/promises';
import { readable } from '../../../agents/readable.ts';
import { type Again, scheduleAgain } from '../../../store/durable/jobs.ts';
import { type Closing, closeEffects, type EffectRow } from '../../../store/durable/outbox.ts';
import { carried, carrying, currentTrace, within } from '../../telemetry/scope.ts';
import { NO_SPANS, type Spans } from '../../telemetry/spans.ts';
import { isOurs, isTransient } from '../actors/transient.ts';
import { EffectError, type EffectOutcome, type EffectRunner } from './effect.ts';
import { keepLease, type LeaseDeps } from './lease.ts';
import { RateLimited } from './rate-limit.ts';

export interface OutboxDeps extends LeaseDeps {
  readonly runners: ReadonlyMap<string, EffectRunner>;
  readonly now: () => Date;
  /** A named point at which a test may end the process; does nothing otherwise. */
  readonly crash: (point: string) => void;
  /** How long a worker may be silent before another may claim its effect. */
  readonly leaseMs?: number;
  readonly spans?: Spans;
  /** Waits until the rate limit of this kind allows one more. @throws RateLimited when that takes too long */
  readonly rateLimit?: (kind: string) => Promise<void>;
}

/** Claims and closes the rows of attempts. */
export interface JobStore {
  /** Claims up to `limit` due effects of these kinds, for one attempt each. */
  claim(kinds: readonly string[], limit: number): Promise<EffectRow[]>;
  /** @returns false when another worker has taken the lease meanwhile */
  close(closing: Closing): Promise<boolean>;
}

export interface Attempt {
  /** Null for a job of the service's own. */
  readonly actorId: string | null;
  readonly kind: string;
  /** `lost`: another worker took the lease meanwhile, and this one wrote nothing. */
  readonly status: 'done' | 'failed' | 'pending' | 'lost';
  /** Whether the actor got an event. */
  readonly told: boolean;
  /** When to retry a pending effect, or to look again for a job that is due again at once. */
  readonly retryAt: Date | null;
  /** Other actors that got an event from the effect. */
  readonly wake: readonly string[];
}

export const LEASE_MS = 15_000;
const TIME_LIMIT_MS = 300_000;
const BACKOFF = { firstMs: 200, mostMs: 30_000 };
/**
 * A crash of the process is no failure of the effect that it ran. Each crash makes the backoff longer. After more than
 * this many the effect is reconciled but not run again: it may be what makes the processes crash.
 */
const MOST_CRASHES = 8;
/** Pauses before the outcome is written again when the database was away; the effect itself does not run again. */
const REWRITE_MS = [50, 250, 1_000];

/**
 * Makes one attempt at an effect whose lease this process holds: reconciles an earlier attempt where there was one, runs
 * it, and writes the outcome, the event and the done mark in one transaction. An attempt whose lease another worker took
 * writes nothing. An effect with `reconcile` fails only after `reconcile` said that nothing happened.
 * @param ran called when the run has succeeded and its outcome is not written yet
 * @throws Error when this process has no runner for its kind
 */
export async function attemptEffect(
  deps: OutboxDeps,
  jobs: JobStore,
  claimed: EffectRow,
  ran: () => void = () => {},
): Promise<Attempt> {
  const runner = deps.runners.get(claimed.kind);
  if (!runner) throw new Error(`nothing here runs "${claimed.kind}"`);
  const { json: params, trace } = carried(claimed.params);
  const row = { ...claimed, params };
  const { key, actor_id: actor, kind, attempts: attempt } = row;
  const attributes = { ...(actor === null ? {} : { actor }), effect: key, attempt };
  const span = (deps.spans ?? NO_SPANS).start('effect', `effect ${kind}`, { parent: trace, attributes });
  try {
    const made = await within({ bindings: attributes, trace: span.trace }, () =>
      attemptRow(deps, jobs, row, runner, ran),
    );
    span.note({ status: made.status });
    span.end(made.status === 'done' ? undefined : `it is ${made.status}`);
    return made;
  } catch (error) {
    span.end(error);
    throw error;
  }
}

async function attemptRow(
  deps: OutboxDeps,
  jobs: JobStore,
  row: EffectRow,
  runner: EffectRunner,
  ran: () => void,
): Promise<Attempt> {
  const lease = keepLease(deps, row, deps.leaseMs ?? LEASE_MS, runner.timeLimitMs ?? TIME_LIMIT_MS);
  try {
    let outcome: EffectOutcome;
    try {
      deps.crash('before-effect-run');
      outcome = await lease.within((signal) => perform(deps, runner, row, signal));
    } catch (error) {
      return await fail(deps, jobs, row, error, {
        final: isFinal(runner, row, error),
        counts: !isOurs(error) && !(error instanceof Unreconciled) && !(error instanceof RateLimited),
      });
    }
    ran();
    deps.crash('after-effect-run-before-commit');
    deps.crash(`after-${row.kind}-run-before-commit`);
    try {
      return await succeed(deps, jobs, row, outcome);
    } catch (error) {
      // The effect happened and only its row does not say so: the next attempt reconciles it, or runs it again.
      return await fail(deps, jobs, row, error, { final: false, counts: false });
    }
  } finally {
    lease.end();
  }
}

/** `reconcile` threw: whether the effect happened is still unknown. */
class Unreconciled extends Error {}

async function perform(
  deps: OutboxDeps,
  runner: EffectRunner,
  row: EffectRow,
  signal: AbortSignal,
): Promise<EffectOutcome> {
  const context = {
    key: row.key,
    actorId: row.actor_id,
    params: row.params as Record<string, unknown>,
    attempt: row.attempts,
    now: deps.now(),
    signal,
  };
  if (row.attempts > 1 && runner.reconcile) {
    const earlier = await runner.reconcile(context).catch((error: unknown) => {
      if (error instanceof EffectError && !error.retry) throw error;
      throw new Unreconciled(error instanceof Error ? error.message : String(error), { cause: error });
    });
    if (earlier) return earlier;
  }
  if (row.failures >= runner.maxAttempts || row.crash_count > MOST_CRASHES)
    throw new EffectError(row.error ?? 'no attempt came to an end', { retry: false });
  await deps.rateLimit?.(row.kind);
  return await runner.run(context);
}

/** The last run of an effect with `reconcile` may have succeeded without a record, so one more attempt only reconciles. */
function isFinal(runner: EffectRunner, row: EffectRow, error: unknown): boolean {
  if (error instanceof EffectError && !error.retry) return true;
  if (error instanceof RateLimited) return false;
  return !runner.reconcile && !isOurs(error) && row.failures + 1 >= runner.maxAttempts;
}

async function succeed(
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
  let next: Again | null = null;
  const write = async (): Promise<boolean> => {
    if (!commit && !again) return await jobs.close(closing);
    const at = { now: deps.now(), clock: deps.leaseClock?.() ?? null };
    return await deps.db.transaction().execute(async (trx) => {
      const closed = (await closeEffects(trx, [closing], at)).has(closing.key);
      if (!closed) return false;
      await commit?.call(outcome, trx);
      if (again) {
        next = await again.call(outcome, trx);
        await scheduleAgain(trx, row.key, next, at.clock);
      }
      return true;
    });
  };
  const mine = await written(write);
  // The compiler does not see the assignment in `write`.
  const atOnce = mine && (next as Again | null)?.afterMs === 0;
  return {
    actorId: row.actor_id,
    kind: row.kind,
    status: mine ? 'done' : 'lost',
    told: mine && closing.event !== null,
    retryAt: atOnce ? deps.now() : null,
    wake: mine ? (outcome.wake ?? []) : [],
  };
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

async function fail(
  deps: OutboxDeps,
  jobs: JobStore,
  row: EffectRow,
  error: unknown,
  { final, counts }: { final: boolean; counts: boolean },
): Promise<Attempt> {
  // The message may quote a contract or a server. Text that the database refuses would keep the attempt open.
  const reason = readable(error instanceof Error ? error.message : String(error), 2000);
  const backoff = deps.runners.get(row.kind)?.backoff ?? BACKOFF;
  const waitMs = final ? 0 : pauseAfter(row, error, backoff);
  if (!(error instanceof RateLimited))
    deps.log.warn(
      { effect: row.key, actor: row.actor_id, kind: row.kind, attempt: row.attempts, final, reason },
      'an effect did not succeed',
    );
  const mine = await jobs.close({
    key: row.key,
    attempt: row.attempts,
    status: final ? 'failed' : 'pending',
    error: reason,
    failed: counts,
    event: final ? carrying({ type: 'EFFECT_FAILED', effect: row.kind, reason }, currentTrace()) : null,
    waitMs,
  });
  const of = { actorId: row.actor_id, kind: row.kind, wake: [] };
  if (!mine) return { ...of, status: 'lost', told: false, retryAt: null };
  return {
    ...of,
    status: final ? 'failed' : 'pending',
    told: final && row.actor_id !== null,
    retryAt: final ? null : new Date(deps.now().getTime() + waitMs),
  };
}

function pauseAfter(row: EffectRow, error: unknown, { firstMs, mostMs }: typeof BACKOFF): number {
  if (error instanceof RateLimited) return error.waitMs;
  // The attempts of a job that recurs count on through its rounds.
  const before = row.actor_id === null ? row.failures + row.crash_count : row.attempts - 1;
  return Math.min(firstMs * 2 ** Math.min(before, 16), mostMs);
}
