import { afterAll, beforeAll, expect, it } from 'vitest';
import type { App } from '../../../api/http/app.ts';
import { type ReverseProxy, reverseProxy } from '../../fixtures/servers/reverse-proxy.ts';
import { plainRoutes, server } from './server-fixture.ts';

/** The server alone behind a real proxy; the whole service stands behind one in the journey of that name. */

let app: App;
let proxy: ReverseProxy;

beforeAll(async () => {
  app = await server({
    baseUrl: 'https://handshake.example',
    trustProxy: 1,
    limits: { reads: 4, writes: 4 },
    routes: [...plainRoutes, (a) => void a.get('/mine', async (request) => ({ url: request.url }))],
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  proxy = await reverseProxy(`http://127.0.0.1:${(app.server.address() as { port: number }).port}`);
});
afterAll(async () => {
  await proxy?.stop();
  await app?.close();
});

const from = (address: string, headers: Record<string, string> = {}, url = '/mine') =>
  app.inject({ url, headers: { 'x-forwarded-for': address, ...headers } });

it('the limits count the client that a trusted proxy names, an IPv6 network as one, and believe nobody else', async () => {
  const statuses = async (asked: (i: number) => ReturnType<typeof from>) => {
    const all = [];
    for (let i = 0; i < 6; i++) all.push((await asked(i)).statusCode);
    return all;
  };
  const limited = [200, 200, 200, 200, 429, 429];
  expect(await statuses(() => from('203.0.113.1'))).toEqual(limited);
  expect(await statuses((i) => from(`198.51.100.${i}, 203.0.113.2`))).toEqual(limited);
  expect(await statuses((i) => from(`2001:db8::${i}:${i}`))).toEqual(limited);
  expect((await from('2001:db8:0:1::1')).statusCode).toBe(200);
  // A client that connects by itself from a public address names whom it likes.
  expect(
    await statuses((i) =>
      app.inject({
        url: '/mine',
        remoteAddress: '203.0.113.3',
        headers: { 'x-forwarded-for': `192.0.2.${i}` },
      }),
    ),
  ).toEqual(limited);
});

it('an answer carries HSTS where the public address is https, and one for a single caller is kept by no store', async () => {
  const plain = await fetch(`${proxy.url}/mine`);
  expect(plain.headers.get('strict-transport-security')).toBe('max-age=31536000');
  for (const name of ['authorization', 'payment-signature', 'sign-in-with-x', 'idempotency-key', 'cookie'])
    expect((await from(`192.0.2.${name.length}`, { [name]: 'x' })).headers['cache-control']).toBe('no-store');
});
