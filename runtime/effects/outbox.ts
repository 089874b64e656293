import { setTimeout as sleep } from 'node:timers/promises';
import { type Closing, claimEffects, closeEffects, type EffectRow } from '../../store/outbox.ts';
import { isOurs, isTransient } from '../actors/transient.ts';
import { carried, carrying, currentTrace, within } from '../telemetry/scope.ts';
import { NO_SPANS, type Spans } from '../telemetry/spans.ts';
import { EffectError, type EffectOutcome, type EffectRunner } from './effect.ts';
import { keepLease, type LeaseDeps } from './lease.ts';
import { TooFast } from './pace.ts';

export interface OutboxDeps extends LeaseDeps {
  readonly runners: ReadonlyMap<string, EffectRunner>;
  readonly now: () => Date;
  /** A named point at which a test may end the process; does nothing otherwise. */
  readonly crash: (point: string) => void;
  /** How long a worker may be silent before its effect is another's to take. */
  readonly leaseMs?: number;
  /** How attempts are taken and closed: one by one if unsaid, together in a worker. */
  readonly book?: OutboxBook;
  readonly spans?: Spans;
  /** Waits until one more of this kind may go. @throws Error when that is not soon: it is then tried again later */
  readonly pace?: (kind: string) => Promise<void>;
}

/** The rows of attempts, as one attempt sees them. */
export interface OutboxBook {
  claim(key: string): Promise<EffectRow | null>;
  /** @returns false when the attempt was not this worker's to close any more */
  close(closing: Closing): Promise<boolean>;
}

export interface Attempt {
  readonly actorId: string;
  readonly kind: string;
  /** `lost`: the lease went to another worker meanwhile, and this one wrote nothing. */
  readonly status: 'done' | 'failed' | 'pending' | 'lost';
  /** The actor got an event. */
  readonly told: boolean;
  /** When to try again, for a pending one. */
  readonly retryAt: Date | null;
  /** Actors that got an event by the effect, besides its own. */
  readonly ring: readonly string[];
}

export const LEASE_MS = 15_000;
const TIME_LIMIT_MS = 300_000;
const BACKOFF_MS = 200;
const BACKOFF_MAX_MS = 30_000;
/**
 * Processes that vanished over an effect are not its failures. They are waited for longer and longer, and after this
 * many of them it is given up, unless it can be reconciled: it may be what ends the processes.
 */
const MOST_DEATHS = 8;
/** Pauses before an outcome that the database would not take is written again, without running anything again. */
const REWRITE_MS = [50, 250, 1_000];

/**
 * Makes one attempt at an effect: takes its lease, asks for an earlier outcome where there may be one, runs it, and
 * writes the outcome, the event and the done mark in one transaction. An attempt whose lease went to another worker
 * writes nothing. An effect that can be reconciled is failed only once its reconciling said that nothing happened.
 * @param ran called when the run has succeeded and its outcome is still to be written
 * @returns null when the effect was not this worker's to take, or is of a kind that it cannot run
 */
export async function attemptEffect(
  deps: OutboxDeps,
  key: string,
  ran: () => void = () => {},
): Promise<Attempt | null> {
  const book = deps.book ?? singleBook(deps);
  const claimed = await book.claim(key);
  const runner = claimed && deps.runners.get(claimed.kind);
  if (!claimed || !runner) return null;
  const { json: params, trace } = carried(claimed.params);
  const row = { ...claimed, params };
  const { actor_id: actor, kind, attempts: attempt } = row;
  const attributes = { actor, effect: key, attempt };
  const span = (deps.spans ?? NO_SPANS).start('effect', `effect ${kind}`, { parent: trace, attributes });
  try {
    const made = await within({ bindings: attributes, trace: span.trace }, () =>
      attemptRow(deps, book, row, runner, ran),
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
  book: OutboxBook,
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
      return await fail(deps, book, row, error, {
        final: isFinal(runner, row, error),
        counts: !isOurs(error) && !(error instanceof Unreconciled) && !(error instanceof TooFast),
      });
    }
    ran();
    deps.crash('after-effect-run-before-commit');
    deps.crash(`after-${row.kind}-run-before-commit`);
    try {
      return await succeed(deps, book, row, outcome);
    } catch (error) {
      // It happened, only the row does not say so yet: the next attempt finds it, or makes it happen again.
      return await fail(deps, book, row, error, { final: false, counts: false });
    }
  } finally {
    lease.end();
  }
}

