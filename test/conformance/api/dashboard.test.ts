import { afterEach, expect, it } from 'vitest';
import { AppError } from '../../../agents/errors.ts';
import { dashboardRoutes } from '../../../api/dashboard/dashboard.ts';
import type { App } from '../../../api/http/app.ts';
import { server } from './server-fixture.ts';

const WALLET = `0x${'cd'.repeat(20)}`;
const COUNT = 9;
const SESSION = { authorization: 'ReadSession token' };

let app: App;
afterEach(() => app.close());

/** The dashboard before an API whose reads of these paths fail. */
async function stage(fails: (url: string) => AppError | false, reads = 1_000) {
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
    const agents = Array.from({ length: COUNT }, (_, i) => ({
      ...{ handle: `agent-${i}`, status: 'active', account: WALLET },
    }));
    a.get('/agents/directory', ({ url }) => answering(url, { items: agents }));
    a.get('/agent/:handle/activity', ({ url }) => answering(url, { items: [] }));
    a.get('/agent/:handle/deals', ({ url }) =>
      answering(url, { items: [], ...(url.includes('cursor') ? {} : { next: 'more' }) }),
    );
    a.get('/agent/:handle/orders', ({ url }) => answering(url, { items: [] }));
  };
  const page = (a: App) =>
    dashboardRoutes(a, { waiting: async () => ({ deals: 0, until: null }), titles: async () => new Map() });
  app = await server({ routes: [api, page], limits: { reads, writes: 1 } });
  return {
    most: () => most,
    get: (path: string) => app.inject({ url: `${path}?wallet=${WALLET}`, headers: SESSION }),
  };
}

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
    const { get, most } = await stage(() => false, 1);
    expect((await get(path)).statusCode).toBe(200);
    expect((await get(path)).statusCode).toBe(429);
    expect(most()).toBeLessThanOrEqual(4);
  },
);
