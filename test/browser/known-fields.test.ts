import type { ServerResponse } from 'node:http';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { assetRoutes } from '../../api/assets/assets.ts';
import { deskRoutes } from '../../api/desk/desk.ts';
import { html } from '../../api/html/html.ts';
import { page as htmlPage } from '../../api/html/layout.ts';
import type { App } from '../../api/http/app.ts';
import { replyPage } from '../../api/http/negotiate.ts';
import { KNOWN } from '../../api/words/browser.ts';
import { plainRoutes, server } from '../conformance/api/server-fixture.ts';
import { CHROMIUM, launchChromium, patient } from './chromium.ts';

const ONE = `0x${'11'.repeat(20)}`;
const TWO = `0x${'22'.repeat(20)}`;
/** Newest first, as the directory lists them. */
const AGENTS: Readonly<Record<string, readonly object[]>> = {
  [ONE]: [
    { handle: 'newest-retired', status: 'retired' },
    { handle: 'trades', status: 'active' },
  ],
  [TWO]: [{ handle: 'of-another', status: 'active' }],
};
const LIVE = 'select-and-count';

/** Forms in a browser whose wallet is connected. */
describe.runIf(CHROMIUM !== undefined)('a form that knows who is connected', () => {
  let app: App;
  let url: string;
  let browser: Browser;
  let count = 0;
  const streams = new Set<ServerResponse>();

  beforeAll(async () => {
    const api = (a: App) => {
      a.get('/agents/directory', async ({ query }) => ({
        items: AGENTS[(query as { owner: string }).owner] ?? [],
      }));
      a.get('/events', (_request, reply) => {
        reply.hijack();
        reply.raw.writeHead(200, { 'content-type': 'text/event-stream' });
        reply.raw.flushHeaders();
        streams.add(reply.raw);
      });
      a.get(`/${LIVE}`, async (_request, reply) =>
        replyPage(
          reply,
          htmlPage(
            LIVE,
            html`<h1>It</h1><div data-live="one" id="one"><label>Side <select><option>buy</option><option>sell</option></select></label><p>one ${count}</p></div>
<div data-live="two" id="two"><p>two ${count}</p></div>`,
          ),
        ),
      );
    };
    const desk = (a: App) =>
      deskRoutes(a, {
        now: () => new Date(),
        newId: (prefix) => prefix,
        config: { prices: { setting: 'test', standardListing: null } },
      });
    app = await server({ routes: [...plainRoutes, assetRoutes, api, desk] });
    url = await app.listen({ port: 0, host: '127.0.0.1' });
    browser = await launchChromium();
  });
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
  });
  afterAll(async () => {
    await browser?.close();
    for (const stream of streams) stream.end();
    await app?.close();
  });

  const open = async (path: string) => {
    const page = patient(await browser.newPage());
    await page.addInitScript(`
      let tell = () => {};
      window.choose = (address) => tell(address === null ? [] : [address]);
      window.ethereum = {
        request: async ({ method }) => (method === 'eth_chainId' ? '0x3ea' : ['${ONE}']),
        on: (event, listener) => { tell = listener; },
      };`);
    await page.goto(url + path);
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByRole('button', { name: '0x1111…1111' }).waitFor();
    return page;
  };

  it('leaves out the agent of a deal until one is chosen, and offers those that act first', async () => {
    const page = await open('/desk/evaluate');
    const agents = page.locator('select[name=handle]');
    await agents.waitFor();
    expect(await agents.inputValue()).toBe('');
    expect(await agents.locator('option').allTextContents()).toEqual([
      KNOWN.none,
      'trades',
      'newest-retired',
    ]);
  });

  it('begins with an agent that acts where one must be named', async () => {
    const page = await open('/desk/deals');
    const agents = page.locator('select[name=handle]');
    await agents.waitFor();
    expect(await agents.inputValue()).toBe('trades');
  });

  it('follows who is connected, and lets stand what was written', async () => {
    const page = await open('/desk/evaluate');
    const wallet = page.locator('input[name=wallet]');
    const agents = page.locator('select[name=handle]');
    await agents.waitFor();
    expect(await wallet.inputValue()).toBe(ONE);
    await agents.selectOption('trades');
    await page.evaluate(`choose('${TWO}')`);
    await page.locator('option[value=of-another]').waitFor({ state: 'attached' });
    expect(await agents.locator('option').allTextContents()).toEqual([KNOWN.none, 'of-another']);
    expect(await wallet.inputValue()).toBe(TWO);
    await page.evaluate('choose(null)');
    await page.locator('input[name=handle]').waitFor();
    expect(await wallet.inputValue()).toBe('');
    const written = `0x${'33'.repeat(20)}`;
    await wallet.fill(written);
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await agents.waitFor();
    expect(await wallet.inputValue()).toBe(written);
  });

  it('is paid for by the account that is connected when it is sent', async () => {
    const page = await open('/');
    const payer = page.locator('input[name=wallet][type=hidden]');
    expect(await payer.inputValue()).toBe(ONE);
    await page.evaluate(`choose('${TWO}')`);
    expect(await payer.inputValue()).toBe(TWO);
  });

  it('asks for the wallet and the chain to pay on where no wallet is in the browser', async () => {
    const page = patient(await browser.newPage());
    await page.goto(url);
    await page.getByLabel('Wallet or contract to check').fill(TWO);
    await page.getByRole('button', { name: 'Check for $0.01' }).click();
    await page.waitForURL(/\/desk\/check\?/);
    expect(await page.locator('input[name=address]').inputValue()).toBe(TWO);
    expect(await page.locator('input[name=wallet]').isVisible()).toBe(true);
    expect(await page.locator('select[name=network]').isVisible()).toBe(true);
  });

  it('keeps what was chosen while the page around it changes', async () => {
    const page = await open(`/${LIVE}`);
    const side = page.getByLabel('Side');
    await side.selectOption('sell');
    await side.blur();
    await expect.poll(() => streams.size, { timeout: 60_000 }).toBeGreaterThan(0);
    count++;
    for (const stream of streams) stream.write('event: activity\ndata: {}\n\n');
    await page.getByText('two 1').waitFor();
    expect(await side.inputValue()).toBe('sell');
  });
});
