import { ERRORS, type ErrorCode, type FieldError, isServiceCode } from '../agents/errors.ts';

/** What can go wrong on this side of the wire, beside the service's own codes. */
const CLIENT_ERRORS = {
  unreachable: {
    title: 'The service could not be reached',
    remedy:
      'Check the URL and the network, and make the same call again by the same client: it sends the payment that it ' +
      'holds, which counts once. Across restarts `idempotencyKey` does that.',
    retry: true,
  },
  'unexpected-answer': {
    title: 'The answer is not one of this service',
    remedy: 'Check that the URL is that of a Safe Handshake service.',
    retry: false,
  },
  'account-missing': {
    title: 'There is no account to pay or sign with',
    remedy: 'Give `account`, such as viem’s `privateKeyToAccount(key)`.',
    retry: false,
  },
  'signature-missing': {
    title: 'The account has not signed',
    remedy:
      'See what the wallet waits for, and make the same call again: it takes a signature that came meanwhile.',
    retry: true,
  },
  'over-budget': {
    title: 'The price is above what may be spent',
    remedy: 'Raise `maxUsd` or `budgetUsd`; nothing was signed.',
    retry: false,
  },
  'no-payment-option': {
    title: 'None of the ways to pay is allowed',
    remedy: 'Name the token in `assets`, as { network, asset }; nothing was signed.',
    retry: false,
  },
  'payment-refused': {
    title: 'The payment is refused',
    remedy: 'Read `detail`, and sign a fresh payment.',
    retry: false,
  },
  'message-refused': {
    title: 'The text to sign is not for this request',
    remedy: 'Do not sign it: it names another site, wallet, path or body. Check the URL of the service.',
    retry: false,
  },
  'record-invalid': {
    title: 'The record does not hold',
    remedy: 'Do not rely on it; `steps` names what failed.',
    retry: false,
  },
} as const;

export type ClientErrorCode = ErrorCode | keyof typeof CLIENT_ERRORS;

/** What an error says beside its code. */
interface ErrorFacts {
  /** The HTTP status; 0 where no answer came. */
  readonly status?: number;
  /** How long to wait before the next try, milliseconds, as `retry-after` said. */
  readonly retryAfterMs?: number;
  readonly requestId?: string;
  readonly errors?: readonly FieldError[];
  /** The problem body whole, such as a 401's `sign`. */
  readonly body?: unknown;
  readonly cause?: unknown;
}

/**
 * What went wrong, by a code of the one list that `/errors/{code}` documents, and what to do about it. An abort is no
 * such error: the signal's own reason is thrown.
 */
export class HandshakeError extends Error {
  override readonly name = 'HandshakeError';
  readonly code: ClientErrorCode;
  readonly title: string;
  readonly remedy: string;
  /** True when the same request may succeed later without a change. */
  readonly retry: boolean;
  readonly status: number;
  readonly retryAfterMs: number | null;
  readonly requestId: string | null;
  readonly errors: readonly FieldError[];
  readonly body: unknown;

  constructor(code: ClientErrorCode, detail: string, facts: ErrorFacts = {}) {
    super(detail, facts.cause === undefined ? undefined : { cause: facts.cause });
    const { title, remedy, retry } = isServiceCode(code) ? ERRORS[code] : CLIENT_ERRORS[code];
    this.code = code;
    this.title = title;
    this.remedy = remedy;
    this.retry = retry;
    this.status = facts.status ?? 0;
    this.retryAfterMs = facts.retryAfterMs ?? null;
    this.requestId = facts.requestId ?? null;
    this.errors = facts.errors ?? [];
    this.body = facts.body;
  }
}

/** What the service would answer to a field that is wrong, before it is asked. */
export function wrongField(
  path: string,
  message: string,
  { code = 'bad-request', cause }: { code?: ErrorCode; cause?: unknown } = {},
): HandshakeError {
  return new HandshakeError(code, `${path}: ${message}`, { errors: [{ path, message }], cause });
}
