import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it, vi } from 'vitest';
import { handshake } from './client.ts';

const BASE = 'https://handshake.example';
const account = privateKeyToAccount(generatePrivateKey());
const [ONE, OTHER] = [`0x${'11'.repeat(20)}`, `0x${'22'.repeat(20)}`] as const;
const offer = {
  ...{ scheme: 'exact', network: 'eip155:84532', payTo: OTHER, amount: '10000', maxTimeoutSeconds: 60 },
  ...{ asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e', extra: { name: 'USDC', version: '2' } },
};
const challenge = btoa(JSON.stringify({ x402Version: 2, resource: { url: BASE }, accepts: [offer] }));

const cut = () => Promise.reject(new TypeError('the connection was cut off'));
const problem = (status: number, code: string, headers = {}) =>
  new Response(JSON.stringify({ code, detail: 'Try again.' }), { status, headers });
const asking = () => new Response('{}', { status: 402, headers: { 'payment-required': challenge } });
const edge = (status: number, body: object) => new Response(JSON.stringify(body), { status });
const gateway = () => new Response('<h1>Gateway timeout</h1>', { status: 504 });

/** A service whose first answers to payments are these, and the payments and keys that it was sent. */
function serving(answers: readonly (() => Response | Promise<Response>)[], patienceMs = 0) {
  const [payments, keys] = [[] as string[], [] as (string | null)[]];
  const left = [...answers];
  const answering: typeof fetch = async (_, init) => {
    const headers = new Headers(init?.headers);
    const payment = headers.get('payment-signature');
    if (payment === null) return asking();
    payments.push(payment);
    keys.push(headers.get('idempotency-key'));
    return left.shift()?.() ?? new Response('{"verdict":"CLEAN"}');
  };
  return { payments, keys, client: handshake(BASE, { account, fetch: answering, patienceMs }) };
}
/** An answer that comes when it is told to. */
function later() {
  let resolve: (answer: Response) => void = () => {};
  const promise = new Promise<Response>((told) => {
    resolve = told;
  });
  return { promise, resolve };
}
const codeOf = (asked: Promise<unknown>) =>
  asked.then(
    () => null,
    ({ code }) => code,
  );

describe('a call whose payment was sent and whose answer was lost', () => {
  it.each([
    ['the connection broke', cut, 'unreachable'],
    ['a gateway answered 504', gateway, 'unreachable'],
    ['the service failed', () => problem(500, 'internal'), 'internal'],
    ['the service is long away', () => problem(503, 'timeout', { 'retry-after': '90' }), 'timeout'],
    ['an edge forbade it', () => edge(403, { message: 'Forbidden' }), 'unexpected-answer'],
    ['an edge asked for its own payment', () => edge(402, { error: 'plan' }), 'unexpected-answer'],
    ['something between said OK', () => new Response('<h1>Welcome</h1>'), 'unexpected-answer'],
  ])('is paid for once where %s and it is made again', async (_, lost, code) => {
    const { payments, client } = serving([lost, lost]);
    expect(await codeOf(client.check(ONE))).toBe(code);
    expect(await codeOf(client.check(ONE))).toBe(code);
    expect(await client.check(ONE)).toMatchObject({ verdict: 'CLEAN' });
    expect(payments).toEqual(Array(3).fill(payments[0]));
    expect(client.spentUsd()).toBe(0.01);
  });

  it('is sent again with its own key', async () => {
    const { payments, keys, client } = serving([cut]);
    const facts = { priceUsd: 5 };
    await codeOf(client.evaluate('tier2', 'real-world-assets', facts));
    await client.evaluate('tier2', 'real-world-assets', facts);
    expect([new Set(payments).size, new Set(keys).size, keys[0]]).toEqual([1, 1, expect.any(String)]);
  });

  it('is sent again by itself while patience lasts, also after a 500', async () => {
    const { payments, client } = serving([gateway, () => problem(500, 'internal')], 2_000);
    expect(await client.check(ONE)).toMatchObject({ verdict: 'CLEAN' });
    expect(payments).toEqual(Array(3).fill(payments[0]));
  });

  it('is paid for anew where the payment is taken no more', async () => {
    const { payments, client } = serving([cut, asking]);
    await codeOf(client.check(ONE));
    await client.check(ONE);
    expect([payments.length, new Set(payments).size]).toEqual([3, 2]);
  });
});

it('pays for each call that was answered, and for each of another kind', async () => {
  const { payments, client } = serving([cut]);
  await codeOf(client.check(ONE));
  await client.check(OTHER);
  await client.check(ONE, { idempotencyKey: 'another purchase' });
  await client.check(ONE);
  await client.check(ONE);
  expect([payments.length, new Set(payments).size]).toEqual([5, 4]);
});

it('shares one payment between calls of the same at the same time', async () => {
  const { payments, client } = serving([cut]);
  const both = await Promise.allSettled([client.check(ONE), client.check(ONE)]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(new Set(payments).size).toBe(1);
});

it('shares the payment that follows one that was refused to several calls, whenever each is told', async () => {
  const [refusal, answer] = [later(), later()];
  const { payments, client } = serving([cut, asking, () => refusal.promise, () => answer.promise]);
  await codeOf(client.check(ONE));
  const both = [client.check(ONE), client.check(ONE)];
  await vi.waitFor(() => expect(payments).toHaveLength(4));
  refusal.resolve(asking());
  await vi.waitFor(() => expect(payments).toHaveLength(5));
  answer.resolve(new Response('{"verdict":"CLEAN"}'));
  await Promise.all(both);
  const [first, , , second] = payments;
  expect(payments).toEqual([first, first, first, second, second]);
  expect(client.spentUsd()).toBe(0.02);
});

it('holds no payment that was not signed', async () => {
  const { payments, client } = serving([]);
  const refuse = { ...account, signTypedData: () => Promise.reject(new Error('not now')) };
  const asked = handshake(BASE, { account: refuse, fetch: async () => asking() });
  for (let i = 0; i < 2; i++) expect(await codeOf(asked.check(ONE))).toBe('no-payment-option');
  await client.check(ONE);
  expect(payments).toHaveLength(1);
});

it.each(['{}', '[]', 'null', '7', '{"accepts":7}', '{"accepts":[null]}', '{"accepts":["exact"]}'])(
  'takes %s for no challenge, and leaves no rejection behind that would end the process',
  async (told) => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    const headers = { 'payment-required': btoa(told) };
    const asked = handshake(BASE, {
      account,
      fetch: async () => new Response('{}', { status: 402, headers }),
    });
    expect(await codeOf(asked.check(ONE))).toBe('unexpected-answer');
    await new Promise((resolve) => setTimeout(resolve, 0));
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  },
);

it.each([
  ['none', []],
  ['one that says nothing', [{}]],
])('signs for no way to pay among %s', async (_, accepts) => {
  const headers = { 'payment-required': btoa(JSON.stringify({ x402Version: 2, accepts })) };
  const asked = handshake(BASE, { account, fetch: async () => new Response('{}', { status: 402, headers }) });
  for (let i = 0; i < 2; i++) expect(await codeOf(asked.check(ONE))).toBe('no-payment-option');
});
