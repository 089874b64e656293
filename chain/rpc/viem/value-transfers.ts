import type { Hex } from 'viem';
import { type BlockTransfers, ReaderError, type ValueTransfer } from '../reader.ts';
import { requireBytes, requireQuantity } from './wire.ts';

type Told = Readonly<Record<string, unknown>> | null;

/**
 * What the transactions of a block moved.
 * @param told the node's block with whole transactions
 * @param receiptOf asks for one receipt
 * @throws ReaderError
 */
export async function moved(
  number: bigint,
  told: unknown,
  receiptOf: (hash: Hex) => Promise<unknown>,
): Promise<BlockTransfers> {
  const block = told as Told;
  if (block === null || block.hash === null || !Array.isArray(block.transactions))
    throw new ReaderError('reorganised', `the node does not have block ${number}`);
  if (requireQuantity(block.number) !== number)
    throw new ReaderError('down', 'the node answers another block');
  const paying = (block.transactions as Told[]).filter((t) => requireQuantity(t?.value) > 0n);
  const transfers = await Promise.all(
    paying.map(async (t): Promise<ValueTransfer[]> => {
      const tx = requireBytes(t?.hash);
      const receipt = (await receiptOf(tx)) as Told;
      if (receipt === null || requireBytes(receipt.blockHash) !== block.hash)
        throw new ReaderError('reorganised', `block ${number} changed while it was read`);
      if (requireQuantity(receipt.status) !== 1n) return [];
      const [from, to] = [t?.from, t?.to ?? receipt.contractAddress].map((a) =>
        requireBytes(a).toLowerCase(),
      );
      return [{ tx: tx.toLowerCase(), from: from!, to: to!, amount: requireQuantity(t?.value) }];
    }),
  );
  return {
    number,
    hash: requireBytes(block.hash),
    timestamp: requireQuantity(block.timestamp),
    transfers: transfers.flat(),
  };
}
