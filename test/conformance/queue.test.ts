import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { deliver } from '../../runtime/durable/actors/mailbox.ts';
import { spawnActor } from '../../runtime/durable/actors/spawn.ts';
import type { EffectRunner } from '../../runtime/durable/jobs/effect.ts';
import { courier } from '../fixtures/actors/courier-machine.ts';
import { carrier, courierService, listeningLog } from '../fixtures/actors/courier-service.ts';
import { type TestDatabase, testDatabase } from '../fixtures/postgres.ts';
import { redisPresent, type TestRedis, testRedis } from '../fixtures/servers/redis.ts';
import { testRedisCluster } from '../fixtures/servers/redis-cluster.ts';

const NEVER_MS = 3_600_000;
const WAIT = { timeout: 120_000, interval: 20 };

interface Backend {
  readonly redisUrl: string | null;
  /** Loses every job. */
  wipe(): Promise<void>;
  stop(): Promise<void>;
}

async function onPostgres(database: TestDatabase): Promise<Backend> {
  return {
    redisUrl: null,
    async wipe() {
      const { rows } = await sql<{ name: string }>`
        select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
        where schemaname = 'bullmq' and tablename not like '%migration%' and tablename not like '%version%'`.execute(
        database.db,
      );
      expect(rows.length).toBeGreaterThan(0);
      const truncate = sql.raw(`truncate ${rows.map((r) => r.name).join(', ')} cascade`);
      // Running workers hold the tables in an order of their own: one side of a deadlock has to try again.
      await vi.waitFor(() => truncate.execute(database.db), WAIT);
    },
    stop: async () => {},
  };
}

async function onRedis(): Promise<Backend> {
  const redis: TestRedis = await testRedis();
  return { redisUrl: redis.url, wipe: redis.wipe, stop: redis.stop };
}

async function onCluster(): Promise<Backend> {
  const { url: redisUrl, wipe, stop } = await testRedisCluster();
  return { redisUrl, wipe, stop };
}

const BACKENDS = [
  { name: 'Postgres', present: true, open: onPostgres },
  { name: 'Redis', present: redisPresent, open: onRedis },
  { name: 'a Redis cluster', present: redisPresent, open: onCluster },
];

