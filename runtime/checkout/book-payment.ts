import { lockHandleOf, markPaid, openPages, type Payment } from '../../store/checkout/checkouts.ts';
import { lockPayment } from '../../store/checkout/reversals.ts';
import { noteUnserved } from '../../store/checkout/unserved.ts';
import type { Trx } from '../../store/database.ts';
import { holdActor } from '../../store/durable/actors.ts';
import { applyEvent } from '../durable/actors/apply-event.ts';
import type { ActorEvent } from '../durable/actors/durable-machine.ts';
import { checkoutActor } from '../machines.ts';

/** Why a payment that was booked bought nothing, so that its money is returned. */
export const UNSERVABLE = {
  'handle-taken': 'the handle went to another agent before the payment came',
  unfit: 'the payment is not of the amount, the currency or the page that it was asked by',
} as const;

/**
 * Books a payment, once, as `markPaid` of the store. Of several payments for one handle, one is first. The caller tells
 * the checkout's actor by {@link tellCheckout}.
 * @param paid as `markPaid` takes it
 */
export async function bookPayment(trx: Trx, paid: Parameters<typeof markPaid>[1]): Promise<Payment> {
  const { checkoutId, paymentIntent = null } = paid;
  if (paymentIntent !== null) await lockPayment(trx, paymentIntent);
  // An actor is locked before its row, as a batch locks it.
  if (await lockHandleOf(trx, checkoutId)) await holdActor(trx, actorOf(checkoutId));
  return await markPaid(trx, paid);
}

/** Applies an event to a checkout at once, and keeps for its payer why it bought nothing. @returns its actor, which must be woken */
export async function tellCheckout(
  trx: Trx,
  checkoutId: string,
  told: { readonly eventId: string; readonly event: ActorEvent; readonly now: Date },
): Promise<string> {
  await applyEvent(trx, checkoutActor, { key: checkoutId, ...told });
  const { type, reason } = told.event;
  if (type === 'UNSERVABLE') await noteUnserved(trx, checkoutId, String(reason));
  return actorOf(checkoutId);
}

/** A payment ends no more than this many pages, so that no crowd of them can keep it from being booked. */
const MOST_ENDED = 50;

/**
 * Ends the other pages that are open for a handle, so that nobody is led to pay for nothing. Of a crowd it ends the newest;
 * the others expire by themselves, and what is paid there is returned.
 */
export async function endOtherPages(trx: Trx, handle: string, now: Date): Promise<void> {
  for (const page of await openPages(trx, handle, MOST_ENDED))
    await tellCheckout(trx, page, { eventId: 'withdrawn', event: { type: 'WITHDRAWN' }, now });
}

function actorOf(checkoutId: string): string {
  return `checkout:${checkoutId}`;
}
