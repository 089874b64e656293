import type { Database } from '../../../store/database.ts';

/** For each database and subject, the last of the acts that are running or waiting. */
const underWay = new WeakMap<Database, Map<string, Promise<unknown>>>();

/**
 * Runs acts on the same subject one after another within this process. Otherwise concurrent requests would keep
 * changing what the others had just read, and all would retry. It is no protection: exclusion is ensured by locks.
 * @param subjects always in the order in which locks are taken
 */
export async function oneAtATime<T>(
  db: Database,
  [first, ...rest]: readonly string[],
  act: () => Promise<T>,
): Promise<T> {
  if (first === undefined) return await act();
  let last = underWay.get(db);
  if (!last) {
    last = new Map();
    underWay.set(db, last);
  }
  const before = last.get(first) ?? Promise.resolve();
  const done = before.then(() => oneAtATime(db, rest, act));
  const settled = done.catch(() => {});
  last.set(first, settled);
  try {
    return await done;
  } finally {
    if (last.get(first) === settled) last.delete(first);
  }
}
