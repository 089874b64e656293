import Stripe from 'stripe';
import { AppError } from '../../agents/errors.ts';

/** The card processor understood what it was asked, and returns no money: where that lasts, a person must look. */
export class RefundRefused extends Error {
  override readonly name = 'RefundRefused';
}

/**
 * Refunds all of a payment, once, however often it is called. The processor repeats its first answer to a key for a day,
 * also when that was a fault, and then forgets the key. So the key holds for one day, and the charge is asked first
 * whether the money is back.
 * @throws AppError unavailable when the processor cannot be reached or has a fault of its own, RefundRefused
 */
export async function refundCharge(
  stripe: Stripe,
  { checkoutId, paymentIntent, now }: { checkoutId: string; paymentIntent: string; now: Date },
): Promise<void> {
  try {
    const charges = await stripe.charges.list({ payment_intent: paymentIntent, limit: 100 });
    if (charges.data.some((charge) => charge.refunded)) return;
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
