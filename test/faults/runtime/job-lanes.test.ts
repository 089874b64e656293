import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openWakeQueue } from '../../../runtime/durable/queue/bullmq.ts';
import { CLAIM, claimEffects } from '../../../store/durable/outbox.ts';
import { carrier, courierService, listeningLog } from '../../fixtures/actors/courier-service.ts';
import { type TestDatabase, testDatabase } from '../../fixtures/postgres.ts';

const WAIT = { timeout: 120_000, interval: 20 };
const NEVER_MS = 3_600_000;

let database: TestDatabase;
const stops: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  database = await testDatabase();
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  await database.drop();
});

/** Effects without an actor of their own to report to. */
async function insert(kind: string, count: number, options: { status?: string; ago?: number } = {}) {
  const { status = 'pending', ago = 60 } = options;
  await sql`
    insert into effects (key, actor_id, kind, params, status, next_attempt_at, created_at)
    select ${kind} || ':' || ${status} || ':' || n, 'courier:a', ${kind}, jsonb_build_object('parcel', n::text), ${status},
      clock_timestamp() - (${ago} - n * 0.0001) * interval '1 second', clock_timestamp()
    from generate_series(1, ${count}) n`.execute(database.db);
}

const claim = (kinds: readonly string[], limit: number) =>
  claimEffects(database.db, { kinds, limit, leaseMs: 60_000, clock: null });

/** The plan that serves every claim on this database, as text. */
async function planOfClaim(): Promise<string> {
  const { rows } = await sql<Record<string, string>>`explain (generic_plan) ${sql.raw(CLAIM.text)}`.execute(
    database.db,
  );
  return rows.map((row) => Object.values(row)[0]).join('\n');
}

describe('a claim', () => {
  it('takes the longest due of all kinds of a lane, up to its limit, and no other kind', async () => {
    await insert('b', 3, { ago: 10 });
    await insert('a', 3, { ago: 20 });
    await insert('other', 3, { ago: 99 });
    const keys = async (limit: number) => (await claim(['a', 'b'], limit)).map((row) => row.key).sort();
    expect(await keys(2)).toEqual(['a:pending:1', 'a:pending:2']);
    expect(await keys(2)).toEqual(['a:pending:3', 'b:pending:1']);
    expect(await keys(9)).toEqual(['b:pending:2', 'b:pending:3']);
    expect(await keys(9)).toEqual([]);
  });

  it('never gives one effect to two who claim at the same time', async () => {
    await insert('a', 200);
    const claims = await Promise.all(Array.from({ length: 40 }, () => claim(['a'], 7)));
    const keys = claims.flat().map((row) => row.key);
    expect(new Set(keys).size).toBe(keys.length);
    for (let left = 200 - keys.length; left > 0; ) {
      const more = await claim(['a'], 50);
      keys.push(...more.map((row) => row.key));
      left -= more.length;
    }
    expect(new Set(keys).size).toBe(200);
  });

  it('reads the index of what is due alone, however much is done and whatever waits in other lanes', async () => {
    await insert('a', 20_000, { status: 'done' });
    await insert('other', 5_000);
    await insert('a', 10);
    await sql`analyze effects`.execute(database.db);
    const plan = await planOfClaim();
    expect(plan).toContain('Index Scan using effects_due');
    expect(plan).not.toContain('Seq Scan on effects');
  });
});

describe('two processes with room', () => {
  it('share what is due and never run one effect twice, woken by wake-ups that carry nothing', async () => {
    const first = carrier(() => new Promise((resolve) => setTimeout(resolve, 5)));
    const second = carrier(() => new Promise((resolve) => setTimeout(resolve, 5)));
    const { db, url: databaseUrl } = database;
    const services = [];
    for (const runner of [first, second]) {
      const service = await courierService({
        ...{ db, databaseUrl, redisUrl: null, runner, sweepMs: NEVER_MS, log: listeningLog() },
      });
      services.push(service);
      stops.push(service.stop);
    }
    await insert('carry', 120);
    // Told to one of them: what it has no room for reaches the other through the queue.
    services[0]!.notifier.jobs('default');
    await vi.waitFor(async () => {
      const open = await db.selectFrom('effects').select('key').where('status', '<>', 'done').execute();
      expect(open).toEqual([]);
    }, WAIT);
    const runs = [...first.runs, ...second.runs];
    expect([runs.length, new Set(runs).size]).toEqual([120, 120]);
    expect(second.runs.length).toBeGreaterThan(0);
  });
});

describe('a process that works alone', () => {
  it('puts nothing into the queue for what it has no room for, and runs it all once it has', async () => {
    const runner = carrier(() => new Promise((resolve) => setTimeout(resolve, 5)));
    const { db, url: databaseUrl } = database;
    const { notifier, stop } = await courierService({
      ...{ db, databaseUrl, redisUrl: null, runner, sweepMs: NEVER_MS, log: listeningLog() },
    });
    stops.push(stop);
    const queue = notifier.queues.find((q) => q.name === 'handshake-default')!;
    const add = vi.spyOn(queue, 'add');
    const work = async (count: number) => {
      const before = runner.runs.length;
      await insert('carry', count, { status: 'pending' });
      for (let i = 0; i < 20; i++) notifier.jobs('default');
      await vi.waitFor(() => expect(runner.runs.length).toBe(before + count), WAIT);
      await sql`delete from effects`.execute(db);
    };
    notifier.alone(true);
    await work(60);
    expect(add).not.toHaveBeenCalled();
    notifier.alone(false);
    await work(60);
    expect(add).toHaveBeenCalled();
  });
});

describe('a wake-up', () => {
  it('of a lane carries nothing, now or later, and of a mailbox its actor alone', async () => {
    const notifier = await openWakeQueue({
      ...{ databaseUrl: database.url, redisUrl: null, log: listeningLog() },
    });
    stops.push(() => notifier.close());
    notifier.jobs('chain');
    notifier.jobs('chain', NEVER_MS);
    notifier.actor('courier:a');
    const queue = (name: string) => notifier.queues.find((q) => q.name === `handshake-${name}`)!;
    const jobs = async (name: string) =>
      (await queue(name).getJobs(['waiting', 'delayed'])).map(({ data, name: job }) => [job, data]);
    await vi.waitFor(async () => {
      expect(await jobs('chain')).toEqual([
        ['wake', {}],
        ['wake', {}],
      ]);
      expect(await jobs('mailboxes')).toEqual([['wake', { id: 'courier:a' }]]);
    }, WAIT);
  });

  it('that is asked for many times before it is added is one', async () => {
    const notifier = await openWakeQueue({
      ...{ databaseUrl: database.url, redisUrl: null, log: listeningLog() },
    });
    stops.push(() => notifier.close());
    for (let i = 0; i < 50; i++) notifier.jobs('default');
    await vi.waitFor(async () => expect(await notifier.waiting()).toBe(1), WAIT);
  });
});
