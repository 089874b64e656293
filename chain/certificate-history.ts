import { type Address, type Hex, pad, parseEventLogs, toEventSelector, toHex, zeroAddress } from 'viem';
import { certificatesAbi } from './abi/certificates.ts';
import type { Deployment } from './deployment.ts';
import type { ChainLog, ChainReader } from './readers/reader.ts';

/** One event in the life of a certificate. */
export interface CertificateEvent {
  readonly kind: 'issued' | 'transferred' | 'retired';
  readonly from: Address | null;
  readonly to: Address | null;
  /** Why an issuer ended it; empty where its controller did. */
  readonly reason: string | null;
  readonly block: bigint;
  readonly tx: Hex;
}

/** Public nodes refuse wider ranges. */
const SPAN = 5_000n;
/** Further back nobody looks for one request. */
const MAX_SPANS = 200;

const topicOf = (name: 'Transfer' | 'CertificateRetired'): Hex =>
  toEventSelector(certificatesAbi.find((item) => item.type === 'event' && item.name === name) as never);

/**
 * What happened to a certificate, newest first, read from the newest block back to its issue.
 * @returns `complete` false where the issue lies further back than was looked
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
    const [moves, ends] = await Promise.all([
      reader.logs({ ...range, topics: [topicOf('Transfer'), null, null, id] }),
      reader.logs({ ...range, topics: [topicOf('CertificateRetired'), id] }),
    ]);
    events.push(...moves.map((move) => eventOf(move, ends)).reverse());
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
  // A token is retired once.
  const end = ends.find((log) => log.transactionHash === move.transactionHash);
  const reason = end === undefined ? null : (decode(end, 'CertificateRetired') as { reason: string }).reason;
  return { kind: 'retired', from, to: null, reason, ...where };
}

function decode(log: ChainLog, eventName: 'Transfer' | 'CertificateRetired'): unknown {
  const [event] = parseEventLogs({ abi: certificatesAbi, eventName, logs: [log as never] });
  if (event === undefined) throw new Error(`the node served a log that is no ${eventName}`);
  return event.args;
}

/**
 * The certificates that changed hands from one block to another, or to as far as one request may look.
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
  const logs = await reader.logs({ address, fromBlock, toBlock: upTo, topics: [topicOf('Transfer')] });
  return { moved: [...new Set(logs.map((log) => BigInt(log.topics[3] ?? '0x0')))], upTo };
}
