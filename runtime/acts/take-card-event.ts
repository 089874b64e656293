import {
  assignSessionKey,
  type CheckoutRow,
  findCheckout,
  markPaid,
  recordCardEvent,
} from '../../store/checkouts.ts';
import type { Trx } from '../../store/database.ts';
import { buyPlacement, placeListing } from '../../store/listings.ts';
import { noteReversal } from '../../store/reversals.ts';
import { deliver } from '../actors/mailbox.ts';
import type { CardEvent, CardReversal } from '../card-gateway.ts';
import type { Services } from '../services.ts';

/**
 * Takes the card processor's webhook: the event id and its effect stand in one transaction, so the same event ten
 * times, at once or late, pays one checkout once. An amount or currency that is not the checkout's pays nothing; what
 * was paid for and cannot be given any more is refunded; money that is taken back takes along what it paid for.
 * @throws AppError webhook-signature-invalid
 */
export async function takeCardEvent(
  services: Services,
  rawBody: Buffer,
  signature: string | undefined,
): Promise<void> {
  const now = services.now();
  const event = services.card.verifyWebhook(rawBody, signature, now);
  const woken = await services.db.transaction().execute(async (trx) => {
    const first = await recordCardEvent(trx, {
      eventId: event.eventId,
      type: event.type,
      sessionId: event.sessionId,
      now,
    });
    if (!first) return [];
    if (event.reversal) return await reverse(services, trx, event.reversal, now);
    if (event.type !== 'checkout.session.completed' || event.paymentStatus !== 'paid') return [];
    return await serve(services, trx, event, now);
  });
  if (woken.length > 0) services.crash('after-payment-before-mint');
  for (const actorId of woken) services.bell.actor(actorId);
}

/** Books the payment and gives what it paid for, or has it returned. @returns the actors to wake */
async function serve(services: Services, trx: Trx, event: CardEvent, now: Date): Promise<string[]> {
  const { checkoutId, sessionId, paymentIntent } = event;
  if (checkoutId === null) return [];
  const outcome = await markPaid(trx, {
    checkoutId,
    sessionId,
    amount: event.amountMicro,
    currency: event.currency,
    paymentIntent,
    now,
  });
  if (outcome !== 'paid') {
    services.log.warn({ eventId: event.eventId, checkoutId, outcome }, 'a card payment paid for nothing');
  }
  if (outcome !== 'paid' && outcome !== 'handle-taken') return [];
  const checkout = (await findCheckout(trx, checkoutId)) as CheckoutRow;
  const consequence =
    outcome === 'paid'
      ? await give(trx, checkout)
      : { type: 'UNSERVABLE', reason: 'the handle went to another agent before the payment came' };
  const actorId = `checkout:${checkoutId}`;
  await deliver(trx, { actorId, eventId: `card:${sessionId}`, event: consequence, now });
  if (outcome === 'paid' && checkout.kind === 'agent' && checkout.suspended_at !== null) {
    await withdraw(trx, checkout, `card:${sessionId}:away`, now);
  }
  return [actorId];
}

async function give(trx: Trx, checkout: CheckoutRow): Promise<{ type: string; reason?: string }> {
  if (checkout.kind === 'agent') {
    await assignSessionKey(trx, checkout.id);
    return { type: 'PAID' };
  }
  // A membership is the paid checkout itself.
  if (checkout.kind === 'membership') return { type: 'SERVED' };
  const listingRef = String(checkout.details.listingRef);
  // Pages that were open at once are each paid by themselves: what the first bought, the others cannot.
  if (checkout.suspended_at !== null) return { type: 'SERVED' };
  const placed = await buyPlacement(trx, listingRef);
  return placed === 'placed'
    ? { type: 'SERVED' }
    : {
        type: 'UNSERVABLE',
        reason:
          placed === 'gone'
            ? 'the listing had left the catalogue before the payment came'
            : 'the listing was featured already when the payment came',
      };
}

/** @returns the actors to wake */
async function reverse(services: Services, trx: Trx, reversal: CardReversal, now: Date): Promise<string[]> {
  const checkout = await noteReversal(trx, reversal, now);
  // What came to nothing has nothing to lose: its handle, above all, may be another's by now.
  if (checkout === null || checkout.status === 'failed') return [];
  services.log.warn({ checkoutId: checkout.id, ...reversal }, 'money was taken back, or given again');
  if (checkout.kind === 'listing') {
    await placeListing(trx, String(checkout.details.listingRef), checkout.suspended_at === null);
    return [];
  }
  if (checkout.kind === 'membership') return [];
  return [await withdraw(trx, checkout, `reversal:${reversal.reference}:${reversal.state}`, now)];
}

/** Tells the agent that its money is away, or back. One that is not minted yet finds it in its mailbox. */
async function withdraw(trx: Trx, checkout: CheckoutRow, eventId: string, now: Date): Promise<string> {
  const actorId = `agent:${checkout.handle}`;
  const event = { type: checkout.suspended_at === null ? 'REINSTATE' : 'SUSPEND' };
  await deliver(trx, { actorId, eventId, event, now });
  return actorId;
}
