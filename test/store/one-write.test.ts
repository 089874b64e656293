import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Database, inOneWrite, openDatabase, run } from '../../store/database.ts';
import { testDatabase } from '../fixtures/postgres.ts';

describe('what one piece of work asks at once', () => {
  let server: Awaited<ReturnType<typeof testDatabase>>;
  let db: Database;
  const backend = { name: 'backend', text: 'select pg_backend_pid() as pid, $1::int as n' };
  const broken = { name: 'broken', text: 'select 1 / $1::int as n' };

  beforeAll(async () => {
    server = await testDatabase();
    db = openDatabase(server.url, { max: 4 });
  });
  afterAll(async () => {
    await db.destroy();
    await server.drop();
  });

  it('goes over one connection, and each gets its own answer', async () => {
    const connect = vi.spyOn(pg.Pool.prototype, 'connect');
    const own = inOneWrite(db);
    const rows = await Promise.all(
      [1, 2, 3, 4].map((n) => run<{ pid: number; n: number }>(own, backend, [n])),
    );
    expect(rows.flat().map((r) => r.n)).toEqual([1, 2, 3, 4]);
    expect(new Set(rows.flat().map((r) => r.pid)).size).toBe(1);
    expect(connect).toHaveBeenCalledTimes(1);
    connect.mockRestore();
  });

  it('fails for the statement alone that failed', async () => {
    const own = inOneWrite(db);
    const told = await Promise.allSettled([
      run(own, backend, [1]),
      run(own, broken, [0]),
      run(own, backend, [3]),
    ]);
    expect(told.map((t) => t.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await run(own, backend, [4])).toHaveLength(1);
  });

  it('fails for all of them when the connection is lost, and goes on over another', async () => {
    const own = inOneWrite(db);
    const end = { name: 'end', text: 'select pg_terminate_backend(pg_backend_pid()) as n' };
    const told = await Promise.allSettled([run(own, end, []), run(own, backend, [2])]);
    expect(told.map((t) => t.status)).toEqual(['rejected', 'rejected']);
    expect(await run(own, backend, [3])).toHaveLength(1);
  });

  it('stays within a transaction where there is one', async () => {
    await db.transaction().execute(async (trx) => {
      expect(inOneWrite(trx)).toBe(trx);
    });
  });
});
