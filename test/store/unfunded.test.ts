import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MOST_UNFUNDED } from '../../agents/market/funds.ts';
import { heldBy } from '../../store/agent/reservations.ts';
import { countResting, ownBuys } from '../../store/agent/trading.ts';
import { publishCloseCalls } from '../../store/market/close-calls.ts';
import { becomeUnfunded, moneyInFlight, restFunded, unfundedOrders } from '../../store/market/funding.ts';
import { listBook, lockLot } from '../../store/market/lots.ts';
import { forgetChanges, untoldChanges } from '../../store/market/market-changes.ts';
import { findOrder, issuedTo, ordersOf } from '../../store/market/orders.ts';
import { cancelOrder, expireOrders, withdrawOrders } from '../../store/market/withdrawals.ts';
import { type MarketStage, marketStage, type StageOrder } from '../fixtures/market-stage.ts';
import { testDatabase } from '../fixtures/postgres.ts';

let database: Awaited<ReturnType<typeof testDatabase>>;
let stage: MarketStage;

beforeAll(async () => {
  database = await testDatabase();
  stage = marketStage(database.db);
});
afterAll(() => database.drop());

const usd = (dollars: number): bigint => BigInt(Math.round(dollars * 1_000_000));
const priceOf = async (lot: string) =>
  (await listBook(database.db, { lot, limit: 1, offset: 0 }))[0]?.priceToBeat;
const statusOf = async (orderId: string) => (await findOrder(database.db, orderId))?.status;
const heldOf = (handle: string) => heldBy(database.db, stage.side(handle), stage.now());
const unfunded = (handle: string, lot: string, dollars: number, terms: Partial<StageOrder> = {}) =>
  stage.order(handle, lot, {
    limit: usd(dollars),
    short: { need: usd(dollars), have: 0n },
    ...terms,
  });
const drains = (lot: string, orderId: string) =>
  stage.inTrx(async (trx) => {
    await lockLot(trx, lot);
    return await becomeUnfunded(trx, { assetKey: lot, orderId, now: stage.now() });
  });
const rests = (lot: string, orderId: string) =>
  stage.inTrx(async (trx) => {
    await lockLot(trx, lot);
    return await restFunded(trx, { orderId, accountHolds: usd(200), now: stage.now() });
  });

describe('an order that is placed unfunded', () => {
  it('matches nobody at any limit, makes no price, and counts nowhere in public', async () => {
    const lot = await stage.list(await stage.agent(), { floor: usd(90) });
    const [ann, bob] = [await stage.agent(), await stage.agent()];
    await stage.order(ann, lot, { limit: usd(60), openingBid: usd(20) });
    const placed = await unfunded(bob, lot, 150);
    expect([placed.order.status, placed.match, placed.priceToBeat]).toEqual(['unfunded', null, usd(20)]);
    expect(await priceOf(lot)).toBe(usd(20));
    expect((await stage.order(await stage.agent(), lot, { limit: usd(50) })).priceToBeat).toBe(usd(50.01));
    expect(await issuedTo(database.db, bob)).toEqual({ orders: 0, matches: 0 });
    const seen = await ordersOf(
      database.db,
      { handle: bob, owner: `0xowner-of-${bob}` },
      { limit: 9, offset: 0 },
    );
    expect(seen.map((o) => [o.status, o.rested_at, o.left_at])).toEqual([['unfunded', null, null]]);
  });

  it('holds its caps and no money, and is its agent’s to look after', async () => {
    const lot = await stage.list(await stage.agent());
    const bob = await stage.agent();
    await unfunded(bob, lot, 40);
    expect(await heldOf(bob)).toMatchObject({ amount: usd(40), unfunded: usd(40), resting: 1 });
    expect(await moneyInFlight(database.db, bob)).toBe(0n);
    expect(await countResting(database.db, bob)).toBe(1);
    expect((await ownBuys(database.db, bob)).map((o) => o.status)).toEqual(['unfunded']);
  });

  it('takes the place of its agent’s own, and the next takes its', async () => {
    const lot = await stage.list(await stage.agent());
    const bob = await stage.agent();
    const first = await stage.order(bob, lot, { limit: usd(60), openingBid: usd(30) });
    stage.tick();
    const second = await unfunded(bob, lot, 80);
    expect([await statusOf(first.order.order_id), await priceOf(lot)]).toEqual(['cancelled', usd(100)]);
    stage.tick();
    const third = await stage.order(bob, lot, { limit: usd(70), openingBid: usd(25) });
    expect([await statusOf(second.order.order_id), await priceOf(lot)]).toEqual(['cancelled', usd(25)]);
    expect(await heldOf(bob)).toMatchObject({ amount: usd(70), unfunded: 0n, resting: 1 });
    expect(third.order.status).toBe('resting');
  });

  it('is a probe of its owner as any other', async () => {
    const lot = await stage.list(await stage.agent());
    const bob = await stage.agent();
    await unfunded(bob, lot, 40, { probes: 1 });
    stage.tick();
    await expect(unfunded(bob, lot, 41, { probes: 1 })).rejects.toMatchObject({ code: 'rate-limited' });
  });

  it('has no more than a bounded number beside it of its agent, whoever is fastest', async () => {
    const seller = await stage.agent();
    const bob = await stage.agent();
    const lots = await Promise.all(Array.from({ length: MOST_UNFUNDED + 3 }, () => stage.list(seller)));
    const placed = [];
    for (const lot of lots.slice(0, MOST_UNFUNDED - 1)) placed.push(await unfunded(bob, lot, 40));
    const last = await Promise.allSettled(lots.slice(MOST_UNFUNDED - 1).map((lot) => unfunded(bob, lot, 40)));
    const refused = last.filter((one) => one.status === 'rejected').map((one) => one.reason);
    expect(last.filter((one) => one.status === 'fulfilled')).toHaveLength(1);
    expect(refused.map((error) => error.code)).toEqual(['conflict', 'conflict', 'conflict']);
    expect(refused[0].message).toContain(`${MOST_UNFUNDED} may`);
    expect(await countResting(database.db, bob)).toBe(MOST_UNFUNDED);
    stage.tick();
    const own = placed[0]!.order;
    expect((await unfunded(bob, own.asset_key, 41)).order.status).toBe('unfunded');
    const free = lots[MOST_UNFUNDED + 2]!;
    expect((await stage.order(bob, lots.at(-1)!, { limit: usd(5) })).order.status).toBe('resting');
    const mine = { orderId: placed[1]!.order.order_id, handle: bob, now: stage.tick() };
    await stage.inTrx((trx) => cancelOrder(trx, mine));
    expect((await unfunded(bob, free, 40)).order.status).toBe('unfunded');
  });

  it('ends by itself, by its owner, with its agent and with its lot, and lets its caps go', async () => {
    const seller = await stage.agent();
    const lots = [await stage.list(seller), await stage.list(seller), await stage.list(seller)];
    const agents = [await stage.agent(), await stage.agent(), await stage.agent(), await stage.agent()];
    const placed = [
      await unfunded(agents[0]!, lots[0]!, 40, { expiresAt: stage.later(5_000) }),
      await unfunded(agents[1]!, lots[0]!, 40),
      await unfunded(agents[2]!, lots[1]!, 40),
      await unfunded(agents[3]!, lots[2]!, 40),
    ].map((p) => p.order.order_id);
    stage.tick(6_000);
    await expireOrders(database.db, stage.now());
    const mine = { orderId: placed[1]!, handle: agents[1]!, now: stage.now() };
    await stage.inTrx((trx) => cancelOrder(trx, mine));
    await withdrawOrders(database.db, agents[2]!, stage.now());
    await withdrawOrders(database.db, seller, stage.now());
    expect(await Promise.all(placed.map(statusOf))).toEqual([
      'expired',
      'cancelled',
      'cancelled',
      'cancelled',
    ]);
    for (const agent of agents) expect(await heldOf(agent)).toMatchObject({ amount: 0n, resting: 0 });
  });

  it('was never near another: it makes no close call, and is no news to other agents', async () => {
    const seller = await stage.agent();
    const lot = await stage.list(seller, { floor: usd(100) });
    const [ann, bob] = [await stage.agent(), await stage.agent()];
    await stage.order(ann, lot, { limit: usd(10) });
    await forgetChanges(database.db, await untoldChanges(database.db, 1_000));
    await unfunded(bob, lot, 98);
    expect(await untoldChanges(database.db, 1_000)).toEqual([]);
    stage.tick(120_000);
    for (const handle of [bob, seller]) await withdrawOrders(database.db, handle, stage.now());
    stage.tick(3_600_000);
    const newId = () => stage.fresh('cc');
    expect(await publishCloseCalls(database.db, { now: stage.now(), newId })).toBe(0);
  });
});

