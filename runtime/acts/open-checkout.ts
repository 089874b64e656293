import type { Depth } from '../../agents/determinations/types.ts';
import { AppError, badField } from '../../agents/errors.ts';
import { lowerAddress, requireHandle } from '../../agents/ids.ts';
import { mandateHash } from '../../agents/mandate/hash.ts';
import { readMandate } from '../../agents/mandate/read.ts';
import type { Mandate } from '../../agents/mandate/schema.ts';
import { chargeFor } from '../../agents/market/prices.ts';
import type { Micro } from '../../agents/money.ts';
import { attachSession, createCheckout, withdrawCheckout } from '../../store/checkouts.ts';
import { spawnActor } from '../actors/spawn.ts';
import { checkoutActor } from '../machines.ts';
import type { LastCall, Services } from '../services.ts';

export interface CheckoutRequest {
  readonly owner: string;
  readonly handle: string;
  readonly mandate: string;
  readonly tier: 'AGENT' | 'EXECUTOR';
  readonly depth?: Depth;
}

export interface OpenCheckout {
  readonly checkoutId: string;
  readonly amount: Micro;
  readonly checkoutUrl: string;
  readonly mandate: Mandate;
  readonly expiresAt: Date;
}

/** The processor keeps a session open for at least half an hour. */
const CHECKOUT_MS = 60 * 60_000;

/**
 * Reads the mandate, holds the handle and opens a card payment. The structured mandate is in the answer, so that the
 * owner sees what will be enforced before paying.
 * @throws AppError mandate-refused with `questions`, bad-request, conflict for a handle that is taken, unavailable
 *   when the card processor cannot be reached (then the handle is free again)
 */
export async function openCheckout(
  services: Services,
  request: CheckoutRequest,
  lastCall: LastCall,
): Promise<OpenCheckout> {
  const handle = requireHandle(request.handle);
  if (request.tier === 'EXECUTOR' && request.depth !== undefined) {
    throw badField('depth', 'an EXECUTOR has no depth: leave it out');
  }
  if (BigInt(request.owner) === 0n) throw badField('owner', 'must be a wallet: nobody owns the zero address');
  const now = services.now();
  const mandate = acceptMandate(request.mandate, now);
  const amount = chargeFor(services.config.pricing, request.tier === 'AGENT' ? 'agent' : 'executor');
  const checkoutId = services.newId('co');
  const expiresAt = new Date(now.getTime() + CHECKOUT_MS);
  await services.db.transaction().execute(async (trx) => {
    await createCheckout(trx, {
      id: checkoutId,
      kind: 'agent',
      owner: lowerAddress(request.owner),
      handle,
      tier: request.tier,
      depth: request.tier === 'AGENT' ? (request.depth ?? '2-of-2') : null,
      amount,
      details: { mandateText: request.mandate, mandate, mandateHash: mandateHash(mandate) },
      expiresAt,
      now,
    });
    await spawnActor(trx, checkoutActor, {
      key: checkoutId,
      input: { checkoutId, expiresInMs: CHECKOUT_MS },
      now,
    });
  });
  services.bell.actor(`checkout:${checkoutId}`);
  const checkout = { checkoutId, handle, amount, tier: request.tier, expiresAt };
  const checkoutUrl = await openSession(services, checkout, lastCall);
  return { checkoutId, amount, checkoutUrl, mandate, expiresAt };
}

async function openSession(
  services: Services,
  checkout: { checkoutId: string; handle: string; amount: Micro; tier: string; expiresAt: Date },
  lastCall: LastCall,
): Promise<string> {
  const { checkoutId, handle } = checkout;
  const page = `${services.config.baseUrl}/agent/checkout/${checkoutId}`;
  try {
    const session = await services.card.createCheckoutSession({
      checkoutId,
      amountMicro: checkout.amount,
      productName: `Safe Handshake ${checkout.tier} "${handle}"`,
      successUrl: page,
      cancelUrl: page,
      expiresAt: checkout.expiresAt,
    });
    // A caller who was told that the time is up keeps no handle: the checkout is withdrawn below.
    lastCall();
    await attachSession(services.db, checkoutId, session);
    return session.url;
  } catch (error) {
    await withdrawCheckout(services.db, checkoutId);
    if (error instanceof AppError) throw error;
    throw new AppError('unavailable', 'The card processor cannot be reached: nothing was charged.', {
      cause: error,
    });
  }
}

/** @throws AppError mandate-refused with every question the grammar asks */
export function acceptMandate(text: string, now: Date): Mandate {
  const reading = readMandate(text, now.toISOString());
  if (reading.decision === 'ACCEPT') return reading.mandate;
  throw new AppError('mandate-refused', reading.questions[0].question, {
    extra: { questions: reading.questions },
  });
}
