import { assignSessionKey, markPaid, recordCardEvent } from '../../store/checkouts.ts';
import { deliver } from '../actors/mailbox.ts';
import type { Services } from '../services.ts';

/**
 * Takes the card processor's webhook: the event id and its effect stand in one transaction, so the same event ten
 * times, at once or late, pays one checkout once. An amount or currency that is not the checkout's pays nothing.
 * @throws AppError webhook-signature-invalid
 */
export async function takeCardEvent(
  services: Services,
  rawBody: Buffer,
  signature: string | undefined,
): Promise<void> {
  const now = services.now();
  const event = services.card.verifyWebhook(rawBody, signature, now);
  const paid = await services.db.transaction().execute(async (trx) => {
    const first = await recordCardEvent(trx, {
      eventId: event.eventId,
      type: event.type,
      sessionId: event.sessionId,
      now,
    });
    if (!first || event.type !== 'checkout.session.completed' || event.paymentStatus !== 'paid') return null;
    const checkoutId = event.checkoutId;
    if (checkoutId === null) return null;
    const outcome = await markPaid(trx, {
      checkoutId,
      sessionId: event.sessionId,
      amount: event.amountMicro,
      currency: event.currency,
      now,
    });
    if (outcome !== 'paid') {
      services.log.warn({ eventId: event.eventId, checkoutId, outcome }, 'a card payment paid for nothing');
      return null;
    }
    await assignSessionKey(trx, checkoutId);
    await deliver(trx, {
      actorId: `checkout:${checkoutId}`,
      eventId: `card:${event.sessionId}`,
      event: { type: 'PAID' },
      now,
    });
    return checkoutId;
  });
  if (paid !== null) {
    services.crash('after-payment-before-mint');
    services.bell.actor(`checkout:${paid}`);
  }
}
