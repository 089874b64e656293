import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { bridgeStdio } from './stdio.ts';

it('answers a line that cannot be read by an error, and goes on', async () => {
  const service = createServer((_, response) => response.end('{"jsonrpc":"2.0","id":4,"result":{}}'));
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const lines = ['{"jsonrpc":', 'null', '7', '{"jsonrpc":"2.0","id":4,"method":"tools/list"}'];
  const stdin = Readable.from(lines.map((line) => `${line}\n`));
  const stdout = new PassThrough();
  try {
    await bridgeStdio({ argv: ['node', 'bridge', url], env: {}, stdin, stdout });
  } finally {
    service.closeAllConnections();
    service.close();
  }
  stdout.end();
  const answers = (await text(stdout)).trim().split('\n');
  const told = answers.map((line) => JSON.parse(line)).map(({ id, error }) => [id, error?.code ?? null]);
  expect(told).toEqual([...Array(3).fill([null, -32_700]), [4, null]]);
});
