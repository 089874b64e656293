import { keccak } from '../../canonical.ts';
import { AppError } from '../../errors.ts';
import { isEvmAddress } from '../../ids.ts';

export type WalletAddress =
  /** `key` is the spelling that registers and records use: lower case for EVM, as given for Solana. */
  | { readonly type: 'evm'; readonly given: `0x${string}`; readonly key: string }
  | { readonly type: 'solana'; readonly given: string; readonly key: string };

/**
 * Reads an EVM address (0x and 40 hex digits, any case) or a Solana one (base58 of 32 bytes).
 * @throws AppError address-malformed
 */
export function readAddress(text: string): WalletAddress {
  const address = tryAddress(text);
  if (address !== null) return address;
  const message = instead(text);
  throw new AppError('address-malformed', `address: ${message}`, { errors: [{ path: 'address', message }] });
}

const ASKABLE = '0x and 40 hex digits, or a Solana base58 address of 32 bytes';

/** What to ask in place of a text that is no address. The text itself is not repeated. */
function instead(text: string): string {
  const given = text.trim().toLowerCase();
  if (/^[a-z][a-z\d+.-]*:\/\//.test(given))
    return `a URL cannot be asked about: give the address that it pays to or shows, ${ASKABLE}`;
  if (/^eip155:|^solana:/.test(given))
    return `leave the chain out of the address, and give it as chainId: ${ASKABLE}`;
  if (/^(?:[\p{L}\p{N}-]{1,63}\.)+[\p{L}]{2,63}$/u.test(given))
    return `a name cannot be asked about, because whose it is changes: resolve it in your wallet, and give the address it shows, ${ASKABLE}`;
  if (/^\p{L}[\p{L}\p{M}.'’-]*(?:,? [\p{L}\p{M}\p{N}&(][\p{L}\p{M}\p{N}.,'’&()-]*)+$/u.test(given))
    return `a person or a company cannot be asked about by name, because one name is many people's: give the address that they use, ${ASKABLE}; whose it is, where a list of sanctions says so, stands in the answer`;
  if (/^@?[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$/.test(given) && !/^0x|\d{5}/.test(given))
    return `must be ${ASKABLE}; an agent's account stands at /agent/{handle}`;
  if (/^(?:0x)?[0-9a-f]{64}$/.test(given))
    return 'this is 32 bytes, such as a transaction hash or a private key, which nobody must be given: an address has 20';
  return `must be ${ASKABLE}`;
}

export function tryAddress(text: string): WalletAddress | null {
  if (isEvmAddress(text)) return { type: 'evm', given: text, key: text.toLowerCase() };
  // 32 bytes are 32 to 44 base58 digits; longer input is refused before any arithmetic.
  if (text.length >= 32 && text.length <= 44 && base58Bytes(text)?.length === 32) {
    return { type: 'solana', given: text, key: text };
  }
  return null;
}

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Base58 as Bitcoin and Solana write it; null for a character outside the alphabet. */
export function base58Bytes(text: string): Uint8Array | null {
  let value = 0n;
  for (const character of text) {
    const digit = ALPHABET.indexOf(character);
    if (digit < 0) return null;
    value = value * 58n + BigInt(digit);
  }
  const bytes: number[] = [];
  for (; value > 0n; value >>= 8n) bytes.unshift(Number(value & 255n));
  const zeros = /^1*/.exec(text)![0].length;
  return new Uint8Array([...new Array<number>(zeros).fill(0), ...bytes]);
}

/** The EIP-55 spelling of an address. */
export function checksumAddress(address: string): string {
  const bare = address.slice(2).toLowerCase();
  const hash = keccak(bare).slice(2);
  return `0x${[...bare].map((c, i) => (Number.parseInt(hash[i]!, 16) >= 8 ? c.toUpperCase() : c)).join('')}`;
}
