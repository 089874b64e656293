import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256Hex } from '../../agents/canonical.ts';
import { openDatabase } from '../../store/database.ts';
import {
  findOperatorKey,
  listOperatorKeys,
  revokeOperatorKey,
  rotateOperatorKey,
  saveOperatorKey,
  setConfiguredKey,
} from '../../store/http/operator-keys.ts';
import { type TestDatabase, testDatabase } from '../fixtures/postgres.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase({ max: 8 });
});
afterAll(() => database.drop());

let made = 0;
const key = () => ({ id: `k${++made}`, name: 'configured', hash: sha256Hex(randomBytes(24)) });
const opens = async ({ hash }: { hash: string }): Promise<boolean> =>
  (await findOperatorKey(database.db, hash)) !== null;

describe('the configured operator key', () => {
  it('is one, and no start fails, however many processes start at once with different keys', async () => {
    const processes = Array.from({ length: 3 }, () => openDatabase(database.url, { max: 4 }));
    const keys = Array.from({ length: 12 }, key);
    const set = await Promise.all(keys.map((one, i) => setConfiguredKey(processes[i % 3]!, one)));
    expect(set.map(({ outcome }) => outcome)).toEqual(keys.map(() => 'set'));
    const live = [];
    for (const one of keys) if (await opens(one)) live.push(one);
    expect(live).toHaveLength(1);
    await Promise.all(processes.map((db) => db.destroy()));
  });

  it('is set once by as many as bring the same one', async () => {
    const one = key();
    const set = await Promise.all(
      Array.from({ length: 6 }, (_, i) => setConfiguredKey(database.db, { ...one, id: `${one.id}-${i}` })),
    );
    expect(set.map(({ outcome }) => outcome).sort()).toEqual(['set', ...Array(5).fill('stands')]);
    expect(await opens(one)).toBe(true);
  });

  it('replaces the one before and goes back to it, and leaves keys made by command alone', async () => {
    const [first, second, own] = [key(), key(), key()];
    await saveOperatorKey(database.db, { ...own, scopes: ['metrics'] });
    await setConfiguredKey(database.db, first);
    expect(await setConfiguredKey(database.db, second)).toEqual({ outcome: 'set', replaced: first.id });
    expect([await opens(first), await opens(second), await opens(own)]).toEqual([false, true, true]);
    expect(await setConfiguredKey(database.db, first)).toEqual({ outcome: 'set', replaced: second.id });
    expect([await opens(first), await opens(second), await opens(own)]).toEqual([true, false, true]);
  });

  it('made by command opens everything while it is the configured one, and then again what it was made for', async () => {
    const own = key();
    await saveOperatorKey(database.db, { ...own, scopes: ['metrics'] });
    await setConfiguredKey(database.db, own);
    expect((await findOperatorKey(database.db, own.hash))?.scopes).toEqual(['*']);
    await setConfiguredKey(database.db, key());
    expect((await findOperatorKey(database.db, own.hash))?.scopes).toEqual(['metrics']);
  });

  it('that was revoked, or rotated, does not come back, and what stands instead goes on standing', async () => {
    const [revoked, rotated, standing] = [key(), key(), key()];
    await setConfiguredKey(database.db, revoked);
    expect(await revokeOperatorKey(database.db, revoked.id, new Date())).toBe(true);
    expect(await setConfiguredKey(database.db, revoked)).toEqual({ outcome: 'ended' });
    expect(await opens(revoked)).toBe(false);

    await setConfiguredKey(database.db, rotated);
    expect(await rotateOperatorKey(database.db, 'configured', standing, 0)).toMatchObject({
      configured: true,
    });
    expect(await setConfiguredKey(database.db, rotated)).toEqual({ outcome: 'ended' });
    expect([await opens(rotated), await opens(standing)]).toEqual([false, true]);
    expect(await setConfiguredKey(database.db, standing)).toEqual({ outcome: 'stands' });
  });
});

describe('a rotation', () => {
  it('is done once by as many as rotate the same key at once, and both open while the overlap lasts', async () => {
    const old = key();
    await saveOperatorKey(database.db, { ...old, scopes: ['queues'] });
    const raced = await Promise.all(
      Array.from({ length: 6 }, () => rotateOperatorKey(database.db, old.id, key(), 3_600)),
    );
    expect(raced.filter((one) => one === 'rotated')).toHaveLength(5);
    expect(await opens(old)).toBe(true);
    const states = new Map((await listOperatorKeys(database.db)).map(({ id, state }) => [id, state]));
    expect(states.get(old.id)).toBe('ending');
    expect(await revokeOperatorKey(database.db, old.id, new Date())).toBe(true);
    expect(await opens(old)).toBe(false);
  });
});
