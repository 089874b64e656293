import { afterAll, beforeAll, expect, it } from 'vitest';
import { metadataRoutes } from '../../api/agent/metadata.ts';
import type { App } from '../../api/http/app.ts';
import { viemReader } from '../../chain/rpc/viem/reader.ts';
import type { Services } from '../../runtime/services.ts';
import { marketStage } from '../fixtures/market-stage.ts';
import { type TestDatabase, testDatabase } from '../fixtures/postgres.ts';
import { BASE_URL, server } from './api/server-fixture.ts';

let database: TestDatabase;
let app: App;
let stage: ReturnType<typeof marketStage>;
let now = new Date('2026-11-26T12:00:00Z');

beforeAll(async () => {
  database = await testDatabase();
  stage = marketStage(database.db);
  for (const handle of ['first', 'second']) await stage.agent(handle);
  // Nobody listens at this port.
  const viem = viemReader({ rpcUrl: 'http://127.0.0.1:9', chainId: 1002, timeoutMs: 500 });
  const services = {
    config: { baseUrl: BASE_URL },
    db: database.db,
    now: () => now,
    home: { chainId: 1002, deployment: { agentNft: '0xNFT' }, readers: { viem } },
  } as unknown as Services;
  app = await server({ db: database.db, routes: [(a) => metadataRoutes(a, services)] });
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

it('an agent whose chain does not answer is described, and nothing that the chain decides is claimed', async () => {
  const answer = await app.inject('/metadata/1002/1');
  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toMatchObject({ name: 'first', active: false });
  expect(answer.json().attributes).toEqual(
    expect.arrayContaining([
      { trait_type: 'status', value: 'unknown' },
      { trait_type: 'mandate', value: 'unknown' },
    ]),
  );
  const picture = await app.inject('/metadata/1002/1/portrait.svg');
  expect(picture.statusCode).toBe(200);
  expect(picture.body).toContain('>unknown</text>');
});

it('the service names its agents without asking the chain', async () => {
  const named = async () => {
    const answer = await app.inject('/.well-known/agent-registration.json');
    const { age, 'cache-control': cache, 'content-type': type } = answer.headers;
    expect([cache, type]).toEqual(['public, max-age=60', 'application/json; charset=utf-8']);
    return [answer.json().registrations, age];
  };
  const entry = (agentId: number) => ({ agentId, agentRegistry: 'eip155:1002:0xnft' });
  expect(await named()).toEqual([[entry(1), entry(2)], '0']);
  await stage.agent('third');
  now = new Date(now.getTime() + 59_000);
  expect(await named()).toEqual([[entry(1), entry(2)], '59']);
  now = new Date(now.getTime() + 1_000);
  expect(await named()).toEqual([[entry(1), entry(2), entry(3)], '0']);
});
