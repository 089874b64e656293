import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { deliver } from '../../../runtime/durable/actors/mailbox.ts';
import { spawnActor } from '../../../runtime/durable/actors/spawn.ts';
import type { EffectRunner } from '../../../runtime/durable/jobs/effect.ts';
import { openWakeQueue } from '../../../runtime/durable/queue/bullmq.ts';
import { runPeriodicTasks } from '../../../runtime/durable/workers/leader.ts';
import { startWorkerPool } from '../../../runtime/durable/workers/worker-pool.ts';
import { ADVISORY_LOCKS } from '../../../store/advisory-locks.ts';
import type { RateLimit } from '../../../store/durable/rate-limits.ts';
import { forgetSilentWorkers, listWorkers } from '../../../store/durable/workers.ts';
import { courier } from '../../fixtures/actors/courier-machine.ts';
import { carrier, listeningLog } from '../../fixtures/actors/courier-service.ts';
import { type TestDatabase, testDatabase } from '../../fixtures/postgres.ts';
import { redisPresent, type TestRedis, testRedis } from '../../fixtures/servers/redis.ts';

/** Several workers of one service: which one is the leader, how one ends, and how the rate limit applies to all. */

const WAIT = { timeout: 120_000, interval: 20 };
const PERIODIC_TASKS_LOCK = ADVISORY_LOCKS.periodicTasks;

