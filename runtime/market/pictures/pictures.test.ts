import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchPublic } from './fetch-public.ts';
import { pixelType } from './token-picture.ts';

const PNG = Buffer.from('89504e470d0a1a0a00', 'hex');

describe('a stranger’s picture', () => {
  let server: Server;
  let base: string;

  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.url === '/moved') return response.writeHead(302, { location: '/good' }).end();
      if (request.url === '/silent') return;
      if (request.url === '/upgraded')
        return request.socket.write('HTTP/1.1 101 So\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n');
      if (request.url === '/large') return response.end(Buffer.alloc(5_000));
      response.end(PNG);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const get = (path: string, loopback = true) =>
    fetchPublic(new URL(base + path), { allowed: { loopback }, timeoutMs: 300, maxBytes: 1_000 });

  it('is taken within its time and size, and not where it moved to', async () => {
    expect(await get('/good')).toEqual(PNG);
    for (const path of ['/large', '/moved', '/silent', '/upgraded'])
      expect([path, await get(path)]).toEqual([path, null]);
  });

  it('is never asked of a private address', async () => {
    expect(await get('/good', false)).toBeNull();
    for (const url of [
      'https://127.0.0.1/',
      'https://10.0.0.1/',
      'https://[::1]/',
      'https://localhost/',
      'file:///etc/passwd',
    ])
      expect(
        await fetchPublic(new URL(url), { allowed: { loopback: false }, timeoutMs: 300, maxBytes: 10 }),
      ).toBeNull();
  });

  it('is of pixels by its first bytes, whatever it is called; a drawing is none', () => {
    expect(pixelType(PNG)).toBe('image/png');
    expect(pixelType(Buffer.from('ffd8ffe0', 'hex'))).toBe('image/jpeg');
    expect(pixelType(Buffer.from('RIFF\0\0\0\0WEBP'))).toBe('image/webp');
    for (const text of ['<svg xmlns="http://www.w3.org/2000/svg"/>', '<html>', ''])
      expect(pixelType(Buffer.from(text))).toBeNull();
  });
});
