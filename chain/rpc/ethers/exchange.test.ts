import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { FetchRequest } from 'ethers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AnswerTooLarge } from '../bounded-answers.ts';
import { exchange } from './exchange.ts';

let server: Server;
let answer: RequestListener = () => {};

beforeAll(async () => {
  server = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const ask = async (mostBytes = 1_000, timeoutMs = 5_000) => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const signal = AbortSignal.timeout(timeoutMs);
  const { statusCode, body } = await exchange(new FetchRequest(url), Buffer.from('{"asked":1}'), {
    mostBytes,
    signal,
  });
  return [statusCode, Buffer.from(body ?? []).toString()];
};

describe('what ethers asks a node', () => {
  it('is answered in plain or packed, with whatever status', async () => {
    answer = (_, response) => response.writeHead(429).end('busy');
    expect(await ask()).toEqual([429, 'busy']);
    answer = (_, response) => response.setHeader('content-encoding', 'gzip').end(gzipSync('{"much":1}'));
    expect(await ask()).toEqual([200, '{"much":1}']);
  });

  it('is not read beyond its limit, packed or not', async () => {
    answer = (_, response) => response.end('x'.repeat(1_001));
    await expect(ask()).rejects.toBeInstanceOf(AnswerTooLarge);
    answer = (_, response) =>
      response.setHeader('content-encoding', 'gzip').end(gzipSync('x'.repeat(1_000_000)));
    await expect(ask()).rejects.toBeInstanceOf(AnswerTooLarge);
  });

  it.each([307, 308])('goes on where a %i sends it, with its body, and not for ever', async (status) => {
    let moves = 0;
    answer = async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      if (request.url === '/there') response.end(Buffer.concat(parts));
      else response.writeHead(status, { location: '/there' }).end();
    };
    expect(await ask()).toEqual([200, '{"asked":1}']);
    answer = (_, response) => {
      moves += 1;
      response.writeHead(status, { location: '/' }).end();
    };
    expect((await ask())[0]).toBe(status);
    expect(moves).toBe(4);
  });

  it('fails when the connection breaks or its time is up, also within an answer', async () => {
    answer = (request) => request.socket.destroy();
    await expect(ask()).rejects.toThrow(/hang up|reset/);
    for (const headers of [{}, { 'content-encoding': 'gzip' }]) {
      answer = (_, response) => {
        response.writeHead(200, { ...headers, 'content-length': 100 }).write('{');
        setTimeout(() => response.destroy(), 20);
      };
      await expect(ask()).rejects.toThrow();
      answer = (_, response) => void response.writeHead(200, headers).write('{');
      await expect(ask(1_000, 50)).rejects.toThrow(/abort/);
    }
  });
});