for (const { backend, present } of [
  { backend: 'Postgres', present: true },
  { backend: 'Redis', present: redisPresent },
]) {
  describe.runIf(present)(`workers whose wake queue is on ${backend}`, () => {
    let database: TestDatabase;
    let redis: TestRedis | null = null;
    const stops: (() => Promise<unknown>)[] = [];
    beforeAll(async () => {
      database = await testDatabase();
      redis = backend === 'Redis' ? await testRedis() : null;
    });
    afterEach(async () => {
      for (const stop of stops.splice(0)) await stop();
      // Work that one test leaves unfinished must not reach the next test.
      for (const table of ['timers', 'effects', 'mailbox', 'actors'] as const)
        await database.db.deleteFrom(table).execute();
    });
    afterAll(async () => {
      await redis?.stop();
      await database?.drop();
    });

    const workerPool = async (
      runners: readonly EffectRunner[],
      options: { rateLimits?: ReadonlyMap<string, RateLimit>; drainMs?: number; concurrency?: number } = {},
    ) => {
      const { db, url: databaseUrl } = database;
      const log = listeningLog();
      const notifier = await openWakeQueue({ databaseUrl, redisUrl: redis?.url ?? null, log });
      const periodicTasks: string[] = [];
      const begin = () => {
        periodicTasks.push('begun');
        return [{ stop: async () => void periodicTasks.push('ended') }];
      };
      const id = randomUUID();
      const running = await startWorkerPool({
        ...{ db, notifier, log, now: () => new Date(), crash: () => {} },
        machines: new Map([[courier.kind, courier]]),
        runners: new Map(runners.map((r) => [r.kind, r])),
        rateLimits: options.rateLimits ?? new Map(),
        leader: runPeriodicTasks(db, begin, log, 20),
        self: { id, host: 'here', pid: process.pid, concurrency: options.concurrency ?? 4 },
        sweepMs: 50,
        // So long that nothing here is taken because a lease expired.
        leaseMs: 600_000,
        ...(options.drainMs === undefined ? {} : { drainMs: options.drainMs }),
      });
      let stopped: Promise<number> | null = null;
      const stop = (): Promise<number> => {
        stopped ??= running.stop();
        return stopped;
      };
      stops.push(stop);
      return { id, notifier, periodicTasks, stop, log };
    };
    const born = () =>
      database.db
        .transaction()
        .execute((trx) => spawnActor(trx, courier, { key: randomUUID(), input: {}, now: new Date() }));
    const send = (actorId: string, ...parcels: string[]) =>
      database.db.transaction().execute(async (trx) => {
        const now = new Date();
        for (const parcel of parcels)
          await deliver(trx, { actorId, eventId: parcel, event: { type: 'CARRY', parcel }, now });
      });
    const effects = (actorId: string) =>
      database.db
        .selectFrom('effects')
        .select(['id', 'status', 'attempts', 'failures', 'crash_count'])
        .where('actor_id', '=', actorId)
        .orderBy('id')
        .execute();
    const done = (actorId: string, count: number) =>
      vi.waitFor(async () => {
        const statuses = (await effects(actorId)).map((e) => e.status);
        expect(statuses).toEqual(Array(count).fill('done'));
      }, WAIT);

    it('run the periodic tasks in one of them, and at once in another when that one leaves or loses its connection', async () => {
      const first = await workerPool([carrier()]);
      await vi.waitFor(() => expect(first.periodicTasks).toEqual(['begun']), WAIT);
      const second = await workerPool([carrier()]);
      const third = await workerPool([carrier()]);
      await new Promise((resolve) => setTimeout(resolve, 150));
      expect([second.periodicTasks, third.periodicTasks]).toEqual([[], []]);

      await first.stop();
      expect(first.periodicTasks).toEqual(['begun', 'ended']);
      await vi.waitFor(
        () => expect([...second.periodicTasks, ...third.periodicTasks]).toEqual(['begun']),
        WAIT,
      );
      const [leader, other] = second.periodicTasks.length > 0 ? [second, third] : [third, second];

      // A worker that loses the lock ends its periodic tasks, and one of the two starts them again.
      await sql`select pg_terminate_backend(pid) from pg_locks
        where locktype = 'advisory' and objid = ${PERIODIC_TASKS_LOCK}
          and database = (select oid from pg_database where datname = current_database())`.execute(
        database.db,
      );
      await vi.waitFor(() => {
        expect(leader.periodicTasks.slice(0, 2)).toEqual(['begun', 'ended']);
        expect(leader.periodicTasks.length + other.periodicTasks.length).toBe(3);
      }, WAIT);
    });

    it('report that they live and what they have claimed, and are no longer listed when they have left', async () => {
      let go = (): void => {};
      const held = new Promise<void>((resolve) => {
        go = resolve;
      });
      stops.push(async () => go());
      const worker = await workerPool([carrier(() => held)]);
      const id = await born();
      await send(id, 'p1');
      await vi.waitFor(async () => {
        const row = (await listWorkers(database.db)).find((w) => w.id === worker.id);
        expect(row).toMatchObject({ pid: process.pid, in_hand: 1, leader: true });
        expect(row!.silent).toBeLessThan(10);
      }, WAIT);
      go();
      expect(await worker.stop()).toBe(0);
      expect((await listWorkers(database.db)).map((w) => w.id)).not.toContain(worker.id);
    });

    it('finish what they have claimed before they leave, and take nothing more', async () => {
      let go = (): void => {};
      const held = new Promise<void>((resolve) => {
        go = resolve;
      });
      stops.push(async () => go());
      const runner = carrier(() => held);
      const worker = await workerPool([runner]);
      const [busy, late] = [await born(), await born()];
      await send(busy, 'p1');
      await vi.waitFor(() => expect(runner.runs).toEqual(['p1']), WAIT);
      const left = worker.stop();
      const room = worker.notifier.room('default');
      await send(late, 'p2');
      worker.notifier.actor(late);
      go();
      expect(room).toBe(0);
      expect(await left).toBe(0);
      expect(await effects(busy)).toMatchObject([{ status: 'done', attempts: 1 }]);
      expect(await effects(late)).toEqual([]);
      const other = carrier();
      await workerPool([other]);
      await done(late, 1);
      expect(other.runs).toEqual(['p2']);
    });

    it('give back what does not end in time, and another takes it at once without counting a failure or a crash', async () => {
      const stopped: unknown[] = [];
      const runner = carrier(
        ({ signal }) =>
          new Promise<void>((_, reject) => {
            signal.addEventListener('abort', () => {
              stopped.push(signal.reason);
              reject(signal.reason);
            });
          }),
      );
      const worker = await workerPool([runner], { drainMs: 100 });
      const id = await born();
      await send(id, 'p1', 'p2');
      await vi.waitFor(() => expect([...runner.runs].sort()).toEqual(['p1', 'p2']), WAIT);
      const other = carrier();
      await workerPool([other]);
      expect(await worker.stop()).toBe(2);
      expect(stopped).toHaveLength(2);
      await done(id, 2);
      expect([...other.runs].sort()).toEqual(['p1', 'p2']);
      expect(await effects(id)).toMatchObject(Array(2).fill({ attempts: 2, failures: 0, crash_count: 0 }));
    });

    it('share a rate limit, which causes no failure and delays no other kind', async () => {
      const rateLimit = { perSecond: 20, burst: 2 };
      const runs: number[] = [];
      const paced = carrier(async () => void runs.push(performance.now()), { maxAttempts: 1 });
      const id = await born();
      const parcels = Array.from({ length: 12 }, (_, i) => `p${i}`);
      const began = performance.now();
      await workerPool([paced], { rateLimits: new Map([['carry', rateLimit]]) });
      await workerPool([paced], { rateLimits: new Map([['carry', rateLimit]]) });
      await send(id, ...parcels);
      await done(id, parcels.length);
      // However fast the machine is, the rate limit bounds how much may have run until then. The database's clock
      // enforces it and another clock measures it, so one of them may be adjusted a little in the meantime.
      runs.sort((a, b) => a - b);
      for (const [i, at] of runs.entries())
        expect(at - began).toBeGreaterThan(
          (0.8 * (i + 1 - rateLimit.burst) * 1000) / rateLimit.perSecond - 1,
        );
      expect(runs).toHaveLength(parcels.length);
      for (const { failures, crash_count } of await effects(id))
        expect([failures, crash_count]).toEqual([0, 0]);
    });

    it('do not let evaluations of the market delay a settlement', async () => {
      const evaluateMarket: EffectRunner = {
        kind: 'evaluate-market',
        lane: 'evaluate-market',
        maxAttempts: 1,
        run: () => new Promise(() => {}),
      };
      const worker = await workerPool([carrier(undefined, { lane: 'chain' }), evaluateMarket], {
        concurrency: 1,
        drainMs: 50,
      });
      const looking = await born();
      await sql`insert into effects (key, actor_id, kind, params, next_attempt_at, created_at)
        select ${looking} || ':look:' || n, ${looking}, 'evaluate-market', '{}', clock_timestamp(), clock_timestamp()
        from generate_series(1, 50) n`.execute(database.db);
      await vi.waitFor(async () => {
        // One in this process's own claim and possibly one more from the queue.
        expect((await effects(looking)).filter((e) => e.status === 'running')).not.toEqual([]);
      }, WAIT);
      const id = await born();
      await send(id, 'p1');
      await done(id, 1);
      expect((await effects(looking)).filter((e) => e.status === 'done')).toEqual([]);
      await worker.stop();
      await sql`delete from effects where actor_id = ${looking}`.execute(database.db);
    });

    it('do not let an actor with thousands of events starve the others', async () => {
      const noisy = await born();
      const quiet = await Promise.all(Array.from({ length: 10 }, born));
      await send(noisy, ...Array.from({ length: 300 }, (_, i) => `n${i}`));
      for (const id of quiet) await send(id, 'p1');
      const worker = await workerPool([carrier(undefined, { lane: 'chain' })], { concurrency: 1 });
      for (const id of [noisy, ...quiet]) worker.notifier.actor(id);
      // Served, whether or not its effects are done, because they run one at a time.
      const served = (id: string, count: number) =>
        vi.waitFor(async () => expect(await effects(id)).toHaveLength(count), WAIT);
      for (const id of quiet) await served(id, 1);
      await served(noisy, 300);
      const last = Math.max(...(await Promise.all(quiet.map(effects))).map(([e]) => Number(e!.id)));
      const before = (await effects(noisy)).filter((e) => Number(e.id) < last);
      // Two batches of it may have been in progress when the others' events arrived.
      expect(before.length).toBeLessThanOrEqual(150);
    });
  });
}

describe('a worker that sends no heartbeat', () => {
  it('is listed as silent, and forgotten after some time', async () => {
    const { db, drop } = await testDatabase();
    try {
      await sql`insert into workers (id, host, pid, concurrency, seen_at)
        values ('w1', 'gone', 1, 4, clock_timestamp() - interval '2 hours')`.execute(db);
      expect((await listWorkers(db))[0]!.silent).toBeGreaterThan(7_000);
      await forgetSilentWorkers(db, 9_000);
      expect(await listWorkers(db)).toHaveLength(1);
      await forgetSilentWorkers(db, 3_600);
      expect(await listWorkers(db)).toEqual([]);
    } finally {
      await drop();
    }
  });
});
