import { keccak } from '../../canonical.ts';

/** Reads of ABI-encoded data, word by word. Data that is too short reads as zeros, as the EVM reads it. */

/** keccak-256 of an event's signature. */
export const topic = (signature: string): string => keccak(signature);

/** The first four bytes of keccak-256 of a function's signature. */
export const selector = (signature: string): string => keccak(signature).slice(0, 10);

/** @param bare hex without 0x */
export function wordAt(bare: string, index: number): string {
  return bare.slice(64 * index, 64 * index + 64).padEnd(64, '0');
}

export const numberIn = (word: string): bigint => BigInt(`0x${word.replace(/^0x/, '').padStart(1, '0')}`);

export const addressIn = (word: string): string =>
  `0x${word.replace(/^0x/, '').padStart(40, '0').slice(-40)}`;

/** All numbers that are there of a dynamic array whose offset is the argument `index`: an array may say that it is longer. */
export function numbersAt(bare: string, index: number): bigint[] {
  const at = Number(numberIn(wordAt(bare, index)) / 32n);
  if (!Number.isSafeInteger(at) || at * 64 > bare.length) return [];
  const count = Number(numberIn(wordAt(bare, at)));
  const there = Math.max(0, Math.ceil(bare.length / 64) - at - 1);
  return Array.from({ length: Math.min(count, there) }, (_, i) => numberIn(wordAt(bare, at + 1 + i)));
}
