import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, run } from '../../store/database.ts';
import { readOnce } from '../../store/read-once.ts';
import { type TestDatabase, testDatabase } from '../fixtures/postgres.ts';

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await testDatabase();
  db = database.db;
  await sql`create table told (n int)`.execute(db);
  await sql`insert into told values (1)`.execute(db);
});
afterAll(() => database?.drop());

const NEXT = { name: 'told-next', text: 'select n, $1::int as asked from told' };
const next = (from: Database, asked: number) => run<{ n: number; asked: number }>(from, NEXT, [asked]);

describe('a database that is read once', () => {
  it('answers the same question as at first, and another one anew', async () => {
    const once = readOnce(db);
    const first = await next(once, 1);
    expect(first).toEqual([{ n: 1, asked: 1 }]);
    await sql`update told set n = 2`.execute(db);
    expect(await next(once, 1)).toEqual(first);
    expect(await next(once, 2)).toEqual([{ n: 2, asked: 2 }]);
    expect(await next(readOnce(db), 1)).toEqual([{ n: 2, asked: 1 }]);
    once.forget();
    expect(await next(once, 1)).toEqual([{ n: 2, asked: 1 }]);
  });

  it('asks once for those who ask at the same time, and gives each a list of its own', async () => {
    const once = readOnce(db);
    const ask = () => sql<{ at: string }>`select clock_timestamp()::text as at`.execute(once);
    const [one, other] = await Promise.all([ask(), ask()]);
    expect(one.rows).toEqual(other.rows);
    one.rows.pop();
    expect(other.rows).toHaveLength(1);
  });

  it('tells everybody of what failed, and takes no transaction', async () => {
    const once = readOnce(db);
    const wrong = () => sql`select nothing from told`.execute(once);
    await expect(wrong()).rejects.toThrow(/nothing/);
    await expect(wrong()).rejects.toThrow(/nothing/);
    await expect(once.transaction().execute((trx) => next(trx as never, 1))).rejects.toThrow(
      /no transactions/,
    );
  });
});
