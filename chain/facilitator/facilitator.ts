import type { FacilitatorClient } from '@x402/core/server';
import { SettleError, type SettleResponse } from '@x402/core/types';

/** Verifies and settles x402 payments, here or elsewhere. */
export interface Facilitator extends FacilitatorClient {
  /** Resolves with facts worth showing when payments can be settled now; rejects otherwise. */
  check(): Promise<Readonly<Record<string, unknown>>>;
}

/** The facilitator, or the chain under it, does not answer: nothing is known of the payment. */
export class FacilitatorDown extends Error {
  override readonly name = 'FacilitatorDown';
}

/**
 * What became of a settlement. `refused`: it did not happen. `unknown`: it may have, or still may: ask the chain by the
 * payer's nonce before anything is said.
 */
export type SettlementOutcome =
  | { readonly kind: 'settled'; readonly receipt: SettleResponse }
  | { readonly kind: 'refused'; readonly receipt: SettleResponse }
  | { readonly kind: 'unknown'; readonly cause: unknown };

/** Reasons that leave open whether a transaction is on its way. */
const OPEN_REASONS = new Set(['settlement_pending', 'unexpected_settle_error']);
/** Final once it names the transaction that was mined and failed; otherwise something went wrong around sending it. */
const FAILED_TRANSACTION = 'invalid_exact_evm_transaction_failed';

/** Asks for a settlement and says what is known of it. Never throws. */
export async function settlementOutcome(settle: () => Promise<SettleResponse>): Promise<SettlementOutcome> {
  try {
    return outcomeOf(await settle());
  } catch (cause) {
    // A facilitator may refuse with an HTTP error that carries its answer; its own failure says nothing.
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
