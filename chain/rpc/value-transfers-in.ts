import type { BlockTransfers, ChainReader } from './reader.ts';

/**
 * What was moved in each of these blocks, both ends included, in their order. All are asked for at once, so that only one that
 * is alone may be of any length.
 * @throws ReaderError
 */
export function valueTransfersIn(
  reader: ChainReader,
  fromBlock: bigint,
  toBlock: bigint,
): Promise<BlockTransfers[]> {
  const numbers = Array.from({ length: Number(toBlock - fromBlock) + 1 }, (_, i) => fromBlock + BigInt(i));
  const alone = numbers.length === 1;
  return Promise.all(numbers.map((number) => reader.valueTransfers(number, { alone })));
}
