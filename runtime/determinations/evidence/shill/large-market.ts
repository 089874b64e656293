import type { Database } from '../../../../store/database.ts';
import { behindOnce } from '../../../../store/read-once.ts';

const KEPT_MS = 600_000;

interface Kept {
  readonly value: unknown;
  readonly at: number;
}

/** By the database that was read. */
const kept = new WeakMap<Database, Map<string, Kept>>();

/**
 * Reads something of the market of a category, which a large market keeps for ten minutes: among thousands of bids those
 * of a few minutes weigh nothing, and to count them again would take longer with every year. What is small is read
 * each time.
 * @param key what is read, and of which category: few in all
 */
export async function ofLargeMarket<T>(
  db: Database,
  {
    key,
    now,
    isLarge,
  }: { readonly key: string; readonly now: Date; readonly isLarge: (value: T) => boolean },
  read: () => Promise<T>,
): Promise<T> {
  // What is read at one moment is read of a database that outlives it.
  const lasting = behindOnce(db) ?? db;
  const markets = kept.get(lasting) ?? new Map<string, Kept>();
  kept.set(lasting, markets);
  const known = markets.get(key);
  const at = now.getTime();
  if (known !== undefined && at >= known.at && at < known.at + KEPT_MS) return known.value as T;
  markets.delete(key);
  const value = await read();
  if (isLarge(value)) markets.set(key, { value, at });
  return value;
}
