import { encodeEventTopics, type Hex } from 'viem';
import { ledgerAbi } from '../abi/ledger.ts';
import type { Deployment } from '../deploy/deployment.ts';
import { findLog } from '../indexer/find-log.ts';
import type { ChainReader } from '../rpc/reader.ts';
import type { Signer } from '../tx/signer.ts';
import { transact } from '../tx/transact.ts';

export interface Anchor {
  /** Null when the node no longer serves the log; the root is anchored all the same. */
  readonly tx: Hex | null;
  readonly block: bigint | null;
}

/** Finds where a root was anchored, as of the head; null when it was not. @throws ReaderError */
export async function findAnchor(
  reader: ChainReader,
  deployment: Deployment,
  root: Hex,
): Promise<Anchor | null> {
  const { number } = await reader.head();
  const at = await readAnchoredAt(reader, deployment, root, number);
  if (at === 0) return null;
  const log = await findLog(reader, {
    address: deployment.ledger,
    topics: encodeEventTopics({ abi: ledgerAbi, eventName: 'Anchored', args: { root } }) as Hex[],
    fromBlock: BigInt(deployment.deployedAtBlock),
    toBlock: number,
  });
  return { tx: log?.transactionHash ?? null, block: log?.blockNumber ?? null };
}

/** Reads when a root was anchored, in unix seconds; 0 when it was not by this block. @throws ReaderError */
export async function readAnchoredAt(
  reader: ChainReader,
  { ledger }: Deployment,
  root: Hex,
  block: bigint,
): Promise<number> {
  const at = await reader.read({
    address: ledger,
    abi: ledgerAbi,
    functionName: 'anchoredAt',
    args: [root],
    block,
  });
  return Number(at);
}

/** The purpose under which the signer keeps what it sent for a root. */
export function anchorPurpose(root: Hex): string {
  return `anchor:${root}`;
}

/**
 * Anchors a root over `size` records.
 * @throws ChainError reverted with `AlreadyAnchored` when it is anchored already, down, unknown
 * @param sent called with the hash once the transaction is on its way
 */
export async function anchorRoot(
  signer: Signer,
  deployment: Deployment,
  root: Hex,
  size: number,
  sent: (hash: Hex) => void = () => {},
): Promise<Anchor> {
  if (!Number.isInteger(size) || size < 1) throw new RangeError('an anchored batch has at least one record');
  const call = {
    to: deployment.ledger,
    abi: ledgerAbi,
    functionName: 'anchor',
    args: [root, size],
    gas: 150_000n,
    purposes: [anchorPurpose(root)],
  };
  const { transactionHash, blockNumber } = await transact(signer, call, sent);
  return { tx: transactionHash, block: blockNumber };
}
