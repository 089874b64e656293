import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError, ERRORS, type ErrorCode } from '../../../agents/errors.ts';
import type { App } from '../../../api/http/app.ts';
import { listEnvelope } from '../../../api/schemas.ts';
import { healthRoutes } from '../../../api/service/health.ts';
import { BASE_URL, plainRoutes, probeRoutes, server } from './server-fixture.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
let app: App;

beforeAll(async () => {
  app = await server({
    routes: [
      ...plainRoutes,
      probeRoutes,
      (a) => {
        a.get('/boom', { schema: { operationId: 'boom' } }, async () => {
          throw new Error('secret inside /srv/app/db.ts');
        });
        a.get('/unreachable', { schema: { operationId: 'unreachable' } }, async () => {
          throw Object.assign(new Error('connect 10.0.0.5:5432'), { code: 'ECONNREFUSED' });
        });
        const schema = { operationId: 'rows', consumes: ['text/csv', 'application/x-ndjson'] };
        a.post('/rows', { schema }, async () => ({}));
        a.get('/refused', { schema: { operationId: 'refused' } }, async () => {
          throw new AppError('mandate-refused', 'Which day?', {
            extra: { questions: [{ reason: 'NO_EXPIRY' }] },
          });
        });
      },
    ],
  });
});
afterAll(() => app.close());

function problem(answer: { statusCode: number; headers: object; json: () => unknown }) {
  const body = answer.json() as Record<string, unknown> & {
    code: ErrorCode;
    errors?: { path: string; message: string }[];
  };
  expect(answer.headers).toMatchObject({
    'content-type': expect.stringContaining('application/problem+json'),
  });
  expect(body).toMatchObject({
    type: `${BASE_URL}/errors/${body.code}`,
    title: ERRORS[body.code].title,
    status: answer.statusCode,
    detail: expect.any(String),
    instance: expect.stringContaining((answer.headers as Record<string, string>)['x-request-id']!),
    requestId: (answer.headers as Record<string, string>)['x-request-id'],
  });
  return body;
}

const post = (payload: string, headers: Record<string, string> = JSON_TYPE) =>
  app.inject({ method: 'POST', url: '/probe', payload, headers });

