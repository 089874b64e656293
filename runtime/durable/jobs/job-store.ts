import { type Closing, claimEffects, closeEffects } from '../../../store/durable/outbox.ts';
import { type BatchLimits, createBatcher } from '../actors/create-batcher.ts';
import { type JobStore, LEASE_MS, type OutboxDeps } from './outbox.ts';

const BATCH_LIMITS: BatchLimits = { parallel: 2, most: 128 };
/** Nobody waits for a done mark without an event: its write may be delayed, so that it joins others. */
const LINGER_MS = 10;

/** Claims effects by their kinds, and closes many in one statement: they share the round trip and the commit. */
export function jobStore(deps: OutboxDeps): JobStore {
  const clock = () => deps.leaseClock?.() ?? null;
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
  const close = createBatcher(closeBatch, BATCH_LIMITS);
  const closeQuietly = createBatcher(closeBatch, { ...BATCH_LIMITS, lingerMs: LINGER_MS });
  return {
    claim: (kinds, limit) => claimEffects(deps.db, { kinds, limit, leaseMs, clock: clock() }),
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
