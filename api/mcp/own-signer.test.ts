import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { sha256Hex } from '../../agents/canonical.ts';
import { signInMessage } from '../http/auth/sign-in-message.ts';
import { mcpServer } from './mcp-server.ts';
import { operationsOf } from './operations.ts';
import { ownSigner, repeatingPayments } from './own-signer.ts';
import { fetchedWire, type WireAnswer, type WireRequest } from './wire.ts';

const BASE = 'https://handshake.example';
const OTHER = 'https://other-market.example';
const key = privateKeyToAccount(generatePrivateKey());
const signed: string[] = [];
const account = {
  ...key,
  signMessage: async ({ message }: { message: string }) => {
    signed.push(message);
    return await key.signMessage({ message });
  },
} as typeof key;
beforeEach(() => {
  signed.length = 0;
});

const signer = () => ownSigner({ account, baseUrl: BASE, budget: 0n, networks: [] });
const ORDER: WireRequest = {
  ...{ method: 'POST', path: '/order?dry=1', headers: { 'content-type': 'application/json' } },
  body: '{"handle":"mine","limitUsd":5}',
};

const textOf = (over: Partial<Parameters<typeof signInMessage>[0]> = {}): string =>
  signInMessage({
    ...{ baseUrl: BASE, wallet: key.address, chainId: 1002, statement: 'Buy for at most 5 USD' },
    ...{ method: ORDER.method, path: ORDER.path, bodyHash: sha256Hex(ORDER.body!), nonce: 'a'.repeat(16) },
    ...{ issuedAt: new Date(0), expiresAt: new Date(600_000), ...over },
  });
const asking = (message: string, more: object = {}): WireAnswer => ({
  ...{ status: 401, headers: {} },
  body: JSON.stringify({ sign: { message, nonce: 'a'.repeat(16), wallet: key.address, ...more } }),
});

describe('a key that signs for an agent', () => {
  it('signs the text for the very call', async () => {
    const sent = await signer()(ORDER, asking(textOf()));
    expect(sent).toMatchObject({ path: ORDER.path, body: ORDER.body });
    expect(signed).toEqual([textOf()]);
    const salted = textOf({ bodyHash: sha256Hex(`salt${ORDER.body}`) });
    expect(await signer()(ORDER, asking(salted, { salt: 'salt' }))).toMatchObject({ path: ORDER.path });
    expect(await signer()({ ...ORDER, headers: { authorization: 'x' } }, asking(textOf()))).toBeNull();
  });

  it.each([
    ['another site', textOf({ baseUrl: OTHER })],
    ['another act of this site', textOf({ path: '/agents/pause' })],
    ['another query', textOf({ path: '/order?dry=0' })],
    ['another method', textOf({ method: 'DELETE' })],
    ['another body', textOf({ bodyHash: sha256Hex('{"handle":"mine","limitUsd":5000}') })],
    ['another wallet', textOf({ wallet: '0x00000000000000000000000000000000000000aa' })],
    ['nothing that is a sign-in', 'I give all that I have to whoever shows this.'],
  ])('signs nothing where it is handed a text for %s', async (_, message) => {
    expect(await signer()(ORDER, asking(message))).toMatch(/^The text was not signed: /);
    expect(signed).toEqual([]);
  });

  it('signs nothing for a service that describes its calls as calls of another host', async () => {
    const described = (path: string) =>
      operationsOf({ paths: { [path]: { get: { operationId: 'agent-orders' } } } });
    expect(described('/orders').size).toBe(1);
    expect(described('@other-market.example/orders').size).toBe(0);
    expect(described('.other-market.example/orders').size).toBe(0);
  });

  it('tells the agent why it signed nothing, and sends nothing again', async () => {
    const asked: WireRequest[] = [];
    const server = mcpServer({
      version: '1',
      operations: operationsOf({
        paths: { '/own': { get: { operationId: 'agent-orders' } } },
      }),
      wire: async (request) => {
        asked.push(request);
        return asking(textOf({ baseUrl: OTHER }));
      },
      sign: signer(),
    });
    const client = new Client({ name: 'an agent', version: '1' });
    const [here, there] = InMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(there), client.connect(here)]);
    const told = await client.callTool({ name: 'own_orders', arguments: {} });
    expect(told).toMatchObject({
      isError: true,
      structuredContent: { detail: 'The text was not signed: it is not from handshake.example.' },
    });
    expect([asked.length, signed.length]).toEqual([1, 0]);
    await client.close();
  });
});

