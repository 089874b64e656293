import { getBigInt, toBeHex } from 'ethers';

const DIGITS = 64;

/**
 * What stands first in an encoded list of words, as a list of at most so many. Ethers checks a whole list before it gives
 * out the first of it.
 * @throws Error when it is none, or is not all there
 */
export function listHead(answer: string, most: number): string {
  const bare = answer.substring(2);
  const at = placeOf(bare, 0);
  const counted = getBigInt(`0x${bare.substring(at, at + DIGITS)}`);
  const elements = bare.substring(at + DIGITS);
  if (at + DIGITS > bare.length || counted * BigInt(DIGITS) > BigInt(elements.length))
    throw new Error('the list is not all there');
  const kept = counted < BigInt(most) ? Number(counted) : most;
  return toBeHex(DIGITS / 2, 32) + toBeHex(kept, 32).substring(2) + elements.substring(0, kept * DIGITS);
}

/** Where the digits begin that a word points at. */
function placeOf(bare: string, at: number): number {
  const bytes = getBigInt(`0x${bare.substring(at, at + DIGITS)}`);
  if (bare.length < DIGITS || bytes > BigInt(bare.length)) throw new Error('it points beyond its end');
  return Number(bytes) * 2;
}
