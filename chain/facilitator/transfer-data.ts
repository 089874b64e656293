import type { PaymentPayload } from '@x402/core/types';
import {
  type Address,
  encodeFunctionData,
  getAddress,
  type Hex,
  parseErc6492Signature,
  parseSignature,
  size,
} from 'viem';

const EIP3009 = [
  {
    type: 'function',
    name: 'transferWithAuthorization',
    stateMutability: 'nonpayable',
    inputs: [
      ...plain(),
      { name: 'v', type: 'uint8' },
      { name: 'r', type: 'bytes32' },
      { name: 's', type: 'bytes32' },
    ],
    outputs: [],
  },
  {
    type: 'function',
    name: 'transferWithAuthorization',
    stateMutability: 'nonpayable',
    inputs: [...plain(), { name: 'signature', type: 'bytes' }],
    outputs: [],
  },
] as const;

function plain() {
  return [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ] as const;
}

/** The signed part of an EIP-3009 payment, as x402 transmits it. */
export interface SignedTransfer {
  readonly signature: Hex;
  readonly authorization: {
    readonly from: Address;
    readonly to: Address;
    readonly value: string;
    readonly validAfter: string;
    readonly validBefore: string;
    readonly nonce: Hex;
  };
}

/** What a payer claims to have signed. Nothing is checked here: the SDK checks it, and refuses what it cannot read. */
export function signedTransferOf({ payload }: PaymentPayload): SignedTransfer {
  const { signature, authorization } = payload;
  return { signature: signature as Hex, authorization: authorization as SignedTransfer['authorization'] };
}

/**
 * The call that settles a payment, encoded as the x402 SDK encodes it: a signature of 65 bytes uses the overload with
 * `v, r, s`, any other the overload with bytes.
 */
export function transferData({ signature, authorization }: SignedTransfer): Hex {
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  const inner = parseErc6492Signature(signature).signature;
  const signed: readonly [Address, Address, bigint, bigint, bigint, Hex] = [
    getAddress(from),
    getAddress(to),
    BigInt(value),
    BigInt(validAfter),
    BigInt(validBefore),
    nonce,
  ];
  if (size(inner) !== 65) {
    return encodeFunctionData({ abi: [EIP3009[1]], args: [...signed, inner] });
  }
  const { r, s, v, yParity } = parseSignature(inner);
  return encodeFunctionData({ abi: [EIP3009[0]], args: [...signed, Number(v ?? yParity), r, s] });
}
