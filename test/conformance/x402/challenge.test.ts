import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PaymentStage, paymentStage, type Shop, shop } from '../../fixtures/paid-service.ts';
import { ask, challengeOf, ethersPayment, send } from '../../fixtures/wallets/payers.ts';
import { BASE_URL } from '../api/server-fixture.ts';

const ADDRESS = '0x00000000000000000000000000000000000000aa';
const TIER2 = '/determinations/tier2/real-world-assets';
let stage: PaymentStage;
let open: Shop;

beforeAll(async () => {
  stage = await paymentStage();
  open = await shop(stage);
});
afterAll(async () => {
  await open.stop();
  await stage.stop();
});

const json = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

describe('an unpaid request', () => {
  it('is answered 402 with the challenge in the header and the same in the body, beside the problem', async () => {
    const response = await fetch(`${open.url}/determination?address=${ADDRESS}`);
    expect(response.status).toBe(402);
    expect(response.headers.get('content-type')).toContain('application/problem+json');
    expect(response.headers.get('cache-control')).toBe('no-store');
    const challenge = challengeOf(response);
    const body = (await response.json()) as Record<string, unknown>;
    expect(body).toMatchObject({ ...challenge, status: 402, code: 'payment-required' });
    // What has no room in a header.
    expect(body).toMatchObject({
      extensions: {
        bazaar: { info: { output: { type: 'json', example: { verdict: 'CLEAN' } } }, outputSchema: {} },
        'sign-in-with-x': { info: { resources: [challenge.resource.url] } },
      },
    });
    expect(body.type).toBe(`${BASE_URL}/errors/payment-required`);
    expect(open.runs()).toBe(0);
  });

  it('offers the test chain first, then Base Sepolia, both for the same cent to the same payee', async () => {
    const { x402Version, accepts, resource } = await ask(`${open.url}/determination?address=${ADDRESS}`);
    expect(x402Version).toBe(2);
    expect(resource.url).toBe(`${BASE_URL}/determination?address=${ADDRESS}`);
    expect(accepts).toEqual(
      [
        { network: 'eip155:1002', asset: stage.home.deployment.usdc },
        { network: 'eip155:84532', asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e' },
      ].map((of) => ({
        ...of,
        scheme: 'exact',
        amount: '10000',
        payTo: open.payTo,
        maxTimeoutSeconds: 300,
        extra: { name: 'USDC', version: '2' },
      })),
    );
  });

  it('names the extensions: how to call, what a record is, and sign-in where a member may', async () => {
    const { extensions } = await ask(`${open.url}/determination?address=${ADDRESS}`);
    expect(extensions).toMatchObject({
      bazaar: {
        info: { input: { type: 'http', method: 'GET' } },
        schema: { properties: { input: { properties: { method: { enum: ['GET'] } } } } },
      },
      'verification-record': {
        info: {
          version: '2026-09-06.1',
          spec: `${BASE_URL}/specs/verification-record/2026-09-06.1`,
        },
      },
      'sign-in-with-x': {
        info: { domain: 'handshake.test', uri: `${BASE_URL}/determination?address=${ADDRESS}` },
        supportedChains: [
          { chainId: 'eip155:1002', type: 'eip191' },
          { chainId: 'eip155:84532', type: 'eip191' },
        ],
      },
    });
    const tier = await ask(open.url + TIER2, json({ priceUsd: 5 }));
    expect(Object.keys(tier.extensions ?? {})).toEqual([
      'bazaar',
      'verification-record',
      'payment-identifier',
    ]);
  });

  it('asks for a sign-in over its own request, whatever was asked for before', async () => {
    const infoOf = async (address: string) => {
      const url = `${open.url}/determination?address=${address}`;
      const { resource, extensions } = await ask(url);
      const signIn = extensions?.['sign-in-with-x'] as { info: { uri: string; nonce: string } };
      const { info } = signIn;
      expect(info.uri).toBe(resource.url);
      return info;
    };
    const other = ADDRESS.replace('aa', 'bb');
    const [one, two] = await Promise.all([infoOf(ADDRESS), infoOf(other)]);
    const again = await infoOf(ADDRESS);
    expect(new Set([one.nonce, two.nonce, again.nonce]).size).toBe(3);
    expect([one.uri.endsWith(ADDRESS), two.uri.endsWith(other)]).toEqual([true, true]);
  });

  it('asks one percent of the transaction, rounded up, at least a cent', async () => {
    for (const [usd, amount] of [
      ['0', '10000'],
      ['1', '10000'],
      ['250', '2500000'],
      ['1.000001', '10001'],
    ]) {
      const { accepts } = await ask(`${open.url}/determination?address=${ADDRESS}&transactionUsd=${usd}`);
      expect(accepts.map((a) => a.amount)).toEqual([amount, amount]);
    }
  });

  it('is 400, not 402, when the request is wrong', async () => {
    for (const query of [
      '',
      '?address=0x12',
      `?address=${ADDRESS}&transactionUsd=-1`,
      `?address=${ADDRESS}&x=1`,
    ]) {
      const response = await fetch(`${open.url}/determination${query}`);
      expect([query, response.status]).toEqual([query, 400]);
      expect(response.headers.get('payment-required')).toBeNull();
    }
    for (const body of [{ priceUsd: 'much' }, { priceUsd: -1 }, { other: 1 }, []]) {
      expect((await fetch(open.url + TIER2, json(body))).status).toBe(400);
    }
    for (const request of [json({ priceUsd: 5 }), { method: 'POST' }]) {
      const misspelt = await fetch(`${open.url}${TIER2}?dept=1-of-1`, request);
      expect([misspelt.status, ((await misspelt.json()) as { errors: unknown }).errors]).toEqual([
        400,
        [{ path: 'dept', message: 'is not a known field' }],
      ]);
    }
    const notJson = { ...json({}), body: '{' };
    expect((await fetch(open.url + TIER2, notJson)).status).toBe(400);
  });

  it('is told the price when it is a POST without any body', async () => {
    const { accepts } = await ask(open.url + TIER2, { method: 'POST' });
    expect(accepts).toHaveLength(2);
  });

  it('stays unpaid when it only signs in', async () => {
    for (const proof of ['x', Buffer.from('{"address":"0x1"}').toString('base64')]) {
      const response = await fetch(`${open.url}/determination?address=${ADDRESS}`, {
        headers: { 'SIGN-IN-WITH-X': proof },
      });
      expect(response.status).toBe(402);
    }
    expect(open.runs()).toBe(0);
  });

  it('gets no way around the gate by another spelling of the path', async () => {
    for (const path of ['/DETERMINATION', '/determination/', '/%64etermination', '//determination']) {
      const response = await fetch(`${open.url}${path}?address=${ADDRESS}`);
      expect([path, response.status === 402 || response.status === 404]).toEqual([path, true]);
    }
    const head = await fetch(`${open.url}/determination?address=${ADDRESS}`, { method: 'HEAD' });
    expect(head.status).toBe(404);
    expect(open.runs()).toBe(0);
  });
});

describe('the limits', () => {
  it('of readers and writers leave those who pay alone, who have one of their own', async () => {
    const busy = await shop(stage, { limits: { reads: 1, writes: 1 }, callsPerMinute: 3 });
    try {
      const statuses = [];
      for (let i = 0; i < 4; i++) statuses.push((await fetch(busy.url + TIER2, json({}))).status);
      expect(statuses).toEqual([402, 402, 402, 429]);
      expect((await fetch(`${busy.url}/determination?address=${ADDRESS}`)).status).toBe(402);
    } finally {
      await busy.stop();
    }
  });
});

describe('a payment that is none', () => {
  it('is a clean 402 that says what is wrong and nothing of the inside', async () => {
    const url = `${open.url}/determination?address=${ADDRESS}`;
    const good = await ethersPayment(stage.home.accounts.alice.privateKey, await ask(url));
    const { signature: _, ...unsigned } = good.payload;
    const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');
    const headers = [
      '!!not base64',
      Buffer.from('not json').toString('base64'),
      base64(null),
      base64([]),
      base64({ x402Version: 2 }),
      base64({ x402Version: 1, scheme: 'exact', network: 'base-sepolia', payload: {} }),
      base64({ ...good, x402Version: 3 }),
      base64({ ...good, payload: {} }),
      base64({ ...good, payload: unsigned }),
      base64({ ...good, payload: { ...good.payload, signature: '0x12' } }),
      base64({
        ...good,
        payload: { ...good.payload, authorization: { ...good.payload.authorization, value: '1e4' } },
      }),
      base64({
        ...good,
        payload: { ...good.payload, authorization: { ...good.payload.authorization, nonce: 7 } },
      }),
      base64({ ...good, accepted: undefined }),
    ];
    for (const header of headers) {
      const response = await fetch(url, { headers: { 'PAYMENT-SIGNATURE': header } });
      const body = (await response.json()) as { code: string; detail: string };
      expect([header.slice(0, 40), response.status, body.code]).toEqual([
        header.slice(0, 40),
        402,
        'payment-invalid',
      ]);
      expect(body.detail).not.toMatch(/zod|invalid_type|undefined|Unexpected|at Object/i);
      expect(challengeOf(response).accepts).toHaveLength(2);
    }
    expect(open.runs()).toBe(0);
  });

  it('is 400 all the same when the request itself is wrong', async () => {
    const url = `${open.url}/determination?address=${ADDRESS}`;
    const good = await ethersPayment(stage.home.accounts.alice.privateKey, await ask(url));
    expect((await send(`${open.url}/determination?address=0x12`, good)).status).toBe(400);
    expect((await send(open.url + TIER2, good, { method: 'POST' })).status).toBe(400);
    expect(await open.received()).toBe(0n);
  });
});

describe('the manifest', () => {
  it('lists the paid routes as they are registered, at both addresses', async () => {
    const at = async (path: string) =>
      (await fetch(open.url + path)).json() as Promise<Record<string, unknown>>;
    const manifest = await at('/.well-known/x402');
    expect(await at('/.well-known/x402.json')).toEqual(manifest);
    const { accepts } = await ask(`${open.url}/determination?address=${ADDRESS}`);
    expect(manifest).toMatchObject({
      x402Version: 2,
      version: '2026-09-03',
      testnet: true,
      live: false,
      payTo: open.payTo,
    });
    expect(manifest.resources).toMatchObject([
      { method: 'GET', path: '/determination', operationId: 'safeHandshakeDetermination', accepts },
      { method: 'POST', path: TIER2, operationId: 'tier2-real-world-assets', accepts },
    ]);
    for (const resource of manifest.resources as Record<string, unknown>[]) {
      expect(resource).toMatchObject({
        intent: 'charge',
        paymentMethod: 'x402',
        scheme: 'exact',
        unit: 'call',
        priceUsd: 0.01,
      });
      expect(Object.keys(resource.extensions as object)).toContain('bazaar');
    }
  });

  it('agrees with the interface description', async () => {
    const description = (await (await fetch(`${open.url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { operationId: string; security: unknown; responses: object }>>;
    };
    const get = description.paths['/determination']!.get!;
    expect(get.operationId).toBe('safeHandshakeDetermination');
    expect(get.security).toEqual([{ x402: [] }]);
    expect(Object.keys(get.responses)).toContain('402');
    expect(description.paths[TIER2]!.post!.operationId).toBe('tier2-real-world-assets');
  });
});
