import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assetRoutes } from '../../api/assets/assets.ts';
import type { App } from '../../api/http/app.ts';
import { replyPage } from '../../api/http/negotiate.ts';
import { TRANSACTION } from '../../api/words/browser.ts';
import { server } from '../conformance/api/server-fixture.ts';
import { CHROMIUM, launchChromium, patient } from './chromium.ts';
import { samplePages } from './sample-pages.ts';

const AGENT = '/agent/harbour-desk';
const HASH = `0x${'5e'.repeat(32)}`;

/** An agent's page in a browser whose wallet sends at once, and then tells of the chain what each test wants. */
describe.runIf(CHROMIUM !== undefined)('an owner who has sent a transaction', () => {
  let app: App;
  let url: string;
  let browser: Browser;

  beforeAll(async () => {
    const page = samplePages('http://handshake.test')[AGENT]!;
    app = await server({
      routes: [assetRoutes, (a) => a.get(AGENT, async (_request, reply) => replyPage(reply, page))],
    });
    url = await app.listen({ port: 0, host: '127.0.0.1' });
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await app?.close();
  });

  /** @param receipt script of what the wallet answers to each question for the receipt */
  const sends = async (receipt: string, sent = `'${HASH}'`) => {
    const page = patient(await browser.newPage());
    // The waits between two looks last no time.
    await page.addInitScript(`(() => {
      const wait = window.setTimeout;
      window.setTimeout = (act, ms, ...rest) => wait(act, ms === 1000 ? 0 : ms, ...rest);
      window.sent = 0;
      window.ethereum = { request: async ({ method }) => {
        if (method === 'eth_chainId') return '0x3ea';
        if (method === 'eth_sendTransaction') { window.sent++; return ${sent}; }
        if (method === 'eth_getTransactionReceipt') return ${receipt};
        return ['0x${'0e'.repeat(20)}'];
      } };
    })()`);
    await page.goto(url + AGENT);
    const act = page.locator('wallet-act[kind=fund]');
    await act.getByLabel('Dollars').fill('12.50');
    const button = act.getByRole('button', { name: 'Send the money' });
    await button.click();
    return { page, act, button };
  };

  it.each([
    ['shows no receipt', 'null'],
    ['fails at each look', "(() => { throw new Error('the node does not answer') })()"],
  ])(
    'is told that it is sent and by which hash, and cannot send it again, where the chain %s',
    async (_, receipt) => {
      const { page, act, button } = await sends(receipt);
      await act.getByText(TRANSACTION.unseen(HASH)).waitFor();
      expect(await button.isDisabled()).toBe(true);
      expect(await act.getByText('The wallet did not do it').count()).toBe(0);
      expect(await page.evaluate('window.sent')).toBe(1);
      await page.close();
    },
  );

  it('is told that it is done although one look failed', async () => {
    const { page, act, button } = await sends(
      "window.looked ? { status: '0x1' } : (() => { window.looked = true; throw new Error('busy') })()",
    );
    await act.getByText(/^Done\. Send 12\.50 dollars/).waitFor();
    expect(await button.isEnabled()).toBe(true);
    await page.close();
  });

  it('may try again where the wallet sent nothing', async () => {
    const { page, act, button } = await sends('null', "(() => { throw new Error('User rejected') })()");
    await act.getByText('The wallet did not do it: User rejected.').waitFor();
    expect(await button.isEnabled()).toBe(true);
    await page.close();
  });

  it('is led to what a wallet elsewhere sends where the browser has none', async () => {
    const page = patient(await browser.newPage());
    await page.goto(url + AGENT);
    const act = page.locator('wallet-act[kind=fund]');
    await act.getByLabel('Dollars').fill('12.50');
    await act.getByRole('button', { name: 'Send the money' }).click();
    await page.waitForURL(`${url}${AGENT}/transactions/fund?amountUsd=12.50`);
    await page.close();
  });
});
