import { randomBytes } from 'node:crypto';
import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appendForwardedFor, type ReverseProxy, reverseProxy } from '../../fixtures/servers/reverse-proxy.ts';
import { type ServiceFolder, type ServiceProcess, serviceFolder } from '../../fixtures/service.ts';

/** A service on the internet: a proxy in front of it terminates TLS, and strangers connect to the proxy. */

const PUBLIC = 'https://handshake.example';
const WRITES = 4;
const operatorKey = `op_${randomBytes(24).toString('hex')}`;
const owner = privateKeyToAccount(generatePrivateKey());
const WALLET = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';
const DETERMINATION = `/determination?address=${WALLET}&chainId=1002`;

let folder: ServiceFolder;
let service: ServiceProcess;
let proxy: ReverseProxy;

beforeAll(async () => {
  folder = await serviceFolder();
  service = await folder.start(
    {
      BASE_URL: PUBLIC,
      TRUST_PROXY: '1',
      RATE_LIMIT_WRITES: String(WRITES),
      OPERATOR_API_KEY: operatorKey,
    },
    ['up', '--no-worker'],
  );
  proxy = await reverseProxy(service.baseUrl);
});
afterAll(async () => {
  await proxy?.stop();
  await folder?.remove();
});

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends one request with exactly the given headers, path and source address. */
function ask(
  base: string,
  path: string,
  {
    headers = {},
    method = 'GET',
    from = '127.0.0.1',
    body,
  }: { headers?: OutgoingHttpHeaders; method?: string; from?: string; body?: string } = {},
): Promise<Answer> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const sent = request(
      { hostname, port, path, method, headers, localAddress: from, agent: false },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (chunk) => (text += String(chunk)));
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

const write = (base: string, options: { headers?: OutgoingHttpHeaders; from?: string }) =>
  ask(base, '/agent/checkout', {
    ...options,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...options.headers },
    body: '{}',
  });

/** How many of these writes passed before the limit. */
async function letThrough(writes: readonly (() => Promise<Answer>)[]): Promise<number> {
  let passed = 0;
  for (const one of writes) if ((await one()).status !== 429) passed += 1;
  return passed;
}
const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));

describe('the limits', () => {
  it('count each client separately, and not the proxy, whatever a client says about itself', async () => {
    const lying = times(
      WRITES + 2,
      (i) => () => write(proxy.url, { from: '127.0.0.2', headers: { 'x-forwarded-for': `198.51.100.${i}` } }),
    );
    expect(await letThrough(lying)).toBe(WRITES);
    const honest = times(WRITES + 1, () => () => write(proxy.url, { from: '127.0.0.3' }));
    expect(await letThrough(honest)).toBe(WRITES);
  });

  it('count a network of IPv6 addresses that one client has as one client, and another network as another', async () => {
    const from = (address: string) => () =>
      write(service.baseUrl, { headers: { 'x-forwarded-for': address } });
    const many = times(WRITES + 3, (i) => from(`2001:db8:7:1:${(i * 7_919).toString(16)}::${i + 1}`));
    expect(await letThrough(many)).toBe(WRITES);
    expect(await letThrough([from('2001:db8:7:2::1')])).toBe(1);
  });

  it('cannot be bypassed by a port that a proxy adds, or by text that is not an address', async () => {
    const ports = times(
      WRITES + 2,
      (i) => () => write(service.baseUrl, { headers: { 'x-forwarded-for': `203.0.113.9:${4_000 + i}` } }),
    );
    expect(await letThrough(ports)).toBe(WRITES);
    const odd = times(
      WRITES + 2,
      (i) => () => write(service.baseUrl, { headers: { 'x-forwarded-for': `nobody-${i}` } }),
    );
    expect(await letThrough(odd)).toBe(WRITES);
  });
});

describe('the metrics', () => {
  const direct = (headers: OutgoingHttpHeaders = {}) => ask(service.baseUrl, '/metrics', { headers });

  it('need no key for a program on this machine that asks directly, and one for everybody else', async () => {
    expect((await direct()).status).toBe(200);
    expect((await ask(proxy.url, '/metrics')).status).toBe(403);
    const authorization = `Bearer ${operatorKey}`;
    expect((await ask(proxy.url, '/metrics', { headers: { authorization } })).status).toBe(200);
  });

  it.each([
    ['forwarded', 'for=203.0.113.7'],
    ['x-forwarded-for', '127.0.0.1'],
    ['x-forwarded-proto', 'https'],
    ['x-forwarded-host', 'handshake.example'],
    ['x-real-ip', '127.0.0.1'],
    ['x-client-ip', '127.0.0.1'],
    ['via', '1.1 proxy'],
    ['cf-connecting-ip', '203.0.113.7'],
    ['true-client-ip', '203.0.113.7'],
    ['x-amzn-trace-id', 'Root=1-67891233-abcdef012345678912345678'],
    ['x-envoy-external-address', '203.0.113.7'],
    ['host', 'handshake.example'],
    ['host', 'rebound.example:4021'],
    ['host', '127.0.0.1.rebound.example'],
    ['origin', 'https://elsewhere.example'],
    ['sec-fetch-site', 'cross-site'],
  ])('need a key where %s is %s', async (name, value) => {
    const answer = await direct({ [name]: value });
    expect([answer.status, JSON.parse(answer.text).code]).toEqual([403, 'operator-key-invalid']);
  });

  it('need a key through a proxy that adds no headers and keeps the public name', async () => {
    const quiet = await reverseProxy(service.baseUrl, (headers) => headers);
    try {
      const headers = { host: 'handshake.example' };
      expect((await ask(quiet.url, '/metrics', { headers })).status).toBe(403);
    } finally {
      await quiet.stop();
    }
  });

  it('are not the only protected page: the board of queues needs a key from everybody', async () => {
    expect((await ask(service.baseUrl, '/operator/queues')).status).toBe(401);
    expect((await ask(proxy.url, '/operator/queues')).status).toBe(401);
  });
});

