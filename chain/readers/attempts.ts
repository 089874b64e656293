import { ReaderError, type ReaderOptions } from './reader.ts';

/** Runs one reading with a time limit; asks again, a bounded number of times, when the node is down or slow. */
export type Attempt = <T>(read: () => Promise<T>) => Promise<T>;

/** @param classify turns what the client library throws into a ReaderError */
export function attempts(options: ReaderOptions, classify: (error: unknown) => ReaderError): Attempt {
  const { timeoutMs = 5_000, retries = 2, backoffMs = 100 } = options;
  return async (read) => {
    for (let attempt = 0; ; attempt++) {
      try {
        return await within(timeoutMs, read());
      } catch (error) {
        const found = error instanceof ReaderError ? error : classify(error);
        const worthAnother = found.kind === 'down' || found.kind === 'slow';
        if (!worthAnother || attempt >= retries) throw found;
        await new Promise((resolve) => setTimeout(resolve, backoffMs * 2 ** attempt));
      }
    }
  };
}

/** The client's own time-out may not cover a body that never ends: this one covers everything. */
async function within<T>(timeoutMs: number, reading: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ReaderError('slow', `no answer within ${timeoutMs} ms`)), timeoutMs);
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

/** Remembers the hash a block number had when it was first read, and refuses when it has another. */
export function pins(): (block: bigint, hash: `0x${string}`) => `0x${string}` {
  const seen = new Map<bigint, `0x${string}`>();
  return (block, hash) => {
    const before = seen.get(block);
    if (before !== undefined && before !== hash) {
      throw new ReaderError('reorganised', `block ${block} was ${before} and is now ${hash}`);
    }
    seen.set(block, hash);
    if (seen.size > 256) seen.delete(seen.keys().next().value!);
    return hash;
  };
}

/** Nodes word a block they do not have in many ways. */
export function saysBlockMissing(message: string): boolean {
  return /BlockOutOfRange|block not found|unknown block|header not found|missing trie node|state .*not available/i.test(
    message,
  );
}
