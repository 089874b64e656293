import type { PaymentRequirements } from '@x402/core/types';
import { type Hex, hashTypedData } from 'viem';
import { type Address, sameAddress } from '../../agents/ids.ts';
import { signerOf } from '../../chain/tx/signature.ts';
import type { SentPayment } from './payload.ts';

/** The payment must stay valid at least as long as sending it takes. */
const LEAST_SECONDS = 6n;
/**
 * The longest validity that a payment may have, far longer than any work. It has a limit because an answer whose
 * payment failed is kept until that payment can no longer be carried out.
 */
const MOST_SECONDS = 86_400n + 3_600n;

/**
 * Finds what is wrong with a payment without asking any chain or facilitator.
 * @returns the end of a sentence, or null
 */
export function wrongUnread(
  { signed }: SentPayment,
  requirements: PaymentRequirements,
  now: Date,
): string | null {
  const { to, value, validAfter, validBefore } = signed.authorization;
  const second = BigInt(Math.floor(now.getTime() / 1000));
  if (!sameAddress(to as Address, requirements.payTo as Address)) return 'it does not pay `payTo`';
  if (BigInt(value) !== BigInt(requirements.amount)) return 'it is not for the amount asked';
  if (BigInt(validBefore) < second + LEAST_SECONDS) return 'it has expired, or is about to';
  if (BigInt(validBefore) > second + MOST_SECONDS) return 'it is valid for longer than a day';
  if (BigInt(validAfter) > second) return 'it is not valid yet';
  return null;
}

const TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;

/** The chain whose token the payment moves. */
export function chainOf({ network }: PaymentRequirements): number {
  return Number(network.split(':')[1]);
}

/** What the payer signs: the hash of the authorisation under the token's domain (EIP-712). */
export function digestOf({ signed }: SentPayment, requirements: PaymentRequirements): Hex {
  const { name, version } = requirements.extra as { name: string; version: string };
  const { from, to, value, validAfter, validBefore, nonce } = signed.authorization;
  return hashTypedData({
    domain: {
      name,
      version,
      chainId: chainOf(requirements),
      verifyingContract: requirements.asset as Address,
    },
    types: TYPES,
    primaryType: 'TransferWithAuthorization',
    message: {
      from: from.toLowerCase() as Address,
      to: to.toLowerCase() as Address,
      value: BigInt(value),
      validAfter: BigInt(validAfter),
      validBefore: BigInt(validBefore),
      nonce: nonce as Hex,
    },
  });
}

/**
 * True when the key of the payer's address signed exactly this payment. False proves nothing: the account may be a
 * contract wallet or run code (EIP-7702), whose signatures only the chain can judge.
 */
export function isSignedByKey(payment: SentPayment, requirements: PaymentRequirements): boolean {
  const { signature, authorization } = payment.signed;
  if (signature.length !== 132) return false;
  const signer = signerOf(digestOf(payment, requirements), signature as Hex);
  return signer !== null && sameAddress(signer, authorization.from as Address);
}
