import {
  getCreateAddress,
  type JsonRpcProvider,
  type TransactionReceipt,
  type TransactionResponse,
} from 'ethers';
import { AnswerTooLarge } from '../bounded-answers.ts';
import { type BlockTransfers, type Hex, ReaderError, type Receipt } from '../reader.ts';

/**
 * What the transactions of a block moved and created.
 * @param alone no others are asked for with it: if it is longer than what is read of an answer, each transaction is asked for
 * @throws ReaderError
 */
export async function moneyMoved(
  provider: JsonRpcProvider,
  number: bigint,
  alone: boolean,
): Promise<BlockTransfers> {
  const { block, transactions } = await blockWith(provider, number, alone);
  if (block?.hash == null) throw new ReaderError('reorganised', `the node does not have block ${number}`);
  if (BigInt(block.number) !== number) throw new ReaderError('down', 'the node answers another block');
  const asked = transactions.filter((t) => t.value > 0n || t.to === null);
  const receipts = await Promise.all(asked.map((t) => receiptFor(provider, t.hash)));
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

async function blockWith(provider: JsonRpcProvider, number: bigint, alone: boolean) {
  try {
    const block = await provider.getBlock(number, true);
    return { block, transactions: block?.prefetchedTransactions ?? [] };
  } catch (error) {
    if (!alone || !(error instanceof AnswerTooLarge)) throw error;
    const block = await provider.getBlock(number, false);
    const found = await Promise.all((block?.transactions ?? []).map((hash) => provider.getTransaction(hash)));
    const transactions = found.filter((t): t is TransactionResponse => t?.blockHash === block?.hash);
    if (transactions.length < found.length)
      throw new ReaderError('reorganised', `block ${number} changed while it was read`);
    return { block, transactions };
  }
}

type Told = Pick<TransactionReceipt, 'blockHash' | 'blockNumber' | 'from' | 'status' | 'contractAddress'>;

/** Only what failed has logged nothing, so that what logged more than is read of an answer succeeded. */
export async function receiptFor(provider: JsonRpcProvider, tx: string): Promise<Told | null> {
  try {
    return await provider.getTransactionReceipt(tx);
  } catch (error) {
    if (!(error instanceof AnswerTooLarge)) throw error;
    const told = await provider.getTransaction(tx);
    if (told === null || told.blockHash === null || told.blockNumber === null) return null;
    const { blockHash, blockNumber, from, nonce } = told;
    const contractAddress = told.to === null ? getCreateAddress({ from, nonce }) : null;
    return { blockHash, blockNumber, from, contractAddress, status: 1 };
  }
}

/** As {@link Receipt}, of a transaction that succeeded. */
export function receiptOf(told: Told | null): Receipt | null {
  if (told === null || told.status !== 1) return null;
  return {
    block: BigInt(told.blockNumber),
    from: told.from.toLowerCase(),
    created: told.contractAddress?.toLowerCase() ?? null,
  };
}
