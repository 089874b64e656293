import { createHmac } from 'node:crypto';
import type { CardEventObject, Delivery } from './state.ts';

/** The `stripe-signature` header: HMAC-SHA256 over `{seconds}.{body}`, hex, scheme v1. */
export function signatureHeader(body: string, secret: string, at: Date): string {
  const seconds = Math.floor(at.getTime() / 1000);
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;
}

export interface DeliveryDeps {
  readonly webhookUrl: string;
  readonly webhookSecret: string;
  readonly clock: () => Date;
  readonly log: { warn(fields: object, message: string): void };
  /** The wait before the second attempt. It doubles each time, up to an hour. */
  readonly retryBaseMs: number;
}

const LONGEST_WAIT_MS = 3_600_000;
const GIVE_UP_MS = 3 * 24 * 3_600_000;
const ANSWER_MS = 10_000;

/**
 * Tries once to deliver an event. Any 2xx acknowledges it. A redirect, another status, no answer within ten seconds, or
 * no connection does not.
 */
export async function attempt(
  deps: DeliveryDeps,
  event: CardEventObject,
  stopping: AbortSignal,
): Promise<boolean> {
  const body = JSON.stringify(event);
  try {
    const answer = await fetch(deps.webhookUrl, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': signatureHeader(body, deps.webhookSecret, deps.clock()),
        'user-agent': 'Stripe/1.0 (local test processor)',
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([stopping, AbortSignal.timeout(ANSWER_MS)]),
    });
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return false;
  }
}

/** Notes a failed attempt and when to try again. @returns false when three days have passed */
export function postpone(deps: DeliveryDeps, delivery: Delivery): boolean {
  delivery.attempts++;
  const now = deps.clock().getTime();
  if (now - delivery.since > GIVE_UP_MS) {
    deps.log.warn({ eventId: delivery.eventId }, 'a card webhook was not acknowledged for three days');
    return false;
  }
  delivery.nextAt =
    now + Math.min(deps.retryBaseMs * 2 ** Math.min(delivery.attempts - 1, 30), LONGEST_WAIT_MS);
  return true;
}
