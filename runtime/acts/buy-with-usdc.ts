import { sha256Hex } from '../../agents/canonical.ts';
import { AppError } from '../../agents/errors.ts';
import type { Mandate } from '../../agents/mandate/schema.ts';
import type { Micro } from '../../agents/money.ts';
import {
  assignSessionKey,
  createCheckout,
  findCheckout,
  handleIsHeld,
  letLapsedHoldGo,
  markPaid,
} from '../../store/checkouts.ts';
import type { Trx } from '../../store/database.ts';
import { deliver } from '../actors/mailbox.ts';
import { spawnActor } from '../actors/spawn.ts';
import { checkoutActor } from '../machines.ts';
import type { LastCall, Services } from '../services.ts';
import { CHECKOUT_MS } from './card-page.ts';
import { type AgentOrder, type CheckoutRequest, readAgentOrder } from './open-checkout.ts';

export interface HeldCheckout {
  readonly checkoutId: string;
  readonly amount: Micro;
  readonly mandate: Mandate;
  readonly expiresAt: Date;
}

/** How a checkout that is paid over x402 knows its payment: `network:payer:nonce` behind this. */
const session = (paymentId: string): string => `x402:${paymentId}`;

/** @throws AppError conflict when the handle is taken: said before anybody signs a payment */
export async function requireFreeHandle(services: Services, { handle }: AgentOrder): Promise<void> {
  const held = await services.db.transaction().execute(async (trx) => {
    await letLapsedHoldGo(trx, handle, services.now());
    return await handleIsHeld(trx, handle);
  });
  if (held) throw new AppError('conflict', `The handle "${handle}" is taken: choose another.`);
}

/**
 * Holds the handle for one payment, before its money moves. The same payment holds the same checkout, however often it
 * asks; the hold lasts as long as the payment may still be collected.
 * @throws AppError conflict when the handle is taken; nothing is charged then
 */
export async function holdForPayment(
  services: Services,
  request: CheckoutRequest,
  paymentId: string,
  lastCall: LastCall,
): Promise<HeldCheckout> {
  const { mandate, ...order } = readAgentOrder(services, request);
  const checkoutId = `co_${sha256Hex(paymentId).slice(0, 32)}`;
  const now = services.now();
  return await services.db.transaction().execute(async (trx) => {
    const known = await findCheckout(trx, checkoutId);
    if (known) {
      const kept = (known.details as { mandate: Mandate }).mandate;
      return { checkoutId, amount: known.amount, mandate: kept, expiresAt: known.expires_at };
    }
    await letLapsedHoldGo(trx, order.handle, now);
    const expiresAt = new Date(now.getTime() + CHECKOUT_MS);
    const checkout = { ...order, id: checkoutId, pay: 'usdc', session: session(paymentId) } as const;
    await createCheckout(trx, { ...checkout, expiresAt, now });
    lastCall();
    return { checkoutId, amount: order.amount, mandate, expiresAt };
  });
}

/** Books the payment of a held checkout and has its agent minted, in the transaction that books the money. */
export async function bookHeldCheckout(services: Services, trx: Trx, checkoutId: string): Promise<void> {
  const now = services.now();
  const held = await findCheckout(trx, checkoutId);
  if (!held) throw new Error(`a payment for ${checkoutId}, which nobody opened`);
  const { processor_session: sessionId, amount } = held;
  const outcome = await markPaid(trx, { checkoutId, sessionId, amount, currency: 'usd', now });
  if (outcome === 'already') return;
  if (outcome === 'paid') await assignSessionKey(trx, checkoutId);
  await spawnActor(trx, checkoutActor, {
    key: checkoutId,
    input: { checkoutId, expiresInMs: CHECKOUT_MS },
    now,
  });
  const gone = { type: 'UNSERVABLE', reason: `the payment came to nothing: ${outcome}` };
  await deliver(trx, {
    actorId: `checkout:${checkoutId}`,
    eventId: `usdc:${sessionId}`,
    event: outcome === 'paid' ? { type: 'PAID' } : gone,
    now,
  });
}
