import {
  type Address,
  getAbiItem,
  type Hex,
  pad,
  parseEventLogs,
  toEventSelector,
  toHex,
  zeroAddress,
} from 'viem';
import { certificatesAbi } from '../abi/certificates.ts';
import type { Deployment } from '../deploy/deployment.ts';
import { type ChainLog, type ChainReader, viemLog } from '../rpc/reader.ts';

/** One event in the history of a certificate. */
export interface CertificateEvent {
  readonly kind: 'issued' | 'transferred' | 'voided' | 'retired';
  readonly from: Address | null;
  readonly to: Address | null;
  /** Why an issuer marked it void, or its controller retired it; null for other events. */
  readonly reason: string | null;
  readonly block: bigint;
  readonly tx: Hex;
}

/** Public nodes refuse wider ranges. */
const SPAN = 5_000n;
/** How many ranges one request may read back. */
const MAX_SPANS = 200;

const topicOf = (name: 'Transfer' | 'CertificateRetired' | 'CertificateVoided'): Hex =>
  toEventSelector(getAbiItem({ abi: certificatesAbi, name }));

/**
 * Reads the history of a certificate, the newest event first, from the newest block back to its issue.
 * @returns `complete` is false when the issue lies further back than one request may read
 * @throws ReaderError
 */
export async function certificateHistory(
  reader: ChainReader,
  deployment: Deployment,
  tokenId: bigint,
  head: bigint,
): Promise<{ readonly events: readonly CertificateEvent[]; readonly complete: boolean }> {
  const { certificates: address } = deployment;
  const id = pad(toHex(tokenId), { size: 32 });
  const first = BigInt(deployment.deployedAtBlock);
  const events: CertificateEvent[] = [];
  let toBlock = head;
  for (let spans = 0; spans < MAX_SPANS && toBlock >= first; spans++) {
    const fromBlock = toBlock - SPAN + 1n > first ? toBlock - SPAN + 1n : first;
    const range = { address, fromBlock, toBlock };
    const [moves, marks] = await Promise.all([
      reader.logs({ ...range, topics: [topicOf('Transfer'), null, null, id] }),
      reader.logs({ ...range, topics: [[topicOf('CertificateRetired'), topicOf('CertificateVoided')], id] }),
    ]);
    const voids = marks.filter(({ topics }) => topics[0] === topicOf('CertificateVoided'));
    const ends = marks.filter(({ topics }) => topics[0] === topicOf('CertificateRetired'));
    // Sorted with the oldest first; within one block, moves come before the void mark.
    const found = [...moves.map((move) => eventOf(move, ends)), ...voids.map(voidedOf)].sort((a, b) =>
      Number(a.block - b.block),
    );
    events.push(...found.reverse());
    if (events.at(-1)?.kind === 'issued') return { events, complete: true };
    toBlock = fromBlock - 1n;
  }
  return { events, complete: false };
}

function eventOf(move: ChainLog, ends: readonly ChainLog[]): CertificateEvent {
  const { from, to } = decode(move, 'Transfer') as { from: Address; to: Address };
  const where = { block: move.blockNumber, tx: move.transactionHash };
  if (from === zeroAddress) return { kind: 'issued', from: null, to, reason: null, ...where };
  if (to !== zeroAddress) return { kind: 'transferred', from, to, reason: null, ...where };
  // A token is retired only once, so the transaction identifies the event.
  const end = ends.find((log) => log.transactionHash === move.transactionHash);
  const reason = end === undefined ? null : (decode(end, 'CertificateRetired') as { reason: string }).reason;
  return { kind: 'retired', from, to: null, reason, ...where };
}

function voidedOf(log: ChainLog): CertificateEvent {
  const { reason } = decode(log, 'CertificateVoided') as { reason: string };
  return { kind: 'voided', from: null, to: null, reason, block: log.blockNumber, tx: log.transactionHash };
}

function decode(log: ChainLog, eventName: 'Transfer' | 'CertificateRetired' | 'CertificateVoided'): unknown {
  const [event] = parseEventLogs({ abi: certificatesAbi, eventName, logs: [viemLog(log)] });
  if (event === undefined) throw new Error(`the node served a log that is no ${eventName}`);
  return event.args;
}

/**
 * Finds the certificates that changed hands, or that an issuer marked void, from one block to another, or as far as one
 * request may look.
 * @throws ReaderError
 */
export async function movedCertificates(
  reader: ChainReader,
  { certificates: address }: Deployment,
  fromBlock: bigint,
  head: bigint,
): Promise<{ readonly moved: readonly bigint[]; readonly upTo: bigint }> {
  const upTo = fromBlock + SPAN - 1n < head ? fromBlock + SPAN - 1n : head;
  if (upTo < fromBlock) return { moved: [], upTo: head };
  const range = { address, fromBlock, toBlock: upTo };
  const [moves, voids] = await Promise.all([
    reader.logs({ ...range, topics: [topicOf('Transfer')] }),
    reader.logs({ ...range, topics: [topicOf('CertificateVoided')] }),
  ]);
  const ids = [...moves.map((log) => log.topics[3]), ...voids.map((log) => log.topics[1])];
  return { moved: [...new Set(ids.map((id) => BigInt(id ?? '0x0')))], upTo };
}
