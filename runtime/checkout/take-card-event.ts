import { findAgent } from '../../store/agent/agents.ts';
import {
  assignSessionKey,
  type CheckoutRow,
  findCheckout,
  recordCardEvent,
} from '../../store/checkout/checkouts.ts';
import { noteReversal } from '../../store/checkout/reversals.ts';
import type { Trx } from '../../store/database.ts';
import { payListing, reviewPayments } from '../../store/market/listing-payments.ts';
import { buyPlacement, type Unplaced } from '../../store/market/listings.ts';
import { applyEvent } from '../durable/actors/apply-event.ts';
import { agentActor } from '../machines.ts';
import { LISTING_MS } from '../market/public.ts';
import type { Services } from '../services.ts';
import { bookPayment, endOtherPages, tellCheckout, UNSERVABLE } from './book-payment.ts';
import type { CardPayment } from './card-gateway.ts';
import type { CardReversal } from './card-reversals.ts';

/** A session is completed unpaid where its payment takes days, and tells of it later. */
const COMPLETED: ReadonlySet<string> = new Set([
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
]);

/**
 * Handles the card processor's webhook. The event's id and its effect are written in one transaction, so an event that
 * comes ten times, at once or late, pays one checkout once. A wrong amount or currency pays for nothing, and is refunded. So
 * is a payment for what can no longer be delivered; when money is taken back, what it paid for is suspended.
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
    const { checkoutId } = event;
    if (!COMPLETED.has(event.type) || event.paymentStatus !== 'paid' || checkoutId === null) return [];
    return (await servePayment(services, trx, { ...event, checkoutId }, now)).woken;
  });
  if (woken.length > 0) services.crash('after-payment-before-mint');
  for (const actorId of woken) services.notifier.actor(actorId);
}

/**
 * What became of a payment.
 * - `served`: it is booked, and what it paid for is delivered.
 * - `returned`: it bought nothing, so its money goes back by itself.
 * - `already`: it was booked before.
 * - `by-hand`: it bought nothing, and a person must return it.
 */
export type ServedPayment =
  | { readonly became: 'served' | 'already' | 'by-hand' }
  | { readonly became: 'returned'; readonly why: string };

/** Books the payment and delivers what it paid for, or causes its refund. @returns `woken`: the actors to wake */
export async function servePayment(
  services: Pick<Services, 'sessionKeys'> & { readonly log: Pick<Services['log'], 'warn' | 'error'> },
  trx: Trx,
  event: CardPayment & { readonly eventId: string; readonly checkoutId: string },
  now: Date,
): Promise<{ readonly woken: string[]; readonly served: ServedPayment }> {
  const { checkoutId, sessionId, paymentIntent } = event;
  const outcome = await bookPayment(trx, {
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
  if (outcome === 'differs' || outcome === 'unknown-checkout') {
    services.log.error(
      { checkoutId, sessionId, paymentIntent },
      'a payment that paid for nothing must be returned by hand',
    );
    return { woken: [], served: { became: 'by-hand' } };
  }
  if (outcome === 'already') return { woken: [], served: { became: 'already' } };
  const checkout = (await findCheckout(trx, checkoutId)) as CheckoutRow;
  const consequence: Consequence =
    outcome === 'paid'
      ? await give(services, trx, checkout, now)
      : { type: 'UNSERVABLE', reason: UNSERVABLE[outcome] };
  const told = { eventId: `card:${sessionId}`, event: consequence, now };
  const actorId = await tellCheckout(trx, checkoutId, told);
  if (outcome === 'paid' && checkout.kind === 'agent') await endOtherPages(trx, String(checkout.handle), now);
  const served: ServedPayment =
    consequence.type === 'UNSERVABLE'
      ? { became: 'returned', why: consequence.reason }
      : { became: 'served' };
  return { woken: [actorId], served };
}

/** What the checkout's actor is told of its payment. */
type Consequence =
  | { readonly type: 'PAID' | 'SERVED' }
  | { readonly type: 'UNSERVABLE'; readonly reason: string };

async function give(
  services: Pick<Services, 'sessionKeys'>,
  trx: Trx,
  checkout: CheckoutRow,
  now: Date,
): Promise<Consequence> {
  if (checkout.kind === 'agent') {
    await assignSessionKey(trx, checkout.id, services.sessionKeys.base);
    return { type: 'PAID' };
  }
  // A paid membership checkout is the membership, so there is nothing more to deliver.
  if (checkout.kind === 'membership') return { type: 'SERVED' };
  const listingRef = String(checkout.details.listingRef);
  // Several payment pages for one listing may be open and each may be paid. After the first, the others have nothing
  // left to buy. The dispute of one may be told before its payment: what it bought rests until the money is back.
  const rests = checkout.suspended_at !== null;
  if (checkout.details.featured === false) return await show(trx, listingRef, { rests, now });
  const placed = await buyPlacement(trx, listingRef, { rests });
  return placed === 'placed' ? { type: 'SERVED' } : { type: 'UNSERVABLE', reason: UNPLACED[placed] };
}

/** Why the payment of a placement placed nothing. */
const UNPLACED: Readonly<Record<Unplaced, string>> = {
  gone: 'the listing had left the catalogue before the payment came',
  featured: 'the listing was featured already when the payment came',
  name: 'names have a list of their own, which features none',
  dealing: 'the listing was in a deal when the payment came',
};

/** Shows a listing whose own fee was paid, or lets it wait for the money to come back. */
async function show(
  trx: Trx,
  listingRef: string,
  { rests, now }: { rests: boolean; now: Date },
): Promise<Consequence> {
  const expiresAt = new Date(now.getTime() + LISTING_MS);
  const done = await payListing(trx, listingRef, { paid: true, expiresAt, now, rests });
  if (done === 'done') return { type: 'SERVED' };
  const reason =
    done === 'gone'
      ? 'the listing had ended before the payment came'
      : 'the listing showed already when the payment came';
  return { type: 'UNSERVABLE', reason };
}

/** Applies a refund or dispute to what was paid for. @returns the actors to wake */
async function reverse(services: Services, trx: Trx, reversal: CardReversal, now: Date): Promise<string[]> {
  const checkout = await noteReversal(trx, reversal, now);
  // A failed checkout delivered nothing that could be taken away, and its handle may belong to another checkout by now.
  if (checkout === null || checkout.status === 'failed') return [];
  services.log.warn({ checkoutId: checkout.id, ...reversal }, 'money was taken back, or given again');
  if (checkout.kind === 'listing') {
    await reviewPayments(trx, String(checkout.details.listingRef), now);
    return [];
  }
  if (checkout.kind === 'membership') return [];
  // The mint of one that is not born yet reads it. If there never is one, the handle's next agent must not be told.
  const agent = await findAgent(trx, String(checkout.handle));
  if (agent?.checkout_id !== checkout.id) return [];
  return [await withdraw(trx, checkout, `reversal:${reversal.reference}:${reversal.state}`, now)];
}

/** Tells the agent that its money was taken back, or returned. */
async function withdraw(trx: Trx, checkout: CheckoutRow, eventId: string, now: Date): Promise<string> {
  const actorId = `agent:${checkout.handle}`;
  const event = { type: checkout.suspended_at === null ? 'REINSTATE' : 'SUSPEND' };
  await applyEvent(trx, agentActor, { key: String(checkout.handle), eventId, event, now });
  return actorId;
}