describe('every refusal is a problem body', () => {
  it('names an unknown route', async () => {
    const body = problem(await app.inject('/nowhere/<script>'));
    expect(body).toMatchObject({ code: 'not-found', status: 404 });
  });

  it('refuses a path that is no URL', async () => {
    expect(problem(await app.inject('/agent/%zz'))).toMatchObject({
      code: 'bad-request',
      errors: [{ path: 'path', message: expect.stringContaining('percent') }],
    });
  });

  it('refuses JSON that does not parse, bytes that are no UTF-8, and a prototype', async () => {
    expect(problem(await post('{"name":'))).toMatchObject({
      code: 'bad-request',
      detail: expect.stringContaining('JSON'),
      errors: [{ path: 'body' }],
    });
    const bytes = await app.inject({
      method: 'POST',
      url: '/probe',
      payload: Buffer.from([0x22, 0xff, 0x22]),
      headers: JSON_TYPE,
    });
    expect(problem(bytes)).toMatchObject({ code: 'bad-request', detail: expect.stringContaining('UTF-8') });
    expect(problem(await post('{"name":"ab","__proto__":{"x":1}}'))).toMatchObject({ code: 'bad-request' });
  });

  it('refuses a media type that is not JSON', async () => {
    expect(
      problem(await post('name=ab', { 'content-type': 'application/x-www-form-urlencoded' })),
    ).toMatchObject({
      code: 'bad-request',
      detail: expect.stringContaining('application/json'),
      errors: [{ path: 'content-type' }],
    });
  });

  it('names for a route that takes no JSON what it takes', async () => {
    expect(
      problem(
        await app.inject({
          ...{ method: 'POST', url: '/rows', payload: 'a,b' },
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        }),
      ).errors,
    ).toEqual([{ path: 'content-type', message: 'send text/csv or application/x-ndjson' }]);
  });

  it('takes 64 KiB and refuses one byte more', async () => {
    const body = (length: number) => JSON.stringify({ name: 'a'.repeat(length - '{"name":""}'.length) });
    expect((await post(body(65_536))).statusCode).toBe(201);
    expect(problem(await post(body(65_537)))).toMatchObject({ code: 'too-large', status: 413 });
  });

  it('asks for a body where there is none', async () => {
    const body = problem(await app.inject({ method: 'POST', url: '/probe' }));
    expect(body).toMatchObject({
      code: 'bad-request',
      errors: [{ path: 'body', message: expect.stringContaining('required') }],
    });
    expect(problem(await post('', JSON_TYPE)).code).toBe('bad-request');
  });

  it('names every wrong field with its remedy', async () => {
    const body = problem(
      await post('{"name":"a","askUsd":true,"side":"hold","inner":{"count":1.5},"extra":1}'),
    );
    expect(body.errors).toEqual(
      expect.arrayContaining([
        {
          path: 'extra',
          message: expect.stringContaining('is not a known field: use name, askUsd, side, inner'),
        },
        { path: 'name', message: 'must have at least 2 characters' },
        {
          path: 'askUsd',
          message: 'must be a number or a string (US dollars, zero or more, at most six decimals)',
        },
        { path: 'side', message: 'must be one of buy, sell' },
        { path: 'inner.count', message: 'must be an integer' },
      ]),
    );
    expect(body.errors).toHaveLength(5);
  });

  it('names a missing and a nested unknown field', async () => {
    const body = problem(await post('{"inner":{"count":1,"deep":2}}'));
    expect(body.errors?.map((e) => e.path).sort()).toEqual(['inner.deep', 'name']);
  });

  it('never converts a body: a number in quotes is not a number', async () => {
    expect(problem(await post('{"name":"ab","inner":{"count":"1"}}')).errors?.[0]?.path).toBe('inner.count');
    expect(problem(await post('{"name":5}')).errors).toEqual([{ path: 'name', message: 'must be a string' }]);
  });

  it('keeps the members that a code adds', async () => {
    expect(problem(await app.inject('/refused'))).toMatchObject({
      status: 422,
      questions: [{ reason: 'NO_EXPIRY' }],
    });
  });

  it('tells nothing of the inside', async () => {
    const boom = await app.inject('/boom');
    expect(problem(boom)).toMatchObject({ code: 'internal', status: 500 });
    expect(boom.body).not.toMatch(/secret|srv|stack/);
    const gone = await app.inject('/unreachable');
    expect(problem(gone)).toMatchObject({ code: 'unavailable', status: 503 });
    expect(gone.body).not.toContain('10.0.0.5');
    expect(gone.headers['retry-after']).toBeDefined();
  });
});

describe('lists', () => {
  it('take limit 1 to 100 and offset 0 to 100000, with defaults', async () => {
    expect((await app.inject('/probe')).json()).toMatchObject({ limit: 20, offset: 0 });
    expect((await app.inject('/probe?limit=100&offset=100000&flag=true&unknown=1')).json()).toMatchObject({
      limit: 100,
      offset: 100_000,
      flag: true,
    });
  });

  it.each([
    'limit=0',
    'limit=101',
    'limit=1.5',
    'limit=',
    'limit=ten',
    'limit=1&limit=2',
    'limit=0x10',
    'limit=1e1',
    'offset=-1',
    'offset=100001',
    'flag=yes',
  ])('refuse %s and name it', async (query) => {
    const body = problem(await app.inject(`/probe?${query}`));
    expect(body).toMatchObject({ code: 'bad-request', errors: [{ path: query.split('=')[0] }] });
  });

  it('say of a parameter that stands there twice that it must be given once', async () => {
    for (const query of ['limit=1&limit=2', 'flag=true&flag=true']) {
      const { errors } = problem(await app.inject(`/probe?${query}`));
      expect(errors).toEqual([{ path: query.split('=')[0], message: 'must be given once' }]);
    }
  });

  it('say by one row too many whether there are more', () => {
    expect(listEnvelope([1, 2, 3], 2, 4)).toEqual({ items: [1, 2], limit: 2, offset: 4, hasMore: true });
    expect(listEnvelope([1, 2], 2, 0).hasMore).toBe(false);
  });
});

