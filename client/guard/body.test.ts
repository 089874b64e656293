import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { guard } from '../guard.ts';
import { tellingBreaks } from './body.ts';

const STATUS_TEXT = '成功';
const seller = createServer((_, response) => {
  // Node takes what stands on the wire for Latin-1.
  response.writeHead(200, Buffer.from(STATUS_TEXT).toString('latin1'), { 'content-type': 'text/plain' });
  response.end('GOOD');
});
let shop = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => seller.listen(0, '127.0.0.1', resolve));
  shop = `http://127.0.0.1:${(seller.address() as AddressInfo).port}/data`;
});
afterAll(() => {
  seller.closeAllConnections();
  seller.close();
});
const paid = () => guard().fetch(shop, { headers: { 'payment-signature': 'p' } });

it('hands over an answer whose status text is not Latin-1, and so do its clones', async () => {
  const answer = await paid();
  expect([answer.status, answer.statusText, await answer.clone().text(), await answer.text()]).toEqual([
    ...[200, STATUS_TEXT, 'GOOD', 'GOOD'],
  ]);
  expect((await paid()).clone().statusText).toBe(STATUS_TEXT);
});

it('hands over a body that is read into a reader’s own buffer, to its end', async () => {
  const reader = (await paid()).body!.getReader({ mode: 'byob' });
  const first = await reader.read(new Uint8Array(10));
  expect(Buffer.from(first.value!).toString()).toBe('GOOD');
  expect((await reader.read(new Uint8Array(10))).done).toBe(true);
});

it('hands over the body of an answer that another fetch made of text', async () => {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('GOOD'));
      controller.close();
    },
  });
  expect(await tellingBreaks(new Response(body), () => {}).text()).toBe('GOOD');
});

it.each([
  ['of a status that no program may make', { status: 999 }],
  ['whose body was read already', { bodyUsed: true }],
  ['whose body is none of the platform’s', { body: {} }],
])('hands over as it is an answer %s', (_, told) => {
  const properties = Object.entries(told).map(([name, value]) => [name, { value }]);
  const answer = Object.defineProperties(new Response('GOOD'), Object.fromEntries(properties)) as Response;
  expect(tellingBreaks(answer, () => {})).toBe(answer);
});

it('an answer that it cannot copy can still be read', async () => {
  const answer = Object.defineProperty(new Response('GOOD'), 'status', { value: 999 });
  expect(await tellingBreaks(answer, () => {}).text()).toBe('GOOD');
});