describe('a key with a budget', () => {
  const pricing: WireRequest = { method: 'GET', path: '/determination', headers: {}, body: null };
  const terms = (amount: string): WireAnswer => {
    const offer = {
      ...{ scheme: 'exact', network: 'eip155:84532', payTo: `0x${'ab'.repeat(20)}`, amount },
      ...{ asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e', maxTimeoutSeconds: 60 },
      extra: { name: 'USDC', version: '2' },
    };
    const challenge = { x402Version: 2, resource: { url: BASE }, accepts: [offer] };
    const header = Buffer.from(JSON.stringify(challenge)).toString('base64');
    return { status: 402, headers: { 'payment-required': header }, body: '{}' };
  };

  it('pays within it, and has no more left after a price below zero', async () => {
    const pay = ownSigner({ account, baseUrl: BASE, budget: 10_000n, networks: ['eip155:84532'] });
    for (const amount of ['-4000000', '0x10', '', '10001'])
      expect(await pay(pricing, terms(amount))).toBeNull();
    expect(await pay(pricing, terms('10000'))).toMatchObject({ path: pricing.path });
    expect(await pay(pricing, terms('1'))).toBeNull();
  });

  /** An answer that comes when it is told to. */
  const later = () => {
    let resolve: (answer: WireAnswer) => void = () => {};
    const promise = new Promise<WireAnswer>((told) => {
      resolve = told;
    });
    return { promise, resolve };
  };

  /** A service that takes a payment, whose first answers are these; what it was asked, and its tool. */
  async function serving(answers: readonly (WireAnswer | Error | Promise<WireAnswer>)[], budget = 10_000n) {
    const asked: (string | null)[] = [];
    const left = [...answers];
    const server = mcpServer({
      version: '1',
      operations: operationsOf({
        paths: { '/determination': { get: { operationId: 'safeHandshakeDetermination' } } },
      }),
      sign: ownSigner({ account, baseUrl: BASE, budget, networks: ['eip155:84532'] }),
      wire: repeatingPayments(async ({ headers }) => {
        const header = headers['payment-signature'] ?? null;
        asked.push(header);
        if (header === null) return terms('10000');
        const answer = (await left.shift()) ?? ANSWERED;
        if (answer instanceof Error) throw answer;
        return answer;
      }),
    });
    const client = new Client({ name: 'an agent', version: '1' });
    const [here, there] = InMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(there), client.connect(here)]);
    const call = () => client.callTool({ name: 'check', arguments: {} });
    return { asked, call };
  }
  const ANSWERED: WireAnswer = { status: 200, headers: {}, body: '{"verdict":"CLEAN"}' };
  const LATE: WireAnswer = { status: 503, headers: {}, body: '{"code":"timeout"}' };
  const FAILED: WireAnswer = { ...terms('10000'), body: '{"code":"settlement-failed"}' };

  it('pays once where the answer to a payment was lost and the agent calls again', async () => {
    const { asked, call } = await serving([new Error('the connection was cut off'), LATE]);
    await expect(call()).rejects.toThrow('cut off');
    expect(await call()).toMatchObject({ isError: true, structuredContent: { status: 503 } });
    expect(await call()).toMatchObject({ structuredContent: { verdict: 'CLEAN' } });
    const [, first] = asked;
    expect(asked).toEqual([null, first, first, first]);
    // By this an answer that is filed nowhere is given to it again.
    const payment = JSON.parse(Buffer.from(first!, 'base64').toString());
    expect(payment.extensions['payment-identifier'].info.id).toMatch(/^[0-9a-f]{32}$/);
  });

  it('pays once where something between answered and the agent calls again', async () => {
    const answered = (status: number, body: string): WireAnswer => ({ status, headers: {}, body });
    const { asked, call } = await serving([
      answered(404, '404 page not found'),
      answered(200, '<h1>Welcome</h1>'),
      answered(403, '{"message":"Forbidden"}'),
    ]);
    for (let i = 0; i < 4; i++) await call();
    expect(asked).toEqual([null, ...Array(4).fill(asked[1])]);
  });

  it('pays once where the agent calls twice at the same time', async () => {
    const late = later();
    const { asked, call } = await serving([late.promise], 20_000n);
    const calls = [call(), call()];
    await vi.waitFor(() => expect(asked).toHaveLength(4));
    late.resolve(ANSWERED);
    await Promise.all(calls);
    expect(asked).toEqual([null, null, expect.any(String), asked[2]]);
  });

  it('sends one payment after one that was refused to several calls, whenever each is told', async () => {
    const [refusal, answer] = [later(), later()];
    const lost = new Error('the connection was cut off');
    const { asked, call } = await serving([lost, FAILED, refusal.promise, answer.promise], 30_000n);
    await expect(call()).rejects.toThrow('cut off');
    const both = [call(), call()];
    await vi.waitFor(() => expect(asked).toHaveLength(5));
    refusal.resolve(FAILED);
    await vi.waitFor(() => expect(asked).toHaveLength(6));
    answer.resolve(ANSWERED);
    await Promise.all(both);
    const [, first, , , second] = asked;
    expect(asked).toEqual([null, first, first, first, second, second]);
  });

  it('pays anew once it is told how the payment before ended', async () => {
    const { asked, call } = await serving([FAILED]);
    await call();
    await call();
    expect([asked.length, asked[0], asked[2]]).toEqual([3, null, null]);
  });
});

describe('the wire to a service', () => {
  it('follows no redirect, which could carry a payment or a signature to somebody else', async () => {
    const reached: string[] = [];
    const server = createServer((request, response) => {
      reached.push(request.url!);
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await expect(fetchedWire(`http://127.0.0.1:${port}`)(ORDER)).rejects.toThrow();
    expect(reached).toEqual([ORDER.path]);
    server.close();
  });
});
