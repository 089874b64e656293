import type { Depth } from '../../agents/determinations/panel/types.ts';
import { AppError, badField } from '../../agents/errors.ts';
import { lowerAddress, requireHandle } from '../../agents/ids.ts';
import { unenforceable } from '../../agents/mandate/grammar/enforceable.ts';
import { readMandate } from '../../agents/mandate/grammar/read.ts';
import { mandateHash } from '../../agents/mandate/terms/hash.ts';
import type { Mandate } from '../../agents/mandate/terms/schema.ts';
import { chargeFor } from '../../agents/market/pricing/prices.ts';
import type { Micro } from '../../agents/money.ts';
import { agentByAccount } from '../../store/agent/agents.ts';
import type { NewCheckout } from '../../store/checkout/checkouts.ts';
import { HOME_CHAIN, type LastCall, type Services } from '../services.ts';
import { type OpenedPage, openCardPage } from './card-page.ts';

export interface CheckoutRequest {
  readonly owner: string;
  readonly handle: string;
  readonly mandate: string;
  readonly tier: 'AGENT' | 'EXECUTOR';
  readonly depth?: Depth;
  /** When its mandate was read back, ISO 8601; left out, it is read now. */
  readonly readAt?: string;
}

/** What an agent checkout orders, after its request was read. */
export interface AgentOrder extends Omit<NewCheckout, 'id' | 'expiresAt' | 'now'> {
  readonly handle: string;
  readonly mandate: Mandate;
  readonly amount: Micro;
}

/**
 * Reads a request for an agent, with its mandate and its price.
 * @param at the time that the mandate counts from, such as "for 30 days"
 * @throws AppError mandate-refused and too-hard with `questions`, bad-request
 */
export function readAgentOrder(
  services: Services,
  request: CheckoutRequest,
  at: Date = services.now(),
): AgentOrder {
  const handle = requireHandle(request.handle);
  if (request.tier === 'EXECUTOR' && request.depth !== undefined) {
    throw badField('depth', 'an EXECUTOR has no depth: leave it out');
  }
  if (BigInt(request.owner) === 0n) throw badField('owner', 'must be a wallet: nobody owns the zero address');
  const mandate = acceptMandate(request.mandate, at);
  return {
    kind: 'agent',
    owner: lowerAddress(request.owner),
    handle,
    mandate,
    tier: request.tier,
    depth: request.tier === 'AGENT' ? (request.depth ?? '2-of-2') : null,
    amount: chargeFor(services.config.prices, request.tier === 'AGENT' ? 'agent' : 'executor'),
    details: { mandateText: request.mandate, mandate, mandateHash: mandateHash(mandate) },
  };
}

/**
 * An agent that holds agents is not sold, and nobody signs a checkout: so that no stranger's gift keeps an agent from being
 * sold, none is minted into the account of one.
 * @throws AppError bad-request
 */
export async function requireWallet({ db }: Pick<Services, 'db'>, owner: string): Promise<void> {
  const agent = await agentByAccount(db, owner.toLowerCase());
  if (agent === null) return;
  throw badField(
    'owner',
    `must be a wallet, and this is the account of the agent "${agent.handle}": name its owner's wallet, and send the new agent on from there`,
  );
}

/**
 * Reads the mandate, holds the handle and opens a card payment. The answer contains the structured mandate, so that the
 * owner sees before paying what will be enforced.
 * @param at the time that the mandate counts from: where it was read back before, the time of that
 * @throws AppError mandate-refused and too-hard with `questions`, bad-request, also where the owner is an agent's account,
 *   conflict when the handle is taken,
 *   unavailable when the card processor cannot be reached (then the handle is free again)
 */
export async function openCheckout(
  services: Services,
  request: CheckoutRequest,
  lastCall: LastCall,
  at: Date = services.now(),
): Promise<OpenedPage & { readonly mandate: Mandate }> {
  const { mandate, ...order } = readAgentOrder(services, request, at);
  await requireWallet(services, order.owner);
  const productName = `Safe Handshake ${request.tier} "${order.handle}"`;
  const opened = await openCardPage(services, order, { productName, page: '/agent/checkout', lastCall });
  return { ...opened, mandate };
}

/**
 * Accepts a mandate only when all of it can be read and enforced here.
 * @throws AppError mandate-refused with the question that the grammar asks, or with a question for each clause that
 *   nothing can enforce and its words; too-hard for a text that exceeds its budget of steps
 */
export function acceptMandate(text: string, now: Date): Mandate {
  const ref = now.toISOString();
  const reading = readMandate(text, ref);
  if (reading.decision === 'REFUSE') {
    const [{ reason, question }] = reading.questions;
    throw new AppError(reason === 'TOO_HARD' ? 'too-hard' : 'mandate-refused', question, {
      extra: { questions: reading.questions },
    });
  }
  const questions = unenforceable(text, reading.mandate, { ref, listable: [HOME_CHAIN] });
  const [first] = questions;
  if (first !== undefined) throw new AppError('mandate-refused', first.question, { extra: { questions } });
  return reading.mandate;
}
