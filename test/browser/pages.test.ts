import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assetRoutes } from '../../api/assets/assets.ts';
import type { App } from '../../api/http/app.ts';
import { replyPage } from '../../api/http/negotiate.ts';
import { specRoutes } from '../../api/records/specs.ts';
import { errorRoutes } from '../../api/service/errors.ts';
import { server } from '../conformance/api/server-fixture.ts';
import { CHROMIUM, launchChromium, patient } from './chromium.ts';
import { samplePages } from './sample-pages.ts';

const SAMPLES = samplePages('http://handshake.test');
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
    const complaints: string[] = [];
    page.on('console', (m) => {
      // The status of an error page is what is being tested, not a fault.
      if (m.type() === 'error' && !m.text().startsWith('Failed to load resource')) complaints.push(m.text());
    });
    page.on('pageerror', (e) => complaints.push(String(e)));
    await page.goto(base + path);
    return { page, complaints };
  };

  const violationsOf = async (page: Page, what: string): Promise<string[]> => {
    await page.evaluate(axe.source);
    const { violations, passes } = (await page.evaluate(`axe.run(document, ${what})`)) as axe.AxeResults;
    expect(passes.length).toBeGreaterThan(0);
    return violations.map((v) => `${v.impact} ${v.id}: ${v.nodes[0]?.html} ${v.nodes[0]?.failureSummary}`);
  };

  it.each(PATHS)('%s breaks no accessibility rule and no policy', async (path) => {
    const { page, complaints } = await open(path, { colorScheme: 'light' });
    const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    expect(await violationsOf(page, `{ runOnly: ${JSON.stringify(rules)} }`)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it.each(PATHS)('%s has contrast in the dark, too', async (path) => {
    const { page } = await open(path, { colorScheme: 'dark' });
    expect(await violationsOf(page, "{ runOnly: { type: 'rule', values: ['color-contrast'] } }")).toEqual([]);
    await page.close();
  });

  it.each(PATHS)(
    '%s fits screens of 320 to 1920 pixels without scrolling sideways, its tables too',
    async (path) => {
      const { page } = await open(path, { viewport: { width: 320, height: 640 } });
      for (const width of [320, 390, 700, 1153, 1280, 1920]) {
        await page.setViewportSize({ width, height: 640 });
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
        const wide =
          "[...document.querySelectorAll('.scroll')].filter((e) => e.scrollWidth > e.clientWidth + 1).length";
        expect([width, await page.evaluate(wide)]).toEqual([width, 0]);
      }
      await page.close();
    },
  );

  it.each(PATHS)('%s is read without script, and says what it says with it', async (path) => {
    const bare = await open(path, { javaScriptEnabled: false });
    const content = (await bare.page.locator('main').innerText()).trim();
    expect(content.length).toBeGreaterThan(20);
    expect(await bare.page.getByRole('heading', { level: 1 }).isVisible()).toBe(true);
    await bare.page.close();
  });

  it.each(PATHS)('%s can be walked through by keyboard, and shows where one is', async (path) => {
    const { page } = await open(path);
    const reachable = (await page.evaluate(
      '[...document.querySelectorAll(\'a[href],button,input,select,summary,[tabindex="0"]\')].filter(e => e.checkVisibility()).length',
    )) as number;
    const seen = new Set<number>();
    for (let i = 0; i < reachable; i++) {
      await page.keyboard.press('Tab');
      const { index, outline } = await focused(page);
      expect(outline).not.toBe('none');
      seen.add(index);
    }
    expect(seen.size).toBe(reachable);
    await page.close();
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

  it('asks for a wallet before it checks an address, and says when there is none', async () => {
    const { page } = await open('/');
    await page.getByLabel('Wallet or contract to check').fill('0x00000000000000000000000000000000000000aa');
    await page.getByRole('button', { name: 'Check for $0.01' }).click();
    await page.getByRole('status').getByText('There is no wallet in this browser').waitFor();
    await page.close();
  });
});

async function focused(page: Page): Promise<{ index: number; outline: string }> {
  return page.evaluate(`(() => {
    const e = document.activeElement;
    return { index: [...document.querySelectorAll('*')].indexOf(e), outline: getComputedStyle(e).outlineStyle };
  })()`);
}
