import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Mandate } from '../../../agents/mandate/terms/schema.ts';
import { bothMandatesAllow } from '../../../runtime/market/matching/judge-pair.ts';
import { unwindDeal } from '../../fixtures/closings.ts';
import { type MarketStage, marketStage } from '../../fixtures/market-stage.ts';
import { type TestDatabase, testDatabase } from '../../fixtures/postgres.ts';

const WIDE: Mandate = {
  side: 'both',
  currency: 'USDC',
  cap_per_deal: '1000',
  expires_at: '2026-12-31T23:59:59Z',
};

let database: TestDatabase;
let stage: MarketStage;

beforeAll(async () => {
  database = await testDatabase();
  stage = marketStage(database.db);
});
afterAll(() => database.drop());

async function trader(change: Partial<Mandate> = {}): Promise<string> {
  const handle = await stage.agent();
  await instruct(handle, change);
  return handle;
}

/** Replaces the mandate in force. */
async function instruct(handle: string, change: Partial<Mandate>): Promise<void> {
  const { db } = database;
  await db.deleteFrom('mandates').where('handle', '=', handle).execute();
  await db
    .insertInto('mandates')
    .values({
      handle,
      version: 1,
      text: 'as said',
      structured: JSON.stringify({ ...WIDE, ...change }),
      hash: `0x${'0'.repeat(64)}`,
      status: 'active',
      tx: null,
    })
    .execute();
}

/** Places an order with the service's check of a pair by both mandates. */
const order = (handle: string, lot: string, usd: bigint) =>
  stage.order(handle, lot, {
    limit: usd * 1_000_000n,
    expiresAt: stage.later(86_400_000),
    allows: bothMandatesAllow(database.db, stage.now()),
  });
const listed = (handle: string) => stage.list(handle, { ask: 50_000_000n, negotiable: false });

describe('an order that overlaps another', () => {
  it('matches if both mandates allow the pair', async () => {
    const [seller, buyer] = [await trader(), await trader()];
    const { match } = await order(buyer, await listed(seller), 50n);
    expect(match).toMatchObject({ seller, buyer, price: 50_000_000n });
  });

  it.each<[string, Partial<Mandate>, Partial<Mandate>]>([
    ['the buyer denies the seller', {}, { counterparties_deny: ['{seller}'] }],
    ['the seller denies the buyer’s owner', { counterparties_deny: ['0xowner-of-{buyer}'] }, {}],
    ['the buyer allows others only', {}, { counterparties_allow: [`0x${'c'.repeat(40)}`] }],
    ['the seller sells other goods', { categories_allow: ['real-world-assets'] }, {}],
    ['the seller may only buy', { side: 'buy' }, {}],
    ['the buyer’s mandate has run out', {}, { expires_at: '2026-01-01T00:00:00Z' }],
    ['the seller’s mandate has run out', { expires_at: '2026-01-01T00:00:00Z' }, {}],
    ['the price is above the buyer’s cap', {}, { cap_per_deal: '49.99' }],
  ])('rests when %s', async (_why, sells, buys) => {
    const [seller, buyer] = [await trader(), await trader()];
    const named = (change: Partial<Mandate>): Partial<Mandate> =>
      JSON.parse(JSON.stringify(change).replaceAll('{seller}', seller).replaceAll('{buyer}', buyer));
    await instruct(seller, named(sells));
    await instruct(buyer, named(buys));
    const placed = await order(buyer, await listed(seller), 50n);
    expect(placed.match).toBeNull();
    expect(placed.order.status).toBe('resting');
  });

  it('rests when an agent has no mandate in force', async () => {
    const [seller, buyer] = [await trader(), await trader()];
    const lot = await listed(seller);
    await database.db.deleteFrom('mandates').where('handle', '=', seller).execute();
    expect((await order(buyer, lot, 50n)).match).toBeNull();
  });
});

describe('a lot whose deal was unwound', () => {
  it('skips a better buyer whose mandate does not allow the seller, and matches the next one', async () => {
    const [seller, first, better, next] = [await trader(), await trader(), await trader(), await trader()];
    const lot = await listed(seller);
    for (const shy of [better, next]) await instruct(shy, { counterparties_deny: [seller] });
    expect((await order(better, lot, 90n)).match).toBeNull();
    expect((await order(next, lot, 60n)).match).toBeNull();
    const deal = (await order(first, lot, 50n)).match!;
    await instruct(next, {});

    const { match } = await stage.inTrx((trx) =>
      unwindDeal(trx, {
        dealId: deal.dealId,
        reason: 'stopped',
        orderId: stage.fresh('sell'),
        ids: stage.ids(),
        allows: bothMandatesAllow(trx, stage.now()),
        now: stage.now(),
      }),
    );
    expect(match).toMatchObject({ seller, buyer: next, price: 50_000_000n });
  });
});
