import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { deliver } from '../../../runtime/durable/actors/mailbox.ts';
import { spawnActor } from '../../../runtime/durable/actors/spawn.ts';
import { openWakeQueue } from '../../../runtime/durable/queue/bullmq.ts';
import { courier } from '../../fixtures/actors/courier-machine.ts';
import { carrier, courierService, listeningLog } from '../../fixtures/actors/courier-service.ts';
import { type TestDatabase, testDatabase } from '../../fixtures/postgres.ts';
import { redisPresent, type TestRedis, testRedis } from '../../fixtures/servers/redis.ts';

const WAIT = { timeout: 120_000, interval: 50 };
const ACTORS = 4;
const EVENTS = 12;

describe.runIf(redisPresent)('a Redis that fails in the middle of the work', () => {
  let database: TestDatabase;
  let redis: TestRedis;
  const stops: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    database = await testDatabase();
  });
  beforeEach(async () => {
    redis = await testRedis();
  });
  afterEach(async () => {
    redis.thaw();
    for (const stop of stops.splice(0)) await stop();
    await redis.stop();
  });
  afterAll(() => database?.drop());

  const serve = async (runner: ReturnType<typeof carrier>, direct: boolean) => {
    const { db, url: databaseUrl } = database;
    const options = { db, databaseUrl, redisUrl: redis.url, runner, direct, sweepMs: 100 };
    const service = await courierService(options);
    stops.push(service.stop);
    return service;
  };
  const born = () =>
    database.db
      .transaction()
      .execute((trx) => spawnActor(trx, courier, { key: randomUUID(), input: {}, now: new Date() }));
  const send = (actorId: string, parcel: string) =>
    database.db
      .transaction()
      .execute((trx) =>
        deliver(trx, { actorId, eventId: parcel, event: { type: 'CARRY', parcel }, now: new Date() }),
      );

  /**
   * Two workers, events for several actors, and the fault between them. @param fault resolves with the end of the fault
   */
  async function workThrough(
    direct: boolean,
    fault: () => Promise<{ over: Promise<void> } | void>,
  ): Promise<void> {
    const runner = carrier();
    const { notifier } = await serve(runner, direct);
    await serve(runner, direct);
    const ids = await Promise.all(Array.from({ length: ACTORS }, born));
    const parcels = Array.from({ length: EVENTS }, (_, i) => `p${i}`);
    let over: Promise<void> | undefined;
    for (const [i, parcel] of parcels.entries()) {
      if (i === EVENTS / 2) over = (await fault())?.over;
      for (const id of ids) {
        await send(id, `${id} ${parcel}`);
        notifier.actor(id);
      }
    }
    // However early everything is done: a Redis that comes back late must not reach another test.
    await Promise.all([expectAllDone(ids, parcels), over]);
    // Each parcel ran once, although some wake-ups came twice.
    expect(runner.runs).toHaveLength(ACTORS * EVENTS);
    expect(new Set(runner.runs).size).toBe(ACTORS * EVENTS);
  }

  async function expectAllDone(ids: readonly string[], parcels: readonly string[]): Promise<void> {
    const { db } = database;
    await vi.waitFor(async () => {
      const open = await db
        .selectFrom('mailbox')
        .select('event_id')
        .where('actor_id', 'in', ids)
        .where('consumed_at', 'is', null)
        .execute();
      expect(open).toEqual([]);
      const effects = await db.selectFrom('effects').select('status').where('actor_id', 'in', ids).execute();
      expect(effects.map((e) => e.status)).toEqual(Array(ids.length * parcels.length).fill('done'));
    }, WAIT);
    for (const id of ids) {
      const { snapshot } = await db
        .selectFrom('actors')
        .select('snapshot')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      expect(snapshot.context.carried).toEqual(parcels.map((parcel) => `${id} ${parcel}`));
    }
  }

  for (const direct of [false, true]) {
    const rung = direct ? 'rings that are answered where they are rung' : 'every ring through it';

    it(`loses nothing when it is killed and comes back, with ${rung}`, () =>
      workThrough(direct, async () => {
        await redis.kill();
        return { over: sleep(500).then(() => redis.start()) };
      }));

    it(`loses nothing when it comes back empty, with ${rung}`, () =>
      workThrough(direct, async () => {
        await redis.kill();
        await redis.start({ empty: true });
      }));

    it(`loses nothing when it is wiped, with ${rung}`, () => workThrough(direct, () => redis.wipe()));

    it(`loses nothing when it answers nobody for a while, with ${rung}`, () =>
      workThrough(direct, async () => {
        redis.freeze();
        return { over: sleep(2_000).then(() => redis.thaw()) };
      }));
  }

  it('is told only some of what there is while it answers nobody, and whoever looks at it gets an end', async () => {
    const { url: databaseUrl } = database;
    const notifier = await openWakeQueue({ databaseUrl, redisUrl: redis.url, log: listeningLog() });
    stops.push(notifier.close);
    redis.freeze();
    for (let i = 0; i < 5_000; i++) notifier.actor(`courier:${i}`);
    for (let i = 0; i < 100; i++) notifier.overdue([`courier:late-${i}`]);
    await expect(notifier.waiting()).rejects.toThrow('does not answer');
    redis.thaw();
    const waiting = await vi.waitFor(() => notifier.waiting(), WAIT);
    expect(waiting).toBeGreaterThan(0);
    expect(waiting).toBeLessThan(400);
  });

  it('is not needed by a process that handles its own wake-ups: work continues while Redis answers nobody', async () => {
    const runner = carrier();
    const { notifier } = await serve(runner, true);
    const id = await born();
    redis.freeze();
    for (let i = 0; i < 5; i++) {
      await send(id, `p${i}`);
      // The sweep finds it even without a wake-up.
      if (i % 2 === 0) notifier.actor(id);
    }
    await vi.waitFor(() => expect([...runner.runs].sort()).toEqual(['p0', 'p1', 'p2', 'p3', 'p4']), WAIT);
  });
});
