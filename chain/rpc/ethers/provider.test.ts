import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { BoundedProvider } from './provider.ts';

/** What ethers asks of a gateway that refuses whatever a poisoned question is in. */

interface Question {
  readonly id: number;
  readonly method: string;
}

let server: Server | undefined;
afterEach(() => new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve())));

async function gateway(refuses: (batch: readonly Question[]) => boolean) {
  const batches: string[][] = [];
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      const asked = JSON.parse(body) as Question | Question[];
      const all = [asked].flat();
      batches.push(all.map(({ method }) => method));
      if (refuses(all)) return response.writeHead(503).end('no');
      const answers = all.map(({ id, method }) => ({ jsonrpc: '2.0', id, result: `of ${method}` }));
      response.end(JSON.stringify(Array.isArray(asked) ? answers : answers[0]));
    });
  });
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const provider = new BoundedProvider(`http://127.0.0.1:${port}`, 1, 5_000);
  const ask = async (...methods: string[]) => {
    const told = await Promise.allSettled(methods.map((method) => provider.send(method, [])));
    return told.map((one) => (one.status === 'fulfilled' ? one.value : 'failed'));
  };
  return { ask, batches };
}

describe('questions that go to a gateway together', () => {
  it('fail with one that it refuses only where they are in its half, and alone not at all', async () => {
    const { ask, batches } = await gateway((all) => all.some(({ method }) => method === 'poison'));
    expect(await ask('a', 'poison', 'b', 'c')).toEqual(['failed', 'failed', 'of b', 'of c']);
    expect(batches).toEqual([
      ['a', 'poison', 'b', 'c'],
      ['a', 'poison'],
      ['b', 'c'],
    ]);
    expect(await ask('a', 'poison')).toEqual(['of a', 'failed']);
    expect(await ask('a')).toEqual(['of a']);
  });

  it('are asked at most three times of one that is overloaded, and in one batch again later', async () => {
    let overloaded = true;
    const { ask, batches } = await gateway(() => overloaded);
    const methods = Array.from({ length: 20 }, (_, i) => `m${i}`);
    expect(new Set(await ask(...methods))).toEqual(new Set(['failed']));
    expect(batches.map((batch) => batch.length)).toEqual([20, 10, 10]);
    overloaded = false;
    expect(await ask(...methods)).toEqual(methods.map((method) => `of ${method}`));
    expect(batches.map((batch) => batch.length)).toEqual([20, 10, 10, 20]);
  });
});
