import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../agents/canonical.ts';
import type { App } from '../../../api/http/app.ts';
import { operatorSignIn } from '../../../api/http/auth/operator-key.ts';
import { operatorRoutes } from '../../../api/operator/operator.ts';
import { readConfig } from '../../../runtime/config/config.ts';
import { backlog } from '../../../store/durable/backlog.ts';
import { listDeadLetters } from '../../../store/durable/dead-letters.ts';
import { countQuarantine } from '../../../store/durable/quarantine.ts';
import { revokeOperatorKey, saveOperatorKey } from '../../../store/http/operator-keys.ts';
import { deliveryBacklog } from '../../../store/webhooks/webhook-deliveries.ts';
import { testDatabase } from '../../fixtures/postgres.ts';
import { server } from './server-fixture.ts';

const [LOOKS, ACTS] = ['looks-at-the-page-0123456789', 'lets-letters-go-0123456789'];

describe('the page of the operator', () => {
  let database: Awaited<ReturnType<typeof testDatabase>>;
  let app: App;

  beforeAll(async () => {
    database = await testDatabase();
    const { db } = database;
    const now = () => new Date();
    const away = () => Promise.reject(new Error('the node is away'));
    app = await server({
      db,
      routes: [
        (a) =>
          operatorRoutes(a, {
            services: { db, config: readConfig({}), now, log: pino({ level: 'silent' }) },
            readings: {
              queue: async () => [],
              backlog: () => backlog(db, now()),
              webhooks: () => deliveryBacklog(db, now()),
              quarantine: () => countQuarantine(db),
              workers: async () => [],
              gas: async () => ({ classes: [], exhaustedCodes: [] }),
              relays: async () => ({ spent: 0n, limit: 1n }),
              registers: async () => [],
              heads: async () => [],
              signers: away,
            },
            signIn: operatorSignIn({ db }),
          }),
      ],
    });
    await saveOperatorKey(db, { id: 'k1', name: 'a', hash: sha256Hex(LOOKS), scopes: ['metrics'] });
    await saveOperatorKey(db, { id: 'k2', name: 'b', hash: sha256Hex(ACTS), scopes: ['metrics', 'queues'] });
    await sql`insert into effects (key, kind, params, status, error, finished_at)
      values ('k', 'anchor', '{}', 'failed', 'the node was away', now())`.execute(db);
  });
  afterAll(async () => {
    await app?.close();
    await database?.drop();
  });

  const basic = (key: string) => ({
    accept: 'text/html',
    authorization: `Basic ${Buffer.from(`o:${key}`).toString('base64')}`,
  });
  const look = (key: string) => app.inject({ url: '/operator', headers: basic(key) });
  const redrive = (id: string, headers: Record<string, string>) =>
    app.inject({
      method: 'POST',
      url: '/operator/redrive',
      payload: `id=${id}`,
      headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
    });

  it('is shown for a key, says what waits, and stands when a part of it cannot be read', async () => {
    const nobody = await app.inject({ url: '/operator', headers: { accept: 'text/html' } });
    expect([nobody.statusCode, nobody.headers['www-authenticate']]).toEqual([
      401,
      expect.stringContaining('Basic'),
    ]);
    const page = await look(LOOKS);
    expect([page.statusCode, page.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(page.body).toContain('the node was away');
    expect(page.body).toContain('No worker runs');
    expect(page.body).toContain('It could not be read now.');
  });

  it('asks again for a key that is wrong or was revoked, so that the browser does not keep sending it', async () => {
    const revoked = 'was-taken-from-somebody-0123456789';
    await saveOperatorKey(database.db, { id: 'k3', name: 'c', hash: sha256Hex(revoked), scopes: ['*'] });
    expect((await look(revoked)).statusCode).toBe(200);
    await revokeOperatorKey(database.db, 'k3', new Date());
    for (const key of ['nobody-was-given-this-0123456789', revoked]) {
      const { statusCode, headers } = await look(key);
      expect([statusCode, headers['www-authenticate']]).toEqual([401, expect.stringContaining('Basic')]);
    }
  });

  it('lets a dead letter go again only from the page itself, with a key for it', async () => {
    const [letter] = await listDeadLetters(database.db);
    const id = letter!.id;
    const here = { 'sec-fetch-site': 'same-origin' };
    for (const headers of [
      basic(ACTS),
      { ...basic(ACTS), 'sec-fetch-site': 'cross-site' },
      { ...basic(LOOKS), ...here },
      { ...here, accept: 'text/html' },
    ])
      expect((await redrive(id, headers)).statusCode).toBeGreaterThanOrEqual(401);
    expect(await listDeadLetters(database.db)).toHaveLength(1);
    const done = await redrive(id, { ...basic(ACTS), ...here });
    expect([done.statusCode, done.body.includes(`${id} goes again.`)]).toEqual([200, true]);
    expect(await listDeadLetters(database.db)).toEqual([]);
    expect((await redrive('x', { ...basic(ACTS), ...here })).body).toContain('is no dead letter any more');
  });
});
