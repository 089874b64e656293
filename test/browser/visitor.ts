import type { Browser, Page } from 'playwright-core';
import type { PrivateKeyAccount } from 'viem/accounts';
import { expect } from 'vitest';
import { patient } from './chromium.ts';
import { type Hands, handsOn } from './hands.ts';
import { injectWallet } from './injected-wallet.ts';

const MOST_SHIFT = 0.1;
/** What is wider than the screen, if anything makes the page so. */
const WIDER = `(() => {
  const screen = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= screen) return [];
  return [...document.body.querySelectorAll('*')].filter((e) => e.getBoundingClientRect().right > screen + 1)
    .map((e) => e.tagName + ' ' + e.textContent.slice(0, 60)).slice(-3);
})()`;

/** Somebody with a wallet in the browser, who uses the pages in one way alone. */
export interface Visitor {
  readonly page: Page;
  readonly hands: Hands;
  /** What broke on a page, or was kept from it by its policy. */
  readonly complaints: readonly string[];
  close(): Promise<void>;
}

/** A browser with a wallet in it: a wide screen and the keyboard, or a telephone and touch. */
export async function visitor(
  browser: Browser,
  by: 'keyboard' | 'touch',
  signer: PrivateKeyAccount,
  rpcUrl: string,
): Promise<Visitor> {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const desk = { viewport: { width: 1280, height: 900 } };
  const context = await browser.newContext(by === 'touch' ? phone : desk);
  await injectWallet(context, signer, rpcUrl);
  await context.addInitScript(`window.shifted = 0; window.movers = []; new PerformanceObserver((list) => {
    for (const e of list.getEntries()) if (!e.hadRecentInput) {
      window.shifted += e.value;
      for (const { node } of e.sources) window.movers.push((node?.outerHTML ?? '').slice(0, 80));
    }
  }).observe({ type: 'layout-shift', buffered: true })`);
  const page = patient(await context.newPage());
  const complaints: string[] = [];
  page.on('pageerror', (e) => complaints.push(String(e)));
  page.on('console', (m) => m.text().includes('Content Security Policy') && complaints.push(m.text()));
  return { page, hands: handsOn(page, by), complaints, close: () => context.close() };
}

/** Opens a page, and holds that it is no wider than its screen and that its layout stays where it is. */
export async function go(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.waitForLoadState('load');
  expect([url, await page.evaluate(WIDER)]).toEqual([url, []]);
  const [shifted, movers] = (await page.evaluate('[window.shifted, window.movers]')) as [number, string[]];
  expect([url, shifted < MOST_SHIFT ? [] : movers]).toEqual([url, []]);
}

/** Signs what the page shows, and waits until it is answered. */
export async function sign(page: Page, hands: Hands): Promise<void> {
  const button = page.getByRole('button', { name: 'Sign with the wallet in this browser' });
  await button.waitFor();
  const shown = (await button.elementHandle())!;
  const loaded = page.waitForEvent('load');
  loaded.catch(() => {});
  await hands.press(button);
  await Promise.race([loaded, shown.waitForElementState('hidden').catch(() => loaded)]);
}

/** Waits until a screen reader is told these words. It is to be called before what causes them. */
export function told(page: Page, words: string | RegExp): Promise<void> {
  return page.locator('#live-words').getByText(words).first().waitFor({ state: 'attached' });
}
