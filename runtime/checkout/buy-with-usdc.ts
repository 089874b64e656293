import type { Mandate } from '../../agents/mandate/terms/schema.ts';
import type { Micro } from '../../agents/money.ts';
import {
  assignSessionKey,
  createCheckout,
  findCheckout,
  findCheckoutBySession,
  handleIsBoughtBy,
  handleIsHeld,
  handleTaken,
  letLapsedHoldGo,
} from '../../store/checkout/checkouts.ts';
import type { Trx } from '../../store/database.ts';
import type { NamedRequest } from '../../store/payments/payments.ts';
import { spawnActor } from '../durable/actors/spawn.ts';
import { checkoutActor } from '../machines.ts';
import type { LastCall, Services } from '../services.ts';
import { bookPayment, endOtherPages, tellCheckout, UNSERVABLE } from './book-payment.ts';
import { CHECKOUT_MS } from './card-page.ts';
import { type AgentOrder, type CheckoutRequest, readAgentOrder, requireWallet } from './open-checkout.ts';
import { countsFrom } from './read-back-at.ts';

export interface HeldCheckout {
  readonly checkoutId: string;
  readonly amount: Micro;
  readonly mandate: Mandate;
  readonly expiresAt: Date;
}

/** The session id of a checkout paid over x402: the payment's id (`network:payer:nonce`) after a prefix. */
const session = (paymentId: string): string => `x402:${paymentId}`;

/**
 * Runs before anybody signs a payment. Where the handle was bought by this very request, whoever has lost the payment signs
 * another one, which brings the answer and is not charged.
 * @throws Refusal conflict when the handle is taken
 */
export async function requireFreeHandle(
  services: Services,
  order: AgentOrder,
  request: NamedRequest | null,
): Promise<void> {
  const { handle } = order;
  const taken = await services.db.transaction().execute(async (trx) => {
    const now = services.now();
    await letLapsedHoldGo(trx, handle, now);
    if (!(await handleIsHeld(trx, handle))) return null;
    if (request !== null && (await handleIsBoughtBy(trx, { handle, request, now }))) return null;
    return await handleTaken(trx, handle, order);
  });
  if (taken !== null) throw taken;
}

/**
 * Holds the handle for one payment, before its money moves. The same payment always gets the same checkout, found by its
 * session: its id is random, because the number of the agent follows from it and the payer chooses the payment's nonce, so
 * that it could search for two payments with one number. The hold lasts as long as the payment may still be collected.
 * @throws AppError conflict when the handle is taken, bad-request when its mandate was read back too long ago; nothing is
 *   charged then
 */
export async function holdForPayment(
  services: Services,
  request: CheckoutRequest,
  paymentId: string,
  lastCall: LastCall,
): Promise<HeldCheckout> {
  const now = services.now();
  const at = countsFrom(request.readAt, now, Number.POSITIVE_INFINITY);
  const { mandate, ...order } = readAgentOrder(services, request, at);
  await requireWallet(services, order.owner);
  return await services.db.transaction().execute(async (trx) => {
    const known = await findCheckoutBySession(trx, session(paymentId));
    if (known) {
      const kept = (known.details as { mandate: Mandate }).mandate;
      return { checkoutId: known.id, amount: known.amount, mandate: kept, expiresAt: known.expires_at };
    }
    countsFrom(request.readAt, now);
    await letLapsedHoldGo(trx, order.handle, now);
    const expiresAt = new Date(now.getTime() + CHECKOUT_MS);
    const checkoutId = services.newId('co');
    const checkout = { ...order, id: checkoutId, pay: 'usdc', session: session(paymentId) } as const;
    await createCheckout(trx, { ...checkout, expiresAt, now });
    lastCall();
    return { checkoutId, amount: order.amount, mandate, expiresAt };
  });
}

/** Frees the handle after the payment failed. If the money still arrives, the checkout is served all the same. */
export async function letHoldGo(trx: Trx, paymentId: string, now: Date): Promise<void> {
  await trx
    .updateTable('checkouts')
    .set({ expires_at: now })
    .where('processor_session', '=', session(paymentId))
    .where('status', '=', 'awaiting-payment')
    .execute();
}

/** Deletes the checkout of a payment that can never be carried out. */
export async function dropHold(trx: Trx, paymentId: string): Promise<void> {
  await trx
    .deleteFrom('checkouts')
    .where('processor_session', '=', session(paymentId))
    .where('pay', '=', 'usdc')
    .where('status', '=', 'awaiting-payment')
    .execute();
}

/**
 * Books the checkout of a payment, if it has one, in the transaction that books the money.
 * @returns the checkout, whose actor must be woken; null when the payment was for something else
 */
export async function bookCheckoutOf(
  services: Pick<Services, 'now' | 'sessionKeys'>,
  trx: Trx,
  paymentId: string,
): Promise<string | null> {
  const held = await findCheckoutBySession(trx, session(paymentId));
  if (held === null) return null;
  await bookHeldCheckout(services, trx, held.id);
  return held.id;
}

/**
 * Books the payment of a held checkout, in the transaction that books the money. The checkout's actor then mints its
 * agent.
 */
export async function bookHeldCheckout(
  services: Pick<Services, 'now' | 'sessionKeys'>,
  trx: Trx,
  checkoutId: string,
): Promise<void> {
  const now = services.now();
  const held = await findCheckout(trx, checkoutId);
  if (!held) throw new Error(`a payment for ${checkoutId}, which nobody opened`);
  const { processor_session: sessionId, amount } = held;
  const outcome = await bookPayment(trx, { checkoutId, sessionId, amount, currency: 'usd', now });
  if (outcome === 'already') return;
  if (outcome === 'paid') await assignSessionKey(trx, checkoutId, services.sessionKeys.base);
  await spawnActor(trx, checkoutActor, {
    key: checkoutId,
    input: { checkoutId, expiresInMs: CHECKOUT_MS },
    now,
  });
  const known = outcome === 'handle-taken' || outcome === 'unfit' ? UNSERVABLE[outcome] : null;
  const gone = { type: 'UNSERVABLE', reason: known ?? `the payment came to nothing: ${outcome}` };
  await tellCheckout(trx, checkoutId, {
    eventId: `usdc:${sessionId}`,
    event: outcome === 'paid' ? { type: 'PAID' } : gone,
    now,
  });
  if (outcome === 'paid' && held.handle !== null) await endOtherPages(trx, held.handle, now);
}
