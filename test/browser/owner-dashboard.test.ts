import type { ServerResponse } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../agents/errors.ts';
import { assetRoutes } from '../../api/assets/assets.ts';
import { dashboardRoutes } from '../../api/dashboard/dashboard.ts';
import type { App } from '../../api/http/app.ts';
import { SESSION } from '../../api/words/browser.ts';
import { server } from '../conformance/api/server-fixture.ts';
import { CHROMIUM, launchChromium, patient } from './chromium.ts';

const WALLET = `0x${'cd'.repeat(20)}`;
const AGENT = { handle: 'harbour', status: 'active', account: WALLET };

const waiting = (dealId: string) => ({
  dealId,
  state: 'awaiting-owner',
  role: 'buyer',
  lot: 'serial:isbn:9780306406157',
  priceUsd: 12.5,
  paysUsd: 12.5,
  getsUsd: 12.25,
  deadline: null,
  waitsForYou: true,
  findings: [],
  openDisputes: [],
  reason: null,
  tx: null,
  updatedAt: '2026-11-21T07:00:00.000Z',
});

/** The dashboard in a browser whose read session is open, before an API that may not answer. */
describe.runIf(CHROMIUM !== undefined)('an owner who reads what is theirs', () => {
  let app: App;
  let url: string;
  let browser: Browser;
  let failure: AppError | null;
  /** Of the agent. */
  let deals: object[];
  const streams = new Set<ServerResponse>();

  beforeAll(async () => {
    const own = async () => {
      if (failure !== null) throw failure;
      return { items: deals };
    };
    const orders = async () => {
      if (failure !== null) throw failure;
      return { items: [] };
    };
    const api = (a: App) => {
      a.get('/agents/directory', async () => ({ items: [AGENT] }));
      a.get('/agent/:handle/activity', async () => ({ items: [] }));
      a.get('/agent/:handle/deals', own);
      a.get('/agent/:handle/orders', orders);
      a.post('/read-sessions', async ({ headers }) => {
        if (failure !== null) throw failure;
        return headers.authorization === undefined
          ? { sign: { message: 'Read', nonce: '1' } }
          : { token: 't', expiresAt: new Date(Date.now() + 600_000).toISOString() };
      });
      a.get('/events', (_request, reply) => {
        reply.hijack();
        reply.raw.writeHead(200, { 'content-type': 'text/event-stream' });
        reply.raw.flushHeaders();
        streams.add(reply.raw);
      });
    };
    const dashboard = (a: App) =>
      dashboardRoutes(a, {
        waiting: async () => new Map([[AGENT.handle, { deals: deals.length, until: null }]]),
        titles: async () => new Map(),
      });
    app = await server({ routes: [api, dashboard, assetRoutes] });
    url = await app.listen({ port: 0, host: '127.0.0.1' });
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    for (const stream of streams) stream.end();
    await app?.close();
  });
  beforeEach(() => {
    failure = null;
    deals = [];
  });

  /** Tells every page that something happened, as the service does. */
  const happens = () => {
    for (const stream of streams) stream.write('event: activity\ndata: {}\n\n');
  };

  const opened = async () => {
    const page = patient(await browser.newPage());
    await page.clock.install();
    const session = { wallet: WALLET, token: 't', expiresAt: new Date(Date.now() + 3_600_000).toISOString() };
    await page.addInitScript((kept) => sessionStorage.setItem('read-session', kept), JSON.stringify(session));
    await page.goto(`${url}/dashboard?wallet=${WALLET}`);
    return page;
  };

  it('is told that it cannot be read now, keeps the session, and reads it again', async () => {
    failure = new AppError('unavailable', 'The chain cannot be read.');
    const page = await opened();
    await page.getByText(SESSION.unread).waitFor();
    expect(await page.getByRole('button', { name: SESSION.sign }).count()).toBe(0);
    failure = null;
    await page.getByRole('button', { name: SESSION.again }).click();
    await page.getByRole('heading', { name: 'Earnings' }).waitFor();
    expect(await page.getByText(SESSION.unread).count()).toBe(0);
    await page.close();
  });

  it('is asked to sign once more when the session is over', async () => {
    failure = new AppError('signature-invalid', 'The read session is over.');
    const page = await opened();
    await page.getByRole('button', { name: SESSION.sign }).waitFor();
    await page.getByText(SESSION.over).waitFor();
    await page.close();
  });

  it('sees what waits of late without a reload, and is not disturbed where it ticks one', async () => {
    deals = [waiting('deal_1'), waiting('deal_2')];
    const page = await opened();
    const queue = page.locator('owner-dashboard .queue > div');
    await queue.nth(1).waitFor();
    deals = [waiting('deal_1'), waiting('deal_2'), waiting('deal_3')];
    happens();
    await queue.nth(2).waitFor();
    await queue.first().getByRole('checkbox').check();
    deals = [waiting('deal_3')];
    happens();
    await page.getByText(SESSION.changed).waitFor();
    expect([await queue.count(), await queue.first().getByRole('checkbox').isChecked()]).toEqual([3, true]);
    await page.getByRole('button', { name: SESSION.again }).click();
    await expect.poll(() => queue.count(), { timeout: 60_000 }).toBe(1);
    expect(await page.getByText(SESSION.changed).count()).toBe(0);
    await page.close();
  });

  it('leaves nothing of it on the screen once the session is over', async () => {
    deals = [waiting('deal_1')];
    const page = await opened();
    await page.getByRole('heading', { name: 'Earnings' }).waitFor();
    await page.clock.fastForward('01:00:01');
    await page.getByText(SESSION.over).waitFor();
    expect(await page.getByText('deal_1').count()).toBe(0);
    expect(await page.evaluate("sessionStorage.getItem('read-session')")).toBe(null);
    await page.close();
  });

  /** Has connected a wallet and asked to sign once with it. */
  const signing = async () => {
    const page = patient(await browser.newPage());
    await page.addInitScript(`window.ethereum = {
      request: async ({ method }) => (method === 'personal_sign' ? '0x5e' : ['${WALLET}']),
      on: (_event, listener) => { window.changeAccounts = listener; },
    }`);
    await page.goto(`${url}/dashboard?wallet=${WALLET}`);
    await page.getByRole('button', { name: SESSION.sign }).click();
    return page;
  };
  const signedIn = async () => {
    const page = await signing();
    await page.getByText('deal_1').first().waitFor();
    return page;
  };

  it('is told why the service opens no session now, and not that the wallet refused', async () => {
    failure = new AppError('unavailable', 'The chain cannot be read.');
    const page = await signing();
    await page.locator('owner-dashboard').getByText('The chain cannot be read.', { exact: true }).waitFor();
    await page.close();
  });

  const isForgotten = async (page: Page) => {
    const isOffered = () => page.getByRole('button', { name: SESSION.sign }).waitFor();
    await isOffered();
    expect(await page.getByText('deal_1').count()).toBe(0);
    await page.reload();
    await isOffered();
    expect(await page.getByText('deal_1').count()).toBe(0);
    await page.close();
  };

  it('leaves nothing of it for the next once the wallet is disconnected, here or after a reload', async () => {
    deals = [waiting('deal_1')];
    const page = await signedIn();
    await page.locator('connect-wallet button').click();
    await isForgotten(page);
  });

  it('leaves nothing of it for another account of the wallet', async () => {
    deals = [waiting('deal_1')];
    const page = await signedIn();
    await page.evaluate(`window.changeAccounts(['0x${'ef'.repeat(20)}'])`);
    await isForgotten(page);
  });

  it('leaves nothing of it where the wallet was disconnected on another page', async () => {
    deals = [waiting('deal_1')];
    const page = await signedIn();
    await page.goto(`${url}/dashboard`);
    await page.waitForURL(/wallet=0x/);
    await page.getByText('deal_1').first().waitFor();
    await page.goto(`${url}/nowhere`);
    await page.locator('connect-wallet button.second').click();
    await page.goto(`${url}/dashboard?wallet=${WALLET}`);
    await isForgotten(page);
  });
});
