import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ReaderError } from '../../../chain/rpc/reader.ts';
import { eachIsolated } from '../../../runtime/durable/isolation/each-isolated.ts';
import { keptQuarantine, type Quarantine } from '../../../runtime/durable/isolation/quarantine.ts';
import { every } from '../../../runtime/durable/workers/every.ts';
import { databaseTime } from '../../../store/database.ts';
import {
  countQuarantine,
  dropQuarantined,
  listQuarantine,
  retryQuarantined,
} from '../../../store/durable/quarantine.ts';
import { testDatabase } from '../../fixtures/postgres.ts';
import { pausesOver, quietQuarantine } from '../../fixtures/quiet-quarantine.ts';

let database: Awaited<ReturnType<typeof testDatabase>>;
let quarantine: Quarantine;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database?.drop());
beforeEach(async () => {
  await database.db.deleteFrom('quarantine').execute();
  quarantine = quietQuarantine(database.db);
});

const items = (...ids: string[]) => ids.map((id) => ({ id }));
const aside = async () => (await listQuarantine(database.db)).map(({ item }) => item);
const never = new Promise<never>(() => {});

describe('a periodic task over many items', () => {
  it.each<[string, () => Promise<never>]>([
    ['rejects', () => Promise.reject(new Error('no'))],
    [
      'throws at once',
      () => {
        throw new TypeError('x is not a function');
      },
    ],
    ['throws what is no error', () => Promise.reject(null)],
    [
      'fails with text that no database takes',
      () => Promise.reject(new Error(`no\u0000\ud83d${'x'.repeat(99_999)}`)),
    ],
    ['blames the node, which answers', () => Promise.reject(new ReaderError('down', 'HTTP 503'))],
    ['does not end', () => never],
  ])(
    'processes the others when one %s, puts that one into quarantine with its reason, and retries it alone',
    async (_, bad) => {
      const seen: string[] = [];
      let ill = true;
      const round = (...ids: string[]) =>
        eachIsolated(
          quarantine,
          'thing',
          ids.map((id) => ({ id, context: { of: id } })),
          async ({ id, context }) => {
            if (id === 'bad' && ill) return await bad();
            seen.push(`${id} ${(context as { of: string }).of}`);
            return id;
          },
          { alive: async () => {}, limitMs: 200 },
        );
      const first = await round('a', 'bad', 'b');
      expect(first).toEqual({ done: ['a', 'b'], open: 1 });
      const [row] = await listQuarantine(database.db);
      expect(row).toMatchObject({ kind: 'thing', item: 'bad', failures: 1, due: false });
      expect(row!.reason).not.toBe('');
      expect(row!.nextTryAt.getTime()).toBeGreaterThan(row!.since!.getTime());
      // It is not retried before its time, however often the task meets it.
      expect(await round('bad', 'c')).toEqual({ done: ['c'], open: 1 });
      expect((await listQuarantine(database.db))[0]).toMatchObject({ failures: 1 });
      ill = false;
      await pausesOver(database.db);
      // An item that never ended is still in progress in this process, so another process retries it.
      quarantine = quietQuarantine(database.db);
      expect(await round()).toEqual({ done: ['bad'], open: 0 });
      expect(seen).toEqual(['a a', 'b b', 'c c', 'bad bad']);
      expect(await aside()).toEqual([]);
    },
  );

  it('blames no item when the node is down, and reports that', async () => {
    const away = new ReaderError('down', 'the node is not reachable');
    const round = eachIsolated(quarantine, 'thing', items('a', 'b', 'c'), () => Promise.reject(away), {
      atOnce: 1,
      alive: () => Promise.reject(away),
    });
    await expect(round).rejects.toBe(away);
    expect(await aside()).toEqual([]);
  });

  it('does not process more items at once than it may, and does not start an item that has not ended', async () => {
    let [now, most, begun] = [0, 0, 0];
    const work = async (): Promise<void> => {
      now += 1;
      most = Math.max(most, now);
      await new Promise((resolve) => setTimeout(resolve, 5));
      now -= 1;
    };
    await eachIsolated(quarantine, 'many', items(...Array.from({ length: 20 }, (_, i) => String(i))), work, {
      atOnce: 3,
    });
    expect(most).toBe(3);
    const hang = (): Promise<never> => {
      begun += 1;
      return never;
    };
    const hangs = () => eachIsolated(quarantine, 'slow', items('s'), hang, { limitMs: 20 });
    await hangs();
    await pausesOver(database.db);
    await hangs();
    expect(begun).toBe(1);
  });

  it('removes from quarantine what its task no longer meets', async () => {
    const round = (...ids: string[]) =>
      eachIsolated(quarantine, 'listed', items(...ids), () => Promise.reject(new Error('no')), {
        relisted: true,
      });
    await round('a', 'b');
    expect(await aside()).toEqual(['a', 'b']);
    expect(await round('b')).toEqual({ done: [], open: 1 });
    expect(await aside()).toEqual(['b']);
  });

  it('waits twice as long after each failure, give or take a quarter, up to a maximum', async () => {
    for (let n = 0; n < 8; n++) {
      await database.db
        .updateTable('quarantine')
        .set({ next_try_at: new Date(0) })
        .execute();
      const before = (await databaseTime(database.db)).getTime();
      await eachIsolated(quarantine, 'thing', items('x'), () => Promise.reject(new Error('no')), {
        mostPauseMs: 60_000,
      });
      const after = (await databaseTime(database.db)).getTime();
      const [row] = await listQuarantine(database.db);
      const pause = Math.min(2_000 * 2 ** n, 60_000);
      expect(row!.nextTryAt.getTime()).toBeGreaterThanOrEqual(before + pause * 0.75);
      expect(row!.nextTryAt.getTime()).toBeLessThanOrEqual(after + 1 + pause * 1.25);
    }
  });

  it('logs once for a failure, for a different failure, and for a success', async () => {
    const said: string[] = [];
    const note = (facts: object, text?: string) =>
      void said.push(`${text} ${(facts as { reason?: string }).reason ?? ''}`);
    const logging = keptQuarantine(database.db, { info: note as never, warn: note as never });
    const round = async (error: Error | null): Promise<void> => {
      await database.db
        .updateTable('quarantine')
        .set({ next_try_at: new Date(0) })
        .execute();
      await eachIsolated(logging, 'thing', items('x'), async () => {
        if (error) throw error;
      });
    };
    for (const block of [1, 2, 3]) await round(new Error(`block ${block} is missing`));
    await round(new Error('it is another'));
    await round(null);
    expect(said.map((line) => line.replace(/it failed .* goes on/, 'failed').trim())).toEqual([
      'failed Error: block 1 is missing',
      'failed Error: it is another',
      'it is not set aside any more',
    ]);
  });

  it('counts items by kind, and lets a person retry one at once or remove it', async () => {
    const fail = (kind: string, ...ids: string[]) =>
      eachIsolated(quarantine, kind, items(...ids), () => Promise.reject(new Error('no')));
    await fail('lot', 'a', 'b');
    await fail('agent', 'c');
    expect(await countQuarantine(database.db)).toEqual([
      { kind: 'agent', count: 1 },
      { kind: 'lot', count: 2 },
    ]);
    const lots = await listQuarantine(database.db, 'lot');
    const [a, b] = ['a', 'b'].map((id) => lots.find(({ item }) => item === id));
    expect(await retryQuarantined(database.db, a!.id)).toBe(true);
    expect(await dropQuarantined(database.db, b!.id)).toBe(true);
    expect(await dropQuarantined(database.db, b!.id)).toBe(false);
    expect(await listQuarantine(database.db, 'lot')).toMatchObject([{ item: 'a', due: true, failures: 0 }]);
  });
});

describe('periodic tasks', () => {
  it('continue after one that throws at once, and log a failure once', async () => {
    const said: string[] = [];
    let n = 0;
    let enough = (): void => {};
    const five = new Promise<void>((resolve) => {
      enough = resolve;
    });
    const rounds = every(
      1,
      () => {
        n += 1;
        if (n === 5) enough();
        if (n < 4) throw new TypeError(`round ${n} went wrong`);
        return Promise.resolve();
      },
      { warn: ((_: object, text: string) => void said.push(text)) as never },
    );
    await five;
    await rounds.stop();
    expect(said).toEqual(['a sweep failed', 'a sweep that failed works again']);
  });
});
