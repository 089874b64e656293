import type { Logger } from 'pino';
import { readable } from '../../../agents/readable.ts';
import type { Database } from '../../../store/database.ts';
import * as store from '../../../store/durable/quarantine.ts';

interface Failure {
  readonly error: unknown;
  readonly context: object;
  /** Milliseconds before it is tried again, at most. */
  readonly mostPauseMs: number;
}

/** The items of periodic tasks that failed, so that one item that fails stops only itself. */
export interface Quarantine {
  /** What is set aside of a kind. */
  of(kind: string): Promise<readonly Pick<store.SetAside, 'item' | 'context' | 'due'>[]>;
  /** Sets an item aside with why it failed, and tells the log when the reason is a new one. */
  add(kind: string, item: string, failure: Failure): Promise<void>;
  /** Ends the quarantine of an item that succeeded, or of which nothing is left to do. */
  release(kind: string, item: string): Promise<void>;
  /** Items that this process works on now: one that hangs is not started a second time beside itself. */
  readonly underWay: Set<string>;
}

/** Short, because a first failure is most often one of the node or the network and is over in a moment. */
const FIRST_PAUSE_MS = 2_000;

/** How long it is believed that nothing of a kind is set aside. */
const BELIEVED_MS = 1_000;

/**
 * The quarantine in the database: it survives every process, and all processes see it. Which kinds have anything in it
 * is asked once a second for all tasks together, so that what another process set aside may be tried once more, which
 * costs nothing but the try.
 */
export function keptQuarantine(db: Database, log: Pick<Logger, 'info' | 'warn'>): Quarantine {
  let kinds: Promise<ReadonlySet<string>> | null = null;
  let askedAt = 0;
  const own = new Set<string>();
  const isEmpty = async (kind: string): Promise<boolean> => {
    if (own.has(kind)) return false;
    if (kinds === null || performance.now() - askedAt > BELIEVED_MS) {
      askedAt = performance.now();
      kinds = store.quarantinedKinds(db);
      // Whoever asks next asks the database again.
      kinds.catch(() => (kinds = null));
    }
    return !(await kinds).has(kind);
  };
  return {
    underWay: new Set(),
    async of(kind) {
      if (await isEmpty(kind)) return [];
      const aside = await store.listQuarantine(db, kind);
      if (aside.length === 0) own.delete(kind);
      return aside;
    },
    async add(kind, item, { error, context, mostPauseMs }) {
      own.add(kind);
      const reason = reasonOf(error);
      const pause = { firstMs: FIRST_PAUSE_MS, mostMs: mostPauseMs };
      const { failures, before } = await store.quarantine(db, { kind, item, reason, context }, pause);
      if (before !== null && sameWords(before) === sameWords(reason)) return;
      log.warn({ kind, item, reason, failures }, 'it failed and is set aside: everything else goes on');
    },
    async release(kind, item) {
      if (await store.release(db, kind, item)) log.info({ kind, item }, 'it is not set aside any more');
    },
  };
}

function reasonOf(error: unknown): string {
  const words = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return readable(words);
}

/** The reason without its numbers: the same failure at another block is no new reason. */
function sameWords(reason: string): string {
  return reason.replace(/0x[0-9a-f]+|\d+/gi, '#');
}
