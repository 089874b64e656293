import { afterAll, beforeAll, expect, it } from 'vitest';
import { evaluateMarketEffect } from '../../runtime/agent/evaluate-market.ts';
import type { LiveAgent } from '../../runtime/agent/live-agent.ts';
import { observe } from '../../runtime/agent/observe.ts';
import type { Services } from '../../runtime/services.ts';
import { findAgent } from '../../store/agent/agents.ts';
import { type MarketStage, marketStage } from '../fixtures/market-stage.ts';
import { type TestDatabase, testDatabase } from '../fixtures/postgres.ts';

let database: TestDatabase;
let stage: MarketStage;

beforeAll(async () => {
  database = await testDatabase();
  stage = marketStage(database.db);
});
afterAll(() => database.drop());

it('an agent that is told of lots sees these, what it bids on and what it sells, and no others', async () => {
  const [seller, ann] = [await stage.agent(), await stage.agent()];
  const structured = { side: 'both', currency: 'USD', expires_at: '2027-01-01T00:00:00Z' };
  await database.db
    .insertInto('mandates')
    .values({
      ...{ handle: ann, version: 1, text: '', structured: JSON.stringify(structured), hash: '0x' },
      ...{ status: 'active', tx: null, created_at: stage.now() },
    })
    .execute();
  const [told, other, bidOn] = [await stage.list(seller), await stage.list(seller), await stage.list(seller)];
  const own = await stage.list(ann);
  await stage.order(ann, bidOn);
  const live = {
    agent: await findAgent(database.db, ann),
    chain: { limits: null, balance: null },
  } as unknown as LiveAgent;
  const seen = async (lots: readonly string[] | null) => {
    const found = await observe(database.db, live, { owner: `0xowner-of-${ann}`, lots, now: stage.now() });
    return [found.lots.map((l) => l.lot).sort(), found.offers.map((o) => o.lot)];
  };
  expect(await seen([told])).toEqual([[told, bidOn].sort(), [own]]);
  expect(await seen(['no such lot'])).toEqual([[bidOn], [own]]);
  expect(await seen(null)).toEqual([[told, other, bidOn].sort(), [own]]);
});

it('an agent whose machine asked does nothing where agents do nothing by themselves any more', async () => {
  const handle = await stage.agent();
  const services = { db: database.db, now: stage.now, config: { watchSeconds: 0 } } as unknown as Services;
  const context = { ...{ key: 'k', actorId: `agent:${handle}`, attempt: 1, now: stage.now() } };
  const asked = { ...context, params: { handle, lots: null }, signal: new AbortController().signal };
  expect(await evaluateMarketEffect(services).run(asked)).toEqual({
    event: { type: 'SURVEYED', watchEveryMs: 0 },
  });
});
