import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase, run } from '../../store/database.ts';
import { readOnce } from '../../store/read-once.ts';
import { testDatabase } from '../fixtures/postgres.ts';

describe('statements that a connection planned', () => {
  let server: Awaited<ReturnType<typeof testDatabase>>;
  let db: Database;
  let admin: Database;

  beforeAll(async () => {
    server = await testDatabase();
    db = openDatabase(server.url, { max: 1 });
    admin = openDatabase(server.url, { max: 1 });
    await sql`create table things (id int primary key, word text)`.execute(admin);
    await sql`insert into things values (1, 'one')`.execute(admin);
  });
  afterAll(async () => {
    await db.destroy();
    await admin.destroy();
    await server.drop();
  });

  const planned = async (): Promise<string[]> =>
    (await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(db)).rows.map(
      (row) => row.statement,
    );

  it('are planned once, in a transaction and outside', async () => {
    const read = (on: Database) => sql`select word from things where id = ${1}`.execute(on);
    await read(db);
    await db.transaction().execute(async (trx) => void (await read(trx)));
    await read(db);
    expect((await planned()).filter((text) => text.includes('select word from things'))).toHaveLength(1);
  });

  it('leave out what finds a conflict by a predicate that is a value', async () => {
    await sql`create unique index on things (word) where id = 1`.execute(admin);
    for (let n = 0; n < 8; n++) {
      await sql`insert into things values (${1}, ${'one'}) on conflict (word) where id = 1 do nothing`.execute(
        db,
      );
    }
    expect((await planned()).some((text) => text.includes('on conflict'))).toBe(false);
  });

  const byName = { name: 'things-by-name', text: 'select * from things where id = $1::int' };
  const asks: readonly [string, (on: Database) => Promise<readonly unknown[]>][] = [
    [
      'a statement of Kysely',
      async (on) => (await sql`select * from things where id = ${1}`.execute(on)).rows,
    ],
    ['a statement with a name of its own', async (on) => await run(on, byName, [1])],
    [
      'what is read once',
      async (on) => (await sql`select * from things where id = ${1} limit 1`.execute(readOnce(on))).rows,
    ],
  ];
  for (const [what, ask] of asks) {
    it(`are planned anew when a table has changed under them: ${what}`, async () => {
      const fresh = openDatabase(server.url, { max: 1 });
      expect(await ask(fresh)).toHaveLength(1);
      const column = `added_${what.replace(/\W/g, '').toLowerCase()}`;
      await sql.raw(`alter table things add column ${column} int default 7`).execute(admin);
      expect(await ask(fresh)).toMatchObject([{ [column]: 7 }]);
      await fresh.destroy();
    });
  }

  it('fail once within a transaction when a table has changed under them, and not again', async () => {
    const fresh = openDatabase(server.url, { max: 1 });
    const read = () =>
      fresh
        .transaction()
        .execute(async (trx) => (await sql`select * from things where id = ${1}`.execute(trx)).rows);
    expect(await read()).toHaveLength(1);
    await sql`alter table things add column last_one int default 9`.execute(admin);
    await expect(read()).rejects.toThrow('cached plan');
    expect(await read()).toMatchObject([{ last_one: 9 }]);
    await fresh.destroy();
  });
});