describe('every answer', () => {
  it('answers an OPTIONS that is no preflight, too', async () => {
    expect(await app.inject({ method: 'OPTIONS', url: '/probe' })).toMatchObject({
      statusCode: 204,
      body: '',
    });
  });

  it('carries the request id that came, and a new one in place of a bad one', async () => {
    const given = await app.inject({ url: '/probe', headers: { 'x-request-id': 'trace-7:a.b' } });
    expect(given.headers['x-request-id']).toBe('trace-7:a.b');
    expect(given.json().id).toBe('trace-7:a.b');
    const bad = await app.inject({ url: '/probe', headers: { 'x-request-id': 'a\tb "injected"' } });
    expect(bad.headers['x-request-id']).toMatch(/^req-\d+$/);
  });

  it('lets a page of any origin read the payment headers', async () => {
    const answer = await app.inject({ url: '/probe', headers: { origin: 'https://elsewhere.example' } });
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    expect(answer.headers['access-control-expose-headers']).toMatch(
      /PAYMENT-REQUIRED.*PAYMENT-SIGNATURE.*PAYMENT-RESPONSE/,
    );
    const preflight = await app.inject({
      method: 'OPTIONS',
      url: '/probe',
      headers: {
        origin: 'https://elsewhere.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'payment-signature',
      },
    });
    expect(preflight.statusCode).toBe(204);
    expect(preflight.headers['access-control-allow-headers']).toContain('payment-signature');
  });

  it('forbids a browser to guess, to frame and to run anything', async () => {
    const { headers } = await app.inject('/probe');
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
  });

  it('knows no HEAD', async () => {
    expect((await app.inject({ method: 'HEAD', url: '/probe' })).statusCode).toBe(404);
  });
});

describe('one address for people and programs', () => {
  const typeOf = async (url: string, accept?: string) => {
    const answer = await app.inject({ url, headers: accept === undefined ? {} : { accept } });
    expect(answer.headers.vary).toContain('Accept');
    return String(answer.headers['content-type']).split(';')[0];
  };
  const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

  it.each(['/', '/pricing', '/specs/verification-record/2026-09-06.1', '/errors/timeout'])(
    '%s answers JSON unless a page is preferred',
    async (url) => {
      for (const accept of [
        undefined,
        '*/*',
        'application/json',
        'application/json, text/html;q=0.5',
        'text/html;q=0',
      ]) {
        expect(await typeOf(url, accept)).toBe('application/json');
      }
      for (const accept of [BROWSER, 'text/html', 'text/html, application/json;q=0.9']) {
        expect(await typeOf(url, accept)).toBe('text/html');
      }
    },
  );

  it('shows a refusal as a page with its own status, and stays a problem body for a write', async () => {
    const page = await app.inject({ url: '/nowhere', headers: { accept: BROWSER } });
    expect(page.statusCode).toBe(404);
    expect(page.body).toContain('<main');
    expect(page.headers['content-security-policy']).toMatch(/script-src 'self'; style-src 'self';/);
    const write = await app.inject({ method: 'POST', url: '/probe', headers: { accept: BROWSER } });
    expect(problem(write).code).toBe('bad-request');
  });
});

