import type { Trx } from '../../../store/database.ts';
import type { Again } from '../../../store/durable/jobs.ts';
import type { ActorEvent } from '../actors/durable-machine.ts';

/**
 * Lanes keep one kind of work from starving another: a settlement does not wait for a slow determination, and a user
 * does not wait for agents that evaluate the market.
 */
export const QUEUED_LANES = ['chain', 'determination', 'default', 'evaluate-market'] as const;

/**
 * All lanes. Nobody waits for what is in those without a queue, so the sweep alone finds it: webhooks; transactions that
 * are sent again, which must not wait behind what waits for them; lists, each of which is held in memory as a whole; and
 * whatever else the service does for itself.
 */
export const LANES = [...QUEUED_LANES, 'webhooks', 'rebroadcast', 'lists', 'upkeep'] as const;

export type Lane = (typeof LANES)[number];

export interface EffectContext {
  /** The idempotency key: the same for every attempt, and what the outside world recognises the effect by. */
  readonly key: string;
  /** Null for a job of the service's own. */
  readonly actorId: string | null;
  readonly params: Readonly<Record<string, unknown>>;
  /** 1 for the first attempt. */
  readonly attempt: number;
  readonly now: Date;
  /** Aborted at the time limit: another attempt may start, and what this one still does is not recorded. */
  readonly signal: AbortSignal;
}

/**
 * The outcome of an effect. One transaction writes the event, the rows of `commit` and the done mark. When the database
 * was away, the whole transaction is retried: `commit` may be called more than once, and is committed once.
 */
export interface EffectOutcome {
  readonly event?: ActorEvent;
  /**
   * The actor is served the event in that transaction, before `commit`, where nothing is in the way of it: for an effect
   * after which the actor goes on and nobody waits who would be locked out meanwhile.
   */
  readonly atOnce?: true;
  commit?(trx: Trx): Promise<void>;
  /** Actors to which `commit` delivered events: they are woken after it. Left out, a sweep wakes them later. */
  readonly wake?: readonly string[];
  /**
   * For a job of the service's own: when it is due again; null: never. Asked after `commit`, in its transaction, when the
   * job's row is locked, so that nothing that is scheduled meanwhile is missed.
   */
  again?(trx: Trx): Promise<Again | null>;
}

/** Runs one kind of effect, at least once. Whatever it throws is retried, except an EffectError with `retry: false`. */
export interface EffectRunner {
  readonly kind: string;
  readonly lane: Lane;
  /**
   * How often a run may fail before the effect has failed. A crash or an outcome that was not written does not count, nor
   * does what an effect of an actor has to wait for (`failures.ts`).
   */
  readonly maxAttempts: number;
  /** The time limit of one attempt, milliseconds; then it has failed and its lease is released. Five minutes by default. */
  readonly timeLimitMs?: number;
  /** The backoff after the first failure and the longest, milliseconds; 200 and 30,000 by default. */
  readonly backoff?: { readonly firstMs: number; readonly mostMs: number };
  /**
   * Called before every run but the first: did an earlier attempt succeed, although its outcome was not recorded? Null
   * says that nothing happened. It must throw when it cannot be certain. It is called once more after the last run.
   */
  reconcile?(context: EffectContext): Promise<EffectOutcome | null>;
  run(context: EffectContext): Promise<EffectOutcome>;
  /**
   * Called when the effect is given up. Returns what is written in the transaction that says so. It throws while it cannot
   * be told yet what became of what was sent: the effect is then retried.
   */
  givenUp?(context: EffectContext, reason: string): Promise<(trx: Trx) => Promise<void>>;
}

/**
 * With `retry` false the effect fails at once, and its actor gets EFFECT_FAILED with the reason. With `retry` true it waits
 * for something, for as long as that takes; `waitMs` is when to look again, where that is known.
 */
export class EffectError extends Error {
  override readonly name = 'EffectError';
  readonly retry: boolean;
  readonly waitMs: number | undefined;

  constructor(message: string, options: { retry: boolean; waitMs?: number; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.retry = options.retry;
    this.waitMs = options.waitMs;
  }
}
