import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentPage } from '../../api/agent/agent-page.ts';
import { portrait, portraitHeaders, type Sitter } from '../../api/agent/portrait.ts';
import { assetRoutes } from '../../api/assets/assets.ts';
import type { App } from '../../api/http/app.ts';
import { replyPage } from '../../api/http/negotiate.ts';
import { server } from '../conformance/api/server-fixture.ts';
import { CHROMIUM, launchChromium, patient } from './chromium.ts';

const hash = `0x${'ab'.repeat(32)}`;
const sitter: Sitter = {
  handle: 'harbour-desk',
  tier: 'AGENT',
  status: 'active',
  chainId: 1002,
  tokenId: 7n,
  account: `0x${'3c'.repeat(20)}`,
};
const document = agentPage(
  {
    handle: sitter.handle,
    tier: 'AGENT',
    depth: '2-of-2',
    status: 'active',
    owner: sitter.account,
    account: sitter.account,
    chainId: 1002,
    contract: sitter.account,
    tokenId: '7',
    categories: [],
    since: '2026-11-21T07:00:00.000Z',
    mandate: { text: 'Buy.', structured: {}, hash, version: 1 },
    caps: { unavailable: 'not asked' },
    issued: { mintTx: hash, accountTx: hash, mandateHashOnChain: null, orders: 0, matches: 0 },
  },
  {
    baseUrl: 'http://handshake.test',
    explorer: 'https://explorer.test',
    activity: [],
    holdings: null,
    settlement: sitter.account,
    usdc: sitter.account,
    chains: [],
  },
);

describe.runIf(CHROMIUM !== undefined)('a portrait in a browser', () => {
  let app: App;
  let browser: Browser;
  let base: string;

  beforeAll(async () => {
    const sitters = {
      '7': sitter,
      '8': { ...sitter, handle: '"><script>alert(1)</script>&<b>' },
      '9': { ...sitter, handle: 'm'.repeat(32), tier: 'EXECUTOR' as const, status: 'suspended' },
    };
    app = await server({
      routes: [
        assetRoutes,
        (a) => {
          for (const [id, who] of Object.entries(sitters))
            a.get(`/metadata/1002/${id}/portrait.svg`, async (_request, reply) =>
              reply
                .headers(portraitHeaders(who))
                .type('image/svg+xml; charset=utf-8')
                .send(portrait(who).text),
            );
          a.get('/agent/harbour-desk', async (_request, reply) => replyPage(reply, document));
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

  const open = async (path: string, colorScheme: 'light' | 'dark' = 'light') => {
    const page = patient(await browser.newPage({ colorScheme }));
    const complaints: string[] = [];
    page.on('console', (m) => {
      // Nothing streams events here.
      const isStream = m.location().url.includes('/events');
      if (m.type() === 'error' && !isStream) complaints.push(m.text());
    });
    page.on('pageerror', (e) => complaints.push(String(e)));
    await page.goto(base + path);
    return { page, complaints };
  };

  it('is shown on the page of its agent', async () => {
    const { page, complaints } = await open('/agent/harbour-desk');
    expect(await page.evaluate("document.querySelector('main img').naturalWidth")).toBeGreaterThan(0);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it.each(['7', '8'])(
    '%s is a whole document of its own, and wears its style under its policy',
    async (id) => {
      const paper: unknown[] = [];
      for (const scheme of ['light', 'dark'] as const) {
        const { page, complaints } = await open(`/metadata/1002/${id}/portrait.svg`, scheme);
        expect(complaints).toEqual([]);
        expect(await page.evaluate("document.querySelectorAll('parsererror,script,b').length")).toBe(0);
        expect(await page.evaluate("document.querySelector('title').textContent")).toContain(
          'of Safe Handshake',
        );
        paper.push(await page.evaluate("getComputedStyle(document.querySelector('.paper')).fill"));
        await page.close();
      }
      expect(paper).toEqual(['rgb(243, 241, 234)', 'rgb(15, 17, 20)']);
    },
  );

  it.each(['7', '9'])('%s keeps its words inside the card', async (id) => {
    const { page } = await open(`/metadata/1002/${id}/portrait.svg`);
    const out = await page.evaluate(
      "[...document.querySelectorAll('text')].filter(t => { const b = t.getBBox(); return b.x < 20 || b.x + b.width > 460 }).length",
    );
    expect(out).toBe(0);
    await page.close();
  });
});
