import { StaleHead } from '../../chain/rpc/fresh-head.ts';
import type { ChainReader, Head } from '../../chain/rpc/reader.ts';
import { type ChainReaders, within } from '../determinations/deps.ts';

/** Less than a part of `/health` may take, so that a node that hangs is told by its name. */
const LIMIT_MS = 1_500;
/** How much older than the other's a head may be. */
const MOST_BEHIND_SECONDS = 60;

/** The head of a chain as one of its readers tells it. */
export interface ReaderHead {
  readonly reader: ChainReader['client'];
  /** Null where it does not answer. */
  readonly block: string | null;
  readonly ageSeconds: number | null;
  /** Why nothing that rests on it can be judged; null where all is well. */
  readonly fault: string | null;
}

/** The heads of both readers: a node that does not answer, or stands still, leaves all that two seats judge INCONCLUSIVE. */
export async function readerHeads(
  { viem, ethers }: ChainReaders,
  now: () => Date,
  limitMs = LIMIT_MS,
): Promise<readonly ReaderHead[]> {
  const read = await Promise.all([viem, ethers].map((reader) => headOf(reader, limitMs)));
  const seconds = now().getTime() / 1000;
  return read.map(({ reader, head, fault }, i) => {
    if (head === null) return { reader: reader.client, block: null, ageSeconds: null, fault };
    const other = read[1 - i]!.head;
    const behind = other === null ? 0 : Number(other.timestamp - head.timestamp);
    // The head of a chain that mines on demand is as old as the last question.
    const lags = behind > MOST_BEHIND_SECONDS && reader.maxHeadAgeSeconds !== null;
    return {
      reader: reader.client,
      block: head.number.toString(),
      ageSeconds: Math.round(seconds - Number(head.timestamp)),
      fault: fault ?? (lags ? `is ${behind} seconds behind the other` : null),
    };
  });
}

interface HeadRead {
  readonly reader: ChainReader;
  readonly head: Head | null;
  readonly fault: string | null;
}

async function headOf(reader: ChainReader, ms: number): Promise<HeadRead> {
  try {
    return { reader, head: await within(reader.head(), ms, `the head over ${reader.client}`), fault: null };
  } catch (error) {
    if (error instanceof StaleHead) return { reader, head: error.head, fault: 'is not at the present block' };
    return { reader, head: null, fault: 'does not answer' };
  }
}
