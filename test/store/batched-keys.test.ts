import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aboutEach, batchKeys, keysWith, runBatched } from '../../store/batched-keys.ts';
import type { Database } from '../../store/database.ts';
import { readOnce } from '../../store/read-once.ts';
import { type TestDatabase, testDatabase } from '../fixtures/postgres.ts';

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await testDatabase();
  db = database.db;
  await sql`create table owned (who text, thing int)`.execute(db);
  await sql`insert into owned values ('ann', 1), ('bob', 2), ('ann', 3), ('ann', 5), ('eve', 4)`.execute(db);
});
afterAll(() => database?.drop());

const NEWEST = aboutEach({
  name: 'newest-owned',
  text: `
    select thing, pg_current_xact_id()::text as asked_in from owned where who = $1 and thing < $2
    order by thing desc limit 2`,
});

const newest = (on: Database, who: string) =>
  runBatched<{ thing: number; asked_in: string }>(on, NEWEST, who, [5]);

describe('a question about one of several keys', () => {
  it('is put about all of them at once to a database that is read once, and answered for each alone', async () => {
    const once = readOnce(db);
    batchKeys(once, ['bob', 'ann', 'dan']);
    const [ann, bob, dan] = [await newest(once, 'ann'), await newest(once, 'bob'), await newest(once, 'dan')];
    expect(ann.map(({ thing }) => thing)).toEqual([3, 1]);
    expect(bob.map(({ thing }) => thing)).toEqual([2]);
    expect(dan).toEqual([]);
    expect(new Set([...ann, ...bob].map((row) => row.asked_in)).size).toBe(1);
    const [eve] = await newest(once, 'eve');
    expect(eve?.thing).toBe(4);
    expect(eve?.asked_in).not.toBe(bob[0]?.asked_in);
  });

  it('is put about that key alone to any other database', async () => {
    batchKeys(db, ['ann', 'bob']);
    expect(keysWith(db, 'ann')).toEqual(['ann']);
    const [ann, bob] = [await newest(db, 'ann'), await newest(db, 'bob')];
    expect(ann.map(({ thing }) => thing)).toEqual([3, 1]);
    expect(ann[0]?.asked_in).not.toBe(bob[0]?.asked_in);
  });
});
