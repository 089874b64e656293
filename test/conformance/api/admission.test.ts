import { EventEmitter, once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { App } from '../../../api/http/app.ts';
import { plainRoutes, server } from './server-fixture.ts';

const MOST = { reads: { atOnce: 3, waiting: 0 }, work: { atOnce: 2, waiting: 0 } };
const waiting: (() => void)[] = [];
/** Tells of each request whose head has come. */
const seen = new EventEmitter();
let app: App;
let url: string;

beforeAll(async () => {
  const held = () => new Promise<object>((resolve) => waiting.push(() => resolve({})));
  const routes = [
    (a: App) => void a.get('/held', held),
    (a: App) => {
      const onRequest = async () => void seen.emit('request');
      a.post('/held', { onRequest }, held);
    },
    (a: App) => void a.get('/always', { config: { admission: false } }, async () => ({})),
  ];
  app = await server({ routes: [...plainRoutes, ...routes], admission: MOST });
  url = await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  app?.server.closeAllConnections();
  await app?.close();
});

const read = () => fetch(`${url}/held`);
const pay = () => fetch(`${url}/held`, { headers: { 'payment-signature': 'x' } });
const write = () =>
  fetch(`${url}/held`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
const arrived = async (n: number): Promise<void> => {
  while (waiting.length < n) await new Promise((resolve) => setTimeout(resolve, 5));
};
const refusal = async (response: Response) => [
  response.status,
  (await response.json()).code,
  response.headers.get('retry-after'),
];

it('answers at once that it is busy beyond what is under way, reads apart from work, and serves again after', async () => {
  const admitted = [read(), read(), read(), write(), pay()];
  await arrived(5);
  for (const late of [read, write, pay])
    expect(await refusal(await late())).toEqual([503, 'unavailable', '2']);
  expect((await fetch(`${url}/always`)).status).toBe(200);

  for (const answer of waiting.splice(0)) answer();
  expect((await Promise.all(admitted)).map((r) => r.status)).toEqual([200, 200, 200, 200, 200]);
  const after = [read(), pay()];
  await arrived(2);
  for (const answer of waiting.splice(0)) answer();
  expect((await Promise.all(after)).map((r) => r.status)).toEqual([200, 200]);
});

it('takes no place for whoever went away', async () => {
  for (let i = 0; i < 2 * MOST.reads.atOnce; i++) {
    const gone = new AbortController();
    const asked = fetch(`${url}/held`, { signal: gone.signal }).catch(() => null);
    await arrived(1);
    gone.abort();
    await asked;
    for (const answer of waiting.splice(0)) answer();
  }
});

it('takes no place for whoever dawdles over a body', async () => {
  const dawdlers: Socket[] = [];
  try {
    for (let i = 0; i < 16; i++) {
      const dawdler = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
      dawdlers.push(dawdler);
      const head = 'POST /held HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99';
      const begun = once(seen, 'request');
      dawdler.write(`${head}\r\n\r\n{`);
      await begun;
    }
    const written = write();
    const first = await Promise.race([arrived(1).then(() => 'under way'), written.then(refusal)]);
    expect(first).toBe('under way');
    for (const answer of waiting.splice(0)) answer();
    expect((await written).status).toBe(200);
  } finally {
    for (const dawdler of dawdlers) dawdler.destroy();
  }
});

it('keeps places for others, and places in line, however much one address asks at once', async () => {
  const held: (() => void)[] = [];
  const share = { atOnce: 1, waiting: 1 };
  const shared = await server({
    routes: [(a: App) => void a.get('/held', () => new Promise((resolve) => held.push(() => resolve({}))))],
    admission: { ...MOST, reads: { atOnce: 2, waiting: 2, each: share } },
  });
  const from = async (remoteAddress: string) => await shared.inject({ url: '/held', remoteAddress });
  // Of IPv6 each /64 is one.
  const greedy = ['2001:db8::1', '2001:db8::2', '2001:db8::3'].map(from);
  const other = [from('192.0.2.2'), from('192.0.2.2')];
  expect((await greedy[2]!).statusCode).toBe(503);
  const answered = Promise.all([...greedy.slice(0, 2), ...other]);
  for (let ended = 0; ended < 4; ended += held.splice(0).map((end) => end()).length)
    await new Promise((resolve) => setImmediate(resolve));
  expect((await answered).map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
  await shared.close();
});
