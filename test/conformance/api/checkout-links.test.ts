import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CheckoutView, checkoutPage } from '../../../api/checkout/checkout-page.ts';
import { dashboardRoutes } from '../../../api/dashboard/dashboard.ts';
import { deskRoutes } from '../../../api/desk/desk.ts';
import type { App } from '../../../api/http/app.ts';
import { server } from './server-fixture.ts';

const OWNER = `0x${'cd'.repeat(20)}`;

let app: App;
beforeAll(async () => {
  const elsewhere = (a: App) => {
    a.get('/agents/directory', async () => ({ items: [] }));
    for (const path of ['/agent/ann', '/agents/new', '/catalogue', '/co/co_7']) a.get(path, async () => ({}));
  };
  const desk = (a: App) =>
    deskRoutes(a, {
      now: () => new Date(),
      newId: (prefix) => prefix,
      config: { prices: { setting: 'test', standardListing: null } },
    });
  const dashboard = (a: App) =>
    dashboardRoutes(a, { waiting: async () => new Map(), titles: async () => new Map() });
  app = await server({ routes: [elsewhere, desk, dashboard] });
});
afterAll(() => app.close());

const ANY = ['awaiting-payment', 'paid', 'failed', 'expired'] as const;
const STATES = { agent: [...ANY, 'minting', 'minted'], membership: ANY, listing: ANY } as const;
const VIEWS = (['agent', 'membership', 'listing'] as const).flatMap((kind) =>
  STATES[kind].map((status) => [kind, status] as const),
);

it.each(VIEWS)(
  'the page of a checkout of one %s that is %s leads to pages that exist',
  async (kind, status) => {
    const view: CheckoutView = {
      ...{ checkoutId: 'co_7', kind, pay: 'card', what: 'It', status, amountUsd: 5, takenBack: false },
      ...{ expiresAt: '2026-11-26T12:00:00Z', payUrl: null, owner: OWNER, path: '/co/co_7', cards: 'test' },
      handle: kind === 'agent' ? 'ann' : null,
    };
    const [, main = ''] = checkoutPage(view).text.split('<main');
    const links = [...main.matchAll(/class="button[^"]*" href="([^"]+)"/g)].map(([, href]) => href!);
    expect(links.length).toBeGreaterThan(0);
    for (const url of links) {
      const { statusCode } = await app.inject({ url: url.replaceAll('&amp;', '&') });
      expect([url, statusCode]).toEqual([url, 200]);
    }
  },
);
