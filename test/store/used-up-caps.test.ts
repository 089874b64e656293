import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Mandate } from '../../agents/mandate/terms/schema.ts';
import { mayRestBy } from '../../runtime/market/orders/review-orders.ts';
import { findAgent } from '../../store/agent/agents.ts';
import { adoptMandate, proposeMandate } from '../../store/agent/mandates.ts';
import { findListing } from '../../store/market/listings.ts';
import { reviewOrders } from '../../store/market/order-reviews.ts';
import { markSettled, unwindDeal } from '../fixtures/closings.ts';
import { type MarketStage, marketStage } from '../fixtures/market-stage.ts';
import { type TestDatabase, testDatabase } from '../fixtures/postgres.ts';

let database: TestDatabase;
let stage: MarketStage;

beforeAll(async () => {
  database = await testDatabase();
  stage = marketStage(database.db);
});
afterAll(() => database?.drop());

const usd = (dollars: number): bigint => BigInt(dollars * 1_000_000);

/** Puts a mandate in force. @returns how its agent's orders are judged by it */
async function sign(handle: string, caps: Partial<Mandate>) {
  const { db } = database;
  stage.tick();
  const structured: Mandate = {
    ...{ side: 'sell', currency: 'USDC', expires_at: '2099-12-31T23:59:59Z', cap_per_deal: '150' },
    ...caps,
  };
  const version = await stage.inTrx(async (trx) => {
    const hash = stage.fresh('0x');
    const proposed = await proposeMandate(trx, { handle, text: 'Sell', structured, hash, now: stage.now() });
    await adoptMandate(trx, { handle, version: proposed, tx: '0xtx', signedAt: stage.now() });
    return proposed;
  });
  const agent = (await findAgent(db, handle))!;
  const limits = { day: 0n, week: 0n, month: 0n, total: 0n, spendable: 0n };
  const spending = { block: 1n, limits, epoch: agent.epoch };
  return mayRestBy(agent, { spending, inForce: version } as never, stage.now());
}

/** A seller with three things at 130, the first of which is in a deal, and so is the second. */
async function selling(caps: Partial<Mandate>) {
  const seller = await stage.agent();
  const mayRest = await sign(seller, caps);
  const refs = [stage.fresh('shop'), stage.fresh('shop'), stage.fresh('shop')] as const;
  const lots = [];
  for (const listingRef of refs) lots.push(await stage.list(seller, { listingRef, ask: usd(130) }));
  const deals = [];
  for (const lot of lots.slice(0, 2)) {
    const { match } = await stage.order(await stage.agent(), lot, { limit: usd(130) });
    deals.push(match!.dealId);
  }
  const [first, second] = deals as [string, string];
  return { seller, mayRest, refs, first, second };
}

type Selling = Awaited<ReturnType<typeof selling>>;

const settle = (dealId: string) => {
  const now = stage.tick();
  return stage.inTrx((trx) => markSettled(trx, { dealId, tx: '0xtx', block: 1n, now }));
};

const undo = (dealId: string, mayRest: Selling['mayRest']) =>
  stage.inTrx((trx) =>
    unwindDeal(trx, {
      ...{ dealId, mayRest, reason: 'it was FLAGGED', allows: () => true, now: stage.now() },
      ...{ orderId: stage.fresh('ord'), ids: stage.ids() },
    }),
  );

const states = async ({ refs }: Selling) =>
  Promise.all(refs.map(async (ref) => (await findListing(database.db, ref))?.status));

describe('a seller whose cap is used up', () => {
  it.each(['cap_per_day', 'cap_per_week', 'cap_per_month', 'cap_total'] as const)(
    'by a deal under way keeps what returns from another deal on the market: %s',
    async (cap) => {
      const all = await selling({ [cap]: '200' });
      expect(await undo(all.second, all.mayRest)).toMatchObject({ listed: true });
      expect(await states(all)).toEqual(['dealing', 'live', 'live']);
    },
  );

  it.each(['cap_per_day', 'cap_per_week', 'cap_per_month'] as const)(
    'by what it sold keeps its listings, also when it signs the same mandate again: %s',
    async (cap) => {
      const all = await selling({ [cap]: '200' });
      await settle(all.first);
      expect(await undo(all.second, all.mayRest)).toMatchObject({ listed: true });
      const renewed = await sign(all.seller, { [cap]: '200' });
      expect(await reviewOrders(database.db, all.seller, stage.now(), renewed)).toBe(0);
      expect(await states(all)).toEqual(['sold', 'live', 'live']);
    },
  );

  it.each([false, true])(
    'of deals a day keeps what returns from another deal on the market: first settled: %s',
    async (settled) => {
      const all = await selling({ max_deals_per_day: 2 });
      if (settled) await settle(all.first);
      expect(await undo(all.second, all.mayRest)).toMatchObject({ listed: true });
      const renewed = await sign(all.seller, { max_deals_per_day: 2 });
      expect(await reviewOrders(database.db, all.seller, stage.now(), renewed)).toBe(0);
      expect(await states(all)).toEqual([settled ? 'sold' : 'dealing', 'live', 'live']);
    },
  );

  it('of deals altogether loses what it may not sell any more', async () => {
    const all = await selling({ max_deals_total: 2 });
    await settle(all.first);
    expect(await undo(all.second, all.mayRest)).toMatchObject({ listed: false });
    expect(await states(all)).toEqual(['sold', 'dropped', 'live']);
  });

  it('for good loses what it may not sell any more, and nothing of it by the next mandate', async () => {
    const all = await selling({ cap_total: '200' });
    await settle(all.first);
    expect(await undo(all.second, all.mayRest)).toMatchObject({ listed: false });
    const renewed = await sign(all.seller, { cap_total: '200' });
    expect(await reviewOrders(database.db, all.seller, stage.now(), renewed)).toBe(0);
    expect(await states(all)).toEqual(['sold', 'dropped', 'live']);
  });

  it('keeps nothing above a cap that it lowers', async () => {
    const all = await selling({ cap_per_day: '200' });
    const lower = await sign(all.seller, { cap_per_day: '120' });
    expect(await reviewOrders(database.db, all.seller, stage.now(), lower)).toBe(1);
    expect(await undo(all.second, lower)).toMatchObject({ listed: false });
    expect(await states(all)).toEqual(['dealing', 'dropped', 'dropped']);
  });
});
