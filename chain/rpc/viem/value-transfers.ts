import type { Hex } from 'viem';
import { type BlockTransfers, ReaderError, type Receipt } from '../reader.ts';
import { requireBytes, requireQuantity } from './wire.ts';

type Told = Readonly<Record<string, unknown>> | null;

/**
 * What the transactions of a block moved and created.
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
  const asked = (block.transactions as Told[]).filter((t) => requireQuantity(t?.value) > 0n || creates(t));
  const found = await Promise.all(
    asked.map(async (t) => {
      const tx = requireBytes(t?.hash);
      const receipt = (await receiptOf(tx)) as Told;
      if (receipt === null || requireBytes(receipt.blockHash) !== block.hash)
        throw new ReaderError('reorganised', `block ${number} changed while it was read`);
      if (requireQuantity(receipt.status) !== 1n) return [];
      const [from, to] = [t?.from, t?.to ?? receipt.contractAddress].map(lower) as [string, string];
      return [{ tx: tx.toLowerCase(), from, to, amount: requireQuantity(t?.value), isNew: creates(t) }];
    }),
  );
  const succeeded = found.flat();
  return {
    number,
    hash: requireBytes(block.hash),
    timestamp: requireQuantity(block.timestamp),
    transfers: succeeded.flatMap(({ isNew: _, ...t }) => (t.amount > 0n ? [t] : [])),
    created: succeeded.flatMap(({ tx, from, to, isNew }) => (isNew ? [{ tx, by: from, contract: to }] : [])),
  };
}

/** @throws ReaderError */
export function readReceipt(answer: unknown): Receipt | null {
  const told = answer as Told;
  if (told === null || requireQuantity(told.status) !== 1n) return null;
  const { contractAddress } = told;
  return {
    block: requireQuantity(told.blockNumber),
    from: lower(told.from),
    created: contractAddress == null ? null : lower(contractAddress),
  };
}

const creates = (t: Told): boolean => (t?.to ?? null) === null;
const lower = (told: unknown): string => requireBytes(told).toLowerCase();
