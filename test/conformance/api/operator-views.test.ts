import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { sha256Hex } from '../../../agents/canonical.ts';
import type { App } from '../../../api/http/app.ts';
import { operatorKeys, operatorSignIn } from '../../../api/http/auth/operator-key.ts';
import { errorRoutes } from '../../../api/service/errors.ts';
import { metricsRoutes } from '../../../api/service/metrics.ts';
import { queueBoard } from '../../../api/service/queue-board.ts';
import { seedKeys } from '../../../chain/keys/seeds.ts';
import { deliver } from '../../../runtime/durable/actors/mailbox.ts';
import { spawnActor } from '../../../runtime/durable/actors/spawn.ts';
import { openMetrics } from '../../../runtime/telemetry/metrics.ts';
import { deliverWebhooks } from '../../../runtime/webhooks/deliver-webhooks.ts';
import { secretBoxOf } from '../../../runtime/webhooks/secret-box.ts';
import { newWebhookSecret } from '../../../runtime/webhooks/signature.ts';
import { spreadNotificationsJob } from '../../../runtime/webhooks/spread-notifications.ts';
import { backlog } from '../../../store/durable/backlog.ts';
import { heartbeat, listWorkers } from '../../../store/durable/workers.ts';
import { saveOperatorKey } from '../../../store/http/operator-keys.ts';
import { deliveryBacklog, insertDelivery } from '../../../store/webhooks/webhook-deliveries.ts';
import { insertSubscription } from '../../../store/webhooks/webhook-subscriptions.ts';
import { courier } from '../../fixtures/actors/courier-machine.ts';
import { carrier, courierService } from '../../fixtures/actors/courier-service.ts';
import { sweptJobs } from '../../fixtures/actors/swept-jobs.ts';
import { type TestDatabase, testDatabase } from '../../fixtures/postgres.ts';
import { quietQuarantine } from '../../fixtures/quiet-quarantine.ts';
import { redisPresent, type TestRedis, testRedis } from '../../fixtures/servers/redis.ts';
import { webhookReceiver } from '../../fixtures/servers/webhook-receiver.ts';
import { server } from './server-fixture.ts';

const KEYS = { metrics: 'metrics-key-0123456789', queues: 'queues-key-01234567890' };
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const basic = (key: string) => ({ authorization: `Basic ${btoa(`anybody:${key}`)}` });

