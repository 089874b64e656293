import Stripe from 'stripe';
import { AppError } from '../../agents/errors.ts';
import { findReversals } from './card-reversals.ts';

/** The card processor understood what it was asked, and returns no money: where that lasts, a person must look. */
export class RefundRefused extends Error {
  override readonly name = 'RefundRefused';
}

/** Whether the money goes back is decided by the dispute. */
export class InDispute extends Error {
  override readonly name = 'InDispute';

  constructor() {
    super('the payment is in dispute: it is refunded once that is won, and is back once it is lost');
  }
}

/**
 * Refunds all of a payment, once, however often it is called. The processor repeats its first answer to a key for a day,
 * also when that was a fault, and then forgets the key. So the key holds for one day, and the charge is asked first
 * whether the money is back, by a refund or a lost dispute. What a bank only inquires about is refunded, which ends that.
 * @throws AppError unavailable when the processor cannot be reached or has a fault of its own, RefundRefused, InDispute
 */
export async function refundCharge(
  stripe: Stripe,
  { checkoutId, paymentIntent, now }: { checkoutId: string; paymentIntent: string; now: Date },
): Promise<void> {
  try {
    const reversals = await findReversals(stripe, paymentIntent);
    const states = reversals.map(({ state }) => state);
    if (states.includes('refunded') || states.includes('lost')) return;
    if (reversals.some(({ state, isRefundable }) => state === 'open' && isRefundable !== true))
      throw new InDispute();
    await stripe.refunds.create(
      { payment_intent: paymentIntent, metadata: { checkout_id: checkoutId } },
      { idempotencyKey: `refund-${checkoutId}-${now.toISOString().slice(0, 10)}` },
    );
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    if (error.code === 'charge_already_refunded') return;
    if (error instanceof Stripe.errors.StripeInvalidRequestError)
      throw new RefundRefused(`the card processor returns no money: ${error.message}`, { cause: error });
    throw new AppError('unavailable', 'The card processor did not return the money.', { cause: error });
  }
}
