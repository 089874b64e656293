import { once } from 'node:events';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Type } from 'typebox';
import { afterEach, expect, it } from 'vitest';
import type { App, RouteModule } from '../../../api/http/app.ts';
import { mcpRoutes } from '../../../api/mcp/mcp.ts';
import { mcpTools } from '../../../client/mcp.ts';
import { plainRoutes, server } from './server-fixture.ts';

let app: App;
let url: string;
afterEach(() => app.close());

async function listening(
  limits = { reads: 1000, writes: 1000 },
  callsPerMinute = 1000,
  { handlerTimeoutMs = 30_000, more = [] as RouteModule[] } = {},
): Promise<void> {
  const own = (a: App) => mcpRoutes(a, { baseUrl: 'http://127.0.0.1:4021', version: '9', callsPerMinute });
  app = await server({ limits, handlerTimeoutMs, routes: [...plainRoutes, ...more, own] });
  url = await app.listen({ port: 0, host: '127.0.0.1' });
}

async function client(): Promise<Client> {
  const connected = new Client({ name: 'a stock client', version: '1' });
  // The library's own types disagree under `exactOptionalPropertyTypes`.
  await connected.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)) as never);
  return connected;
}

const post = (headers: Record<string, string>, method = 'POST') =>
  app.inject({
    ...{ method: method as 'POST', url: '/mcp' },
    headers: { accept: 'application/json, text/event-stream', host: '127.0.0.1', ...headers },
    ...(method === 'POST' ? { payload: { jsonrpc: '2.0', id: 1, method: 'ping' } } : {}),
  });

it('offers tools with the schemas of the interface description, and gives their answers', async () => {
  await listening();
  const mcp = await client();
  expect(mcp.getServerVersion()).toMatchObject({ name: 'safe-handshake', version: '9' });
  const { tools } = await mcp.listTools();
  const quote = tools.find((t) => t.name === 'quote')!;
  expect(Object.keys(quote.inputSchema.properties!)).toEqual(
    expect.arrayContaining(['category', 'priceUsd', 'tier', 'wallet']),
  );
  const [told, served] = await Promise.all([
    mcp.callTool({ name: 'pricing', arguments: {} }),
    app.inject('/pricing'),
  ]);
  expect(told.structuredContent).toEqual(served.json());
  expect(JSON.parse((told.content as { text: string }[])[0]!.text)).toEqual(served.json());
  await mcp.close();
});

it('gives the problem of a refused call, and knows no tool and no argument that it does not list', async () => {
  await listening();
  const mcp = await client();
  const bad = await mcp.callTool({ name: 'quote', arguments: { tier: 'tier9' } });
  expect(bad).toMatchObject({ isError: true, structuredContent: { status: 400, code: 'bad-request' } });
  const strange = await mcp.callTool({ name: 'quote', arguments: { colour: 'red' } });
  expect(strange).toMatchObject({
    isError: true,
    structuredContent: { detail: 'colour: the tool "quote" has no such argument' },
  });
  await expect(mcp.callTool({ name: 'nope', arguments: {} })).rejects.toThrow('There is no tool "nope".');
  await mcp.close();
});

it('answers no page of another origin, nor under another name than those of this machine', async () => {
  await listening();
  expect((await post({})).statusCode).toBe(200);
  expect((await post({ origin: 'http://localhost:6274' })).statusCode).toBe(200);
  expect((await post({ origin: 'http://127.0.0.1:4021' })).statusCode).toBe(200);
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://localhost.evil.example' },
    { host: 'evil.example:4021' },
  ] as Record<string, string>[]) {
    const refused = await post(headers);
    expect(refused.statusCode, JSON.stringify(headers)).toBe(403);
    expect(refused.json()).toMatchObject({ jsonrpc: '2.0', id: null });
  }
});

it('has neither sessions nor streams', async () => {
  await listening();
  for (const method of ['GET', 'DELETE']) {
    const answer = await post({}, method);
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'POST']);
  }
});

it('counts what tools call by the limits of their routes, for the address that calls', async () => {
  await listening({ reads: 3, writes: 1 });
  const mcp = await client();
  for (let n = 0; n < 3; n++)
    expect((await mcp.callTool({ name: 'pricing', arguments: {} })).isError).toBeFalsy();
  const over = await mcp.callTool({ name: 'pricing', arguments: {} });
  expect(over).toMatchObject({
    isError: true,
    structuredContent: { status: 429, code: 'rate-limited', retryAfterSeconds: expect.any(Number) },
  });
  const elsewhere = await app.inject({ url: '/pricing', remoteAddress: '203.0.113.9' });
  expect(elsewhere.statusCode).toBe(200);
  const same = await app.inject({ url: '/pricing', remoteAddress: '127.0.0.1' });
  expect(same.statusCode).toBe(429);
  await mcp.close();
});

it('sends the caller of a paid tool that takes too long to the same payment, and no other one', async () => {
  const determination: RouteModule = (a) => {
    a.get(
      '/determination',
      {
        schema: {
          operationId: 'safeHandshakeDetermination',
          querystring: Type.Object({ address: Type.String() }),
        },
      },
      async (request) => await once(request.deadline, 'abort'),
    );
  };
  await listening(undefined, undefined, { handlerTimeoutMs: 500, more: [determination] });
  const call = (meta: object) =>
    app.inject({
      ...{ method: 'POST', url: '/mcp' },
      headers: { accept: 'application/json, text/event-stream', host: '127.0.0.1' },
      payload: {
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name: 'check', arguments: { address: `0x${'aa'.repeat(20)}` }, _meta: meta },
      },
    });
  const paid = await call({ 'x402/payment': { x402Version: 2 } });
  expect([paid.statusCode, paid.json().code]).toEqual([503, 'timeout']);
  expect(paid.json().detail).toContain('send the same payment again, it is charged at most once');
  expect((await call({})).json().detail).toContain('nothing was kept of it');
});

it('takes so many messages a minute of an address', async () => {
  await listening({ reads: 1000, writes: 1 }, 2);
  expect([(await post({})).statusCode, (await post({})).statusCode, (await post({})).statusCode]).toEqual([
    200, 200, 429,
  ]);
  await expect(mcpTools(url, { patienceMs: 0 }).call('pricing')).rejects.toMatchObject({
    ...{ code: 'rate-limited', status: 429, retry: true, retryAfterMs: expect.any(Number) },
  });
});
