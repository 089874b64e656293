import type { FacilitatorClient } from '@x402/core/server';
import {
  type PaymentPayload,
  type PaymentRequirements,
  SettleError,
  type SettleResponse,
} from '@x402/core/types';
import type { PayerClass } from './payer-class.ts';

/** Verifies and settles x402 payments, in this process or remotely. */
export interface Facilitator extends FacilitatorClient {
  /** Resolves with facts worth showing when payments can be settled now; rejects otherwise. */
  check(): Promise<Readonly<Record<string, unknown>>>;
  /**
   * The class of the payer, which decides what a settlement may cost. Call it after `verify`, which finds it out. Left
   * out where the payer's chain cannot be read.
   * @throws FacilitatorDown when the chain does not answer
   */
  classify?(payload: PaymentPayload, requirements: PaymentRequirements): Promise<PayerClass>;
}

/** The facilitator or its chain does not answer, so nothing is known about the payment. */
export class FacilitatorDown extends Error {
  override readonly name = 'FacilitatorDown';
}

/**
 * The outcome of a settlement. `refused`: it did not happen. `unknown`: it may have happened, or still may; ask the
 * chain by the payer's nonce before telling anybody.
 */
export type SettlementOutcome =
  | { readonly kind: 'settled'; readonly receipt: SettleResponse }
  | { readonly kind: 'refused'; readonly receipt: SettleResponse }
  | { readonly kind: 'unknown'; readonly cause: unknown };

/** Reasons after which a transaction may still be on its way. */
const OPEN_REASONS = new Set(['settlement_pending', 'unexpected_settle_error']);
/** Final when it names the transaction that was mined and failed. Without one, sending itself may have gone wrong. */
const FAILED_TRANSACTION = 'invalid_exact_evm_transaction_failed';

/** Asks for a settlement and reports what is known of it. Never throws. */
export async function settlementOutcome(settle: () => Promise<SettleResponse>): Promise<SettlementOutcome> {
  try {
    return outcomeOf(await settle());
  } catch (cause) {
    // A facilitator may refuse by an HTTP error that carries its answer. A 5xx is its own failure, and says nothing.
    if (cause instanceof SettleError && cause.statusCode < 500) {
      const { errorReason, errorMessage, payer, transaction, network } = cause;
      return outcomeOf({ success: false, errorReason, errorMessage, payer, transaction, network });
    }
    return { kind: 'unknown', cause };
  }
}

function outcomeOf(receipt: SettleResponse): SettlementOutcome {
  const { success, transaction, errorReason = '' } = receipt;
  if (success && transaction) return { kind: 'settled', receipt };
  const open =
    success || OPEN_REASONS.has(errorReason) || (errorReason === FAILED_TRANSACTION && !transaction);
  if (open) return { kind: 'unknown', cause: receipt };
  return { kind: 'refused', receipt };
}
