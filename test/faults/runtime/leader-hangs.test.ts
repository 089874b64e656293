import { type ChildProcess, spawn } from 'node:child_process';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { tryAdvisoryLock, underAdvisoryLock } from '../../../store/durable/advisory-lock.ts';
import { type TestDatabase, testDatabase } from '../../fixtures/postgres.ts';

/** Processes that are stopped by the system and not ended: their connections stay, and nobody answers on them. */

const TASKS = new URL('../../fixtures/actors/periodic-tasks-process.ts', import.meta.url).pathname;
const WRITE = new URL('../../fixtures/actors/fenced-write-process.ts', import.meta.url).pathname;
const WAIT = { timeout: 90_000, interval: 50 };
const LOCK = 7_266_999;

let test: TestDatabase;
const children = new Set<ChildProcess>();

beforeAll(async () => {
  test = await testDatabase();
  await sql`create table acts (seq bigserial primary key, name text not null)`.execute(test.db);
});
afterEach(async () => {
  for (const child of children) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('exit', resolve));
  }
  children.clear();
  await sql`delete from acts`.execute(test.db);
});
afterAll(() => test?.drop());

function started(file: string, ...args: string[]): { child: ChildProcess; said: () => string } {
  const child = spawn(process.execPath, ['--import', 'tsx', file, test.url, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout?.on('data', (data) => {
    said += String(data);
  });
  children.add(child);
  return { child, said: () => said };
}

async function acts(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from acts order by seq`.execute(test.db);
  return rows.map((row) => row.name);
}

describe('a leader that hangs', { timeout: 300_000 }, () => {
  it('is replaced within a bound, and does nothing more once it goes on', async () => {
    const hanging = started(TASKS, 'hanging');
    await vi.waitFor(async () => expect(await acts()).toContain('hanging'), WAIT);
    const heir = started(TASKS, 'heir');
    await vi.waitFor(() => expect(heir.said()).toContain('asking'), WAIT);

    hanging.child.kill('SIGSTOP');
    await vi.waitFor(async () => expect(await acts()).toContain('heir'), WAIT);
    hanging.child.kill('SIGCONT');

    await vi.waitFor(() => expect(hanging.said()).toContain('another process may lead now'), WAIT);
    const all = await acts();
    // It begins nothing more; what it had begun when it was stopped, between its look at the lock and its write, it ends.
    const late = all.slice(all.indexOf('heir')).filter((name) => name === 'hanging');
    expect(late.length).toBeLessThanOrEqual(1);
  });

  it('commits nothing that it wrote under a lock which another process may have by then', async () => {
    const hanging = started(WRITE, String(LOCK), 'hanging');
    await vi.waitFor(() => expect(hanging.said()).toContain('stopping'), WAIT);

    const after = await vi.waitFor(async () => {
      const seen = await underAdvisoryLock(test.db, LOCK, acts);
      expect(seen).not.toBeNull();
      return seen;
    }, WAIT);
    hanging.child.kill('SIGCONT');
    await vi.waitFor(() => expect(hanging.said()).toMatch(/refused: |committed/), WAIT);

    expect([after, await acts()]).toEqual([[], []]);
    expect(hanging.said()).toContain('refused: ');
  });

  it('does not keep the rows that it locked in a transaction', async () => {
    const { rows } = await sql<{ ms: number }>`
      select extract(epoch from current_setting('idle_in_transaction_session_timeout')::interval)::float8 * 1000 as ms`.execute(
      test.db,
    );
    expect(rows[0]!.ms).toBeGreaterThan(0);
    expect(rows[0]!.ms).toBeLessThanOrEqual(60_000);
  });
});

describe('a lock that a process lost', () => {
  it('lets a transaction under it fail in place of committing', async () => {
    const held = (await tryAdvisoryLock(test.db, LOCK))!;
    await sql`select pg_terminate_backend(pid) from pg_locks
      where locktype = 'advisory' and objid = ${LOCK}
        and database = (select oid from pg_database where datname = current_database())`.execute(test.db);
    const write = test.db.transaction().execute(async (trx) => {
      await sql`insert into acts (name) values ('late')`.execute(trx);
      await held.fence(trx);
    });
    await expect(write).rejects.toThrow('the lock 7266999 is lost');
    expect(await acts()).toEqual([]);
    expect(await held.stillMine()).toBe(false);
    await held.release();
  });

  it('is asked for once at a time, however many ask and however long the server takes', async () => {
    const held = (await tryAdvisoryLock(test.db, LOCK))!;
    const warnings: string[] = [];
    const onWarning = (warning: Error) => void warnings.push(warning.message);
    process.on('warning', onWarning);
    await test.db
      .transaction()
      .execute(async (trx) => void (await Promise.all([1, 2, 3, 4].map(() => held.fence(trx)))));
    process.off('warning', onWarning);
    expect(warnings).toEqual([]);
    await held.release();
  });

  it('is kept by a process that does nothing but hold it', async () => {
    const held = (await tryAdvisoryLock(test.db, LOCK))!;
    await new Promise((resolve) => setTimeout(resolve, 20_000));
    expect(await tryAdvisoryLock(test.db, LOCK)).toBeNull();
    await held.release();
    const again = await tryAdvisoryLock(test.db, LOCK);
    expect(again).not.toBeNull();
    await again?.release();
  });
});

describe('whoever has a lock', () => {
  it('asks whether it still has it where the machine may have been suspended, whatever its own clock says', async () => {
    const held = await tryAdvisoryLock(test.db, LOCK + 1);
    vi.useFakeTimers({ toFake: ['Date'] });
    const asked = vi.spyOn(pg.Client.prototype, 'query');
    try {
      const questions = () => asked.mock.calls.filter(([text]) => String(text) === 'select 1').length;
      await held!.stillMine();
      expect(questions()).toBe(0);
      vi.setSystemTime(Date.now() + 3 * 3_600_000);
      expect(await held!.stillMine()).toBe(true);
      expect(questions()).toBe(1);
    } finally {
      asked.mockRestore();
      vi.useRealTimers();
      await held!.release();
    }
  });
});
