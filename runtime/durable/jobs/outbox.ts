import type { EffectRow } from '../../../store/durable/outbox.ts';
import { carried, within } from '../../telemetry/scope.ts';
import { NO_SPANS } from '../../telemetry/spans.ts';
import type { Attempt, JobStore, OutboxDeps } from './attempt.ts';
import { fail, giveUp, succeed } from './close-attempt.ts';
import { type EffectContext, EffectError, type EffectOutcome, type EffectRunner } from './effect.ts';
import { isFinal, isKept, Unreconciled } from './failures.ts';
import { keepLease } from './lease.ts';

export type { Attempt, JobStore, OutboxDeps } from './attempt.ts';

export const LEASE_MS = 15_000;
const TIME_LIMIT_MS = 300_000;
/**
 * A crash of the process is no failure of the effect that it ran. Each crash makes the backoff longer. After more than
 * this many the effect is reconciled but not run again: it may be what makes the processes crash.
 */
const MOST_CRASHES = 8;

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
  const timeLimitMs = runner.timeLimitMs ?? TIME_LIMIT_MS;
  const lease = keepLease(deps, row, deps.leaseMs ?? LEASE_MS, timeLimitMs);
  try {
    let outcome: EffectOutcome;
    try {
      deps.crash('before-effect-run');
      outcome = await lease.within((signal) => perform(deps, runner, row, signal));
    } catch (error) {
      if (isFinal(runner, row, error)) {
        const context = contextOf(deps, row, AbortSignal.timeout(timeLimitMs));
        return await giveUp(deps, jobs, runner, row, { error, context });
      }
      return await fail(deps, jobs, row, error, { counts: isKept(row, error) });
    }
    ran();
    deps.crash('after-effect-run-before-commit');
    deps.crash(`after-${row.kind}-run-before-commit`);
    try {
      return await succeed(deps, jobs, row, outcome);
    } catch (error) {
      // The effect happened and only its row does not say so: the next attempt reconciles it, or runs it again.
      return await fail(deps, jobs, row, error, { counts: false });
    }
  } finally {
    lease.end();
  }
}

async function perform(
  deps: OutboxDeps,
  runner: EffectRunner,
  row: EffectRow,
  signal: AbortSignal,
): Promise<EffectOutcome> {
  const context = contextOf(deps, row, signal);
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

function contextOf(deps: OutboxDeps, row: EffectRow, signal: AbortSignal): EffectContext {
  return {
    key: row.key,
    actorId: row.actor_id,
    params: row.params as Record<string, unknown>,
    attempt: row.attempts,
    now: deps.now(),
    signal,
  };
}
