import type { Browser } from 'playwright-core';
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

/** The dashboard in a browser whose read session is open, before an API that may not answer. */
describe.runIf(CHROMIUM !== undefined)('an owner who reads what is theirs', () => {
  let app: App;
  let url: string;
  let browser: Browser;
  let failure: AppError | null;

  beforeAll(async () => {
    const own = async () => {
      if (failure !== null) throw failure;
      return { items: [] };
    };
    const api = (a: App) => {
      a.get('/agents/directory', async () => ({ items: [AGENT] }));
      a.get('/agent/:handle/activity', async () => ({ items: [] }));
      a.get('/agent/:handle/deals', own);
      a.get('/agent/:handle/orders', own);
    };
    const dashboard = (a: App) =>
      dashboardRoutes(a, { waiting: async () => new Map(), titles: async () => new Map() });
    app = await server({ routes: [api, dashboard, assetRoutes] });
    url = await app.listen({ port: 0, host: '127.0.0.1' });
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await app?.close();
  });
  beforeEach(() => {
    failure = null;
  });

  const opened = async () => {
    const page = patient(await browser.newPage());
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
});
