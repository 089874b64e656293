import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { transport } from './transport.ts';

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** A server of this machine that answers the nth request by the nth listener, the last one from then on. */
async function serving(
  ...listeners: readonly RequestListener[]
): Promise<{ url: URL; seen: IncomingMessage[] }> {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    listeners[Math.min(seen.length, listeners.length - 1)]!(request, response);
    seen.push(request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`), seen };
}

const busy: RequestListener = (_, response) => response.writeHead(429, { 'retry-after': '0' }).end('{}');
const fine: RequestListener = (_, response) => response.end('{"ok":true}');
const sent = (url: URL) => ({
  method: 'GET' as const,
  url,
  headers: { 'payment-signature': 'one' },
  body: null,
});

describe('a request', () => {
  it('is sent again as it was after a 429, a 503 and a broken connection', async () => {
    const broken: RequestListener = (request) => request.socket.destroy();
    const away: RequestListener = (_, response) => response.writeHead(503, { 'retry-after': '0' }).end();
    const { url, seen } = await serving(busy, away, broken, fine);
    expect(await transport({})(sent(url))).toMatchObject({ status: 200, body: { ok: true } });
    expect(seen.map(({ headers }) => headers['payment-signature'])).toEqual(Array(4).fill('one'));
  });

  it('is not sent again before the service says, nor when that is longer than patience lasts', async () => {
    const { url, seen } = await serving((_, response) =>
      response.writeHead(429, { 'retry-after': '90' }).end('{}'),
    );
    expect((await transport({ patienceMs: 1_000 })(sent(url))).status).toBe(429);
    expect(seen).toHaveLength(1);
  });

  it.each(['0', 'Sat, 21 Nov 2020 08:00:00 GMT'])(
    'is sent again ever more rarely where the service says: after %s',
    async (after) => {
      const { url, seen } = await serving((_, response) =>
        response.writeHead(503, { 'retry-after': after }).end('{}'),
      );
      const patience = new AbortController();
      const asked = transport({ patienceMs: 800 })(sent(url), patience.signal);
      setTimeout(() => patience.abort(new Error('it asks for ever')), 5_000);
      expect((await asked).status).toBe(503);
      expect(seen).toHaveLength(3);
    },
  );

  it('ends by its signal, also while it waits', async () => {
    const { url } = await serving((_, response) =>
      response.writeHead(429, { 'retry-after': '20' }).end('{}'),
    );
    const stop = new AbortController();
    const asked = transport({})(sent(url), stop.signal);
    setTimeout(() => stop.abort(new Error('enough')), 50);
    await expect(asked).rejects.toThrow('enough');
  });

  it('follows no redirect, which could carry a payment to somebody else', async () => {
    const other = await serving(fine);
    const { url } = await serving((_, response) =>
      response.writeHead(307, { location: other.url.href }).end(),
    );
    await expect(transport({ patienceMs: 0 })(sent(url))).rejects.toMatchObject({ code: 'unreachable' });
    expect(other.seen).toEqual([]);
  });
});