describe('money that goes and comes', () => {
  it('takes an order off the book with its price, and the next best matches', async () => {
    const seller = await stage.agent();
    const lot = await stage.list(seller, { floor: usd(95) });
    const [ann, bob] = [await stage.agent(), await stage.agent()];
    const best = await stage.order(ann, lot, { limit: usd(80) });
    const next = await stage.order(bob, lot, { limit: usd(70), openingBid: usd(30) });
    expect(await drains(lot, best.order.order_id)).toBe(true);
    expect(await drains(lot, best.order.order_id)).toBe(false);
    expect(await priceOf(lot)).toBe(usd(30));
    stage.tick();
    const owner = `0xowner-of-${seller}`;
    const { match } = await stage.order(seller, lot, { side: 'sell', limit: usd(60), owner });
    expect(match).toMatchObject({ buyer: bob, buyOrder: next.order.order_id, price: usd(65) });
    expect(await statusOf(best.order.order_id)).toBe('unfunded');
  });

  it('brings it back behind whoever rests at the same limit', async () => {
    const lot = await stage.list(await stage.agent());
    const [ann, bob] = [await stage.agent(), await stage.agent()];
    const early = await unfunded(ann, lot, 60);
    const late = await stage.order(bob, lot, { limit: usd(60), openingBid: usd(30) });
    stage.tick();
    const all = { handle: ann, after: 0n, limit: 1_000 };
    const waiting = async (most: bigint) =>
      (await unfundedOrders(database.db, { ...all, most })).map((o) => o.order_id);
    expect([await waiting(usd(60)), await waiting(usd(60) - 1n)]).toEqual([[early.order.order_id], []]);
    const row = await rests(lot, early.order.order_id);
    expect(row).toMatchObject({ status: 'resting', rested_at: stage.now(), left_at: null });
    expect(row!.seq).toBeGreaterThan(late.order.seq);
    expect(await rests(lot, early.order.order_id)).toBeNull();
    expect(await heldOf(ann)).toMatchObject({ amount: usd(60), unfunded: 0n, resting: 1 });
    expect(await moneyInFlight(database.db, ann)).toBe(usd(60));
    expect(await moneyInFlight(database.db, ann, { without: lot })).toBe(0n);
  });

  it('brings nothing back whose time is over', async () => {
    const lot = await stage.list(await stage.agent());
    const { order } = await unfunded(await stage.agent(), lot, 60, { expiresAt: stage.later(1_000) });
    stage.tick(2_000);
    expect(await rests(lot, order.order_id)).toBeNull();
  });
});
