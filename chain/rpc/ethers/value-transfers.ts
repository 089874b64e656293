import type { JsonRpcProvider, TransactionReceipt } from 'ethers';
import { type BlockTransfers, type Hex, ReaderError, type Receipt } from '../reader.ts';

/** What the transactions of a block moved and created. @throws ReaderError */
export async function moneyMoved(provider: JsonRpcProvider, number: bigint): Promise<BlockTransfers> {
  const block = await provider.getBlock(number, true);
  if (block?.hash == null) throw new ReaderError('reorganised', `the node does not have block ${number}`);
  if (BigInt(block.number) !== number) throw new ReaderError('down', 'the node answers another block');
  const asked = block.prefetchedTransactions.filter((t) => t.value > 0n || t.to === null);
  const receipts = await Promise.all(asked.map((t) => provider.getTransactionReceipt(t.hash)));
  const succeeded = asked.flatMap((t, i) => {
    const receipt = receipts[i];
    if (receipt?.blockHash !== block.hash)
      throw new ReaderError('reorganised', `block ${number} changed while it was read`);
    if (receipt.status !== 1) return [];
    const to = t.to ?? receipt.contractAddress;
    if (to === null) throw new ReaderError('down', 'a transaction without a receiver');
    const found = { tx: t.hash.toLowerCase(), from: t.from.toLowerCase(), to: to.toLowerCase() };
    return [{ ...found, amount: t.value, creates: t.to === null }];
  });
  return {
    ...{ number, hash: block.hash as Hex, timestamp: BigInt(block.timestamp) },
    transfers: succeeded
      .filter((t) => t.amount > 0n)
      .map(({ tx, from, to, amount }) => ({ tx, from, to, amount })),
    created: succeeded.filter((t) => t.creates).map(({ tx, from, to }) => ({ tx, by: from, contract: to })),
  };
}

/** As {@link Receipt}, of a transaction that succeeded. */
export function receiptOf(told: TransactionReceipt | null): Receipt | null {
  if (told === null || told.status !== 1) return null;
  return {
    block: BigInt(told.blockNumber),
    from: told.from.toLowerCase(),
    created: told.contractAddress?.toLowerCase() ?? null,
  };
}
