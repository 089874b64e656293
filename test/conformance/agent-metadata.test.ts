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

beforeAll(async () => {
  database = await testDatabase();
  const stage = marketStage(database.db);
  for (const handle of ['first', 'second']) await stage.agent(handle);
  // Nobody listens at this port.
  const viem = viemReader({ rpcUrl: 'http://127.0.0.1:9', chainId: 1002, timeoutMs: 500 });
  const services = {
    config: { baseUrl: BASE_URL },
    db: database.db,
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
  const { registrations } = (await app.inject('/.well-known/agent-registration.json')).json();
  expect(registrations).toEqual([
    { agentId: 1, agentRegistry: 'eip155:1002:0xnft' },
    { agentId: 2, agentRegistry: 'eip155:1002:0xnft' },
  ]);
});