for (const { name, present, open } of BACKENDS) {
  describe.runIf(present)(`the bell over BullMQ on ${name}`, () => {
    let database: TestDatabase;
    let backend: Backend;
    const stops: (() => Promise<void>)[] = [];

    beforeAll(async () => {
      database = await testDatabase();
      backend = await open(database);
    });
    afterEach(async () => {
      for (const stop of stops.splice(0)) await stop();
    });
    afterAll(async () => {
      await backend?.stop();
      await database?.drop();
    });

    const serve = async (
      runner: EffectRunner,
      options: { sweepMs?: number; direct?: boolean; others?: EffectRunner[] } = {},
    ) => {
      const log = listeningLog();
      const { redisUrl } = backend;
      const service = await courierService({
        db: database.db,
        databaseUrl: database.url,
        redisUrl,
        runner,
        direct: false,
        log,
        ...options,
      });
      stops.push(service.stop);
      return { ...service, log };
    };
    const spawn = () =>
      database.db
        .transaction()
        .execute((trx) => spawnActor(trx, courier, { key: randomUUID(), input: {}, now: new Date() }));
    const send = (actorId: string, eventId: string, event: { type: string; [member: string]: unknown }) =>
      database.db.transaction().execute((trx) => deliver(trx, { actorId, eventId, event, now: new Date() }));
    const actor = async (id: string) => {
      const row = await database.db
        .selectFrom('actors')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      const context = row.snapshot.context as { carried: string[]; failures: string[]; nudged: number };
      return { value: row.snapshot.value, context, revision: row.revision };
    };
    const statuses = async (id: string) =>
      (
        await database.db
          .selectFrom('effects')
          .select('status')
          .where('actor_id', '=', id)
          .orderBy('id')
          .execute()
      ).map((e) => e.status);
    /** As a machine whose first state asks for one leaves it. */
    const waitingEffect = (actorId: string, kind: string) =>
      database.db
        .insertInto('effects')
        .values({
          key: `${actorId}:0:0`,
          actor_id: actorId,
          kind,
          params: JSON.stringify({ parcel: 'first' }),
          lease_until: null,
          error: null,
          finished_at: null,
        })
        .execute();
    const unserved = async (id: string) =>
      (
        await database.db
          .selectFrom('mailbox')
          .select('event_id')
          .where('actor_id', '=', id)
          .where('consumed_at', 'is', null)
          .execute()
      ).length;

    it('wakes a mailbox, its effect and the event the effect reports, with no sweep at all', async () => {
      const runner = carrier();
      const { notifier } = await serve(runner, { sweepMs: NEVER_MS });
      const id = await spawn();
      await send(id, 'e1', { type: 'CARRY', parcel: 'p1' });
      notifier.actor(id);
      await vi.waitFor(async () => expect((await actor(id)).revision).toBe(2n), WAIT);
      expect(runner.runs).toEqual(['p1']);
      expect(await statuses(id)).toEqual(['done']);
    });

    it('runs each effect once and keeps the order, however often and however late it is rung', async () => {
      const runner = carrier();
      const { notifier } = await serve(runner);
      const ids = await Promise.all([spawn(), spawn(), spawn()]);
      const parcels = Array.from({ length: 15 }, (_, i) => `p${i}`);
      for (const parcel of parcels) {
        for (const id of ids) {
          const event = { type: 'CARRY', parcel: `${id} ${parcel}` };
          const fresh = await Promise.all([send(id, parcel, event), send(id, parcel, event)]);
          expect(fresh.filter(Boolean)).toHaveLength(1);
          for (let i = 0; i < 3; i++) notifier.actor(id);
        }
      }
      for (const id of ids) {
        await vi.waitFor(async () => {
          expect(await statuses(id)).toEqual(parcels.map(() => 'done'));
          expect(await unserved(id)).toBe(0);
        }, WAIT);
        expect((await actor(id)).context.carried).toEqual(parcels.map((p) => `${id} ${p}`));
      }
      expect(new Set(runner.runs).size).toBe(runner.runs.length);
      expect(runner.runs).toHaveLength(45);
    });

    it('lets two workers share the work, and no effect is run by both', async () => {
      const runner = carrier();
      const first = await serve(runner);
      await serve(runner);
      const ids = await Promise.all(Array.from({ length: 8 }, spawn));
      await Promise.all(
        ids.flatMap((id) =>
          Array.from({ length: 6 }, async (_, i) => {
            await send(id, `e${i}`, { type: 'CARRY', parcel: `${id} ${i}` });
            first.notifier.actor(id);
          }),
        ),
      );
      for (const id of ids) {
        await vi.waitFor(async () => expect(await statuses(id)).toEqual(Array(6).fill('done')), WAIT);
      }
      expect(new Set(runner.runs).size).toBe(48);
      expect(runner.runs).toHaveLength(48);
    });

    it('recovers timers, events and effects by the sweep alone after every queue was wiped', async () => {
      const runner = carrier();
      const before = await serve(runner, { sweepMs: NEVER_MS });
      await before.stop();
      stops.length = 0;
      const resting = await spawn();
      const carrying = await spawn();
      await send(resting, 'e1', { type: 'REST', ms: 100 });
      await send(carrying, 'e1', { type: 'CARRY', parcel: 'p1' });
      // Rung, but by nobody answered: what is wiped is all there was of it.
      const { openWakeQueue } = await import('../../runtime/durable/queue/bullmq.ts');
      const notifier = await openWakeQueue({
        databaseUrl: database.url,
        redisUrl: backend.redisUrl,
        log: listeningLog(),
      });
      await backend.wipe();
      notifier.actor(resting);
      notifier.actor(carrying);
      await vi.waitFor(async () => expect(await notifier.waiting()).toBe(2), WAIT);
      await backend.wipe();
      expect(await notifier.waiting()).toBe(0);
      await notifier.close();
      await serve(runner, { sweepMs: 50 });
      await vi.waitFor(async () => {
        expect((await actor(resting)).value).toBe('rested');
        expect(await statuses(carrying)).toEqual(['done']);
        expect(await unserved(carrying)).toBe(0);
      }, WAIT);
      expect(runner.runs).toEqual(['p1']);
    });

    it('goes on when the queues are wiped under a running worker', async () => {
      const runner = carrier();
      const { notifier } = await serve(runner, { sweepMs: 50 });
      const id = await spawn();
      for (let i = 0; i < 6; i++) {
        await send(id, `e${i}`, { type: 'CARRY', parcel: `p${i}` });
        notifier.actor(id);
        if (i % 2 === 0) await backend.wipe();
      }
      await vi.waitFor(async () => expect(await statuses(id)).toEqual(Array(6).fill('done')), WAIT);
      expect([...runner.runs].sort()).toEqual(['p0', 'p1', 'p2', 'p3', 'p4', 'p5']);
    });

    it('tries a late effect again, and tells the actor of one that failed for good', async () => {
      const runner = carrier();
      const { notifier } = await serve(runner);
      const id = await spawn();
      for (const parcel of ['slow', 'lost', 'refused']) await send(id, parcel, { type: 'CARRY', parcel });
      notifier.actor(id);
      await vi.waitFor(async () => {
        expect(await statuses(id)).toEqual(['done', 'failed', 'failed']);
        expect(await unserved(id)).toBe(0);
      }, WAIT);
      expect((await actor(id)).context.failures.sort()).toEqual(['lost was lost', 'refused is refused']);
      expect(runner.runs.filter((r) => r === 'slow')).toHaveLength(2);
      expect(runner.runs.filter((r) => r === 'lost')).toHaveLength(3);
      expect(runner.runs.filter((r) => r === 'refused')).toHaveLength(1);
    });

    it('cancels a timer with the state that set it', async () => {
      const { notifier } = await serve(carrier(), { sweepMs: 50 });
      const id = await spawn();
      await send(id, 'e1', { type: 'REST', ms: NEVER_MS });
      notifier.actor(id);
      await vi.waitFor(async () => expect((await actor(id)).value).toBe('resting'), WAIT);
      await send(id, 'e2', { type: 'WAKE' });
      notifier.actor(id);
      await vi.waitFor(async () => expect((await actor(id)).value).toBe('ready'), WAIT);
      const other = await spawn();
      await send(other, 'e1', { type: 'REST', ms: NEVER_MS });
      notifier.actor(other);
      await vi.waitFor(async () => expect((await actor(other)).value).toBe('resting'), WAIT);
      // As if the time of both had passed.
      await database.db
        .updateTable('timers')
        .set({ due_at: new Date(0) })
        .where('actor_id', 'in', [id, other])
        .execute();
      await vi.waitFor(async () => expect((await actor(other)).value).toBe('rested'), WAIT);
      expect((await actor(id)).value).toBe('ready');
    });

    it('keeps a slow lane from holding up another', async () => {
      let release = (): void => {};
      const gate = new Promise<void>((resolve) => {
        release = resolve;
      });
      stops.push(async () => release());
      const runner = carrier(() => gate, { lane: 'determination' });
      const swift = { ...carrier(), kind: 'swift', lane: 'chain' as const };
      const { notifier } = await serve(runner, { others: [swift] });
      const slow = await spawn();
      for (let i = 0; i < 20; i++) await send(slow, `e${i}`, { type: 'CARRY', parcel: `p${i}` });
      notifier.actor(slow);
      await vi.waitFor(() => expect(runner.runs).toHaveLength(4), WAIT);
      const quick = await spawn();
      await waitingEffect(quick, 'swift');
      await send(quick, 'e1', { type: 'NUDGE' });
      notifier.jobs('chain');
      notifier.actor(quick);
      await vi.waitFor(async () => {
        expect((await actor(quick)).context.nudged).toBe(1);
        expect(await statuses(quick)).toEqual(['done']);
      }, WAIT);
      expect(runner.runs).toHaveLength(4);
      release();
      await vi.waitFor(async () => expect(await statuses(slow)).toEqual(Array(20).fill('done')), WAIT);
    });

    it('waits on closing for the effect in hand, and its outcome is written', async () => {
      let release = (): void => {};
      const gate = new Promise<void>((resolve) => {
        release = resolve;
      });
      stops.push(async () => release());
      for (const direct of [false, true]) {
        const runner = carrier(() => gate);
        const service = await serve(runner, { direct });
        const id = await spawn();
        await send(id, 'e1', { type: 'CARRY', parcel: 'p1' });
        service.notifier.actor(id);
        await vi.waitFor(() => expect(runner.runs).toHaveLength(1), WAIT);
        const stopped = service.stop();
        stops.splice(1);
        setTimeout(release, 50);
        await stopped;
        expect(await statuses(id)).toEqual(['done']);
      }
    });

    it('answers its own rings without the queue while it has room', async () => {
      const runner = carrier();
      const { notifier } = await serve(runner, { direct: true, sweepMs: NEVER_MS });
      const id = await spawn();
      await send(id, 'e1', { type: 'CARRY', parcel: 'p1' });
      notifier.actor(id);
      expect(await notifier.waiting()).toBe(0);
      await vi.waitFor(async () => expect((await actor(id)).revision).toBe(2n), WAIT);
      expect(runner.runs).toEqual(['p1']);
    });

    it('gives an actor born with effects its due when it is rung', async () => {
      const runner = carrier();
      const { notifier } = await serve(runner, { sweepMs: NEVER_MS });
      const id = await spawn();
      await waitingEffect(id, 'carry');
      notifier.actor(id);
      await vi.waitFor(async () => expect(await statuses(id)).toEqual(['done']), WAIT);
    });
  });
}

