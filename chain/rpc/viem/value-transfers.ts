import { getContractAddress, type Hex, numberToHex } from 'viem';
import { AnswerTooLarge } from '../bounded-answers.ts';
import { type BlockTransfers, ReaderError, type Receipt } from '../reader.ts';
import { requireBytes, requireQuantity } from './wire.ts';

type Told = Readonly<Record<string, unknown>> | null;
type Ask = (method: string, params: readonly unknown[]) => Promise<unknown>;

/**
 * The node's block with whole transactions. A stranger fills a block with a few that are worthless and long, so that no answer
 * that is read holds them all: of a block that is read alone each is asked for then.
 */
export async function wholeBlock(ask: Ask, number: bigint, alone: boolean): Promise<unknown> {
  const named = numberToHex(number);
  try {
    return await ask('eth_getBlockByNumber', [named, true]);
  } catch (error) {
    if (!alone || !(error instanceof AnswerTooLarge)) throw error;
    const block = (await ask('eth_getBlockByNumber', [named, false])) as Told;
    if (block === null || !Array.isArray(block.transactions)) return block;
    const hashes = block.transactions as readonly unknown[];
    const transactions = await Promise.all(hashes.map((hash) => ask('eth_getTransactionByHash', [hash])));
    if (transactions.some((told) => (told as Told)?.blockHash !== block.hash)) return null;
    return { ...block, transactions };
  }
}

/**
 * A transaction's receipt, as far as it is looked at. What logs so much that its receipt is not read to the end succeeded: what
 * fails logs nothing.
 */
export async function receiptIn(ask: Ask, tx: Hex): Promise<unknown> {
  try {
    return await ask('eth_getTransactionReceipt', [tx]);
  } catch (error) {
    if (!(error instanceof AnswerTooLarge)) throw error;
    const told = (await ask('eth_getTransactionByHash', [tx])) as Told;
    if (told === null) return null;
    const { blockHash, blockNumber, from } = told;
    const made = { from: requireBytes(from), nonce: requireQuantity(told.nonce) };
    const contractAddress = creates(told) ? getContractAddress(made) : null;
    return { blockHash, blockNumber, from, contractAddress, status: '0x1' };
  }
}

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
