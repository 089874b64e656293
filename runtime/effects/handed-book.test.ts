import { describe, expect, it } from 'vitest';
import type { EffectRow } from '../../store/outbox.ts';
import { handedBook } from './handed-book.ts';
import type { OutboxBook } from './outbox.ts';

const row = { key: 'e1', attempts: 1 } as EffectRow;

describe('effects that a turn asked for and that never began here', () => {
  it('are not settled before they are given back, also where that fails', async () => {
    for (const how of ['written', 'refused'] as const) {
      let answer = (): void => {};
      const book: OutboxBook = {
        claim: async () => null,
        close: () =>
          new Promise((resolve, reject) => {
            answer = () => (how === 'written' ? resolve(true) : reject(new Error('the database is away')));
          }),
      };
      const handed = handedBook(book);
      handed.hand(row);
      handed.letGo(row);
      let settled = false;
      const settling = handed.settled().then(() => {
        settled = true;
      });
      await new Promise((resolve) => setImmediate(resolve));
      expect(settled).toBe(false);
      answer();
      await settling;
      expect(await handed.claim('e1')).toBeNull();
    }
  });
});
