import type { Trx } from '../../store/database.ts';
import type { ActorEvent } from '../actors/durable-machine.ts';

/**
 * Lanes keep kinds of work from starving one another: settlement waits behind no slow determination, and nothing that
 * somebody waits for behind agents that look around.
 */
export const LANES = ['chain', 'determination', 'default', 'survey'] as const;

export type Lane = (typeof LANES)[number];

export interface EffectContext {
  /** The same for every attempt: what the outside world is asked to know the effect by. */
  readonly key: string;
  readonly actorId: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** 1 for the first. */
  readonly attempt: number;
  readonly now: Date;
  /** Aborted when the kind's time is over: another attempt may begin, and what this one still does counts for nothing. */
  readonly signal: AbortSignal;
}

/**
 * What came of an effect. The event, the rows of `commit` and the done mark are written in one transaction, which is
 * tried again as a whole when the database was away: `commit` may be called more than once, and counts once.
 */
export interface EffectOutcome {
  readonly event?: ActorEvent;
  commit?(trx: Trx): Promise<void>;
  /** Actors to which `commit` delivered: they are rung after it. Left out, a sweep rings them. */
  readonly ring?: readonly string[];
}

/** One kind of effect. It runs at least once; whatever it throws is tried again, unless it is a final EffectError. */
export interface EffectRunner {
  readonly kind: string;
  readonly lane: Lane;
  /** Runs that may fail before the effect has failed. One whose process ended, or that was not written, does not count. */
  readonly maxAttempts: number;
  /** How long one attempt may take, milliseconds; then it has failed and its lease is let go. Five minutes if unsaid. */
  readonly timeLimitMs?: number;
  /**
   * Asked first on every attempt after the first: did an earlier one, whose end nobody saw, succeed? Null says that
   * nothing happened; whatever is not certain must be thrown. After the last run it is asked once more.
   */
  reconcile?(context: EffectContext): Promise<EffectOutcome | null>;
  run(context: EffectContext): Promise<EffectOutcome>;
}

/** The error kind decides: `retry` false ends the effect now, and its actor learns EFFECT_FAILED with the reason. */
export class EffectError extends Error {
  override readonly name = 'EffectError';
  readonly retry: boolean;

  constructor(message: string, options: { retry: boolean; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.retry = options.retry;
  }
}