/** Attempts taken and closed one by one. */
function singleBook(deps: OutboxDeps): OutboxBook {
  const clock = () => deps.leaseClock?.() ?? null;
  const kinds = [...deps.runners.keys()];
  const leaseMs = deps.leaseMs ?? LEASE_MS;
  return {
    async claim(key) {
      return (await claimEffects(deps.db, { keys: [key], kinds, leaseMs, clock: clock() }))[0] ?? null;
    },
    async close(closing) {
      return (await closeEffects(deps.db, [closing], { now: deps.now(), clock: clock() })).has(closing.key);
    },
  };
}

/** Asking for an earlier outcome threw: whether it happened is as unknown as before. */
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
  if (row.failures >= runner.maxAttempts || row.deaths > MOST_DEATHS)
    throw new EffectError(row.error ?? 'no attempt came to an end', { retry: false });
  await deps.pace?.(row.kind);
  return await runner.run(context);
}

/**
 * The last run of an effect that can be reconciled may have succeeded unseen: one more round asks, and only asks.
 */
function isFinal(runner: EffectRunner, row: EffectRow, error: unknown): boolean {
  if (error instanceof EffectError && !error.retry) return true;
  if (error instanceof TooFast) return false;
  return !runner.reconcile && !isOurs(error) && row.failures + 1 >= runner.maxAttempts;
}

async function succeed(
  deps: OutboxDeps,
  book: OutboxBook,
  row: EffectRow,
  outcome: EffectOutcome,
): Promise<Attempt> {
  const closing: Closing = {
    key: row.key,
    attempt: row.attempts,
    status: 'done',
    error: null,
    failed: false,
    event: outcome.event ? carrying(outcome.event, currentTrace()) : null,
    waitMs: 0,
  };
  const { commit } = outcome;
  const write = async (): Promise<boolean> => {
    if (!commit) return await book.close(closing);
    const at = { now: deps.now(), clock: deps.leaseClock?.() ?? null };
    return await deps.db.transaction().execute(async (trx) => {
      const closed = (await closeEffects(trx, [closing], at)).has(closing.key);
      if (closed) await commit.call(outcome, trx);
      return closed;
    });
  };
  const mine = await written(write);
  return {
    actorId: row.actor_id,
    kind: row.kind,
    status: mine ? 'done' : 'lost',
    told: mine && closing.event !== null,
    retryAt: null,
    ring: mine ? (outcome.ring ?? []) : [],
  };
}

/** What was done is in hand: while the database is away it is written again, and nothing is run again for it. */
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
  book: OutboxBook,
  row: EffectRow,
  error: unknown,
  { final, counts }: { final: boolean; counts: boolean },
): Promise<Attempt> {
  const reason = (error instanceof Error ? error.message : String(error)).slice(0, 2000);
  const waitMs = final ? 0 : pauseAfter(row, error);
  if (!(error instanceof TooFast))
    deps.log.warn(
      { effect: row.key, actor: row.actor_id, kind: row.kind, attempt: row.attempts, final, reason },
      'an effect did not succeed',
    );
  const mine = await book.close({
    key: row.key,
    attempt: row.attempts,
    status: final ? 'failed' : 'pending',
    error: reason,
    failed: counts,
    event: final ? carrying({ type: 'EFFECT_FAILED', effect: row.kind, reason }, currentTrace()) : null,
    waitMs,
  });
  const of = { actorId: row.actor_id, kind: row.kind, ring: [] };
  if (!mine) return { ...of, status: 'lost', told: false, retryAt: null };
  return {
    ...of,
    status: final ? 'failed' : 'pending',
    told: final,
    retryAt: final ? null : new Date(deps.now().getTime() + waitMs),
  };
}

function pauseAfter(row: EffectRow, error: unknown): number {
  if (error instanceof TooFast) return error.waitMs;
  return Math.min(BACKOFF_MS * 2 ** Math.min(row.attempts - 1, 16), BACKOFF_MAX_MS);
}
