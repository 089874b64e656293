import type { JsonRpcProvider } from 'ethers';
import { type BlockTransfers, type Hex, ReaderError } from '../reader.ts';

/** What the transactions of a block moved. @throws ReaderError */
export async function moneyMoved(provider: JsonRpcProvider, number: bigint): Promise<BlockTransfers> {
  const block = await provider.getBlock(number, true);
  if (block?.hash == null) throw new ReaderError('reorganised', `the node does not have block ${number}`);
  if (BigInt(block.number) !== number) throw new ReaderError('down', 'the node answers another block');
  const paying = block.prefetchedTransactions.filter((t) => t.value > 0n);
  const receipts = await Promise.all(paying.map((t) => provider.getTransactionReceipt(t.hash)));
  const transfers = paying.flatMap((t, i) => {
    const receipt = receipts[i];
    if (receipt?.blockHash !== block.hash)
      throw new ReaderError('reorganised', `block ${number} changed while it was read`);
    if (receipt.status !== 1) return [];
    const to = t.to ?? receipt.contractAddress;
    if (to === null) throw new ReaderError('down', 'a transaction without a receiver');
    return [{ tx: t.hash.toLowerCase(), from: t.from.toLowerCase(), to: to.toLowerCase(), amount: t.value }];
  });
  return { number, hash: block.hash as Hex, timestamp: BigInt(block.timestamp), transfers };
}
