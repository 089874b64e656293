import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { App, RouteModule } from '../../../api/http/app.ts';
import { redisPresent, type TestRedis, testRedis } from '../../fixtures/servers/redis.ts';
import { plainRoutes, server } from './server-fixture.ts';

const READS = 6;
const OWN = 4;

const routes: RouteModule[] = [
  ...plainRoutes,
  (app) => void app.post('/act', async () => ({})),
  (app) => void app.post('/call', { config: { rateLimit: { max: OWN } } }, async () => ({})),
  (app) => void app.get('/call', { config: { rateLimit: { max: OWN } } }, async () => ({})),
];

describe.runIf(redisPresent)('limits that several processes count in one Redis', () => {
  let redis: TestRedis;
  const clients: Redis[] = [];
  const apps: App[] = [];
  beforeAll(async () => {
    redis = await testRedis();
    for (let i = 0; i < 2; i++) {
      const client = new Redis(redis.url, { maxRetriesPerRequest: 1 });
      client.on('error', () => {});
      await client.ping();
      clients.push(client);
      apps.push(await server({ routes, limits: { reads: READS, writes: 2, redis: client } }));
    }
  });
  afterAll(async () => {
    redis?.thaw();
    for (const app of apps) await app.close();
    for (const client of clients) client.disconnect();
    await redis?.stop();
  });

  const from = async (app: App, remoteAddress: string, times: number): Promise<number[]> => {
    const all: number[] = [];
    for (let i = 0; i < times; i++)
      all.push((await app.inject({ url: '/openapi.json', remoteAddress })).statusCode);
    return all;
  };
  const served = (n: number): number[] => Array(n).fill(200);

  it('hold for all together', async () => {
    const [one, other] = apps as [App, App];
    expect(await from(one, '192.0.2.1', 4)).toEqual(served(4));
    expect(await from(other, '192.0.2.1', 3)).toEqual([...served(2), 429]);
    expect(await from(one, '192.0.2.1', 1)).toEqual([429]);
  });

  const ownAndAll = async (remoteAddress: string): Promise<void> => {
    const [one, other] = apps as [App, App];
    const post = async (app: App, url: string) =>
      (await app.inject({ method: 'POST', url, remoteAddress })).statusCode;
    for (let i = 0; i < OWN; i++) expect(await post(one, '/call')).toBe(200);
    expect(await post(one, '/call')).toBe(429);
    expect((await one.inject({ url: '/call', remoteAddress })).statusCode).toBe(200);
    for (const app of [one, other]) expect(await post(app, '/act')).toBe(200);
  };

  it('leave a route that has its own allowance with it, and the others with theirs', async () => {
    await ownAndAll('192.0.2.4');
    expect(
      (await apps[1]!.inject({ method: 'POST', url: '/call', remoteAddress: '192.0.2.4' })).statusCode,
    ).toBe(429);
    redis.freeze();
    await ownAndAll('192.0.2.5');
    redis.thaw();
  });

  it('hold for each by itself while Redis hangs, and no request waits for it', async () => {
    const [one, other] = apps as [App, App];
    redis.freeze();
    for (const app of [one, other])
      expect(await from(app, '192.0.2.2', READS + 1)).toEqual([...served(READS), 429]);
    redis.thaw();
  });

  it('hold for each by itself while Redis is gone, and for all together when it is back', async () => {
    const [one, other] = apps as [App, App];
    await redis.kill();
    for (const app of [one, other])
      expect(await from(app, '192.0.2.3', READS + 1)).toEqual([...served(READS), 429]);
    await redis.start();
    await vi.waitFor(
      async () => {
        const address = `192.0.2.${10 + Math.floor(Math.random() * 200)}`;
        await from(one, address, READS);
        expect(await from(other, address, 1)).toEqual([429]);
      },
      { timeout: 60_000, interval: 200 },
    );
  });
});
