import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assetRoutes } from '../../api/assets/assets.ts';
import type { App } from '../../api/http/app.ts';
import { replyPage } from '../../api/http/negotiate.ts';
import { CONNECT } from '../../api/words/browser.ts';
import { server } from '../conformance/api/server-fixture.ts';
import { CHROMIUM, launchChromium, patient } from './chromium.ts';
import { samplePages } from './sample-pages.ts';
import { told } from './visitor.ts';

const ADDRESS = `0x${'cd'.repeat(20)}`;
const PAGE = '/pricing';

/** Somebody with two wallets in the browser, who hears the page and uses the keyboard. */
describe.runIf(CHROMIUM !== undefined)('a wallet that is chosen by the keyboard', () => {
  let app: App;
  let url: string;
  let browser: Browser;

  beforeAll(async () => {
    const shown = samplePages('http://handshake.test')[PAGE]!;
    const page = (a: App) => a.get('/prices', async (_request, reply) => replyPage(reply, shown));
    app = await server({ routes: [assetRoutes, page] });
    url = await app.listen({ port: 0, host: '127.0.0.1' });
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await app?.close();
  });

  it('keeps the focus on its button, and is told', async () => {
    const page = patient(await browser.newPage());
    await page.addInitScript(`addEventListener('eip6963:requestProvider', () => {
      for (const name of ['One', 'Two']) {
        const info = { name, icon: '', rdns: 'test.' + name };
        const provider = { request: async () => ['${ADDRESS}'] };
        dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info, provider } }));
      }
    })`);
    await page.goto(`${url}/prices`);
    const regions = '.toasts[role=status][aria-live=polite]';
    expect(await page.locator(`body > ${regions}`).count()).toBe(1);

    const button = page.locator('connect-wallet button');
    const isFocused = () => page.evaluate("document.activeElement.closest('connect-wallet') !== null");
    await button.press('Enter');
    const dialog = page.getByRole('dialog', { name: CONNECT.choose });
    await dialog.waitFor();
    expect(await dialog.locator(`> ${regions}`).count()).toBe(1);
    const connected = told(page, CONNECT.connected(ADDRESS));
    await dialog.getByRole('button', { name: 'Two' }).press('Enter');
    await connected;
    expect([await dialog.count(), await button.textContent(), await isFocused()]).toEqual([
      0,
      '0xcdcd…cdcd',
      true,
    ]);

    const disconnected = told(page, CONNECT.disconnected);
    await button.press('Enter');
    await disconnected;
    expect([await button.textContent(), await isFocused()]).toEqual([CONNECT.connect, true]);
    await page.close();
  });
});
