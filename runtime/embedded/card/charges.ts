import { badParam, WireError } from './wire-error.ts';

/** The part of a paid session that identifies its money. */
interface PaidSession {
  readonly amountTotal: number;
  readonly paymentIntent: string | null;
}

/** The charge of a paid session, with its refunds and its dispute. */
export interface Charge {
  readonly id: string;
  readonly created: number;
  refunded: number;
  refunds: Refund[];
  dispute: Dispute | null;
}

interface Refund {
  readonly id: string;
  readonly amount: number;
  readonly created: number;
  readonly metadata: Readonly<Record<string, string>>;
}

interface Dispute {
  readonly id: string;
  readonly created: number;
  /** A `warning` is an inquiry: the bank asks and has taken nothing back. */
  status: 'needs_response' | 'won' | 'lost' | 'warning_needs_response' | 'warning_closed';
}

/** Texts that decide a test dispute when submitted as evidence, the same as in Stripe's test mode. */
const VERDICTS = new Map<string, Dispute['status']>([
  ['winning_evidence', 'won'],
  ['losing_evidence', 'lost'],
]);

/** @throws WireError in Stripe's words, when nothing is left to refund */
export function refund(
  session: PaidSession,
  charge: Charge,
  wanted: { id: string; amount: number | null; metadata: Record<string, string>; now: number },
): Refund {
  if (charge.dispute?.status === 'needs_response') {
    throw new WireError(400, 'invalid_request_error', `Charge ${charge.id} has been charged back.`, {
      code: 'charge_disputed',
    });
  }
  const left = session.amountTotal - charge.refunded;
  if (left === 0) {
    throw new WireError(400, 'invalid_request_error', `Charge ${charge.id} has already been refunded.`, {
      code: 'charge_already_refunded',
    });
  }
  const amount = wanted.amount ?? left;
  if (amount < 1 || amount > left) {
    throw badParam('amount', `Refund amount ($${amount / 100}) is greater than unrefunded amount on charge.`);
  }
  const made: Refund = { id: wanted.id, amount, created: wanted.now, metadata: wanted.metadata };
  charge.refunds.push(made);
  charge.refunded += amount;
  if (charge.refunded === session.amountTotal && charge.dispute?.status === 'warning_needs_response') {
    charge.dispute.status = 'warning_closed';
  }
  return made;
}

/** Decides a dispute. @throws WireError when it is decided already, or the evidence decides nothing */
export function decide(dispute: Dispute, evidence: string | null): void {
  if (dispute.status !== 'needs_response') {
    throw new WireError(400, 'invalid_request_error', 'This dispute is already closed.');
  }
  const verdict = evidence === null ? 'lost' : VERDICTS.get(evidence);
  if (verdict === undefined) {
    const words = [...VERDICTS.keys()].join(' or ');
    throw badParam('evidence[uncategorized_text]', `This processor decides by the evidence ${words}.`);
  }
  dispute.status = verdict;
}

export function chargeObject(session: PaidSession, charge: Charge): Record<string, unknown> {
  return {
    id: charge.id,
    object: 'charge',
    amount: session.amountTotal,
    amount_captured: session.amountTotal,
    amount_refunded: charge.refunded,
    captured: true,
    created: charge.created,
    currency: 'usd',
    disputed: charge.dispute !== null,
    livemode: false,
    metadata: {},
    paid: true,
    payment_intent: session.paymentIntent,
    refunded: charge.refunded === session.amountTotal,
    status: 'succeeded',
  };
}

export function refundObject(session: PaidSession, charge: Charge, made: Refund): Record<string, unknown> {
  return {
    id: made.id,
    object: 'refund',
    amount: made.amount,
    charge: charge.id,
    created: made.created,
    currency: 'usd',
    metadata: made.metadata,
    payment_intent: session.paymentIntent,
    reason: null,
    status: 'succeeded',
  };
}

export function disputeObject(
  session: PaidSession,
  charge: Charge,
  dispute: Dispute,
): Record<string, unknown> {
  return {
    id: dispute.id,
    object: 'dispute',
    amount: session.amountTotal,
    charge: charge.id,
    created: dispute.created,
    currency: 'usd',
    is_charge_refundable: dispute.status === 'warning_needs_response',
    livemode: false,
    metadata: {},
    payment_intent: session.paymentIntent,
    reason: 'fraudulent',
    status: dispute.status,
  };
}
