import type { Closing, EffectRow } from '../../../store/durable/outbox.ts';
import type { Spans } from '../../telemetry/spans.ts';
import type { NewMessage } from '../actors/actor-batch.ts';
import type { AskedEffect } from '../actors/actor-step.ts';
import type { OutcomeEvent } from '../actors/outcome-event.ts';
import type { EffectRunner } from './effect.ts';
import type { LeaseDeps } from './lease.ts';

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
  /** How events are served that go on at once; left out: they are mail. */
  readonly serving?: (message: NewMessage) => OutcomeEvent;
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
  /** Whether the actor got an event as mail. */
  readonly told: boolean;
  /** When to retry a pending effect, or to look again for a job that is due again at once. */
  readonly retryAt: Date | null;
  /** What its actor asked for where its event was served at once. */
  readonly asked: readonly AskedEffect[];
  /** Other actors that got an event from the effect. */
  readonly wake: readonly string[];
}
