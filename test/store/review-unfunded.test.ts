import { afterAll, beforeAll, expect, it } from 'vitest';
import { MOST_UNFUNDED } from '../../agents/market/funds.ts';
import type { ReadCall } from '../../chain/rpc/reader.ts';
import { keptQuarantine } from '../../runtime/durable/isolation/quarantine.ts';
import { unfundedReviewed } from '../../runtime/market/orders/review-unfunded.ts';
import type { Services } from '../../runtime/services.ts';
import { unfundedAgents } from '../../store/market/funding.ts';
import { findOrder } from '../../store/market/orders.ts';
import { type MarketStage, marketStage } from '../fixtures/market-stage.ts';
import { type TestDatabase, testDatabase } from '../fixtures/postgres.ts';

const usd = (dollars: number): bigint => BigInt(dollars) * 1_000_000n;

let database: TestDatabase;
let stage: MarketStage;

beforeAll(async () => {
  database = await testDatabase();
  stage = marketStage(database.db);
});
afterAll(() => database?.drop());

it('orders without money do not keep those of others waiting, and one reading serves all of an agent', async () => {
  const [seller, stranger, honest] = [
    await stage.agent(),
    await stage.agent('aaa'),
    await stage.agent('zzz'),
  ];
  const waits = async (handle: string, limit: bigint): Promise<string> => {
    const lot = await stage.list(seller);
    const orderId = stage.fresh('order');
    await stage.order(handle, lot, { orderId, limit, short: { need: limit, have: 0n } });
    return orderId;
  };
  for (let n = 1; n < MOST_UNFUNDED; n++) await waits(stranger, usd(50));
  const cheap = await waits(stranger, usd(3));
  const own = [await waits(honest, usd(50)), await waits(honest, usd(40)), await waits(honest, usd(10))];
  let reads = 0;
  const read = async ({ args = [] }: ReadCall): Promise<bigint> => {
    reads += 1;
    return args[0] === '0xaccount-of-zzz' ? usd(90) : usd(5);
  };
  const viem = { chainId: 1002, read, head: async () => ({ number: 1n, timestamp: 0n }) };
  const silent = { info() {}, warn() {} };
  const services = {
    ...{ db: database.db, now: stage.now, newId: stage.fresh, log: silent, notifier: { actor() {} } },
    quarantine: keptQuarantine(database.db, silent),
    home: { chainId: 1002, deployment: { usdc: '0xusdc' }, readers: { viem } },
  } as unknown as Services;
  const review = unfundedReviewed(services);
  expect(await review()).toBe(3);
  const statuses = await Promise.all(
    [cheap, ...own].map(async (id) => (await findOrder(database.db, id))?.status),
  );
  // What the first two leave does not cover the third.
  expect(statuses.sort()).toEqual(['resting', 'resting', 'resting', 'unfunded']);
  expect((await findOrder(database.db, cheap))?.status).toBe('resting');
  expect(reads).toBe(2);
  expect(await review()).toBe(0);
});

it('agents take turns', async () => {
  const db = database.db;
  const lots = await Promise.all(['x', 'y'].map(async (name) => await stage.agent(`turn-${name}`)));
  const lot = await stage.list(lots[0]!);
  await stage.order(lots[1]!, lot, { limit: usd(20), short: { need: usd(20), have: 0n } });
  const first = await unfundedAgents(db, { after: '', limit: 1 });
  expect(await unfundedAgents(db, { after: first[0]!, limit: 10 })).toEqual(['turn-y', 'zzz']);
});
