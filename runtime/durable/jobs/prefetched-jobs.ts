import type { EffectRow } from '../../../store/durable/outbox.ts';
import type { JobStore } from './outbox.ts';

/** A job store that knows the first attempts whose lease this process took when it saved the batch that asked for them. */
export interface PrefetchedJobs extends JobStore {
  hand(row: EffectRow): void;
  /** Releases an attempt that never started, so that any worker may claim it at once. */
  letGo(row: EffectRow): void;
  /** Resolves when every release is written or has failed. */
  settled(): Promise<void>;
}

export function prefetchedJobs(jobs: JobStore): PrefetchedJobs {
  const handed = new Map<string, EffectRow>();
  const leaving = new Set<Promise<unknown>>();
  return {
    async claim(key) {
      const row = handed.get(key);
      if (!row) return await jobs.claim(key);
      handed.delete(key);
      return row;
    },
    close: (closing) => jobs.close(closing),
    hand(row) {
      handed.set(row.key, row);
    },
    letGo({ key, attempts }) {
      handed.delete(key);
      const back = { key, attempt: attempts, status: 'pending', error: null, failed: false } as const;
      // When this write fails, the effect is free once its lease runs out.
      const written: Promise<unknown> = jobs
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
