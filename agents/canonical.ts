import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';

export type Hex = `0x${string}`;

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/**
 * Canonical JSON (RFC 8785, JCS): keys sorted by UTF-16 code units, no white space, ECMAScript numbers.
 * Members that are `undefined` are left out, as in JSON.stringify. A bigint must be turned into a string first.
 * @throws TypeError for a number that JSON cannot carry, or a bigint
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError('canonical JSON carries finite numbers only');
    return JSON.stringify(value);
  }
  if (Array.isArray(value))
    return `[${value.map((v) => canonicalJson(v === undefined ? null : v)).join(',')}]`;
  if (typeof value === 'object') {
    const members = value as Readonly<Record<string, unknown>>;
    let text = '';
    // Without a comparer, text is sorted by its UTF-16 code units.
    for (const key of Object.keys(members).sort()) {
      const member = members[key];
      if (member !== undefined)
        text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(member)}`;
    }
    return `{${text}}`;
  }
  throw new TypeError(`canonical JSON cannot carry a ${typeof value}`);
}

let hash256: (data: Uint8Array) => Uint8Array = keccak_256;

/** Has `keccak` compute by another implementation of the same function from now on, where there is a faster one. */
export function keccakBy(implementation: (data: Uint8Array) => Uint8Array): void {
  hash256 = implementation;
}

/** keccak-256 of UTF-8 text or bytes, as the EVM computes it. */
export function keccak(data: string | Uint8Array): Hex {
  return `0x${bytesToHex(hash256(typeof data === 'string' ? utf8ToBytes(data) : data))}`;
}

/** sha-256 of UTF-8 text or bytes, hex without prefix. */
export function sha256Hex(data: string | Uint8Array): string {
  return bytesToHex(sha256(typeof data === 'string' ? utf8ToBytes(data) : data));
}

export function fromHex(hex: Hex): Uint8Array {
  return hexToBytes(hex.slice(2));
}

/** The hash of a structured document: keccak-256 over its canonical JSON. */
export function documentHash(document: unknown): Hex {
  return keccak(canonicalJson(document));
}

/** @returns null for what is no JSON */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
