import { type Hex, hashTypedData, type TypedDataDefinition } from 'viem';
import { keccak } from '../../agents/canonical.ts';

/**
 * Owners are wallets with a number. They sign the EIP-712 digest of the real documents. A signature is a hash that is
 * unique to its owner and digest, and the owner's wallet confirms it (ERC-1271).
 */

export function ownerAddress(n: number): string {
  return keccak(`owner ${n}`).slice(0, 42);
}

export function signAsOwner(owner: string, document: object): Hex {
  return ownerSignature(owner, hashTypedData(document as TypedDataDefinition));
}

/** Has a length that no key's signature has, so that the wallet is asked. */
export function ownerSignature(owner: string, digest: Hex): Hex {
  return keccak(`${owner.toLowerCase()} signs ${digest}`);
}
