import { encodeEventTopics, type Hex } from 'viem';
import { ledgerAbi } from './abi/ledger.ts';
import type { Deployment } from './deployment.ts';
import { findLog } from './find-log.ts';
import type { ChainReader } from './readers/reader.ts';
import type { Signer } from './signer.ts';
import { transact } from './transact.ts';

export interface Anchor {
  /** Null where the node no longer serves the log; the root is anchored all the same. */
  readonly tx: Hex | null;
  readonly block: bigint | null;
}

/** Where a root was anchored; null when it never was, up to the head now. @throws ReaderError */
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

/** When a root was anchored, unix seconds; 0 when it was not by this block. @throws ReaderError */
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

/** By which a signer knows what it sent for a root. */
export function anchorPurpose(root: Hex): string {
  return `anchor:${root}`;
}

/**
 * Anchors a root over `size` records. @throws ChainError reverted with `AlreadyAnchored` when it stands already,
 * down, unknown
 * @param sent told the hash once it is on its way
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
    purpose: anchorPurpose(root),
  };
  const { transactionHash, blockNumber } = await transact(signer, call, sent);
  return { tx: transactionHash, block: blockNumber };
}
