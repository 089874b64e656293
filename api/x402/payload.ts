import { decodePaymentSignatureHeader } from '@x402/core/http';
import { type PaymentPayloadV2, parsePaymentPayload } from '@x402/core/schemas';
import { isValidPaymentId, PAYMENT_IDENTIFIER } from '@x402/extensions/payment-identifier';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { canonicalJson, sha256Hex } from '../../agents/canonical.ts';
import { type NamedRequest, type PaymentBinding, purchaseKey } from '../../store/payments/payments.ts';
import type { Request } from '../http/app.ts';

/** `exact` on an EVM chain by EIP-3009, the only form of payment that the challenge offers. */
const Eip3009 = Type.Object({
  signature: Type.String({ pattern: '^0x(?:[0-9a-fA-F]{2}){65,6000}$' }),
  authorization: Type.Object({
    from: Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' }),
    to: Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' }),
    value: Type.String({ pattern: '^(?:0|[1-9][0-9]{0,77})$' }),
    validAfter: Type.String({ pattern: '^(?:0|[1-9][0-9]{0,77})$' }),
    validBefore: Type.String({ pattern: '^(?:0|[1-9][0-9]{0,77})$' }),
    nonce: Type.String({ pattern: '^0x[0-9a-fA-F]{64}$' }),
  }),
});
/** CAIP-2. The payment is looked for by it before it is compared with what was asked for. */
const NETWORK = /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/;
const eip3009 = Compile(Eip3009);
type Eip3009 = Static<typeof Eip3009>;

/** A payment as the client sent it: its form was checked, and nothing else. */
export interface SentPayment {
  readonly payload: PaymentPayloadV2;
  readonly signed: Eip3009;
  /** The payer's own id for the purchase (x402's extension `payment-identifier`); null when there is none. */
  readonly identifier: string | null;
}

/**
 * Reads the `PAYMENT-SIGNATURE` header.
 * @returns the end of a sentence that says what is wrong, when it is no payment
 */
export function readPayment(header: string | string[]): SentPayment | string {
  if (typeof header !== 'string') return 'PAYMENT-SIGNATURE came more than once';
  let decoded: unknown;
  try {
    decoded = decodePaymentSignatureHeader(header);
  } catch {
    return 'PAYMENT-SIGNATURE is not base64 of JSON';
  }
  const parsed = parsePaymentPayload(decoded);
  if (!parsed.success) return 'PAYMENT-SIGNATURE is not a payment payload of x402 version 2';
  const payload = parsed.data;
  if (payload.x402Version !== 2) return 'only x402 version 2 is taken';
  if (!NETWORK.test(payload.accepted.network)) return 'its network is none by CAIP-2';
  if (!eip3009.Check(payload.payload)) return 'its payload is not a signed EIP-3009 authorization';
  const identifier = identifierOf(payload);
  if (identifier === undefined) {
    return 'its payment-identifier is not of 16 to 128 letters, digits, hyphens and underscores';
  }
  return { payload, signed: payload.payload, identifier };
}

/** @returns null when the payment carries no identifier, undefined when the identifier is malformed */
function identifierOf({ extensions }: PaymentPayloadV2): string | null | undefined {
  const extension = extensions?.[PAYMENT_IDENTIFIER] as { info?: { id?: unknown } } | undefined;
  const id = extension?.info?.id;
  if (id === undefined) return null;
  return typeof id === 'string' && isValidPaymentId(id) ? id : undefined;
}

const LAST_SECOND = 253_402_300_799n;

/** Works out the payment's id and the one request that it may pay for: method, path with query string, and body. */
export function bindPayment(request: Request, { payload, signed, identifier }: SentPayment): PaymentBinding {
  const { from, to, nonce, value, validAfter, validBefore } = signed.authorization;
  const { network, asset } = payload.accepted;
  const payer = from.toLowerCase();
  const { method, url: path } = request;
  const named = namedRequest(request);
  return {
    paymentId: `${network}:${payer}:${nonce}`.toLowerCase(),
    network,
    payer,
    nonce: nonce.toLowerCase(),
    method,
    path,
    bodyHash: sha256Hex(request.rawBody),
    proof: sha256Hex(canonicalJson(signed).toLowerCase()),
    amount: BigInt(value),
    asset: asset.toLowerCase(),
    payTo: to.toLowerCase(),
    validAfter: timeOf(validAfter),
    validBefore: timeOf(validBefore),
    // The identifier is the payer's secret, so only its hash is kept: whoever reads the database does not learn it.
    identifier: identifier === null ? null : sha256Hex(`${payer}:${identifier}`),
    idempotencyKey: named === null ? null : purchaseKey(payer, named),
  };
}

/** @returns null where it has no `Idempotency-Key` that counts */
export function namedRequest({ method, url: path, rawBody, headers }: Request): NamedRequest | null {
  const key = headers['idempotency-key'];
  return method === 'POST' && typeof key === 'string'
    ? { method, path, bodyHash: sha256Hex(rawBody), key }
    : null;
}

function timeOf(seconds: string): Date {
  return new Date(Number(BigInt(seconds) < LAST_SECOND ? BigInt(seconds) : LAST_SECOND) * 1000);
}
