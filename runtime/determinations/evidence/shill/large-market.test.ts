import { expect, it } from 'vitest';
import type { Database } from '../../../../store/database.ts';
import { ofLargeMarket } from './large-market.ts';

it('a large market is read again after ten minutes, a small one each time', async () => {
  const db = {} as Database;
  let reads = 0;
  const asked = (minutes: number, key: string, size: number) =>
    ofLargeMarket(
      db,
      { key, now: new Date(minutes * 60_000), isLarge: (n: number) => n > 100 },
      async () => size + reads++,
    );
  expect(await asked(0, 'lots/large', 1_000)).toBe(1_000);
  expect(await asked(9, 'lots/large', 1_000)).toBe(1_000);
  expect(await asked(10, 'lots/large', 1_000)).toBe(1_001);
  // A clock that was put back knows nothing of what was read later.
  expect(await asked(5, 'lots/large', 1_000)).toBe(1_002);
  expect(await asked(0, 'lots/small', 0)).toBe(3);
  expect(await asked(0, 'lots/small', 0)).toBe(4);
});
