import { type Closing, claimEffects, closeEffects } from '../../store/outbox.ts';
import { type Lots, together } from '../actors/together.ts';
import { LEASE_MS, type OutboxBook, type OutboxDeps } from './outbox.ts';

const LOTS: Lots = { parallel: 2, most: 128 };
/** Nobody waits for a done mark that tells no actor: it leaves the disk to those for whom somebody does. */
const LINGER_MS = 10;

/** Attempts of many effects taken in one statement and closed in one: they share the round trip and the commit. */
export function groupedBook(deps: Omit<OutboxDeps, 'book'>, lots: Lots = LOTS): OutboxBook {
  const clock = () => deps.leaseClock?.() ?? null;
  const kinds = [...deps.runners.keys()];
  const leaseMs = deps.leaseMs ?? LEASE_MS;
  const closeAll = async (closings: readonly Closing[]): Promise<Set<string>> =>
    await closeEffects(deps.db, closings, { now: deps.now(), clock: clock() });
  const closeLot = async (closings: readonly Closing[]): Promise<(boolean | Refusal)[]> => {
    try {
      const closed = await closeAll(closings);
      return closings.map((c) => closed.has(c.key));
    } catch (error) {
      if (closings.length === 1) throw error;
      // One that the database refuses takes none of the others with it.
      const one = (c: Closing) =>
        closeAll([c]).then(
          (closed) => closed.has(c.key),
          (cause: unknown) => new Refusal('', { cause }),
        );
      return await Promise.all(closings.map(one));
    }
  };
  const close = together(closeLot, lots);
  const closeQuietly = together(closeLot, { ...lots, lingerMs: LINGER_MS });
  return {
    claim: together(async (keys) => {
      const rows = await claimEffects(deps.db, { keys, kinds, leaseMs, clock: clock() });
      const byKey = new Map(rows.map((row) => [row.key, row]));
      // Of two that ask for one effect in the same lot, one has it.
      return keys.map((key) => {
        const row = byKey.get(key) ?? null;
        byKey.delete(key);
        return row;
      });
    }, lots),
    async close(closing) {
      const quiet = closing.status === 'done' && closing.event === null;
      const closed = await (quiet ? closeQuietly : close)(closing);
      if (closed instanceof Refusal) throw closed.cause;
      return closed;
    },
  };
}

/** The database would not take this one. */
class Refusal extends Error {}
