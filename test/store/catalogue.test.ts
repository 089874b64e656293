import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CatalogueQuery, listCatalogue } from '../../store/catalogue.ts';
import { listCloseCalls, publishCloseCalls } from '../../store/close-calls.ts';
import { placeListing } from '../../store/listings.ts';
import { expireOrders } from '../../store/withdrawals.ts';
import { type MarketStage, marketStage } from '../fixtures/market-stage.ts';
import { testDatabase } from '../fixtures/postgres.ts';

let database: Awaited<ReturnType<typeof testDatabase>>;
let stage: MarketStage;

beforeAll(async () => {
  database = await testDatabase();
  stage = marketStage(database.db);
});

afterAll(async () => {
  await database.drop();
});

const usd = (dollars: number): bigint => BigInt(Math.round(dollars * 1_000_000));

describe('the catalogue', () => {
  const refs = async (query: Partial<CatalogueQuery> = {}) =>
    (await listCatalogue(database.db, { limit: 100, offset: 0, ...query })).map((r) => r.listingRef);

  it('shows what is live, featured first, then newest, filtered and paged', async () => {
    const ann = await stage.agent('cat-ann');
    await stage.list(ann, { listingRef: 'c1', description: 'Blue 100% wool scarf', ask: usd(10) });
    await stage.list(ann, {
      listingRef: 'c2',
      description: 'Red scarf',
      ask: usd(20),
      category: 'real-world-assets',
    });
    await stage.list(ann, {
      listingRef: 'c3',
      description: 'Blue hat',
      ask: usd(30.01),
      chain: 'eip155:84532',
    });
    await stage.list(ann, { listingRef: 'c4', description: 'Under the hammer', ask: usd(5) });
    await stage.order(await stage.agent(), await stage.list(ann, { listingRef: 'c5', ask: usd(5) }), {
      limit: usd(5),
    });
    expect(await refs()).toEqual(['c4', 'c3', 'c2', 'c1']);
    await stage.inTrx((trx) => placeListing(trx, 'c2', true));
    expect(await refs()).toEqual(['c2', 'c4', 'c3', 'c1']);
    expect(await refs({ limit: 2, offset: 1 })).toEqual(['c4', 'c3']);
    expect(await refs({ category: 'real-world-assets' })).toEqual(['c2']);
    expect(await refs({ chain: 'eip155:84532' })).toEqual(['c3']);
    expect(await refs({ max: usd(30) })).toEqual(['c2', 'c4', 'c1']);
    expect(await refs({ q: 'SCARF blue' })).toEqual(['c1']);
    expect(await refs({ q: '100%' })).toEqual(['c1']);
    expect(await refs({ q: '_' })).toEqual([]);
    expect(await refs({ q: "'; drop table listings --" })).toEqual([]);
  });

  it('names the agent account as the seller and carries no floor', async () => {
    const ann = await stage.agent('cat-bob');
    await stage.list(ann, { listingRef: 'c9', description: 'Distinct', ask: usd(77), floor: usd(66.66) });
    const [row] = await listCatalogue(database.db, { q: 'distinct', limit: 1, offset: 0 });
    expect(row).toMatchObject({ seller: '0xaccount-of-cat-bob', ask: usd(77), negotiable: true });
    expect(JSON.stringify(row, (_, v) => (typeof v === 'bigint' ? String(v) : v))).not.toContain('6666');
  });
});

describe('close calls', () => {
  it('are published once, when their hour is over, and show no figure, side, party or exact time', async () => {
    const newId = () => stage.fresh('call');
    const publish = (now: Date) => publishCloseCalls(database.db, { now, newId });
    const lot = await stage.list(await stage.agent(), {
      ask: usd(100),
      expiresAt: stage.later(600_000),
    });
    await stage.order(await stage.agent(), lot, { limit: usd(96), expiresAt: stage.later(300_000) });
    await expireOrders(database.db, stage.later(600_000));
    expect(await publish(stage.later(1_200_000))).toBe(0);
    const hourOver = stage.later(3_600_000);
    const published = await Promise.all([publish(hourOver), publish(hourOver)]);
    expect(published.reduce((a, b) => a + b)).toBe(1);
    expect(await publish(stage.later(7_200_000))).toBe(0);
    const rows = await listCloseCalls(database.db, { lot, limit: 10, offset: 0 });
    expect(rows).toEqual([
      {
        closeCallId: expect.stringMatching(/^call_/),
        lot,
        category: 'digital-products',
        chain: 'eip155:1002',
        hour: new Date('2026-09-06T12:00:00Z'),
      },
    ]);
  });
});
