import { type ChainReader, type Head, ReaderError } from './reader.ts';

/** Seconds between blocks, as the chains' own documentation says. An unlisted chain counts as slow. */
const BLOCK_SECONDS: Readonly<Record<number, number>> = {
  1: 12,
  10: 2,
  137: 2,
  8453: 2,
  42161: 1,
  84532: 2,
  421614: 1,
  11155111: 12,
  11155420: 2,
};
const SLOW_BLOCK_SECONDS = 12;
const LEAST_SECONDS = 60;
/** How far ahead of our clock a head may be before it counts as wrong. */
const AHEAD_SECONDS = 60;

/** How many seconds old a chain's head may be when no setting says it: ten blocks, but at least a minute. */
export function headAgeOf(chainId: number): number {
  return Math.max(LEAST_SECONDS, 10 * (BLOCK_SECONDS[chainId] ?? SLOW_BLOCK_SECONDS));
}

/** The node has stopped following its chain, or its clock is wrong, so its state is not the present one. */
export class StaleHead extends ReaderError {
  constructor(message: string) {
    super('down', message, { lasting: true });
  }
}

/**
 * Wraps a reader so that `head()` returns a recent head or throws. So nothing that begins at the head rests on old
 * state.
 * @param maxAgeSeconds null for no limit, as for a chain that mines on demand, whose head is old after every pause
 * @throws StaleHead from `head()`
 */
export function withFreshHead(
  reader: ChainReader,
  { maxAgeSeconds, now }: { maxAgeSeconds: number | null; now: () => Date },
): ChainReader {
  if (maxAgeSeconds === null) return { ...reader, maxHeadAgeSeconds: null };
  return {
    ...reader,
    maxHeadAgeSeconds: maxAgeSeconds,
    async head(): Promise<Head> {
      const head = await reader.head();
      const age = Math.floor(now().getTime() / 1000) - Number(head.timestamp);
      const block = `the head over ${reader.client}, block ${head.number},`;
      if (age > maxAgeSeconds)
        throw new StaleHead(`${block} is ${age} seconds old, and ${maxAgeSeconds} is the most it may be`);
      if (age < -AHEAD_SECONDS) throw new StaleHead(`${block} is ${-age} seconds ahead of the clock here`);
      return head;
    },
  };
}