describe('absolute addresses', () => {
  const STEERED: OutgoingHttpHeaders = {
    host: 'evil.example',
    forwarded: 'host=evil.example;proto=http',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'http',
    'x-forwarded-port': '81',
    'x-forwarded-server': 'evil.example',
    'x-original-host': 'evil.example',
    'x-original-url': '/evil.example',
    'x-rewrite-url': '/evil.example',
  };
  const both = () => [service.baseUrl, proxy.url];

  it('are those of BASE_URL in a demand for payment, whatever host the request names', async () => {
    for (const base of both()) {
      for (const path of [DETERMINATION, `http://evil.example${DETERMINATION}`]) {
        const answer = await ask(base, path, { headers: STEERED });
        expect(answer.status, answer.text).toBe(402);
        const demand = Buffer.from(String(answer.headers['payment-required']), 'base64').toString();
        expect(JSON.parse(demand).resource.url).toBe(`${PUBLIC}${DETERMINATION}`);
        expect(answer.text + demand + JSON.stringify(answer.headers)).not.toContain('evil');
      }
    }
  });

  it('are those of BASE_URL in what an owner signs: its domain, its URI', async () => {
    for (const base of both()) {
      const answer = await ask(base, `/webhooks/subscriptions?wallet=${owner.address}`, { headers: STEERED });
      expect(answer.status).toBe(401);
      const { message } = JSON.parse(answer.text).sign as { message: string };
      expect(message).toMatch(/^https:\/\/handshake\.example wants you to sign in/);
      expect(message).toContain(`URI: ${PUBLIC}/`);
      expect(answer.text).not.toContain('evil');
    }
  });

  it('are those of BASE_URL in a checkout, errors and lists', async () => {
    const mandate = 'Buy and sell digital products, max 50 USDC per deal, until 31 March 2027.';
    const opened = await ask(service.baseUrl, '/agent/checkout', {
      method: 'POST',
      headers: {
        ...STEERED,
        'content-type': 'application/json',
        // A separate client, so that the writes of others do not count.
        'x-forwarded-for': '203.0.113.200',
      },
      body: JSON.stringify({ owner: owner.address, handle: 'steered', mandate, tier: 'AGENT' }),
    });
    expect(opened.status, opened.text).toBe(201);
    expect(new URL(JSON.parse(opened.text).checkoutUrl).hostname).not.toContain('evil');
    for (const path of ['/nowhere', '/openapi.json', '/agents', '/.well-known/x402', '/'])
      for (const base of both())
        expect((await ask(base, path, { headers: STEERED })).text).not.toContain('evil');
    expect(JSON.parse((await ask(proxy.url, '/nowhere', { headers: STEERED })).text).type).toBe(
      `${PUBLIC}/errors/not-found`,
    );
  });
});

describe('every answer', () => {
  it('tells browsers to use https only', async () => {
    for (const path of ['/', '/health', '/nowhere', '/%zz', DETERMINATION, '/operator/queues'])
      expect([path, (await ask(proxy.url, path)).headers['strict-transport-security']]).toEqual([
        path,
        'max-age=31536000',
      ]);
  });

  it('is kept by no cache when it is for one caller alone: challenges, signed reads, keys, payments, sign-ins', async () => {
    const path = `/webhooks/subscriptions?wallet=${owner.address}`;
    const challenge = await ask(proxy.url, path);
    expect([challenge.status, challenge.headers['cache-control']]).toEqual([401, 'no-store']);
    const { nonce, message } = JSON.parse(challenge.text).sign as { nonce: string; message: string };
    const signature = await owner.signMessage({ message });
    const authorization = `EIP191 nonce="${nonce}", signature="${signature}"`;
    const signed = await ask(proxy.url, path, { headers: { authorization } });
    expect([signed.status, signed.headers['cache-control']]).toEqual([200, 'no-store']);

    const unpaid = await ask(proxy.url, DETERMINATION);
    expect([unpaid.status, unpaid.headers['cache-control']]).toEqual([402, 'no-store']);
    for (const headers of [
      { authorization: `Bearer ${operatorKey}` },
      { 'payment-signature': 'e30=' },
      { 'sign-in-with-x': 'e30=' },
      { cookie: 'session=1' },
    ]) {
      for (const read of ['/pricing', '/agents', '/operator/queues', DETERMINATION]) {
        const answer = await ask(proxy.url, read, { headers });
        expect([read, answer.headers['cache-control']]).toEqual([read, 'no-store']);
      }
    }
  });
});

it("the proxy of these tests forwards the client's address like others", () => {
  expect(appendForwardedFor({ 'x-forwarded-for': '1.2.3.4' }, '127.0.0.9')['x-forwarded-for']).toBe(
    '1.2.3.4, 127.0.0.9',
  );
});
