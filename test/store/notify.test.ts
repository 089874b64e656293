import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { notify, waitFor } from '../../store/durable/notify.ts';
import { type TestDatabase, testDatabase } from '../fixtures/postgres.ts';

const NEVER_MS = 3_600_000;

let test: TestDatabase;
beforeAll(async () => {
  test = await testDatabase();
});
afterAll(() => test.drop());

const settingOf = (wallet: string) => async () =>
  (
    await test.db
      .selectFrom('owner_settings')
      .select('on_flagged')
      .where('wallet', '=', wallet)
      .executeTakeFirst()
  )?.on_flagged ?? null;

async function set(wallet: string, channel: string | null): Promise<void> {
  await test.db.transaction().execute(async (trx) => {
    await trx
      .insertInto('owner_settings')
      .values({ wallet, beneficial_owner: wallet, on_flagged: 'ask' })
      .execute();
    if (channel !== null) await notify(trx, channel);
  });
}

describe('waiting for what another transaction writes', () => {
  it('ends by the notification alone, however rare the poll', async () => {
    const waits = ['a', 'b', 'c'].map((w) =>
      waitFor(test.db, `Channel "${w}"`, settingOf(w), { timeoutMs: NEVER_MS, pollMs: NEVER_MS }),
    );
    for (const wallet of ['a', 'b', 'c']) {
      await new Promise((resolve) => setTimeout(resolve, 30));
      await set(wallet, `Channel "${wallet}"`);
    }
    expect(await Promise.all(waits)).toEqual(['ask', 'ask', 'ask']);
  });

  it('misses nothing that is written while the first check is under way', async () => {
    let checks = 0;
    const found = await waitFor(
      test.db,
      'race',
      async () => {
        const before = await settingOf('race')();
        if (checks++ === 0) await set('race', 'race');
        return before;
      },
      { timeoutMs: NEVER_MS, pollMs: NEVER_MS },
    );
    expect(found).toBe('ask');
  });

  it('ends by the poll when nobody notifies', async () => {
    const waiting = waitFor(test.db, 'silent', settingOf('silent'), { timeoutMs: NEVER_MS, pollMs: 20 });
    await set('silent', null);
    expect(await waiting).toBe('ask');
  });

  it('ends with nothing when the time is over', async () => {
    expect(await waitFor(test.db, 'never', settingOf('never'), { timeoutMs: 50 })).toBeNull();
  });

  it('ends at once when it is called off, and says why', async () => {
    const off = new AbortController();
    const waiting = waitFor(test.db, 'off', settingOf('off'), {
      timeoutMs: NEVER_MS,
      pollMs: NEVER_MS,
      signal: off.signal,
    });
    const refused = expect(waiting).rejects.toThrow('not any more');
    setTimeout(() => off.abort(new Error('not any more')), 30);
    await refused;
  });

  it('leaves no connection behind', async () => {
    const listening = sql<{ query: string }>`
      select query from pg_stat_activity where datname = current_database() and query ilike 'listen %'`;
    await vi.waitFor(async () => expect((await listening.execute(test.db)).rows).toEqual([]), {
      timeout: 60_000,
    });
  });
});
