import { formatUsd } from '../../agents/money.ts';
import { type CheckoutRow, findCheckout } from '../../store/checkout/checkouts.ts';
import { isRefunded } from '../../store/checkout/unserved.ts';
import { EffectError, type EffectRunner } from '../durable/jobs/effect.ts';
import type { Services } from '../services.ts';
import { InDispute } from './refund-charge.ts';

/**
 * Refunds a card's payment for something that can no longer be delivered, once: the processor is asked first whether the
 * money is back, and a dispute of it is waited for. USDC lies with its payee, whose key is not the service's to use. The effect is given up at once, and its
 * dead letter tells the operator what to send to whom.
 */
export function refundPaymentEffect(services: Services): EffectRunner {
  return {
    kind: 'refund-payment',
    lane: 'default',
    maxAttempts: 1_000,
    async run({ params }) {
      const checkoutId = String(params.checkoutId);
      const checkout = await findCheckout(services.db, checkoutId);
      if (!checkout) throw new EffectError('there is no such checkout', { retry: false });
      if (checkout.payment_intent === null) {
        const toDo = byHand(checkout);
        services.log.error({ checkoutId, pay: checkout.pay }, toDo);
        throw new EffectError(toDo, { retry: false });
      }
      const { payment_intent: paymentIntent } = checkout;
      if (!(await isRefunded(services.db, paymentIntent)))
        await services.card.refund({ checkoutId, paymentIntent }).catch(waitForDispute);
      return { event: { type: 'REFUNDED' } };
    },
  };
}

/** A dispute lasts for weeks. */
const DISPUTE_WAIT_MS = 2 * 3_600_000;

function waitForDispute(error: unknown): never {
  if (!(error instanceof InDispute)) throw error;
  throw new EffectError(error.message, { retry: true, waitMs: DISPUTE_WAIT_MS, cause: error });
}

/** What a person must return. The session of a payment in USDC is `x402:network:payer:nonce`. */
function byHand({ id, pay, amount, processor_session: session }: CheckoutRow): string {
  const [, network, payer] = /^x402:(.+):(0x[0-9a-f]{40}):[^:]+$/.exec(session ?? '') ?? [];
  const to = payer === undefined ? `the payer of ${session}` : `${payer} on ${network}`;
  return `${formatUsd(amount)} ${pay === 'usdc' ? 'USDC' : 'USD'} must be returned by hand to ${to}, for checkout ${id}`;
}
