import { mayBeTheNode } from './faults.ts';
import type { Quarantine } from './quarantine.ts';

/** One thing that a periodic task looks after. */
export interface Item<Context extends object = object> {
  /** Unique among the items of its kind. */
  readonly id: string;
  /** What a retry needs besides the id, once the task no longer finds the item by itself: JSON. */
  readonly context?: Context;
}

interface Isolation {
  /** How many items run at the same time; 8 when left out. */
  readonly atOnce?: number;
  /** How long one item may take, milliseconds; 30,000 when left out. */
  readonly limitMs?: number;
  /** Asks the node a question that depends on no item. When it rejects, the round ends and no item is blamed. */
  readonly alive?: () => Promise<unknown>;
  /** The task lists everything that is still to be done in each round: what it no longer lists is done or gone. */
  readonly relisted?: boolean;
  /** The longest backoff before an item is retried, milliseconds; ten minutes when left out. */
  readonly mostPauseMs?: number;
}

export interface Isolated<Result> {
  /** The results of the items that succeeded, in their order. */
  readonly done: readonly Result[];
  /** How many are still to be done: they are in quarantine, since now or since before. */
  readonly open: number;
}

const AT_ONCE = 8;
const LIMIT_MS = 30_000;
const PAUSE_MS = 600_000;

/**
 * Does the same work for each item, so that an item which fails or hangs stops only itself. It goes into quarantine with
 * its reason and is retried in later rounds with a growing backoff. Items in quarantine that are due are tried with the
 * others. The work may run twice for one item, so it must be idempotent.
 * @throws the failure of the node or the database, when one of them failed and no item is to blame: no further item goes
 *   into quarantine, and the caller must not count the round as done
 */
export async function eachIsolated<Result, Context extends object = object>(
  quarantine: Quarantine,
  kind: string,
  items: readonly Item<Context>[],
  work: (item: Item<Context>) => Promise<Result>,
  { atOnce = AT_ONCE, limitMs = LIMIT_MS, alive, relisted = false, mostPauseMs = PAUSE_MS }: Isolation = {},
): Promise<Isolated<Result>> {
  const aside = new Map((await quarantine.of(kind)).map((row) => [row.item, row]));
  const fresh = new Map(items.map((item) => [item.id, item]));
  const queue = [...fresh.values()].filter(({ id }) => aside.get(id)?.due ?? true);
  const again: Item<Context>[] = [];
  for (const { item, context, due } of aside.values()) {
    if (fresh.has(item)) continue;
    if (relisted) await quarantine.release(kind, item);
    else if (due) again.push({ id: item, context: context as Context });
  }
  // New items come first, and only a few of the others follow: items that fail slowly must not delay the rest.
  queue.push(...again.slice(0, atOnce));
  const results = new Map<string, Result>();
  let over: { readonly error: unknown } | null = null;

  const attempt = async (item: Item<Context>): Promise<void> => {
    const name = `${kind} ${item.id}`;
    if (quarantine.underWay.has(name)) return;
    try {
      results.set(item.id, await limited(name, () => work(item), limitMs, quarantine.underWay));
      if (aside.has(item.id)) await quarantine.release(kind, item.id);
    } catch (error) {
      if (mayBeTheNode(error)) await alive?.();
      // When the database is away, this throws as well and ends the round.
      await quarantine.add(kind, item.id, { error, context: item.context ?? {}, mostPauseMs });
    }
  };
  const next = async (): Promise<void> => {
    while (over === null) {
      const item = queue.shift();
      if (item === undefined) return;
      try {
        await attempt(item);
      } catch (error) {
        over ??= { error };
      }
    }
  };
  const known = new Set([...fresh.keys(), ...(relisted ? [] : aside.keys())]).size;
  const order = queue.map(({ id }) => id);
  await Promise.all(Array.from({ length: Math.min(atOnce, queue.length) }, next));
  // The compiler does not see the assignment in `next`.
  const ended = over as { readonly error: unknown } | null;
  if (ended !== null) throw ended.error;
  return {
    done: order.flatMap((id) => (results.has(id) ? [results.get(id)!] : [])),
    open: known - results.size,
  };
}

class TooSlow extends Error {
  override readonly name = 'TooSlow';
}

/** Stops waiting for work that takes too long. It goes on in the background, and is not started again until it ends. */
async function limited<T>(
  name: string,
  work: () => Promise<T>,
  limitMs: number,
  underWay: Set<string>,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TooSlow(`it did not end within ${limitMs} ms`)), limitMs);
  });
  underWay.add(name);
  // Called inside a promise, so that a synchronous throw counts as a failure of the item, too.
  const running = Promise.resolve()
    .then(work)
    .finally(() => underWay.delete(name));
  try {
    return await Promise.race([running, late]);
  } finally {
    clearTimeout(timer);
  }
}