describe('limits', () => {
  it('count reads and writes of an address apart, over all routes', async () => {
    const small = await server({ limits: { reads: 3, writes: 2, windowMs: 60_000 } });
    const statuses = async (method: 'GET' | 'POST', urls: string[]) => {
      const seen: number[] = [];
      for (const url of urls) seen.push((await small.inject({ method, url })).statusCode);
      return seen;
    };
    expect(await statuses('GET', ['/probe', '/pricing', '/nowhere', '/probe', '/nowhere'])).toEqual([
      200, 200, 404, 429, 429,
    ]);
    expect(await statuses('POST', ['/probe', '/probe', '/probe'])).toEqual([400, 400, 429]);
    const refused = await small.inject('/probe');
    expect(problem(refused)).toMatchObject({ code: 'rate-limited', status: 429 });
    expect(refused.headers).toMatchObject({
      'ratelimit-limit': '3',
      'ratelimit-remaining': '0',
      'ratelimit-reset': expect.any(String),
      'retry-after': expect.any(String),
    });
    const other = await small.inject({ url: '/probe', remoteAddress: '10.9.8.7' });
    expect(other.statusCode).toBe(200);
    expect(other.headers['ratelimit-remaining']).toBe('2');
    await small.close();
  });

  it('leave out a route that says so', async () => {
    const small = await server({
      limits: { reads: 1, writes: 1 },
      routes: [
        (a) => void a.post('/webhooks/card', { config: { rateLimit: false } }, async () => ({ ok: true })),
      ],
    });
    for (let i = 0; i < 5; i++) {
      expect((await small.inject({ method: 'POST', url: '/webhooks/card' })).statusCode).toBe(200);
    }
    await small.close();
  });
});

describe('time', () => {
  it('ends a request that takes too long, also after its body has been read from a socket', async () => {
    const hasty = await server({
      handlerTimeoutMs: 300,
      routes: [
        (a) => void a.post('/slow', { schema: { operationId: 'slow' } }, () => new Promise<object>(() => {})),
      ],
    });
    await hasty.listen({ port: 0, host: '127.0.0.1' });
    const { port } = hasty.server.address() as AddressInfo;
    const answer = await new Promise<{ status: number; body: string }>((resolve, reject) => {
      const req = httpRequest({ port, path: '/slow', method: 'POST', headers: JSON_TYPE }, (res) => {
        let body = '';
        res.on('data', (d) => {
          body += d;
        });
        res.on('end', () => resolve({ status: res.statusCode ?? 0, body }));
      });
      req.on('error', reject);
      req.end('{"a":1}');
    });
    expect(answer.status).toBe(503);
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'timeout', status: 503 });
    await hasty.close();
  });
});

describe('GET /health', () => {
  const at = async (checks: Partial<Parameters<typeof healthRoutes>[1]['checks']>) => {
    const good = async () => ({});
    const one = await server({
      routes: [
        (a) =>
          healthRoutes(a, {
            version: '9',
            uptime: () => 12.7,
            timeoutMs: 50,
            checks: {
              database: good,
              queue: good,
              facilitator: good,
              chains: { '1002': async () => ({ block: '7' }) },
              ...checks,
            },
          }),
      ],
    });
    const answer = await one.inject('/health');
    await one.close();
    return { status: answer.statusCode, body: answer.json() };
  };

  it('is ok with what each part says', async () => {
    const { status, body } = await at({});
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'ok',
      version: '9',
      uptimeSeconds: 12,
      checks: {
        database: { status: 'ok' },
        queue: { status: 'ok' },
        facilitator: { status: 'ok' },
        chains: { '1002': { status: 'ok', block: '7' } },
      },
    });
  });

  it('is degraded, not down, when a chain hangs', async () => {
    const { status, body } = await at({ chains: { '1002': () => new Promise(() => {}) } });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'degraded',
      checks: { chains: { '1002': { status: 'down', detail: 'does not answer in time' } } },
    });
  });

  it('is down with 503 only without the database, and says no address or password', async () => {
    const { status, body } = await at({
      database: async () => {
        throw new Error('password authentication failed for postgres://u:pw@10.0.0.1');
      },
    });
    expect(status).toBe(503);
    expect(body.status).toBe('down');
    expect(JSON.stringify(body)).not.toMatch(/pw|10\.0\.0\.1/);
  });
});
