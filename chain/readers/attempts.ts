import { ReaderError, type ReaderOptions } from './reader.ts';

/** Runs one reading with a time limit; asks again, a bounded number of times, where another attempt can help. */
export type Attempt = <T>(read: () => Promise<T>) => Promise<T>;

export type AttemptOptions = Pick<ReaderOptions, 'timeoutMs' | 'retries' | 'backoffMs' | 'deadlineMs'>;

/** @param classify turns what the client library throws into a ReaderError */
export function attempts(options: AttemptOptions, classify: (error: unknown) => ReaderError): Attempt {
  const { timeoutMs = 5_000, retries = 2, backoffMs = 100, deadlineMs = 8_000 } = options;
  return async (read) => {
    const deadline = performance.now() + deadlineMs;
    for (let attempt = 0; ; attempt++) {
      try {
        return await within(Math.min(timeoutMs, Math.max(1, deadline - performance.now())), read());
      } catch (error) {
        const found = error instanceof ReaderError ? error : classify(error);
        const worthAnother = !found.lasting && (found.kind === 'down' || found.kind === 'slow');
        const pause = backoffMs * 2 ** attempt;
        if (!worthAnother || attempt >= retries || performance.now() + pause >= deadline) throw found;
        await pausing(pause);
      }
    }
  };
}

const pauses = new Map<number, Promise<void>>();

/**
 * What failed in one turn goes on in one turn, after one timer: an overrun node is asked again in one batch. With a timer
 * each, every question would go alone.
 */
function pausing(ms: number): Promise<void> {
  const same = pauses.get(ms);
  if (same !== undefined) return same;
  const pause = new Promise<void>((resolve) => setTimeout(resolve, ms));
  pauses.set(ms, pause);
  process.nextTick(() => pauses.delete(ms));
  return pause;
}

/** The client's own time-out may not cover a body that never ends: this one covers everything. */
async function within<T>(timeoutMs: number, reading: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    const late = () => reject(new ReaderError('slow', `no answer within ${Math.round(timeoutMs)} ms`));
    timer = setTimeout(late, timeoutMs);
  });
  try {
    return await Promise.race([reading, limit]);
  } finally {
    clearTimeout(timer);
  }
}

/** Host and port of an RPC URL, without the path and the credentials it may carry. */
export function endpointOf(rpcUrl: string): string {
  return new URL(rpcUrl).host;
}

/** @throws ReaderError reorganised, when the block is another one than it was when it was pinned */
export function requireHash(pin: { readonly number: bigint; readonly hash: string }, found: string): void {
  if (found.toLowerCase() === pin.hash.toLowerCase()) return;
  throw new ReaderError('reorganised', `block ${pin.number} was ${pin.hash} and is now ${found}`);
}

/** @throws ReaderError disagreeing, when the node answers for another chain than it is asked about */
export function requireChain(expected: number, found: number): void {
  if (found === expected) return;
  throw new ReaderError('disagreeing', `the node answers for chain ${found}, not ${expected}`);
}

/** Both at once; what the first finds wrong is told before what the second does. */
export async function both<T>(first: Promise<unknown>, second: Promise<T>): Promise<T> {
  const [guard, found] = await Promise.allSettled([first, second]);
  if (guard.status === 'rejected') throw guard.reason;
  if (found.status === 'rejected') throw found.reason;
  return found.value;
}

/** Nodes word a block that they do not have, or no longer have the state of, in many ways. */
export function saysBlockMissing(message: string): boolean {
  return /BlockOutOfRange|block not found|unknown block|header not found|missing trie node|state .*not available|historical state|pruned|resource not found|not (?:currently )?canonical|header for hash not found|unknown hash/i.test(
    message,
  );
}
