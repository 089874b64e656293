import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256Hex } from '../../agents/canonical.ts';
import type { App } from '../../api/http/app.ts';
import { operatorSignIn } from '../../api/http/auth/operator-key.ts';
import { queueBoard } from '../../api/service/queue-board.ts';
import { type OpenNotifier, openWakeQueue } from '../../runtime/durable/queue/bullmq.ts';
import { saveOperatorKey } from '../../store/http/operator-keys.ts';
import { server } from '../conformance/api/server-fixture.ts';
import { listeningLog } from '../fixtures/actors/courier-service.ts';
import { type TestDatabase, testDatabase } from '../fixtures/postgres.ts';
import { CHROMIUM, launchChromium, patient } from './chromium.ts';

const KEY = 'queues-key-01234567890';

describe.runIf(CHROMIUM !== undefined)('the board of the queues in a browser', () => {
  let database: TestDatabase;
  let notifier: OpenNotifier;
  let app: App;
  let browser: Browser;
  let base: string;

  beforeAll(async () => {
    database = await testDatabase();
    const { db, url: databaseUrl } = database;
    await saveOperatorKey(db, { id: 'k', name: 'desk', hash: sha256Hex(KEY), scopes: ['queues'] });
    notifier = await openWakeQueue({ databaseUrl, redisUrl: null, log: listeningLog() });
    app = await server({
      db,
      routes: [(a) => queueBoard(a, { queues: notifier.queues, signIn: operatorSignIn({ db }) })],
    });
    base = await app.listen({ port: 0, host: '127.0.0.1' });
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await app?.close();
    await notifier?.close();
    await database?.drop();
  });

  it('shows every queue and what waits in it, from its own files alone', async () => {
    notifier.actor('courier:nobody-answers');
    const page = patient(await browser.newPage({ httpCredentials: { username: 'operator', password: KEY } }));
    const complaints: string[] = [];
    const asked = new Set<string>();
    page.on('console', (m) => {
      if (m.type() === 'error') complaints.push(m.text());
    });
    page.on('pageerror', (e) => complaints.push(String(e)));
    page.on('request', (r) => asked.add(new URL(r.url()).origin));
    await page.goto(`${base}/operator/queues`);
    for (const name of ['mailboxes', 'chain', 'determination', 'default', 'evaluate-market'])
      await page.getByText(`handshake-${name}`).first().waitFor();
    await page.goto(`${base}/operator/queues/queue/handshake-mailboxes?status=waiting`);
    await page.getByText('courier:nobody-answers').first().waitFor();
    expect([...asked]).toEqual([base]);
    expect(complaints).toEqual([]);
    await page.close();
  });
});