for (const { backend, present } of [
  { backend: 'Postgres', present: true },
  { backend: 'Redis', present: redisPresent },
]) {
  describe.runIf(present)(`what operators see of a service whose queue is on ${backend}`, () => {
    let database: TestDatabase;
    let redis: TestRedis | null = null;
    let service: Awaited<ReturnType<typeof courierService>>;
    let closed: App;
    let open: App;
    const metrics = openMetrics();
    const readings = { failing: false };

    beforeAll(async () => {
      database = await testDatabase();
      redis = backend === 'Redis' ? await testRedis() : null;
      const { db, url: databaseUrl } = database;
      for (const [scope, key] of Object.entries(KEYS))
        await saveOperatorKey(db, { id: scope, name: scope, hash: sha256Hex(key), scopes: [scope] });
      service = await courierService({
        ...{ db, databaseUrl, redisUrl: redis?.url ?? null, meter: metrics.meter },
        runner: carrier(undefined, { maxAttempts: 1 }),
        sweepMs: 50,
      });
      const text = () =>
        metrics.text({
          queue: () => service.notifier.waitingByQueue(),
          backlog: () => backlog(db, new Date()),
          webhooks: () => deliveryBacklog(db, new Date()),
          workers: async () => (await listWorkers(db)).map((w) => ({ silent: w.silent, inHand: w.in_hand })),
          signers: async () => {
            if (readings.failing) throw new Error('no chain');
            return [{ chain: '1002', role: 'operator', balance: 2.5 }];
          },
        });
      const { contentType } = metrics;
      const requireOperator = operatorKeys({ db });
      const make = (isOpen: boolean) =>
        server({
          db,
          meter: metrics.meter,
          routes: [
            errorRoutes,
            (app) => metricsRoutes(app, { text, contentType, requireOperator, open: isOpen }),
            (app) => queueBoard(app, { queues: service.notifier.queues, signIn: operatorSignIn({ db }) }),
          ],
        });
      [closed, open] = await Promise.all([make(false), make(true)]);
    });
    afterAll(async () => {
      await Promise.all([closed?.close(), open?.close()]);
      await service?.stop();
      await redis?.stop();
      await database?.drop();
    });

    const born = (key: string) =>
      database.db
        .transaction()
        .execute((trx) => spawnActor(trx, courier, { key, input: {}, now: new Date() }));
    const send = (actorId: string, eventId: string, type: string, parcel = eventId) =>
      database.db
        .transaction()
        .execute((trx) => deliver(trx, { actorId, eventId, event: { type, parcel }, now: new Date() }));
    const lines = async (app = open): Promise<string[]> =>
      (await app.inject({ url: '/metrics' })).body.split('\n');

    it('are metrics: of mailbox batches, of effects by outcome, of what waits and since when', async () => {
      const id = await born('a');
      await send(id, 'p1', 'CARRY');
      await send(id, 'refused', 'CARRY');
      service.notifier.actor(id);
      // Waits for an actor that is not there, for a minute already.
      await send('courier:unborn', 'early', 'CARRY');
      await sql`update mailbox set created_at = created_at - interval '60 seconds' where event_id = 'early'`.execute(
        database.db,
      );
      await vi.waitFor(
        async () => {
          // As one does that lives: after ten seconds without it is shown no more.
          await heartbeat(database.db, {
            id: 'w1',
            host: 'h',
            pid: 1,
            concurrency: 4,
            leader: true,
            inHand: 3,
          });
          const shown = await lines();
          const value = (name: string): number =>
            Number(shown.find((l) => l.startsWith(`${name} `))?.split(' ')[1]);
          expect(value('handshake_effect_seconds_count{kind="carry",outcome="done"}')).toBe(1);
          expect(value('handshake_effect_seconds_count{kind="carry",outcome="failed"}')).toBe(1);
          expect(
            value('handshake_mailbox_batch_seconds_count{kind="courier",outcome="served"}'),
          ).toBeGreaterThan(1);
          expect(value('handshake_events_unserved')).toBe(1);
          expect(value('handshake_oldest_unserved_event_seconds')).toBeGreaterThanOrEqual(60);
          expect(value('handshake_effects{kind="carry",status="failed"}')).toBe(1);
          // One effect is a dead letter, since less than the minute for which the event waits.
          expect(value('handshake_dead_letter_events')).toBe(0);
          expect(value('handshake_oldest_dead_letter_seconds')).toBeGreaterThan(0);
          expect(value('handshake_queue_waiting{queue="handshake-mailboxes"}')).toBe(0);
          expect([value('handshake_workers'), value('handshake_effects_in_hand')]).toEqual([1, 3]);
          expect(value('handshake_signer_balance_coins{chain="1002",role="operator"}')).toBe(2.5);
        },
        { timeout: 120_000, interval: 50 },
      );
    });

    it('are metrics of webhooks: by outcome, what waits and since when, what was given up', async () => {
      const receiver = await webhookReceiver();
      const secretBox = secretBoxOf(seedKeys(`0x${'5e'.repeat(32)}`), 'test');
      const { db } = database;
      const now = (): Date => new Date();
      const told = async (url: string, seconds: number): Promise<string> => {
        const id = `whs-${url.length}-${seconds}`;
        await db.transaction().execute(async (trx) => {
          const terms = {
            wallet: '0xowner',
            beneficialOwner: '0xowner',
            kinds: [],
            secret: secretBox.close(newWebhookSecret()),
          };
          await insertSubscription(trx, { id, url, ...terms, now: now() });
          const made = new Date(now().getTime() - seconds * 1000);
          await insertDelivery(trx, {
            id: `msg-${id}`,
            subscriptionId: id,
            kind: 'x',
            body: '{}',
            now: made,
          });
        });
        return id;
      };
      receiver.answers.push(500);
      await told(receiver.url, 10);
      await told('http://127.0.0.1:1/nobody', 7_200);
      await db
        .updateTable('webhook_subscriptions')
        .set({ status: 'disabled' })
        .where('id', '=', await told('http://127.0.0.1:1/disabled', 90_000))
        .execute();
      const shownAs = async (name: string): Promise<number> =>
        Number((await lines()).find((l) => l.startsWith(`${name} `))?.split(' ')[1]);
      expect(await shownAs('handshake_webhooks_waiting')).toBe(2);
      const oldest = await shownAs('handshake_oldest_undelivered_webhook_seconds');
      expect(oldest).toBeGreaterThanOrEqual(7_200);
      expect(oldest).toBeLessThan(90_000);
      const spread = spreadNotificationsJob({
        ...{ db, now, everyMs: 10, quarantine: quietQuarantine(db) },
        ownerOf: async () => ({ wallet: '0xowner', beneficialOwner: '0xowner' }),
      });
      const deliver = deliverWebhooks({
        ...{ db, secretBox, now, meter: metrics.meter, retriesMs: [], timeoutMs: 60_000 },
        allowed: { loopback: true },
      });
      const courier = await sweptJobs({ db, runners: [deliver], recurring: [spread] });
      await vi.waitFor(async () => expect(await shownAs('handshake_webhooks_given_up')).toBe(2), {
        timeout: 120_000,
      });
      await told(receiver.url, 0);
      await vi.waitFor(
        async () => expect(await shownAs('handshake_webhook_seconds_count{outcome="delivered"}')).toBe(1),
        { timeout: 120_000 },
      );
      await vi.waitFor(async () => expect(await shownAs('handshake_webhooks_waiting')).toBe(0), {
        timeout: 120_000,
      });
      await courier.stop();
      expect(await shownAs('handshake_webhook_seconds_count{outcome="refused"}')).toBe(1);
      expect(await shownAs('handshake_webhook_seconds_count{outcome="failed"}')).toBe(1);
      expect(await shownAs('handshake_oldest_undelivered_webhook_seconds')).toBe(0);
      await receiver.stop();
    });

    it('are metrics of requests by route, never by what was asked for', async () => {
      await open.inject({ url: '/errors/operator-key-invalid' });
      await open.inject({ url: '/nowhere/secret-path' });
      const requests = (await lines()).filter((l) => l.startsWith('handshake_http_request_seconds_count'));
      expect(requests.join('\n')).toMatch(/method="GET",route="\/errors\/:code",status="200"/);
      expect(requests.join('\n')).not.toContain('secret-path');
    });

    it('are metrics without what cannot be read, never as it once was', async () => {
      readings.failing = true;
      const shown = (await lines()).join('\n');
      readings.failing = false;
      expect(shown).not.toMatch(/^handshake_signer_balance_coins\{/m);
      expect(shown).toMatch(/^handshake_events_unserved \d/m);
    });

    it('take a key for metrics where others than this machine reach the service', async () => {
      const ask = (headers = {}) => closed.inject({ url: '/metrics', headers });
      expect((await ask()).json()).toMatchObject({ status: 403, code: 'operator-key-invalid' });
      expect((await ask(bearer(KEYS.queues))).statusCode).toBe(403);
      const shown = await ask(bearer(KEYS.metrics));
      expect([shown.statusCode, shown.headers['cache-control']]).toEqual([200, 'no-store']);
      expect(shown.headers['content-type']).toContain('text/plain; version=0.0.4');
    });

    it('is a board of the queues, behind a key even on this machine, which only shows', async () => {
      const ask = (url: string, headers = {}, method: 'GET' | 'PUT' | 'POST' = 'GET') =>
        open.inject({ url: `/operator/queues${url}`, headers, method });
      const refused = await ask('');
      expect([refused.statusCode, refused.headers['www-authenticate']]).toEqual([
        401,
        'Basic realm="operator", charset="UTF-8"',
      ]);
      expect((await ask('', basic(KEYS.metrics))).statusCode).toBe(403);
      const page = await ask('', basic(KEYS.queues));
      expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(page.headers['content-security-policy']).toContain("script-src 'self';");
      expect(page.body).not.toMatch(/googleapis|<script>|<%/);
      const list = await ask('/api/queues', bearer(KEYS.queues));
      expect(list.json().queues.map((q: { name: string }) => q.name)).toEqual(
        ['mailboxes', 'chain', 'determination', 'default', 'evaluate-market'].map(
          (name) => `handshake-${name}`,
        ),
      );
      expect(list.body).not.toContain(new URL(database.url).password);
      for (const url of [
        '/api/queues/handshake-mailboxes/pause',
        '/api/queues/handshake-mailboxes/clean/wait',
        '/api/queues/pause',
      ])
        for (const method of ['PUT', 'POST'] as const)
          expect((await ask(url, basic(KEYS.queues), method)).statusCode, `${method} ${url}`).toBe(404);
    });

    it('is a board that gives out its own files and no other', async () => {
      const files = [
        '/static/../package.json',
        '/static/%2e%2e/package.json',
        '/static/..%2f..%2fpackage.json',
      ];
      for (const file of files) {
        const { statusCode } = await open.inject({
          url: `/operator/queues${file}`,
          headers: basic(KEYS.queues),
        });
        expect([400, 404], file).toContain(statusCode);
      }
      const { body } = await open.inject({ url: '/operator/queues', headers: basic(KEYS.queues) });
      const script = /src="([^"]+\.js)"/.exec(body)?.[1] ?? '';
      const path = new URL(script, 'http://x/operator/queues/').pathname;
      expect((await open.inject({ url: path })).statusCode).toBe(401);
      const served = await open.inject({ url: path, headers: basic(KEYS.queues) });
      expect([served.statusCode, served.headers['content-type']]).toEqual([
        200,
        'text/javascript; charset=utf-8',
      ]);
    });
  });
}
