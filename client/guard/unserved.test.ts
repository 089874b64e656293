import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import axios from 'axios';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Guard, guard } from '../guard.ts';

const REQUIREMENT = {
  ...{ scheme: 'exact', network: 'eip155:84532', amount: '10000', maxTimeoutSeconds: 60 },
  payTo: '0x7e57000000000000000000000000000000bad001',
  asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
};
/** A seller that asks anew each time, and answers a payment by this. */
let answer: (response: ServerResponse) => void;
let shop = '';
const challenge = () => ({ x402Version: 2, resource: { url: shop }, accepts: [REQUIREMENT] });
const seller = createServer(({ headers }, response) => {
  if (headers['payment-signature'] !== undefined) return answer(response);
  response.writeHead(402, { 'payment-required': btoa(JSON.stringify(challenge())) }).end('{}');
});
beforeAll(async () => {
  await new Promise<void>((resolve) => seller.listen(0, '127.0.0.1', resolve));
  shop = `http://127.0.0.1:${(seller.address() as AddressInfo).port}/data`;
});
afterAll(() => {
  seller.closeAllConnections();
  seller.close();
});

const serving = (response: ServerResponse) => response.end('{"a":1}');
const breakingOff = (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"a":', () => setTimeout(() => response.destroy(), 20));
};
const endless = (response: ServerResponse) => void response.writeHead(200).write('{"a":');

/** Buys once by a program that asks so. @returns how a guard took the payment */
function buyer(asking: (guarded: Guard, payment?: string) => Promise<unknown>) {
  const guarded = guard();
  let hook: (context: object) => Promise<unknown> = async () => null;
  guarded.attach({ onBeforePaymentCreation: (given) => (hook = given) });
  let payments = 0;
  return {
    guarded,
    async buy() {
      payments += 1;
      await asking(guarded).catch(() => null);
      const stopped = await hook({ paymentRequired: challenge(), selectedRequirements: REQUIREMENT });
      if (stopped !== undefined) return guarded.refusals.at(-1)!.reason;
      return await asking(guarded, `payment ${payments}`).then(
        () => 'served',
        () => 'broken off',
      );
    },
  };
}
const paying = (payment?: string): Record<string, string> =>
  payment === undefined ? {} : { 'payment-signature': payment };
const fetching = (read: (response: Response) => Promise<unknown>) => async (g: Guard, payment?: string) =>
  await read(await g.fetch(shop, { headers: paying(payment) }));
const asking = (options: object, read: (data: never) => unknown) => async (g: Guard, payment?: string) =>
  await read(
    (await g.axios(axios.create()).get(shop, { ...options, headers: paying(payment) })).data as never,
  );
const readNode = async (stream: AsyncIterable<unknown>) => {
  for await (const _ of stream);
};

it.each([
  ['fetch', fetching((response) => response.json())],
  ['a clone of fetch', fetching((response) => response.clone().text())],
  ['axios', asking({}, () => null)],
  ['a stream of axios', asking({ responseType: 'stream' }, readNode)],
  [
    'a stream of axios by fetch',
    asking({ responseType: 'stream', adapter: 'fetch' }, (stream) => new Response(stream).text()),
  ],
])('pays no more where an answer of status 200 breaks off, by %s', async (_, program) => {
  const { buy } = buyer(program);
  answer = serving;
  expect([await buy(), await buy()]).toEqual(['served', 'served']);
  answer = breakingOff;
  expect([await buy(), await buy()]).toEqual(['broken off', 'paid-already']);
});

it.each([
  ['cancels', fetching(async (response) => await response.body!.cancel())],
  ['does not read', fetching(async () => null)],
  ['ends', asking({ responseType: 'stream' }, (stream: { destroy(): void }) => stream.destroy())],
])('takes an answer for served whose body the program itself %s', async (_, program) => {
  const { buy } = buyer(program);
  answer = endless;
  expect([await buy(), await buy()]).toEqual(['served', 'served']);
});

it('hands over the answer to a payment as it came, and so its clone', async () => {
  const ask = () => guard().fetch(shop, { headers: paying('one') });
  answer = (response) => response.writeHead(201, 'Made', { 'set-cookie': ['a=1', 'b=2'] }).end('all');
  for (const told of [await ask(), (await ask()).clone()]) {
    const { status, statusText, url, redirected, type, ok } = told;
    const shown = { status, statusText, url, redirected, type, ok, text: await told.text() };
    const as = { status: 201, statusText: 'Made', redirected: false, type: 'basic', ok: true, text: 'all' };
    expect(shown).toEqual({ ...as, url: shop });
    expect(told.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  }
  answer = (response) => response.writeHead(204).end();
  const { status, body } = await ask();
  expect([status, body]).toEqual([204, null]);
});

it('is over once somebody has looked, also for what is bought after', async () => {
  const { buy, guarded } = buyer(fetching((response) => response.json()));
  answer = breakingOff;
  expect([await buy(), await buy()]).toEqual(['broken off', 'paid-already']);
  guarded.forget(shop);
  answer = serving;
  expect([await buy(), await buy()]).toEqual(['served', 'served']);
});
