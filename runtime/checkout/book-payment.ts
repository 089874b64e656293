import { markPaid, openPages, type Payment, rivalsOf } from '../../store/checkout/checkouts.ts';
import { lockPayment } from '../../store/checkout/reversals.ts';
import type { Trx } from '../../store/database.ts';
import { holdActors } from '../../store/durable/actors.ts';
import { applyEvent } from '../durable/actors/apply-event.ts';
import type { ActorEvent } from '../durable/actors/durable-machine.ts';
import { checkoutActor } from '../machines.ts';

/**
 * Books a payment, once, as `markPaid` of the store. Of several payments for one handle, one is first. The caller tells
 * the checkout's actor by {@link tellCheckout}.
 * @param paid as `markPaid` takes it
 */
export async function bookPayment(trx: Trx, paid: Parameters<typeof markPaid>[1]): Promise<Payment> {
  const { checkoutId, paymentIntent = null } = paid;
  if (paymentIntent !== null) await lockPayment(trx, paymentIntent);
  // Actors are locked before their rows, as a batch locks them.
  const rivals = await rivalsOf(trx, checkoutId);
  if (rivals.length > 0) await holdActors(trx, rivals.map(actorOf));
  return await markPaid(trx, paid);
}

/** Applies an event to a checkout at once. @returns its actor, which must be woken */
export async function tellCheckout(
  trx: Trx,
  checkoutId: string,
  told: { readonly eventId: string; readonly event: ActorEvent; readonly now: Date },
): Promise<string> {
  await applyEvent(trx, checkoutActor, { key: checkoutId, ...told });
  return actorOf(checkoutId);
}

/** Ends the other pages that are open for a handle, so that nobody is led to pay for nothing. */
export async function endOtherPages(trx: Trx, handle: string, now: Date): Promise<void> {
  for (const page of await openPages(trx, handle))
    await tellCheckout(trx, page, { eventId: 'withdrawn', event: { type: 'WITHDRAWN' }, now });
}

function actorOf(checkoutId: string): string {
  return `checkout:${checkoutId}`;
}
