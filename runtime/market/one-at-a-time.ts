import type { Database } from '../../store/database.ts';

/** What is under way on each database, by what it is about: the last of those that wait for it. */
const underWay = new WeakMap<Database, Map<string, Promise<unknown>>>();

/**
 * Does things about the same subject one after another within this process, so that those who look at it again do not
 * change it under each other's eyes for ever. It protects nothing: what must not be done at once is held by locks.
 * @param subjects what it is about, always in the order in which locks are taken
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
