import { describe, expect, it } from 'vitest';
import type { EffectRow } from '../../../store/durable/outbox.ts';
import type { JobStore } from './outbox.ts';
import { prefetchedJobs } from './prefetched-jobs.ts';

const row = { key: 'e1', attempts: 1 } as EffectRow;

describe('effects that a mailbox batch asked for and that never began here', () => {
  it('are not settled before they are given back, also where that fails', async () => {
    for (const how of ['written', 'refused'] as const) {
      let answer = (): void => {};
      const jobs: JobStore = {
        claim: async () => null,
        close: () =>
          new Promise((resolve, reject) => {
            answer = () => (how === 'written' ? resolve(true) : reject(new Error('the database is away')));
          }),
      };
      const prefetched = prefetchedJobs(jobs);
      prefetched.hand(row);
      prefetched.letGo(row);
      let settled = false;
      const settling = prefetched.settled().then(() => {
        settled = true;
      });
      await new Promise((resolve) => setImmediate(resolve));
      expect(settled).toBe(false);
      answer();
      await settling;
      expect(await prefetched.claim('e1')).toBeNull();
    }
  });
});
