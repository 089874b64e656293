import { afterEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../agents/errors.ts';
import { dashboardRoutes } from '../../../api/dashboard/dashboard.ts';
import type { App } from '../../../api/http/app.ts';
import { server } from './server-fixture.ts';

const WALLET = `0x${'cd'.repeat(20)}`;
const COUNT = 9;
const SESSION = { authorization: 'ReadSession token' };

const DEAL = {
  ...{ lot: 'serial:isbn:9780306406157', role: 'seller', priceUsd: 0.3, state: 'recorded' },
  ...{ paysUsd: 0.3, getsUsd: 0.2 },
  ...{ deadline: null, waitsForYou: false, findings: [], openDisputes: [], reason: null, tx: '0xaa' },
  updatedAt: '2026-11-21T07:00:00.000Z',
};

let app: App;
afterEach(() => app.close());

/** The dashboard before an API whose reads of these paths fail. */
async function stage(
  fails: (url: string) => AppError | false,
  { reads = 1_000, count = COUNT, waits = [] as readonly string[] } = {},
) {
  let [present, most] = [0, 0];
  const api = (a: App) => {
    const answering = async (url: string, body: object) => {
      most = Math.max(most, ++present);
      await new Promise((resolve) => setImmediate(resolve));
      present -= 1;
      const failure = fails(url);
      if (failure) throw failure;
      return body;
    };
    const agents = Array.from({ length: count }, (_, i) => ({
      ...{ handle: `agent-${i}`, status: 'active', account: WALLET },
    }));
    a.get('/agents/directory', ({ url }) => {
      const from = Number(new URL(url, 'http://here').searchParams.get('cursor') ?? 0);
      const next = from + 100 < count ? { next: String(from + 100) } : {};
      return answering(url, { items: agents.slice(from, from + 100), ...next });
    });
    a.get('/agent/:handle/activity', ({ url }) => answering(url, { items: [] }));
    a.get('/agent/:handle/deals', ({ url }) =>
      answering(url, {
        items: url.includes('cursor') ? [] : [{ ...DEAL, dealId: url.split('/')[2]! }],
        ...(url.includes('cursor') ? {} : { next: 'more' }),
      }),
    );
    a.get('/agent/:handle/orders', ({ url }) => answering(url, { items: [] }));
  };
  const page = (a: App) =>
    dashboardRoutes(a, {
      waiting: async () => new Map(waits.map((handle) => [handle, { deals: 2, until: null }])),
      titles: async () => new Map(),
    });
  app = await server({ routes: [api, page], limits: { reads, writes: 1 } });
  return {
    most: () => most,
    get: (path: string) => app.inject({ url: `${path}?wallet=${WALLET}`, headers: SESSION }),
  };
}

it('/dashboard says of what is no wallet that it is none, and shows the empty form where none is given', async () => {
  await stage(() => false);
  const open = async (query: string) => await app.inject(`/dashboard${query}`);
  const wrong = await open('?wallet=abc');
  expect(wrong.statusCode).toBe(400);
  expect(wrong.body).toContain('<p class="wrong" id="wallet-problem">must be 0x and 40 hex digits</p>');
  expect(wrong.body).toContain('value="abc"');
  for (const query of ['', '?wallet=']) {
    const empty = await open(query);
    expect([empty.statusCode, empty.body.includes('wallet-problem')]).toEqual([200, false]);
  }
  expect((await open(`?wallet=%20${WALLET}%20`)).body).toContain('agent-0');
});

const busy = () => new AppError('unavailable', 'The chain cannot be read.', { extra: { retryAfter: 7 } });

it.each([
  ['/dashboard', '/agents/directory'],
  ['/dashboard', '/agent/agent-8/activity'],
  ['/dashboard/own', '/agents/directory'],
  ['/dashboard/own', '/agent/agent-8/deals'],
  ['/dashboard/own', '/agent/agent-8/orders'],
  ['/dashboard/own.csv', '/agents/directory'],
  ['/dashboard/own.csv', '/agent/agent-0/deals?limit=100&cursor=more'],
])('%s says that %s could not be read, and when to come again', async (path, unread) => {
  const { get } = await stage((url) => url.startsWith(unread) && busy());
  const answer = await get(path);
  expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '7']);
  expect(answer.json()).toMatchObject({ code: 'unavailable', detail: 'The chain cannot be read.' });
});

it('says so when the session is over', async () => {
  const { get } = await stage(
    (url) => url.includes('/deals') && new AppError('signature-invalid', 'The read session is over.'),
  );
  const answer = await get('/dashboard/own');
  expect([answer.statusCode, answer.json().code]).toEqual([401, 'signature-invalid']);
});

it.each(['/dashboard', '/dashboard/own', '/dashboard/own.csv'])(
  '%s is one request of its owner, and reads a few agents at a time',
  async (path) => {
    const { get, most } = await stage(() => false, { reads: 1 });
    expect((await get(path)).statusCode).toBe(200);
    expect((await get(path)).statusCode).toBe(429);
    expect(most()).toBeLessThanOrEqual(4);
  },
);

describe('of an owner of many agents', () => {
  it('lists all, and those that wait for the owner, however old', async () => {
    const { get } = await stage(() => false, { count: 123, waits: ['agent-120'] });
    const { body } = await get('/dashboard');
    expect(body).toContain('123 of 123');
    expect(body).toContain('/desk/deals?handle=agent-120');
    expect(body).toContain('Of 20 agents: those that wait for you, then the newest.');
    expect(body).not.toContain('are listed.');
  });

  it('reads what is the owner’s alone of those that wait first, and says of how many', async () => {
    const { get } = await stage(() => false, { count: 123, waits: ['agent-120'] });
    const { body } = await get('/dashboard/own');
    expect(body).toContain('Of 20 of your agents');
    expect(body).toContain('aria-label="agent-120"');
    expect(body).toContain('aria-label="agent-18"');
    expect(body).not.toContain('aria-label="agent-19"');
  });

  it('writes the deals of all into the CSV, or says that there are too many', async () => {
    const { get } = await stage(() => false, { count: 123 });
    expect((await get('/dashboard/own.csv')).body).toContain('agent-122');
    await app.close();
    const over = await stage(() => false, { count: 501 });
    const answer = await over.get('/dashboard/own.csv');
    expect([answer.statusCode, answer.json().detail]).toEqual([
      400,
      'wallet owns more than 500 agents: read /agent/{handle}/deals of each.',
    ]);
    expect((await over.get('/dashboard')).body).toContain('The newest 500 are listed.');
  });
});
