/**
 * The one list of error codes. A code decides its HTTP status and in which cases it has another, its title, whether a caller may simply try
 * again, and what its documentation page (`/errors/{code}`) says. Statuses: RFC 9110; problem bodies: RFC 9457.
 */
interface ErrorKind {
  readonly status: number;
  readonly title: string;
  /** True when the same request may succeed later without a change. */
  readonly retry: boolean;
  readonly remedy: string;
  /** Statuses that it has in cases of their own. */
  readonly also: readonly OtherStatus[];
}

interface OtherStatus {
  readonly status: number;
  /** In which case, to be read after the status. */
  readonly when: string;
}

const kind = (
  status: number,
  title: string,
  remedy: string,
  retry = false,
  also: readonly OtherStatus[] = [],
): ErrorKind => ({ status, title, retry, remedy, also });

export const ERRORS = {
  'bad-request': kind(
    400,
    'The request is not valid',
    'Correct the fields named in `errors` and send it again.',
  ),
  'address-missing': kind(400, 'No address was given', 'Add `address`, an EVM or a Solana address.'),
  'address-malformed': kind(
    400,
    'The address cannot be read',
    'Give 0x and 40 hex digits, or a Solana base58 address of 32 bytes.',
  ),
  'unknown-category': kind(400, 'No such goods category', 'Use one of the six categories of the service.'),
  'no-facts': kind(
    400,
    'No determination can run on these facts',
    'Supply every fact of at least one determination.',
  ),
  'webhook-signature-invalid': kind(
    400,
    'The webhook signature does not verify',
    'Sign the raw body with a current secret and a fresh timestamp.',
  ),
  'signature-required': kind(
    401,
    'An owner signature is required',
    'Sign `sign.message` with the wallet named there and send the same body with `Authorization: EIP191`.',
  ),
  'signature-invalid': kind(
    401,
    'The owner signature does not verify',
    'Sign the exact message with the wallet it names, for this method, path and body.',
  ),
  'signature-used': kind(401, 'This signature was used before', 'Ask for a new message and sign that one.'),
  'signature-expired': kind(401, 'This signature has expired', 'Ask for a new message and sign that one.'),
  'payment-required': kind(402, 'Payment is required', 'Pay by x402 version 2 as the challenge says.'),
  'payment-invalid': kind(
    402,
    'The payment is not valid',
    'Sign a fresh payment for the challenge given here.',
  ),
  'settlement-failed': kind(
    402,
    'The payment did not settle',
    'Nothing was delivered and nothing was charged: sign a fresh payment.',
  ),
  'not-owner': kind(
    403,
    'This wallet has no say in it',
    'Sign with the wallet that it belongs to or is about, such as the current on-chain owner of an agent: `detail` says whose.',
  ),
  'operator-key-invalid': kind(
    403,
    'The operator key is not known',
    'Present a current key as a bearer token.',
  ),
  'not-found': kind(404, 'There is no such thing here', 'Check the handle or the id.'),
  'agent-not-active': kind(409, 'The agent is not active', 'Resume the agent, or wait until it is minted.'),
  'double-pledge': kind(
    409,
    'The asset is already pledged or listed',
    'Release the other pledge or listing, named in `detail`, first.',
  ),
  'not-listed': kind(
    409,
    'The asset is not listed',
    'Prove control on chain: deposit it into the agent account, or sign as its owner.',
  ),
  disputed: kind(
    409,
    'The certificate is held by a dispute',
    'Wait until the hold named in `detail` has ended or the dispute is decided.',
  ),
  conflict: kind(
    409,
    'The request conflicts with the present state',
    'Read the present state and try again.',
    false,
    [{ status: 422, when: 'where an Idempotency-Key came with another body' }],
  ),
  'too-large': kind(413, 'The request is too large', 'Send at most 64 KiB, and 32 KiB of headers.', false, [
    { status: 431, when: 'where its headers are' },
  ]),
  'mandate-refused': kind(
    422,
    'The mandate cannot be enforced as written',
    'Answer the questions in `questions`.',
  ),
  'too-hard': kind(
    422,
    'The text is too hard to read',
    'State it in a few plain sentences: `questions` says what is asked.',
  ),
  'mandate-exceeded': kind(
    422,
    'The mandate does not allow this',
    'Stay inside the limit named in `detail`.',
  ),
  'relay-budget': kind(
    429,
    'The service relays no more for this wallet or agent now',
    'Send the transaction in `call` yourself, from any account, or wait as long as `retry-after` says.',
    true,
  ),
  'rate-limited': kind(429, 'Too many requests', 'Wait as long as `retry-after` says.', true),
  internal: kind(500, 'The service failed', 'Try again; if it stays, report the request id.', true),
  timeout: kind(
    503,
    'The request took too long',
    'Nothing was written: try again, and what is paid for with the same payment.',
    true,
    [{ status: 408, when: 'where it did not come whole in time' }],
  ),
  'gas-budget': kind(
    503,
    'Payments of this kind of wallet are exhausted for now',
    'Wait as long as `retry-after` says, or pay from an account that a key holds.',
    true,
  ),
  unavailable: kind(
    503,
    'A part of the service is unavailable',
    'Try again later; `/health` names the part.',
    true,
  ),
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof ERRORS;

/** Every status that a code is answered with, its own first. */
export function statusesOf(code: ErrorCode): readonly number[] {
  const { status, also } = ERRORS[code];
  return [status, ...also.map((other) => other.status)];
}

export function isServiceCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(ERRORS, code);
}

/** A field of the request that is wrong: where it stands and what to do about it. */
export interface FieldError {
  readonly path: string;
  readonly message: string;
}

/**
 * What the state of things does not allow: the reason, from the one list, in a sentence and with facts. It knows nothing of
 * HTTP; whoever answers a request makes the wire's error of it.
 */
export class Refusal extends Error {
  override readonly name: string = 'Refusal';
  readonly code: ErrorCode;
  readonly errors: readonly FieldError[];
  readonly extra: Readonly<Record<string, unknown>>;

  constructor(
    code: ErrorCode,
    detail: string,
    options: { errors?: readonly FieldError[]; extra?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    // It is an answer and no fault: nobody reads where it was made, and to find that out costs more than the rest.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.code = code;
    this.errors = options.errors ?? [];
    this.extra = options.extra ?? {};
  }
}

/** An error the caller can act on. `detail` is a sentence; `extra` members join the problem body. */
export class AppError extends Refusal {
  override readonly name = 'AppError';
  /** The code's status, or one of those that the list has for it beside. */
  readonly status: number;

  constructor(
    code: ErrorCode,
    detail: string,
    options: {
      errors?: readonly FieldError[];
      extra?: Record<string, unknown>;
      cause?: unknown;
      status?: number;
    } = {},
  ) {
    super(code, detail, options);
    this.status = options.status ?? ERRORS[code].status;
    if (!statusesOf(code).includes(this.status)) throw new TypeError(`${code} has no status ${this.status}`);
  }
}

/** The wire's error of a refusal. */
export function onWire(refusal: Refusal): AppError {
  if (refusal instanceof AppError) return refusal;
  const { code, message, errors, extra, cause } = refusal;
  return new AppError(code, message, { errors, extra: { ...extra }, cause });
}

/** A 400 that names one field and its remedy. */
export function badField(path: string, message: string): AppError {
  return new AppError('bad-request', `${path}: ${message}`, { errors: [{ path, message }] });
}
