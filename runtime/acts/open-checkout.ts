import type { Depth } from '../../agents/determinations/types.ts';
import { AppError, badField } from '../../agents/errors.ts';
import { lowerAddress, requireHandle } from '../../agents/ids.ts';
import { mandateHash } from '../../agents/mandate/hash.ts';
import { readMandate } from '../../agents/mandate/read.ts';
import type { Mandate } from '../../agents/mandate/schema.ts';
import { chargeFor } from '../../agents/market/prices.ts';
import type { Micro } from '../../agents/money.ts';
import type { NewCheckout } from '../../store/checkouts.ts';
import type { LastCall, Services } from '../services.ts';
import { type OpenedPage, openCardPage } from './card-page.ts';

export interface CheckoutRequest {
  readonly owner: string;
  readonly handle: string;
  readonly mandate: string;
  readonly tier: 'AGENT' | 'EXECUTOR';
  readonly depth?: Depth;
}

/** What an agent checkout says once its request was read. */
export interface AgentOrder extends Omit<NewCheckout, 'id' | 'expiresAt' | 'now'> {
  readonly handle: string;
  readonly mandate: Mandate;
  readonly amount: Micro;
}

/**
 * Reads the request for an agent: its mandate, its price.
 * @throws AppError mandate-refused with `questions`, bad-request
 */
export function readAgentOrder(services: Services, request: CheckoutRequest): AgentOrder {
  const handle = requireHandle(request.handle);
  if (request.tier === 'EXECUTOR' && request.depth !== undefined) {
    throw badField('depth', 'an EXECUTOR has no depth: leave it out');
  }
  if (BigInt(request.owner) === 0n) throw badField('owner', 'must be a wallet: nobody owns the zero address');
  const mandate = acceptMandate(request.mandate, services.now());
  return {
    kind: 'agent',
    owner: lowerAddress(request.owner),
    handle,
    mandate,
    tier: request.tier,
    depth: request.tier === 'AGENT' ? (request.depth ?? '2-of-2') : null,
    amount: chargeFor(services.config.pricing, request.tier === 'AGENT' ? 'agent' : 'executor'),
    details: { mandateText: request.mandate, mandate, mandateHash: mandateHash(mandate) },
  };
}

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
): Promise<OpenedPage & { readonly mandate: Mandate }> {
  const { mandate, ...order } = readAgentOrder(services, request);
  const productName = `Safe Handshake ${request.tier} "${order.handle}"`;
  const opened = await openCardPage(services, order, { productName, page: '/agent/checkout', lastCall });
  return { ...opened, mandate };
}

/** @throws AppError mandate-refused with every question the grammar asks */
export function acceptMandate(text: string, now: Date): Mandate {
  const reading = readMandate(text, now.toISOString());
  if (reading.decision === 'ACCEPT') return reading.mandate;
  throw new AppError('mandate-refused', reading.questions[0].question, {
    extra: { questions: reading.questions },
  });
}
