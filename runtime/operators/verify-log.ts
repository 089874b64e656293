import { encodeEventTopics, type Hex } from 'viem';
import { sha256Hex } from '../../agents/canonical.ts';
import { ledgerAbi } from '../../chain/abi/ledger.ts';
import { logsBySpans } from '../../chain/indexer/logs-by-spans.ts';
import type { ChainReader } from '../../chain/rpc/reader.ts';
import type { Database } from '../../store/database.ts';
import { BEFORE_FIRST, isBatchRoot, type LoggedAct, logEntries } from '../../store/operators/operator-log.ts';

export interface CheckedLog {
  readonly ok: boolean;
  readonly entries: number;
  /** The newest entry that the ledger vouches for; null when it vouches for none. */
  readonly anchoredUpTo: number | null;
  /** What does not hold, a sentence each. */
  readonly faults: readonly string[];
}

/** Where the ledger is read. */
export interface LedgerSource {
  /** Two independent clients: what one alone tells counts for nothing. */
  readonly readers: readonly ChainReader[];
  readonly ledger: Hex;
  readonly fromBlock: bigint;
}

/**
 * Checks the operators' log: every entry's hash, that each names the one before, that none is missing in between, and
 * that every root on the ledger is an entry here or that of a batch's records, so that an end that was cut off is noticed.
 * @param ledger null: the chain is not read, and an end that was cut off is not noticed
 * @throws ReaderError when the chain cannot be read
 */
export async function verifyOperatorLog(db: Database, ledger: LedgerSource | null): Promise<CheckedLog> {
  const faults: string[] = [];
  const seqOf = new Map<string, number>();
  let [expected, previous] = [1, BEFORE_FIRST];
  for await (const { seq, body, hash } of logEntries(db)) {
    const act = read(body);
    if (Number(seq) !== expected)
      faults.push(`the entries from ${expected} to ${Number(seq) - 1} are missing`);
    if (sha256Hex(body) !== hash) faults.push(`entry ${seq} is not what its hash is over`);
    if (act === null || act.seq !== Number(seq)) faults.push(`entry ${seq} does not say which it is`);
    if (act?.previous !== previous) faults.push(`entry ${seq} does not follow the entry before it`);
    [expected, previous] = [Number(seq) + 1, hash];
    seqOf.set(`0x${hash}`, Number(seq));
  }
  let anchoredUpTo: number | null = null;
  for (const root of ledger === null ? [] : await rootsOn(ledger)) {
    const seq = seqOf.get(root);
    if (seq !== undefined) anchoredUpTo = Math.max(anchoredUpTo ?? 0, seq);
    else if (!(await isBatchRoot(db, root)))
      faults.push(`the ledger has ${root}, which is neither an entry nor a batch of records here`);
  }
  return { ok: faults.length === 0, entries: seqOf.size, anchoredUpTo, faults };
}

function read(body: string): LoggedAct | null {
  try {
    return JSON.parse(body) as LoggedAct;
  } catch {
    return null;
  }
}

/** Every root that was anchored, as each reader tells them. @throws Error when they differ */
async function rootsOn({ readers, ledger, fromBlock }: LedgerSource): Promise<ReadonlySet<string>> {
  const { number: head } = await readers[0]!.head();
  const topics = encodeEventTopics({ abi: ledgerAbi, eventName: 'Anchored' }) as Hex[];
  const told = await Promise.all(
    readers.map(async (reader) => {
      const logs = await logsBySpans(reader, { address: ledger, topics, fromBlock, toBlock: head });
      return logs.map((log) => String(log.topics[1])).sort();
    }),
  );
  const [first = [], ...others] = told;
  if (others.some((roots) => roots.join() !== first.join()))
    throw new Error('the two nodes tell of different roots on the ledger');
  return new Set(first);
}
