import { type ChainLog, type ChainReader, type LogQuery, ReaderError } from '../rpc/reader.ts';
import type { TokenMove } from './transfer-logs.ts';

export interface WalkLimits {
  /**
   * How many blocks the first request covers. The number doubles while the node answers and halves when it refuses, as
   * public nodes do with wide ranges.
   */
  readonly span: bigint;
  readonly widest: bigint;
  readonly narrowest: bigint;
  readonly requests: number;
  readonly moves: number;
}

/** When a contract's logs need more than this, the search stops and the answer says so. */
export const WALK: WalkLimits = {
  span: 5_000n,
  widest: 1_000_000n,
  narrowest: 500n,
  requests: 200,
  moves: 5_000,
};
export interface Walked {
  readonly fromBlock: bigint;
  readonly moves: readonly TokenMove[];
  readonly hole: string | null;
}

/**
 * Reads logs in bounded ranges, the newest first, until `enough` or the floor; with a hole where a bound ended it.
 * @throws ReaderError where the node refuses even the narrowest range
 */
export async function walkBack(
  reader: ChainReader,
  query: Omit<LogQuery, 'fromBlock' | 'toBlock'>,
  walk: {
    readonly block: bigint;
    readonly floor: bigint;
    readonly limits: WalkLimits;
    readonly enough: (moves: readonly TokenMove[]) => boolean | Promise<boolean>;
  },
  read: (log: ChainLog) => readonly TokenMove[],
): Promise<Walked> {
  const { block, floor, limits, enough } = walk;
  let moves: TokenMove[] = [];
  let [toBlock, span, widest] = [block, limits.span, limits.widest];
  for (let requests = 0; toBlock >= floor; requests++) {
    if (requests === limits.requests)
      return {
        fromBlock: toBlock + 1n,
        moves,
        hole: `nobody looked further back than block ${toBlock + 1n}`,
      };
    const fromBlock = toBlock - span + 1n > floor ? toBlock - span + 1n : floor;
    let logs: readonly ChainLog[];
    try {
      logs = await reader.logs({ ...query, fromBlock, toBlock });
    } catch (error) {
      if (!refused(error) || span <= limits.narrowest) throw error;
      // A node that refuses this many blocks at once may accept fewer.
      [span, widest] = [span / 2n, span / 2n];
      continue;
    }
    moves = [...logs.flatMap(read).sort(byPlace), ...moves];
    if (moves.length > limits.moves)
      return {
        fromBlock,
        moves,
        hole: `it moved more than ${limits.moves} times: the moves before are not read`,
      };
    if (await enough(moves)) return { fromBlock, moves, hole: null };
    toBlock = fromBlock - 1n;
    span = span * 2n > widest ? widest : span * 2n;
  }
  return { fromBlock: floor, moves, hole: null };
}

function refused(error: unknown): boolean {
  return error instanceof ReaderError && (error.kind === 'down' || error.kind === 'slow');
}

function byPlace(a: TokenMove, b: TokenMove): number {
  return a.block < b.block ? -1 : a.block > b.block ? 1 : a.logIndex - b.logIndex;
}
