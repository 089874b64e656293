import { authorizationTypes } from '@x402/evm';
import { sha256Hex } from '../../agents/canonical.ts';

/** One way to pay for a call, as an x402 challenge offers it (version 2, scheme `exact`). */
export interface PaymentOffer {
  readonly network: string;
  readonly asset: string;
  /** In the token's smallest unit; USDC has six decimals. */
  readonly amount: string;
  readonly payTo: string;
  readonly maxTimeoutSeconds: number;
  readonly extra: { readonly name: string; readonly version: string };
}

/** A payment that waits for its payer's signature. */
export interface PaymentDraft {
  readonly accepted: PaymentOffer;
  /** EIP-3009. */
  readonly authorization: {
    readonly from: string;
    readonly to: string;
    readonly value: string;
    readonly validAfter: string;
    readonly validBefore: string;
    readonly nonce: string;
  };
}

/**
 * Makes the payment that the payer is to sign.
 * @param unique a text that was never used before; the nonce is made from it
 */
export function draftPayment(accepted: PaymentOffer, payer: string, now: Date, unique: string): PaymentDraft {
  const until = Math.floor(now.getTime() / 1000) + accepted.maxTimeoutSeconds;
  return {
    accepted,
    authorization: {
      from: payer,
      to: accepted.payTo,
      value: accepted.amount,
      validAfter: '0',
      validBefore: String(until),
      nonce: `0x${sha256Hex(unique)}`,
    },
  };
}

/** What the payer signs: the transfer in the form that the token checks (EIP-712). */
export function paymentDocument({ accepted, authorization }: PaymentDraft) {
  return {
    domain: {
      name: accepted.extra.name,
      version: accepted.extra.version,
      chainId: Number(accepted.network.split(':')[1]),
      verifyingContract: accepted.asset,
    },
    types: authorizationTypes,
    primaryType: 'TransferWithAuthorization',
    message: authorization,
  };
}

/** Encodes what waits for a signature, so that the page can send it back with the signature. */
export function packed(draft: object): string {
  return Buffer.from(JSON.stringify(draft)).toString('base64');
}

/**
 * Makes the `PAYMENT-SIGNATURE` out of an encoded draft; null when it cannot be read. The payment gate checks the rest.
 */
export function signedPayment(carried: string, signature: string): string | null {
  try {
    const { accepted, authorization } = JSON.parse(Buffer.from(carried, 'base64').toString()) as PaymentDraft;
    const payment = { x402Version: 2, accepted, payload: { signature, authorization } };
    return Buffer.from(JSON.stringify(payment)).toString('base64');
  } catch {
    return null;
  }
}
