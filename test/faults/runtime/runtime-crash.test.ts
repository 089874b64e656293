import { type ChildProcess, spawn } from 'node:child_process';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { deliver } from '../../../runtime/durable/actors/mailbox.ts';
import { spawnActor } from '../../../runtime/durable/actors/spawn.ts';
import { courier } from '../../fixtures/actors/courier-machine.ts';
import { type TestDatabase, testDatabase } from '../../fixtures/postgres.ts';

const WORKER = new URL('../../fixtures/actors/courier-worker.ts', import.meta.url).pathname;
const WAIT = { timeout: 120_000, interval: 50 };
/** So long that a live process always extends it in time, however slow the machine is. */
const LEASE_MS = 12_000;
const PARCELS = ['p1', 'p2', 'p3'];

let test: TestDatabase;
const children = new Set<ChildProcess>();

beforeEach(async () => {
  test = await testDatabase();
  await sql`create table sent (key text not null, parcel text not null, pid integer not null)`.execute(
    test.db,
  );
});
afterEach(async () => {
  for (const child of children) {
    child.kill('SIGKILL');
    await ended(child);
  }
  children.clear();
  await test.drop();
});

function worker(crashAt = '-', habit = '-'): ChildProcess {
  const args = ['--import', 'tsx', WORKER, test.url, crashAt, habit, String(LEASE_MS)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.add(child);
  return child;
}

async function serving(child: ChildProcess): Promise<void> {
  for await (const chunk of child.stdout!) if (String(chunk).includes('serving')) return;
  throw new Error('the worker ended before it served');
}

async function ended(child: ChildProcess): Promise<NodeJS.Signals | number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    await new Promise((resolve) => child.once('exit', resolve));
  }
  return child.signalCode ?? child.exitCode;
}

async function actorWithMail(): Promise<string> {
  return await test.db.transaction().execute(async (trx) => {
    const now = new Date();
    const id = await spawnActor(trx, courier, { key: 'a', input: {}, now });
    for (const parcel of PARCELS) {
      await deliver(trx, { actorId: id, eventId: parcel, event: { type: 'CARRY', parcel }, now });
    }
    return id;
  });
}

async function sent(): Promise<{ parcel: string; pid: number }[]> {
  return (
    await sql<{ parcel: string; pid: number }>`select parcel, pid from sent order by parcel`.execute(test.db)
  ).rows;
}

const leases = () =>
  test.db.selectFrom('effects').select(['key', 'lease_until', 'status', 'attempts']).orderBy('key').execute();

/** Pretends that the time has passed for which a vanished process is waited for. */
async function runOut(): Promise<void> {
  await sql`update effects set lease_until = clock_timestamp() where status = 'running'`.execute(test.db);
}

async function everythingDone(id: string): Promise<void> {
  await vi.waitFor(async () => {
    const effects = await test.db.selectFrom('effects').select('status').where('actor_id', '=', id).execute();
    expect(effects.map((e) => e.status)).toEqual(PARCELS.map(() => 'done'));
    const left = await test.db
      .selectFrom('mailbox')
      .select('event_id')
      .where('consumed_at', 'is', null)
      .execute();
    expect(left).toEqual([]);
  }, WAIT);
}

describe('a worker process killed', () => {
  it.each(['after-batch-commit', 'before-effect-run', 'after-effect-run-before-commit'])(
    'at %s leaves work that the next process finishes, and each thing is done once',
    async (point) => {
      const id = await actorWithMail();
      expect(await ended(worker(point))).toBe('SIGKILL');
      await runOut();
      worker();
      await everythingDone(id);
      expect((await sent()).map((s) => s.parcel)).toEqual(PARCELS);
      const actor = await test.db
        .selectFrom('actors')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      expect(actor.snapshot.context).toMatchObject({ carried: PARCELS, failures: [] });
      const told = await test.db
        .selectFrom('mailbox')
        .select('event_id')
        .where('event_id', 'like', 'effect:%')
        .execute();
      expect(told).toHaveLength(PARCELS.length);
    },
  );

  it('in the middle of its effects leaves them to a running one, which checks before it acts', async () => {
    const id = await actorWithMail();
    const first = worker('-', 'hang');
    await vi.waitFor(async () => expect((await sent()).map((s) => s.parcel)).toEqual(PARCELS), WAIT);
    const second = worker();
    await serving(second);
    const began = await leases();
    // The first process lives and extends its leases, so that nobody takes its effects.
    await vi.waitFor(async () => {
      const now = await leases();
      expect(now.map((e, i) => e.lease_until! > began[i]!.lease_until!)).toEqual(PARCELS.map(() => true));
    }, WAIT);
    expect((await leases()).map((e) => [e.status, e.attempts])).toEqual(PARCELS.map(() => ['running', 1]));
    first.kill('SIGKILL');
    expect(await ended(first)).toBe('SIGKILL');
    await runOut();
    await everythingDone(id);
    expect(await sent()).toEqual(PARCELS.map((parcel) => ({ parcel, pid: first.pid })));
    expect(second.exitCode).toBeNull();
  });
});
