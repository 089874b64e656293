import { findCheckout } from '../../store/checkout/checkouts.ts';
import { EffectError, type EffectRunner } from '../durable/jobs/effect.ts';
import type { Services } from '../services.ts';

/**
 * Refunds a payment for something that can no longer be delivered. The processor identifies the refund by its checkout,
 * so it happens once.
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
        services.log.error({ checkoutId, pay: checkout.pay }, 'a payment must be returned by hand');
        throw new EffectError('the payment must be returned by hand', { retry: false });
      }
      await services.card.refund({ checkoutId, paymentIntent: checkout.payment_intent });
      return { event: { type: 'REFUNDED' } };
    },
  };
}
