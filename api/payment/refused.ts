import { AppError, type ErrorCode } from '../../agents/errors.ts';
import type { Receipt } from '../../store/payments.ts';

/** A 402 to come: a code, a sentence, and what the facilitator said where it said something. */
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

/** 409, as the extension's specification says. */
export function identifierTaken(): AppError {
  return new AppError(
    'conflict',
    'Another payment of this payer goes by this payment-identifier: send that payment again, or choose a new one.',
  );
}

export function takenOver(): AppError {
  return unavailable('Another request with this payment took over: send the same payment again.');
}

export function unavailable(detail: string, cause?: unknown): AppError {
  return new AppError('unavailable', detail, cause === undefined ? {} : { cause });
}
