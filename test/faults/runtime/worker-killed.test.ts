import { type ChildProcess, spawn } from 'node:child_process';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { deliver } from '../../../runtime/durable/actors/mailbox.ts';
import { spawnActor } from '../../../runtime/durable/actors/spawn.ts';
import { absentWorkers, listWorkers } from '../../../store/durable/workers.ts';
import { courier } from '../../fixtures/actors/courier-machine.ts';
import { type TestDatabase, testDatabase } from '../../fixtures/postgres.ts';

/** Workers in processes of their own, whose leases last longer than any test: only their death can end one. */

const WORKER = new URL('../../fixtures/actors/courier-pool-worker.ts', import.meta.url).pathname;
const WAIT = { timeout: 120_000, interval: 20 };
const LEASE_MS = 600_000;
const PARCELS = ['p1', 'p2', 'p3'];

let test: TestDatabase;
const children = new Set<ChildProcess>();

beforeAll(async () => {
  test = await testDatabase();
  await sql`create table sent (key text not null, parcel text not null, pid integer not null)`.execute(
    test.db,
  );
});
afterAll(async () => {
  for (const child of children) await killed(child);
  await test.drop();
});

async function worker(name: string, habit: 'hang' | '-'): Promise<ChildProcess> {
  const args = ['--import', 'tsx', WORKER, test.url, name, habit, String(LEASE_MS)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.add(child);
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (said) => String(said).includes('serving') && resolve());
    child.once('exit', () => reject(new Error('the worker ended before it served')));
  });
  return child;
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await new Promise((resolve) => child.once('exit', resolve));
}

const effects = () =>
  test.db
    .selectFrom('effects')
    .select(['status', 'attempts', 'crash_count', 'lease_holder', 'lease_until'])
    .where('kind', '=', 'carry')
    .orderBy('key')
    .execute();
const send = (id: string, ...parcels: string[]) =>
  test.db.transaction().execute(async (trx) => {
    for (const parcel of parcels)
      await deliver(trx, {
        ...{ actorId: id, eventId: parcel, now: new Date() },
        event: { type: 'CARRY', parcel },
      });
  });

describe('a worker that is killed', () => {
  it('loses what it held to another at once, and not when its lease ends', async () => {
    const id = await test.db
      .transaction()
      .execute((trx) => spawnActor(trx, courier, { key: 'a', input: {}, now: new Date() }));
    const doomed = await worker('doomed', 'hang');
    await send(id, ...PARCELS);
    await vi.waitFor(async () => {
      const { rows } = await sql`select from sent`.execute(test.db);
      expect(rows).toHaveLength(PARCELS.length);
    }, WAIT);
    expect((await effects()).map((e) => [e.status, e.lease_holder])).toEqual(
      PARCELS.map(() => ['running', 'doomed']),
    );
    await worker('heir', '-');

    // One that only hangs is not gone: whoever answers nobody keeps its lease until it ends.
    doomed.kill('SIGSTOP');
    expect(await absentWorkers(test.db)).toEqual([]);
    doomed.kill('SIGCONT');

    const began = performance.now();
    await killed(doomed);
    // Mail that comes after the death is served, too.
    await send(id, 'late');
    await vi.waitFor(async () => {
      const all = await effects();
      expect(all.map((e) => e.status)).toEqual(Array(PARCELS.length + 1).fill('done'));
      expect(all.map((e) => e.lease_holder)).toEqual(Array(PARCELS.length + 1).fill('heir'));
    }, WAIT);
    process.stdout.write(`taken over and done after ${Math.round(performance.now() - began)} ms\n`);

    const taken = (await effects()).filter((e) => e.attempts === 2);
    expect(taken.map((e) => e.crash_count)).toEqual(PARCELS.map(() => 1));
    const shown = await listWorkers(test.db);
    expect(shown.map((w) => [w.id, w.gone_at !== null])).toEqual([
      ['doomed', true],
      ['heir', false],
    ]);
  });
});
