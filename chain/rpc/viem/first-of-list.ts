import { type Hex, hexToBigInt, numberToHex, size } from 'viem';

const HEAD = numberToHex(32, { size: 32 });

/**
 * The encoded list of a list's first elements, each of one word: a decoder takes time for each.
 * @throws Error when it is no list, or is shorter than it says
 */
export function firstOfList(answer: Hex, most: number): Hex {
  const wordAt = (byte: bigint) => hexToBigInt(`0x${digits(byte, 32)}`);
  const digits = (byte: bigint, bytes: number) => {
    if (byte + BigInt(bytes) > BigInt(size(answer))) throw new Error('the list is shorter than it says');
    const from = 2 + 2 * Number(byte);
    return answer.slice(from, from + 2 * bytes);
  };
  const start = wordAt(0n);
  const count = wordAt(start);
  const end = start + 32n + 32n * count;
  if (end > BigInt(size(answer))) throw new Error('the list is shorter than it says');
  const taken = count > BigInt(most) ? most : Number(count);
  return `${HEAD}${numberToHex(taken, { size: 32 }).slice(2)}${digits(start + 32n, 32 * taken)}`;
}
