import { Type } from 'typebox';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { dashboardRoutes } from '../../../api/dashboard/dashboard.ts';
import { deskRoutes } from '../../../api/desk/desk.ts';
import type { App } from '../../../api/http/app.ts';
import { mcpRoutes } from '../../../api/mcp/mcp.ts';
import { plainRoutes, server } from './server-fixture.ts';

/** Pages and tools that send requests to this server itself, where one place of each kind is all there is. */
const MOST = { reads: { atOnce: 1, waiting: 0 }, work: { atOnce: 1, waiting: 0 } };
const WALLET = `0x${'cd'.repeat(20)}`;
const SIGNED = { nonce: 'n'.repeat(16), signature: '0x12' };

let app: App;
/** Resolves when an order is under way, to what ends it. */
let ordered: Promise<() => void>;

beforeEach(async () => {
  let arrived: (end: () => void) => void = () => {};
  ordered = new Promise((resolve) => {
    arrived = resolve;
  });
  const api = (a: App) => {
    a.get('/lots/:ref', async () => ({ category: 'digital-products' }));
    a.get('/agents/directory', async () => ({ items: [] }));
    a.get('/read', async () => ({}));
    a.post('/order', () => new Promise<object>((resolve) => arrived(() => resolve({ orderId: 'o' }))));
    const body = Type.Object({ wallet: Type.String() });
    a.post('/settings', { schema: { operationId: 'settings', body } }, async () => ({ written: true }));
    a.post('/write', async () => ({}));
  };
  const pages = [
    (a: App) =>
      deskRoutes(a, {
        now: () => new Date('2026-11-21T07:00:00Z'),
        newId: (prefix) => `${prefix}0`,
        config: { prices: { setting: 'test', standardListing: null } },
      }),
    (a: App) => dashboardRoutes(a, { waiting: async () => new Map(), titles: async () => new Map() }),
    (a: App) => mcpRoutes(a, { baseUrl: 'http://127.0.0.1:4021', version: '9', callsPerMinute: 1000 }),
  ];
  app = await server({ routes: [...plainRoutes, api, ...pages], admission: MOST });
});
afterEach(() => app.close());

const post = (url: string, form: Record<string, string>) =>
  app.inject({
    ...{ method: 'POST' as const, url, payload: new URLSearchParams(form).toString() },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });

const order = () =>
  post('/desk/order', {
    ...{ handle: 'harbour', side: 'buy', listingRef: 'lst_1', category: 'digital-products', limitUsd: '9' },
    ...SIGNED,
  });

it('a page of the desk reads what it shows', async () => {
  const page = await app.inject('/desk/order?listingRef=lst_1');
  expect(page.statusCode).toBe(200);
  expect(page.body).toMatch(/<option value="digital-products" selected/);
});

it('the dashboard reads the agents of a wallet', async () => {
  const page = await app.inject(`/dashboard?wallet=${WALLET}`);
  expect(page.statusCode).toBe(200);
});

it('a form of the desk sends what was signed, and holds one place for both', async () => {
  const sent = order();
  const end = await Promise.race([ordered, sent.then(({ body }) => expect.unreachable(body))]);
  expect((await app.inject({ method: 'POST', url: '/write' })).statusCode).toBe(503);
  end();
  expect((await sent).statusCode).toBe(200);
  expect((await app.inject({ method: 'POST', url: '/write' })).statusCode).toBe(200);
});

it('a tool over MCP writes', async () => {
  const params = { name: 'settings', arguments: { wallet: WALLET } };
  const answer = await app.inject({
    ...{ method: 'POST', url: '/mcp' },
    headers: { accept: 'application/json, text/event-stream', host: '127.0.0.1' },
    payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
  });
  expect(answer.json().result.structuredContent).toEqual({ written: true });
});

it('a request from outside takes a place, whatever it says of itself', async () => {
  const sent = order();
  const end = await Promise.race([ordered, sent.then(({ body }) => expect.unreachable(body))]);
  // The id under which the page's own request goes.
  const headers = { 'x-request-id': 'req-1' };
  expect((await app.inject({ method: 'POST', url: '/write', headers })).statusCode).toBe(503);
  end();
  await sent;
});
