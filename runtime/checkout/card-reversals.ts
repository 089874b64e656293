import type Stripe from 'stripe';
import { AppError } from '../../agents/errors.ts';

/** A full refund (`refunded`), or a dispute that is `open`, decided for us (`won`) or against us (`lost`). */
export interface CardReversal {
  readonly paymentIntent: string;
  /** The id of the dispute, or of the charge that was refunded. */
  readonly reference: string;
  readonly state: 'refunded' | 'open' | 'won' | 'lost';
  /** While it is open: the bank only inquires, and a refund ends that. Absent where an event tells of it. */
  readonly isRefundable?: boolean;
}

/** The money went back, or may yet. */
export function isAway({ state }: CardReversal): boolean {
  return state !== 'won';
}

/**
 * What an event tells of a payment's money. Only a full refund counts as a reversal; a partial refund is goodwill. An
 * inquiry that ends without a loss counts as won.
 */
export function readReversal(event: Stripe.Event): CardReversal | null {
  if (event.type === 'charge.refunded') {
    const charge = event.data.object;
    const paymentIntent = idOf(charge.payment_intent);
    if (!charge.refunded || paymentIntent === null) return null;
    return { paymentIntent, reference: charge.id, state: 'refunded' };
  }
  if (event.type === 'charge.dispute.created' || event.type === 'charge.dispute.closed') {
    const dispute = event.data.object;
    const paymentIntent = idOf(dispute.payment_intent);
    if (paymentIntent === null) return null;
    const ended = dispute.status === 'lost' ? 'lost' : 'won';
    const state = event.type === 'charge.dispute.created' ? 'open' : ended;
    return { paymentIntent, reference: dispute.id, state };
  }
  return null;
}

/** The statuses of a dispute that was closed without a loss; whatever else is not lost is still open. */
const CLOSED: ReadonlySet<string> = new Set(['won', 'warning_closed', 'prevented']);

/** The bank inquires and has taken nothing back. In a full dispute a refund would pay twice, whatever else is said of it. */
const INQUIRED: ReadonlySet<string> = new Set(['warning_needs_response', 'warning_under_review']);

function stateOf(status: string): 'open' | 'won' | 'lost' {
  if (status === 'lost') return 'lost';
  return CLOSED.has(status) ? 'won' : 'open';
}

/**
 * The refunds and disputes of a payment, as the processor has them now.
 * @throws StripeError, AppError unavailable when it calls a charge disputed and names no dispute
 */
export async function findReversals(stripe: Stripe, paymentIntent: string): Promise<CardReversal[]> {
  const of = { payment_intent: paymentIntent, limit: 100 };
  const { data: charges } = await stripe.charges.list(of);
  const refunds = charges
    .filter((charge) => charge.refunded)
    .map(({ id }) => ({ paymentIntent, reference: id, state: 'refunded' }) as const);
  // A charge stays `disputed` when its dispute is won.
  if (!charges.some((charge) => charge.disputed)) return refunds;
  const { data: disputes } = await stripe.disputes.list(of);
  if (disputes.length === 0)
    throw new AppError('unavailable', 'The card processor names no dispute of a charge that is disputed.');
  return [
    ...refunds,
    ...disputes.map(({ id, status, is_charge_refundable }) => ({
      ...{ paymentIntent, reference: id, state: stateOf(status) },
      ...(is_charge_refundable === true && INQUIRED.has(status) ? { isRefundable: true } : {}),
    })),
  ];
}

/** The id of what is named by it or given whole. */
export function idOf(reference: string | { id: string } | null | undefined): string | null {
  return typeof reference === 'object' ? (reference?.id ?? null) : (reference ?? null);
}
