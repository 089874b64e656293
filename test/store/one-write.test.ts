import { sql } from 'kysely';
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

  it('has connections of its own where some are kept for it, which end with the others', async () => {
    const kept = openDatabase(server.url, { max: 3, forOneWrite: 1, name: 'kept-for-one-write' });
    const pids = async (on: Database) =>
      (await Promise.all([1, 2, 3, 4].map((n) => run<{ pid: number }>(on, backend, [n])))).map(
        ([row]) => row!.pid,
      );
    const others = new Set(await pids(kept));
    const own = new Set<number>();
    for (let n = 0; n < 4; n++)
      for (const pid of (await Promise.all([pids(inOneWrite(kept)), pids(inOneWrite(kept))])).flat())
        own.add(pid);
    expect([others.size, own.size]).toEqual([2, 1]);
    expect([...own].some((pid) => others.has(pid))).toBe(false);
    await kept.destroy();
    await vi.waitFor(async () => {
      const { rows } = await sql`select pid from pg_stat_activity
        where application_name = 'kept-for-one-write'`.execute(db);
      expect(rows).toEqual([]);
    }, 20_000);
  });

  it('stays within a transaction where there is one', async () => {
    await db.transaction().execute(async (trx) => {
      expect(inOneWrite(trx)).toBe(trx);
    });
  });
});
