import type { Trx } from '../../../store/database.ts';
import type { ActorEvent } from '../actors/durable-machine.ts';

/**
 * Lanes keep one kind of work from starving another: a settlement does not wait for a slow determination, and a user
 * does not wait for agents that evaluate the market.
 */
export const LANES = ['chain', 'determination', 'default', 'evaluate-market'] as const;

export type Lane = (typeof LANES)[number];

export interface EffectContext {
  /** The idempotency key: the same for every attempt, and what the outside world recognises the effect by. */
  readonly key: string;
  readonly actorId: string;
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
  commit?(trx: Trx): Promise<void>;
  /** Actors to which `commit` delivered events: they are woken after it. Left out, a sweep wakes them later. */
  readonly wake?: readonly string[];
}

/** Runs one kind of effect, at least once. Whatever it throws is retried, except an EffectError with `retry: false`. */
export interface EffectRunner {
  readonly kind: string;
  readonly lane: Lane;
  /** How often a run may fail before the effect has failed. A crash or an outcome that was not written does not count. */
  readonly maxAttempts: number;
  /** The time limit of one attempt, milliseconds; then it has failed and its lease is released. Five minutes by default. */
  readonly timeLimitMs?: number;
  /**
   * Called before every run but the first: did an earlier attempt succeed, although its outcome was not recorded? Null
   * says that nothing happened. It must throw when it cannot be certain. It is called once more after the last run.
   */
  reconcile?(context: EffectContext): Promise<EffectOutcome | null>;
  run(context: EffectContext): Promise<EffectOutcome>;
}

/** With `retry` false the effect fails at once, and its actor gets EFFECT_FAILED with the reason. */
export class EffectError extends Error {
  override readonly name = 'EffectError';
  readonly retry: boolean;

  constructor(message: string, options: { retry: boolean; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.retry = options.retry;
  }
}
