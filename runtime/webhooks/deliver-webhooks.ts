import { readable } from '../../agents/readable.ts';
import type { Database, Trx } from '../../store/database.ts';
import {
  beginDelivery,
  DELIVER,
  type DueDelivery,
  markDelivered,
  markRefused,
  nextDelivery,
} from '../../store/webhooks/webhook-deliveries.ts';
import type { EffectRunner } from '../durable/jobs/effect.ts';
import type { Meter } from '../telemetry/metrics.ts';
import type { Destinations } from './destination.ts';
import { postMessage } from './post.ts';
import type { SecretBox } from './secret-box.ts';
import { signedHeaders } from './signature.ts';

export interface DeliverDeps {
  readonly db: Database;
  readonly secretBox: SecretBox;
  readonly allowed: Destinations;
  readonly now: () => Date;
  /** Milliseconds to wait after each failed attempt. After the last wait and attempt, the delivery is given up. */
  readonly retriesMs: readonly number[];
  readonly timeoutMs?: number;
  readonly meter?: Pick<Meter, 'webhook'>;
  /** Tests end the process at a named point. */
  readonly crash?: (point: string) => void;
}

/** After deliveries to a subscription have all failed for this long, nothing more is sent to it. */
const PATIENCE_MS = 5 * 86_400_000;
const GONE = 410;
const TIMEOUT_MS = 10_000;

/**
 * Sends the messages of one subscription, one for each run, so that its receiver gets one at a time. A message that is
 * not accepted is an outcome and no failure of the job: it is kept with its reason, and retried after its own pause.
 */
export function deliverWebhooks(deps: DeliverDeps): EffectRunner {
  const { db, now, timeoutMs = TIMEOUT_MS } = deps;
  return {
    kind: DELIVER,
    lane: 'webhooks',
    maxAttempts: Number.POSITIVE_INFINITY,
    timeLimitMs: 2 * timeoutMs,
    async run({ params }) {
      const subscriptionId = String(params.subscriptionId);
      const due = await beginDelivery(db, { subscriptionId, now: now() });
      const again = (trx: Trx) => nextDelivery(trx, { subscriptionId, now: now() });
      return due === null ? { again } : { again, commit: await attempt(deps, due, timeoutMs) };
    },
  };
}

/** Posts one message. @returns what is to be written of it */
async function attempt(deps: DeliverDeps, due: DueDelivery, timeoutMs: number) {
  const { now, retriesMs } = deps;
  const sent = { id: due.id, body: due.body, at: now() };
  let answered: number | null = null;
  let error: string | null = null;
  let retryAfter = 0;
  const began = performance.now();
  try {
    const headers = signedHeaders(deps.secretBox.open(due.secret), sent);
    const answer = await postMessage(
      new URL(due.url),
      { headers, body: due.body },
      { allowed: deps.allowed, timeoutMs },
    );
    answered = answer.status;
    retryAfter = (answer.retryAfter ?? 0) * 1000;
    if (answered < 200 || answered > 299) error = `answered ${answered}`;
  } catch (thrown) {
    error = readable(String((thrown as Error).message), 300);
  }
  const how = error === null ? 'delivered' : answered === null ? 'failed' : 'refused';
  deps.meter?.webhook(how, (performance.now() - began) / 1000);
  deps.crash?.('after-webhook-before-commit');
  const outcome = { id: due.id, subscriptionId: due.subscriptionId, answered, error, now: now() };
  return async (trx: Trx): Promise<void> => {
    if (error === null) return await markDelivered(trx, outcome);
    const pause = retriesMs[due.attempts - 1];
    // The wait varies a little, so that deliveries that failed together are not retried together.
    const wait =
      pause === undefined
        ? null
        : Math.max(pause * (1 + Math.random() / 10), Math.min(retryAfter, 86_400_000));
    await markRefused(trx, outcome, {
      again: wait === null || answered === GONE ? null : new Date(outcome.now.getTime() + wait),
      disable: answered === GONE ? 'it answered 410: gone' : null,
      patienceMs: PATIENCE_MS,
    });
  };
}
