import { ReaderError, type ReaderOptions } from './reader.ts';

/** Runs one read with a time limit, and retries it a bounded number of times when a retry can help. */
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
 * Reads that failed in the same tick share one timer and are retried in the same tick, so that an overloaded node gets
 * them in one batch. With a timer for each, every request would go alone.
 */
function pausing(ms: number): Promise<void> {
  const same = pauses.get(ms);
  if (same !== undefined) return same;
  const pause = new Promise<void>((resolve) => setTimeout(resolve, ms));
  pauses.set(ms, pause);
  process.nextTick(() => pauses.delete(ms));
  return pause;
}

/** A time limit over everything, because the client's own may not cover a body that never ends. */
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

/** The host and port of an RPC URL, without the path and the credentials that it may contain. */
export function endpointOf(rpcUrl: string): string {
  return new URL(rpcUrl).host;
}

/** Awaits both. When both fail, the error of the first is thrown. */
export async function both<T>(first: Promise<unknown>, second: Promise<T>): Promise<T> {
  const [guard, found] = await Promise.allSettled([first, second]);
  if (guard.status === 'rejected') throw guard.reason;
  if (found.status === 'rejected') throw found.reason;
  return found.value;
}
