import { badField } from './errors.ts';

const HANDLE = /^[a-z0-9](?:[a-z0-9-]{1,30}[a-z0-9])$/;

/** Handles that are words of the interface itself. */
export const RESERVED_HANDLES: readonly string[] = ['checkout', 'directory'];

/** @throws AppError bad-request naming `handle` */
export function requireHandle(value: string, path = 'handle'): string {
  if (!HANDLE.test(value)) {
    throw badField(path, 'must be 3 to 32 of a-z, 0-9 and hyphen, not starting or ending with a hyphen');
  }
  if (RESERVED_HANDLES.includes(value)) throw badField(path, `"${value}" is reserved: choose another`);
  return value;
}

export type Address = `0x${string}`;

/** The zero address: tokens are minted from it, and who is not there is told as it. */
export const NOBODY: Address = `0x${'0'.repeat(40)}`;

const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/;

export function isEvmAddress(value: string): value is Address {
  return EVM_ADDRESS.test(value);
}

/** Two addresses are the same account whatever the case they are written in (EIP-55 is a checksum only). */
export function sameAddress(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

export function lowerAddress(value: string): Address {
  return value.toLowerCase() as Address;
}
