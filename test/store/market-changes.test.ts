import { afterAll, beforeAll, expect, it } from 'vitest';
import { BY_ITSELF } from '../../agents/agent/order-id.ts';
import { concernedBy, newestOrder } from '../../store/market/market-changes.ts';
import { type MarketStage, marketStage } from '../fixtures/market-stage.ts';
import { type TestDatabase, testDatabase } from '../fixtures/postgres.ts';

let database: TestDatabase;
let stage: MarketStage;

beforeAll(async () => {
  database = await testDatabase();
  stage = marketStage(database.db);
});
afterAll(() => database.drop());

const since = async (after: bigint) => {
  const newest = await newestOrder(database.db);
  return (await concernedBy(database.db, { after, newest, byItself: BY_ITSELF })).handles;
};

it('an order concerns the others that have something on its lot, and nobody else', async () => {
  const [seller, first, second, elsewhere] = await Promise.all([
    stage.agent('seller'),
    stage.agent('first-bidder'),
    stage.agent('second-bidder'),
    stage.agent('elsewhere'),
  ]);
  const [lot, other] = [await stage.list(seller), await stage.list(seller)];
  await stage.order(elsewhere, other);
  await stage.order(first, lot);
  const before = await newestOrder(database.db);
  await stage.order(second, lot, { limit: 60_000_000n });
  expect(await since(before)).toEqual([first, seller]);

  // One that is stopped is told nothing.
  await stage.setStatus(first, 'paused');
  expect(await since(before)).toEqual([seller]);
  await stage.setStatus(first, 'active');

  // What an agent rests by itself is no news to the others.
  const then = await newestOrder(database.db);
  await stage.order(elsewhere, lot, { orderId: `${BY_ITSELF}1`, limit: 70_000_000n });
  expect(await since(then)).toEqual([]);
});
