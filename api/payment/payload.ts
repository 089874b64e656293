import { decodePaymentSignatureHeader } from '@x402/core/http';
import { type PaymentPayloadV2, parsePaymentPayload } from '@x402/core/schemas';
import { isValidPaymentId, PAYMENT_IDENTIFIER } from '@x402/extensions/payment-identifier';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { canonicalJson, sha256Hex } from '../../agents/canonical.ts';
import type { PaymentBinding } from '../../store/payments.ts';
import type { Request } from '../app.ts';

/** `exact` on an EVM chain by EIP-3009: the one form of payment that the challenge asks for. */
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
const eip3009 = Compile(Eip3009);
type Eip3009 = Static<typeof Eip3009>;

/** A payment as the client sent it, well formed and nothing more. */
export interface SentPayment {
  readonly payload: PaymentPayloadV2;
  readonly signed: Eip3009;
  /** What the payer calls the purchase, where it does (x402's extension `payment-identifier`). */
  readonly identifier: string | null;
}

/** Reads the `PAYMENT-SIGNATURE` header. @returns what is wrong with it, as the end of a sentence, when it is no payment */
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
  if (!eip3009.Check(payload.payload)) return 'its payload is not a signed EIP-3009 authorization';
  const identifier = identifierOf(payload);
  if (identifier === undefined) {
    return 'its payment-identifier is not of 16 to 128 letters, digits, hyphens and underscores';
  }
  return { payload, signed: payload.payload, identifier };
}

/** Null when there is none, undefined when it is none. */
function identifierOf({ extensions }: PaymentPayloadV2): string | null | undefined {
  const extension = extensions?.[PAYMENT_IDENTIFIER] as { info?: { id?: unknown } } | undefined;
  const id = extension?.info?.id;
  if (id === undefined) return null;
  return typeof id === 'string' && isValidPaymentId(id) ? id : undefined;
}

const LAST_SECOND = 253_402_300_799n;

/** The payment's id, and the one request that it may pay for: method, path with query string, and body. */
export function bindPayment(request: Request, { payload, signed, identifier }: SentPayment): PaymentBinding {
  const { from, nonce, value, validBefore } = signed.authorization;
  const { network, asset } = payload.accepted;
  const payer = from.toLowerCase();
  const until = BigInt(validBefore) < LAST_SECOND ? BigInt(validBefore) : LAST_SECOND;
  return {
    paymentId: `${network}:${payer}:${nonce}`.toLowerCase(),
    network,
    payer,
    nonce: nonce.toLowerCase(),
    method: request.method,
    path: request.url,
    bodyHash: sha256Hex(request.rawBody),
    proof: sha256Hex(canonicalJson(signed).toLowerCase()),
    amount: BigInt(value),
    asset: asset.toLowerCase(),
    validBefore: new Date(Number(until) * 1000),
    identifier,
  };
}
