import { isHexString } from 'ethers';
import type { Hex } from '../reader.ts';

/**
 * Bytes as a node writes them, in lower case. Ethers' `hexlify` would take whole code apart byte by byte.
 * @param size in bytes; any when left out
 * @throws Error when it is no hex, or of another size
 */
export function bytesIn(answer: string, size: number | true = true): Hex {
  if (!isHexString(answer, size)) throw new Error('the answer is no hex of the size that was asked for');
  return answer.toLowerCase() as Hex;
}
