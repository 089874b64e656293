import type { EffectRow } from '../../store/outbox.ts';
import type { OutboxBook } from './outbox.ts';

/** A book that knows which first attempts are this process's already, from the turn that asked for them. */
export interface HandedBook extends OutboxBook {
  hand(row: EffectRow): void;
  /** Gives an attempt back that never began: it is anybody's at once. */
  letGo(row: EffectRow): void;
  /** Resolves when all that was let go is written as such, or could not be. */
  settled(): Promise<void>;
}

export function handedBook(book: OutboxBook): HandedBook {
  const handed = new Map<string, EffectRow>();
  const leaving = new Set<Promise<unknown>>();
  return {
    async claim(key) {
      const row = handed.get(key);
      if (!row) return await book.claim(key);
      handed.delete(key);
      return row;
    },
    close: (closing) => book.close(closing),
    hand(row) {
      handed.set(row.key, row);
    },
    letGo({ key, attempts }) {
      handed.delete(key);
      const back = { key, attempt: attempts, status: 'pending', error: null, failed: false } as const;
      // Lost, it is free when its lease is over.
      const written: Promise<unknown> = book
        .close({ ...back, event: null, waitMs: 0 })
        .catch(() => {})
        .finally(() => leaving.delete(written));
      leaving.add(written);
    },
    async settled() {
      await Promise.all(leaving);
    },
  };
}
