import { AppError, type ErrorCode } from '../../agents/errors.ts';
import type { Receipt } from '../../store/payments/payments.ts';

/** An error that becomes a 402: a code, a sentence, and the facilitator's receipt if there is one. */
export class PaymentRefused extends Error {
  override readonly name = 'PaymentRefused';
  readonly code: Extract<ErrorCode, 'payment-required' | 'payment-invalid' | 'settlement-failed'>;
  readonly receipt: Receipt | null;

  constructor(code: PaymentRefused['code'], detail: string, receipt: Receipt | null = null) {
    super(detail);
    this.code = code;
    this.receipt = receipt;
  }
}

export function boundElsewhere(): PaymentRefused {
  return new PaymentRefused(
    'payment-invalid',
    'The payment was first sent with another request: it pays for that method, path, query and body only.',
  );
}

/** The error is the same whatever the payment paid for, so that it tells nothing about it. */
export function heldBack(): PaymentRefused {
  return new PaymentRefused(
    'payment-invalid',
    'The payment was sent before. An answer that is filed nowhere is given again by its payment-identifier, or to its payer who signs in (sign-in-with-x) for the same request.',
  );
}

/** The error for a payer who has as many payments under way as one payer may have. */
export function tooMany(): AppError {
  return unavailable('This payer has too many payments under way: try again when some have settled.');
}

/** The error for a payer whose other payments that are under way take what it holds. */
export function notCovered(): AppError {
  return unavailable(
    'The payer does not hold the amount beside its other payments that are under way: nothing was charged. Send the same payment again when they have settled.',
  );
}

/** The error is a 409, as the specification of the extension asks. */
export function identifierTaken(): AppError {
  return new AppError(
    'conflict',
    'Another payment of this payer, for another request, goes by this payment-identifier: choose a new one.',
  );
}

export function takenOver(): AppError {
  return unavailable('Another request with this payment took over: send the same payment again.');
}

export function unavailable(detail: string, cause?: unknown): AppError {
  return new AppError('unavailable', detail, cause === undefined ? {} : { cause });
}