describe.runIf(redisPresent)('the bell over a Redis cluster', () => {
  it('keeps each queue in one slot, and spreads the queues over the nodes', async () => {
    const cluster = await testRedisCluster();
    const { openWakeQueue } = await import('../../runtime/durable/queue/bullmq.ts');
    const databaseUrl = 'postgres://127.0.0.1:1/none';
    const notifier = await openWakeQueue({ databaseUrl, redisUrl: cluster.url, log: listeningLog() });
    try {
      notifier.actor('deal:one');
      notifier.jobs('chain');
      await vi.waitFor(async () => expect(await notifier.waiting()).toBe(2), WAIT);
      const nodes = await cluster.keys();
      const queuesOf = nodes.map((keys) => new Set(keys.map((key) => /^\{([^}]+)\}/.exec(key)?.[1] ?? key)));
      const queues = notifier.queues.map(({ name }) => name).sort();
      expect(queuesOf.flatMap((of) => [...of]).sort()).toEqual(queues);
      expect(queuesOf.filter((of) => of.size > 0).length).toBeGreaterThan(1);
    } finally {
      await notifier.close();
      await cluster.stop();
    }
  });
});

describe('a queue that cannot be reached', () => {
  it('is refused at the start in one sentence', async () => {
    const { openWakeQueue } = await import('../../runtime/durable/queue/bullmq.ts');
    const log = listeningLog();
    await expect(
      openWakeQueue({ databaseUrl: 'postgres://127.0.0.1:1/none', redisUrl: 'redis://127.0.0.1:1', log }),
    ).rejects.toThrow(/the queue at 127\.0\.0\.1:1 cannot be reached: .*ECONNREFUSED/);
    const redisUrl = 'redis://127.0.0.1:1,redis://127.0.0.1:2';
    await expect(
      openWakeQueue({ databaseUrl: 'postgres://127.0.0.1:1/none', redisUrl, log }),
    ).rejects.toThrow(/the queue at 127\.0\.0\.1:1, 127\.0\.0\.1:2 cannot be reached: /);
    await expect(
      openWakeQueue({ databaseUrl: 'postgres://127.0.0.1:1/none', redisUrl: null, log }),
    ).rejects.toThrow(/ECONNREFUSED/);
  });
});
