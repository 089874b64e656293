import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runDemo } from '../../runtime/cli/demo.ts';
import { type ServiceFolder, serviceFolder } from '../fixtures/service.ts';
import { CHROMIUM, launchChromium, patient } from './chromium.ts';

const PICTURE = new URL('../../docs/images/home.png', import.meta.url);
const MOST_BYTES = 250_000;

describe.runIf(CHROMIUM !== undefined)('the picture on the first page of the documents', () => {
  let folder: ServiceFolder;
  let browser: Browser;
  let recordUrl: string;

  beforeAll(async () => {
    folder = await serviceFolder();
    await folder.start();
    const told: string[] = [];
    await runDemo(folder.env, (_chapter, sentence) => told.push(sentence));
    recordUrl = /is FLAGGED \((\S+)\)/.exec(told.join('\n'))?.[1] ?? '';
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await folder?.remove();
  });

  // `UPDATE_PICTURES=1 npx vitest run --project parts test/browser/picture.test.ts` takes it anew.
  it('is a PNG of the real page of a record, as large as one taken now', async () => {
    const page = patient(
      await browser.newPage({ viewport: { width: 1200, height: 900 }, colorScheme: 'light' }),
    );
    await page.goto(recordUrl);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Wallet determination: FLAGGED');
    expect(await page.getByText('Sources and their limits').first().isVisible()).toBe(true);
    const taken = await page.screenshot();
    await page.close();
    if (process.env.UPDATE_PICTURES === '1') writeFileSync(PICTURE, taken);
    expect(existsSync(PICTURE)).toBe(true);
    const kept = readFileSync(PICTURE);
    expect(kept.length).toBeLessThanOrEqual(MOST_BYTES);
    expect(sizeOf(kept)).toEqual(sizeOf(taken));
  });

  it('has beside it, as has each page that is shared, a picture for those that show links', async () => {
    const { origin } = new URL(recordUrl);
    const { items } = (await (await fetch(`${origin}/agents/directory`)).json()) as {
      items: { handle: string }[];
    };
    for (const page of [recordUrl, `${origin}/`, `${origin}/agent/${items[0]?.handle}`]) {
      const text = await (await fetch(page, { headers: { accept: 'text/html' } })).text();
      const told = /<meta property="og:image" content="([^"]+)">/.exec(text)?.[1] ?? '';
      const answer = await fetch(told);
      expect([page, answer.status, answer.headers.get('content-type')]).toEqual([page, 200, 'image/png']);
      expect(sizeOf(Buffer.from(await answer.arrayBuffer()))).toEqual({ width: 1200, height: 630 });
    }
    expect((await fetch(`${origin}/lots/nothing/share.png`)).status).toBe(404);
  });
});

/** Width and height of a PNG, from the header that each begins with. */
function sizeOf(png: Buffer): { width: number; height: number } {
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20) };
}
