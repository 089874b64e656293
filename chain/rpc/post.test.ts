import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { postJson } from './post.ts';

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(answer: Answer): Promise<{ url: URL; connections: () => number }> {
  let connections = 0;
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => answer(request, response, Buffer.concat(parts).toString()));
  });
  server.on('connection', () => {
    connections += 1;
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: new URL(`http://127.0.0.1:${port}/rpc`), connections: () => connections };
}

const patient = { timeoutMs: 60_000 };

describe('a POST of JSON', () => {
  it('brings the whole answer with its status, and one connection serves those that follow one another', async () => {
    const { url, connections } = await serve(({ method, url: path, headers }, response, body) => {
      response.writeHead(418).end(JSON.stringify([method, path, headers['content-type'], headers.key, body]));
    });
    for (const body of ['{"ä":1}', '{}']) {
      const { status, text } = await postJson(url, body, { ...patient, headers: { key: 'k' } });
      expect([status, JSON.parse(text)]).toEqual([418, ['POST', '/rpc', 'application/json', 'k', body]]);
    }
    expect(connections()).toBe(1);
  });

  it('reads what comes compressed', async () => {
    const { url } = await serve(({ headers }, response) => {
      response.writeHead(200, { 'content-encoding': headers['accept-encoding'] });
      response.end(gzipSync('{"much":1}'));
    });
    expect(await postJson(url, '{}', patient)).toMatchObject({ status: 200, text: '{"much":1}' });
  });

  it.each([307, 308])('goes on where a %i sends it, with its body, and not for ever', async (status) => {
    const home = await serve((request, response, body) => {
      if (request.url === '/there') response.end(body);
      else response.writeHead(status, { location: request.url === '/rpc' ? '/there' : '/round' }).end();
    });
    expect(await postJson(home.url, '{"a":1}', patient)).toMatchObject({ status: 200, text: '{"a":1}' });
    expect(await postJson(new URL('/round', home.url), '{}', patient)).toMatchObject({ status });
  });

  it('follows nothing that would make a GET of it', async () => {
    const { url } = await serve((_, response) => response.writeHead(302, { location: '/there' }).end());
    expect(await postJson(url, '{}', patient)).toMatchObject({ status: 302 });
  });

  it('is given up when its time is over, before an answer and in the middle of one', async () => {
    const silent = await serve(() => {});
    const endless = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{');
    });
    for (const { url } of [silent, endless])
      await expect(postJson(url, '{}', { timeoutMs: 100 })).rejects.toMatchObject({ name: 'PostTimeout' });
  });

  it('fails when the connection does, before an answer and in the middle of one', async () => {
    const cut = await serve((request) => request.socket.destroy());
    const half = await serve((request, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{', () => request.socket.destroy());
    });
    for (const { url } of [cut, half, { url: new URL('http://127.0.0.1:1/') }])
      await expect(postJson(url, '{}', patient)).rejects.not.toMatchObject({ name: 'PostTimeout' });
  });
});
