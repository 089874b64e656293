import { authorizationTypes } from '@x402/evm';
import { sha256Hex } from '../../agents/canonical.ts';

/** One way to pay a call, as an x402 challenge offers it (version 2, scheme `exact`). */
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
 * The payment of an offer by a payer, to be signed.
 * @param unique a text that was never used before: of it the nonce is made
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

/** What the payer signs: the transfer as the token checks it (EIP-712). */
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

/** How a page carries a draft to where its signature comes back. */
export function packed(draft: PaymentDraft): string {
  return Buffer.from(JSON.stringify(draft)).toString('base64');
}

/** The `PAYMENT-SIGNATURE` of a carried draft; null when it is none. The payment gate judges what it says. */
export function signedPayment(carried: string, signature: string): string | null {
  try {
    const { accepted, authorization } = JSON.parse(Buffer.from(carried, 'base64').toString()) as PaymentDraft;
    const payment = { x402Version: 2, accepted, payload: { signature, authorization } };
    return Buffer.from(JSON.stringify(payment)).toString('base64');
  } catch {
    return null;
  }
}
