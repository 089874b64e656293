import { type Closing, claimEffects, closeEffects } from '../../../store/durable/outbox.ts';
import { type BatchLimits, createBatcher } from '../actors/create-batcher.ts';
import { type JobStore, LEASE_MS, type OutboxDeps } from './outbox.ts';

const BATCH_LIMITS: BatchLimits = { parallel: 2, most: 128 };
/** Nobody waits for a done mark without an event: its write may be delayed, so that it joins others. */
const LINGER_MS = 10;

/** Claims many effects in one statement and closes many in one: they share the round trip and the commit. */
export function batchedJobStore(
  deps: Omit<OutboxDeps, 'jobs'>,
  limits: BatchLimits = BATCH_LIMITS,
): JobStore {
  const clock = () => deps.leaseClock?.() ?? null;
  const kinds = [...deps.runners.keys()];
  const leaseMs = deps.leaseMs ?? LEASE_MS;
  const closeAll = async (closings: readonly Closing[]): Promise<Set<string>> =>
    await closeEffects(deps.db, closings, { now: deps.now(), clock: clock() });
  const closeBatch = async (closings: readonly Closing[]): Promise<(boolean | Refusal)[]> => {
    try {
      const closed = await closeAll(closings);
      return closings.map((c) => closed.has(c.key));
    } catch (error) {
      if (closings.length === 1) throw error;
      // Closed one by one, so that a row that the database refuses does not make the others fail.
      const one = (c: Closing) =>
        closeAll([c]).then(
          (closed) => closed.has(c.key),
          (cause: unknown) => new Refusal('', { cause }),
        );
      return await Promise.all(closings.map(one));
    }
  };
  const close = createBatcher(closeBatch, limits);
  const closeQuietly = createBatcher(closeBatch, { ...limits, lingerMs: LINGER_MS });
  return {
    claim: createBatcher(async (keys) => {
      const rows = await claimEffects(deps.db, { keys, kinds, leaseMs, clock: clock() });
      const byKey = new Map(rows.map((row) => [row.key, row]));
      // When two calls of one batch ask for the same effect, only the first gets it.
      return keys.map((key) => {
        const row = byKey.get(key) ?? null;
        byKey.delete(key);
        return row;
      });
    }, limits),
    async close(closing) {
      const quiet = closing.status === 'done' && closing.event === null;
      const closed = await (quiet ? closeQuietly : close)(closing);
      if (closed instanceof Refusal) throw closed.cause;
      return closed;
    },
  };
}

/** The database refused to close this attempt. */
class Refusal extends Error {}
