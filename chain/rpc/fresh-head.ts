import { type ChainReader, type Head, ReaderError } from './reader.ts';

/** A chain whose block time nobody publishes counts as slow. */
const SLOW_BLOCK_SECONDS = 12;
const LEAST_SECONDS = 60;
/** How far ahead of our clock a head may be before it counts as wrong. */
const AHEAD_SECONDS = 60;

/**
 * How many seconds old a chain's head may be when no setting says it: ten blocks, but at least a minute.
 * @param blockSeconds the time between blocks, or null where it is unknown
 */
export function headAgeOf(blockSeconds: number | null): number {
  return Math.max(LEAST_SECONDS, 10 * (blockSeconds ?? SLOW_BLOCK_SECONDS));
}

/** The node has stopped following its chain, or its clock is wrong, so its state is not the present one. */
export class StaleHead extends ReaderError {
  readonly head: Head;

  constructor(message: string, head: Head) {
    super('down', message, { lasting: true });
    this.head = head;
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
        throw new StaleHead(
          `${block} is ${age} seconds old, and ${maxAgeSeconds} is the most it may be`,
          head,
        );
      if (age < -AHEAD_SECONDS)
        throw new StaleHead(`${block} is ${-age} seconds ahead of the clock here`, head);
      return head;
    },
  };
}
