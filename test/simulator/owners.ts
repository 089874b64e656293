import { type Hex, hashTypedData, type TypedDataDefinition } from 'viem';
import { keccak } from '../../agents/canonical.ts';

/**
 * Owners are wallets, told by a number. They sign what they are really given, over its EIP-712 digest; what a key would
 * compute over it is here a hash that no other owner and no other digest has, and their wallets vouch for it (ERC-1271).
 */

export function ownerAddress(n: number): string {
  return keccak(`owner ${n}`).slice(0, 42);
}

export function signAsOwner(owner: string, document: object): Hex {
  return ownerSignature(owner, hashTypedData(document as TypedDataDefinition));
}

/** Of no key's length, so that it is the wallet that is asked. */
export function ownerSignature(owner: string, digest: Hex): Hex {
  return keccak(`${owner.toLowerCase()} signs ${digest}`);
}
