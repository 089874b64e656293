import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assetRoutes } from '../../api/assets/assets.ts';
import type { App } from '../../api/http/app.ts';
import { replyPage } from '../../api/http/negotiate.ts';
import { specRoutes } from '../../api/records/specs.ts';
import { errorRoutes } from '../../api/service/errors.ts';
import { newWebhookSecret, signedHeaders } from '../../runtime/webhooks/signature.ts';
import { server } from '../conformance/api/server-fixture.ts';
import { CHROMIUM, launchChromium, patient } from './chromium.ts';
import { samplePages } from './sample-pages.ts';

const SAMPLES = samplePages('http://handshake.test');
/** The hash of the record among the samples. */
const SAMPLE_HASH = `0x${'44'.repeat(32)}`;
const PATHS = [
  ...Object.keys(SAMPLES),
  '/specs/verification-record/2026-09-06.1',
  '/errors/payment-required',
  '/nowhere',
];

describe.runIf(CHROMIUM !== undefined)('the pages in a browser', () => {
  let app: App;
  let browser: Browser;
  let base: string;

  beforeAll(async () => {
    app = await server({
      routes: [
        assetRoutes,
        errorRoutes,
        specRoutes,
        (a) => {
          for (const [path, page] of Object.entries(SAMPLES))
            a.get(path, async (_request, reply) => replyPage(reply, page));
        },
      ],
    });
    base = await app.listen({ port: 0, host: '127.0.0.1' });
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await app?.close();
  });

  const open = async (path: string, options: Parameters<Browser['newPage']>[0] = {}) => {
    const page = patient(await browser.newPage(options));
    await page.goto(base + path);
    return { page };
  };

  const turned = new Map<boolean, Page>();
  /** Turns the page that is kept with or without script to a path: to open a new one takes seconds. */
  const turnTo = async (path: string, { javaScriptEnabled = true } = {}) => {
    const page = turned.get(javaScriptEnabled) ?? patient(await browser.newPage({ javaScriptEnabled }));
    turned.set(javaScriptEnabled, page);
    const complaints: string[] = [];
    page.removeAllListeners('console');
    page.removeAllListeners('pageerror');
    page.on('console', (m) => {
      // The status of an error page is what is being tested, not a fault.
      if (m.type() === 'error' && !m.text().startsWith('Failed to load resource')) complaints.push(m.text());
    });
    page.on('pageerror', (e) => complaints.push(String(e)));
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto(base + path);
    return { page, complaints };
  };

  const violationsOf = async (page: Page, what: string): Promise<string[]> => {
    await page.evaluate(axe.source);
    const { violations, passes } = (await page.evaluate(`axe.run(document, ${what})`)) as axe.AxeResults;
    expect(passes.length).toBeGreaterThan(0);
    return violations.map((v) => `${v.impact} ${v.id}: ${v.nodes[0]?.html} ${v.nodes[0]?.failureSummary}`);
  };

  it.each(PATHS)(
    '%s breaks no accessibility rule and no policy, in the light and in the dark',
    async (path) => {
      const { page, complaints } = await turnTo(path);
      // What is folded is read, too.
      await page.evaluate("for (const folded of document.querySelectorAll('details')) folded.open = true");
      const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        const violations = await violationsOf(page, `{ runOnly: ${JSON.stringify(rules)} }`);
        expect([colorScheme, violations]).toEqual([colorScheme, []]);
      }
      expect(complaints).toEqual([]);
    },
  );

  it.each(PATHS)(
    '%s fits screens of 320 to 1920 pixels without scrolling sideways, its tables too',
    async (path) => {
      const { page } = await turnTo(path);
      for (const width of [320, 390, 700, 1153, 1280, 1920]) {
        await page.setViewportSize({ width, height: 640 });
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
        const wide =
          "[...document.querySelectorAll('.scroll')].filter((e) => e.scrollWidth > e.clientWidth + 1).length";
        expect([width, await page.evaluate(wide)]).toEqual([width, 0]);
      }
    },
  );

  it.each(PATHS)('%s is read without script, and says what it says with it', async (path) => {
    const bare = await turnTo(path, { javaScriptEnabled: false });
    const content = (await bare.page.locator('main').innerText()).trim();
    expect(content.length).toBeGreaterThan(20);
    expect(await bare.page.getByRole('heading', { level: 1 }).isVisible()).toBe(true);
  });

  it.each(PATHS)('%s can be walked through by keyboard, and shows where one is', async (path) => {
    const { page } = await turnTo(path);
    const reachable = (await page.evaluate(
      '[...document.querySelectorAll(\'a[href],button,input,select,summary,[tabindex="0"]\')].filter(e => e.checkVisibility()).length',
    )) as number;
    // Within a date one goes on to its month, its year and its calendar.
    const dates = await page.locator('input[type=date]:visible').count();
    await page.evaluate(NOTE_FOCUS);
    for (let i = 0; i < reachable + 3 * dates; i++) await page.keyboard.press('Tab');
    const walked = (await page.evaluate('walked')) as { index: number; outline: string }[];
    expect(walked.filter(({ outline }) => outline === 'none')).toEqual([]);
    expect(new Set(walked.map(({ index }) => index)).size).toBe(reachable);
  });

  it('lets one skip to the content', async () => {
    const { page } = await open('/catalogue');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
    expect(await page.evaluate('document.activeElement.getBoundingClientRect().left')).toBeGreaterThanOrEqual(
      0,
    );
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
    await page.close();
  });

  it('prints a record with whole hashes and its sources, without the documents that a program reads', async () => {
    const { page } = await open('/records/rec_01k6n5q3w8', { colorScheme: 'dark' });
    const folded = page.getByText('one RPC endpoint, pinned to block 412').first();
    expect(await folded.isVisible()).toBe(false);
    await page.emulateMedia({ media: 'print' });
    expect(await folded.isVisible()).toBe(true);
    expect(await page.getByText('The record, exactly as it is hashed').isVisible()).toBe(false);
    const whole = page.getByText(SAMPLE_HASH, { exact: true }).first();
    expect((await whole.boundingBox())!.width).toBeGreaterThan(200);
    await page.close();
  });

  it('says on the dashboard what is new since its owner was last there, and only to a browser that was', async () => {
    const { page } = await open('/dashboard');
    const said = page.locator('since-seen [role=status]');
    expect(await said.textContent()).toBe('The newest first.');
    await page.goto(`${base}/dashboard`);
    expect(await said.textContent()).toBe('Nothing is new since you were last here.');
    await page.evaluate("localStorage.setItem(Object.keys(localStorage)[0], '2026-11-20T00:00:00.000Z')");
    // Leaving writes the time of now: the page is opened anew without leaving it.
    await page.evaluate(
      "(() => { const e = document.querySelector('since-seen'); e.replaceWith(e.cloneNode(true)); })()",
    );
    expect(await said.textContent()).toBe('1 thing is new since you were last here.');
    expect(await page.locator('since-seen .fresh').count()).toBe(1);
    await page.close();
  });

  it('keeps what was written of a new agent through a reload, until its checkout exists', async () => {
    const { page } = await open('/agents/new');
    const [mandate, handle] = [page.getByLabel('What it may do'), page.getByLabel('Its handle')];
    await mandate.fill('Buy digital products, max 50 USDC per deal, for 30 days.');
    await handle.fill('harbour-desk');
    await page.locator('[name=owner]').fill(`0x${'11'.repeat(20)}`);
    await page.getByLabel('EXECUTOR').check();
    await page.goto(`${base}/catalogue`);
    await page.goto(`${base}/agents/new`);
    expect(await mandate.inputValue()).toContain('max 50 USDC');
    expect(await handle.inputValue()).toBe('harbour-desk');
    // Whoever is connected then is filled in, and nobody of before.
    expect(await page.locator('[name=owner]').inputValue()).toBe('');
    expect(await page.getByLabel('EXECUTOR').isChecked()).toBe(true);
    await page.goto(`${base}/agent/checkout/co_1`);
    await page.goto(`${base}/agents/new`);
    expect(await mandate.inputValue()).toBe('');
    await page.close();
  });

  it('asks which wallet to use where the browser has several, and connects that one', async () => {
    const page = patient(await browser.newPage());
    await page.addInitScript(`for (const [name, address] of [['One', '0x${'11'.repeat(20)}'], ['Two', '0x${'22'.repeat(20)}']]) {
      const provider = { request: async () => [address], on: () => {} };
      const info = { uuid: name, rdns: 'test.' + name, name, icon: 'data:image/gif;base64,R0lGODlhAQABAAAAACw=' };
      const detail = Object.freeze({ info, provider });
      const tell = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
      addEventListener('eip6963:requestProvider', tell);
    }`);
    await page.goto(`${base}/`);
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    const chooser = page.getByRole('dialog', { name: 'Choose a wallet' });
    expect(await chooser.getByRole('button').allTextContents()).toEqual(['One', 'Two']);
    await chooser.getByRole('button', { name: 'Two' }).click();
    await page.getByRole('button', { name: '0x2222…2222' }).waitFor();
    await page.close();
  });

  it('reckons the signature of a webhook on the page for developers, and finds a body that was changed', async () => {
    const { page } = await open('/developers');
    const secret = newWebhookSecret();
    const message = { id: 'msg_1', body: '{"kind":"deal"}', at: new Date('2026-11-21T07:00:00.000Z') };
    const signed = signedHeaders(secret, message);
    await page.getByLabel('The secret, whsec_…').fill(secret);
    for (const [name, value] of Object.entries(signed)) await page.getByLabel(name).fill(value);
    await page.getByLabel('The body, exactly as it came').fill(message.body);
    const check = page.locator('webhook-check');
    await check.getByRole('button', { name: 'Check it' }).click();
    await check.getByText('The signature holds: it is from here.').waitFor();
    await page.getByLabel('The body, exactly as it came').fill('{"kind":"dead"}');
    await check.getByRole('button', { name: 'Check it' }).click();
    await check.getByText('The signature does not hold.').waitFor();
    await page.close();
  });
});

/** Where one comes by the keyboard, and how it shows. */
const NOTE_FOCUS = `
  var walked = [];
  addEventListener('focusin', ({ target }) => walked.push({
    index: [...document.querySelectorAll('*')].indexOf(target), outline: getComputedStyle(target).outlineStyle,
  }));`;
