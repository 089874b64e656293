import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../agents/errors.ts';
import { priceToBeat } from '../../agents/market/book.ts';
import { judgeOnBook } from '../../runtime/market/orders/judge-placing.ts';
import { heldBy } from '../../store/agent/reservations.ts';
import { usedSignatures } from '../../store/http/used-signatures.ts';
import { asBid, frontBuys } from '../../store/market/lots.ts';
import { readOrderSnapshot } from '../../store/market/order-context.ts';
import { findOrder } from '../../store/market/orders.ts';
import { writeOrder } from '../../store/market/place-order.ts';
import { cancelOrder } from '../../store/market/withdrawals.ts';
import { markSettled, unwindDeal } from '../fixtures/closings.ts';
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

const usd = (dollars: number): bigint => BigInt(dollars) * 1_000_000n;

async function listed(terms: Parameters<MarketStage['list']>[1] = {}) {
  const listingRef = stage.fresh('lst');
  const seller = await stage.agent();
  const lot = await stage.list(seller, { ask: usd(100), listingRef, ...terms });
  return { lot, listingRef, seller };
}

/** Looks, lets something happen, and rests an order by the look: @returns whether it rested. */
async function restsAfter(
  handle: string,
  listingRef: string,
  happens: () => Promise<unknown>,
  { nonce, owner = `0xowner-of-${handle}` }: { nonce?: string; owner?: string } = {},
): Promise<boolean> {
  const asked = { listingRef, handle, owner, now: stage.now() };
  const look = (await readOrderSnapshot(database.db, asked))!;
  const orderId = stage.fresh('order');
  const order = { orderId, side: 'buy' as const, limit: usd(20), openingBid: null };
  const expiresAt = stage.later(86_400_000);
  const judged = judgeOnBook(look, { ...order, expiresAt, ...(nonce === undefined ? {} : { nonce }) });
  expect(judged.priceToBeat).not.toBeNull();
  await happens();
  const row = await writeOrder(database.db, judged);
  const isPlaced = typeof row !== 'string';
  expect(await findOrder(database.db, orderId)).toEqual(isPlaced ? row : null);
  return isPlaced;
}

const nothing = async (): Promise<void> => {};

describe('an order that was judged by a look', () => {
  it('rests as one that was judged under the locks, with what it holds and the price it makes', async () => {
    const { lot, listingRef } = await listed();
    const bob = await stage.agent();
    expect(await restsAfter(bob, listingRef, nothing)).toBe(true);
    const other = await listed();
    await stage.order(await stage.agent(), other.lot, { limit: usd(20) });
    const price = (of: string) =>
      database.db.selectFrom('lots').select(['price_to_beat', 'open']).where('asset_key', '=', of).execute();
    expect(await price(lot)).toEqual(await price(other.lot));
    expect((await heldBy(database.db, stage.side(bob), stage.now())).amount).toBe(usd(20));
  });

  it('does not rest, and leaves nothing, once anything that it was judged by is another', async () => {
    const { lot, listingRef, seller } = await listed();
    const elsewhere = await listed();
    const ann = await stage.agent();
    const bob = await stage.agent();
    const ask = (ref: string, to: bigint) =>
      database.db.updateTable('listings').set({ ask: to }).where('listing_ref', '=', ref).execute();
    const changes: Record<string, () => Promise<unknown>> = {
      'its agent orders elsewhere': () => stage.order(ann, elsewhere.lot, { limit: usd(10) }),
      'another orders on the lot': () => stage.order(bob, lot, { limit: usd(10) }),
      'the seller asks more': () => ask(listingRef, usd(110)),
      'another stands behind the seller': () =>
        database.db
          .updateTable('orders')
          .set({ owner: '0xanother' })
          .where('listing_ref', '=', listingRef)
          .where('side', '=', 'sell')
          .execute(),
      'its agent is paused': () => stage.setStatus(ann, 'paused'),
      'its agent changes hands': () =>
        database.db.updateTable('agents').set({ epoch: 2 }).where('handle', '=', ann).execute(),
      'its agent buys elsewhere': () => stage.order(ann, elsewhere.lot, { limit: usd(100) }),
      'what it bought is paid': async () => {
        const { dealId } = await database.db
          .selectFrom('deals')
          .select('deal_id as dealId')
          .where('buyer', '=', ann)
          .executeTakeFirstOrThrow();
        await stage.inTrx((trx) => markSettled(trx, { dealId, tx: '0x1', block: 7n, now: stage.now() }));
      },
      'the lot is sold': () => stage.order(bob, lot, { limit: usd(200) }),
    };
    for (const [what, change] of Object.entries(changes)) {
      expect(await restsAfter(ann, listingRef, change), what).toBe(false);
      await stage.setStatus(ann, 'active');
      stage.tick();
    }
    expect((await heldBy(database.db, stage.side(seller), stage.now())).amount).toBe(0n);
  });

  it('rests when only others, on other lots, did something', async () => {
    const [one, other] = [await listed(), await listed()];
    const [ann, bob] = [await stage.agent(), await stage.agent()];
    expect(await restsAfter(ann, one.listingRef, () => stage.order(bob, other.lot, {}))).toBe(true);
  });

  it('is one of many that come at the same time, and the price is as if they came one by one', async () => {
    const { lot, listingRef } = await listed();
    const agents = await Promise.all(Array.from({ length: 6 }, () => stage.agent()));
    const rested = await Promise.all(agents.map((a) => restsAfter(a, listingRef, nothing)));
    expect(rested).toContain(true);
    const orders = await database.db
      .selectFrom('orders')
      .select('order_id')
      .where('asset_key', '=', lot)
      .where('side', '=', 'buy')
      .execute();
    expect(orders).toHaveLength(rested.filter(Boolean).length);
    const [told] = await database.db
      .selectFrom('lots')
      .select('price_to_beat')
      .where('asset_key', '=', lot)
      .execute();
    const buys = await frontBuys(database.db, lot, { without: [], now: stage.now(), limit: 10 });
    expect(told!.price_to_beat).toBe(priceToBeat(usd(100), buys.map(asBid), null));
  });

  it('ends what lies on the lot past its time, at once, and makes the price without it', async () => {
    const { lot, listingRef } = await listed();
    const [ann, bob] = [await stage.agent(), await stage.agent()];
    const { order } = await stage.order(ann, lot, { limit: usd(50), expiresAt: stage.later(1_000) });
    stage.tick(2_000);
    expect(await restsAfter(bob, listingRef, nothing)).toBe(true);
    expect(await findOrder(database.db, order.order_id)).toMatchObject({
      status: 'expired',
      left_at: stage.now(),
    });
    expect((await heldBy(database.db, stage.side(ann), stage.now())).amount).toBe(0n);
    const [told] = await database.db
      .selectFrom('lots')
      .select('price_to_beat')
      .where('asset_key', '=', lot)
      .execute();
    expect(told!.price_to_beat).toBe(usd(20));
  });

  it('is refused on a lot whose seller’s order is past its time', async () => {
    const { listingRef } = await listed({ expiresAt: stage.later(1_000) });
    stage.tick(2_000);
    const rests = restsAfter(await stage.agent(), listingRef, nothing);
    await expect(rests).rejects.toMatchObject({ code: 'not-listed' });
  });
});

describe('an order of the seller’s own owner', () => {
  it('rests, under the locks or at once, and moves no price, nor any that others make', async () => {
    const { lot, listingRef, seller } = await listed();
    const owner = `0xowner-of-${seller}`;
    const [twin, ann, bob] = [await stage.agent(undefined, owner), await stage.agent(), await stage.agent()];
    const row = () =>
      database.db.selectFrom('lots').selectAll().where('asset_key', '=', lot).executeTakeFirstOrThrow();
    const price = async () => (await row()).price_to_beat;
    const cents = (of: number): bigint => BigInt(of) * 10_000n;
    const ownAtOnce = () => {
      stage.tick();
      return restsAfter(twin, listingRef, nothing, { owner });
    };
    const own = async (limit: bigint) => {
      stage.tick();
      return (await stage.order(twin, lot, { owner, limit })).priceToBeat;
    };

    const untouched = await row();
    stage.tick();
    expect(await ownAtOnce()).toBe(true);
    expect([await own(usd(80)), await own(usd(120))]).toEqual([usd(100), usd(100)]);
    expect(await row()).toEqual(untouched);

    expect(await restsAfter(ann, listingRef, nothing)).toBe(true);
    expect(await price()).toBe(usd(20));
    const { order, priceToBeat: second } = await stage.order(bob, lot, { limit: usd(30) });
    expect([second, await price()]).toEqual([usd(30), usd(30)]);
    const third = await stage.order(await stage.agent(), lot, { limit: usd(40), openingBid: usd(5) });
    expect([third.priceToBeat, await price()]).toEqual([cents(30_01), cents(30_01)]);
    expect(await ownAtOnce()).toBe(true);
    expect([await own(usd(35)), await price()]).toEqual([cents(30_01), cents(30_01)]);

    stage.tick();
    await stage.inTrx((trx) => cancelOrder(trx, { orderId: order.order_id, handle: bob, now: stage.now() }));
    expect(await price()).toBe(cents(20_01));
    const lower = await stage.order(seller, lot, { side: 'sell', limit: usd(90) });
    expect([lower.match, lower.priceToBeat]).toEqual([null, cents(20_01)]);
    const { match } = await stage.order(bob, lot, { limit: usd(90) });
    const undone = { dealId: match!.dealId, reason: 'test', orderId: stage.fresh('again'), ids: stage.ids() };
    await stage.inTrx((trx) => unwindDeal(trx, { ...undone, allows: () => true, now: stage.now() }));
    expect(await row()).toMatchObject({ price_to_beat: cents(20_01), open: true });
  });
});

describe('what the chain has booked of an agent’s deals', () => {
  it('is known by its last block', async () => {
    const ann = await stage.agent();
    const booked = async () => {
      const { listingRef } = await listed();
      const asked = { listingRef, handle: ann, owner: `0xowner-of-${ann}`, now: stage.now() };
      return (await readOrderSnapshot(database.db, asked))!.before.bookedBlock;
    };
    const settle = async (block: bigint) => {
      const { lot } = await listed();
      const { match } = await stage.order(ann, lot, { limit: usd(100) });
      const settled = { dealId: match!.dealId, tx: '0x1', block, now: stage.now() };
      await stage.inTrx((trx) => markSettled(trx, settled));
    };
    expect(await booked()).toBeNull();
    await settle(9n);
    await settle(4n);
    expect(await booked()).toBe(9n);
  });
});

describe('the signature that asks for an order', () => {
  const isUsed = (nonce: string) => usedSignatures(database.db).isUsed(nonce);

  it('counts once, however many come with it at the same time', async () => {
    const lot = await stage.list(await stage.agent());
    const handles = await Promise.all(Array.from({ length: 8 }, () => stage.agent()));
    const nonce = stage.fresh('nonce');
    const all = await Promise.allSettled(
      handles.map((handle) => stage.order(handle, lot, { nonce, limit: usd(10) })),
    );
    expect(all.filter((a) => a.status === 'fulfilled')).toHaveLength(1);
    const refused = all.flatMap((a) => (a.status === 'rejected' ? [a.reason.code] : []));
    expect(refused).toEqual(Array.from({ length: 7 }, () => 'signature-used'));
    expect(await isUsed(nonce)).toBe(true);
  });

  it('counts once for an order that was judged by a look, and is not used where that does not rest', async () => {
    const { listingRef } = await listed();
    const [ann, bob] = [await stage.agent(), await stage.agent()];
    const nonce = stage.fresh('nonce');
    const elsewhere = await listed();
    const orders = () => stage.order(ann, elsewhere.lot, { limit: usd(10) });
    expect(await restsAfter(ann, listingRef, orders, { nonce })).toBe(false);
    expect(await isUsed(nonce)).toBe(false);
    expect(await restsAfter(ann, listingRef, nothing, { nonce })).toBe(true);
    expect(await isUsed(nonce)).toBe(true);
    expect(await restsAfter(bob, listingRef, nothing, { nonce })).toBe(false);
  });

  it('is used with the order, or not at all', async () => {
    const lot = await stage.list(await stage.agent());
    const nonce = stage.fresh('nonce');
    const judge = () => {
      throw new AppError('mandate-exceeded', 'Too much.');
    };
    const refused = stage.order(await stage.agent(), lot, { nonce, judge });
    await expect(refused).rejects.toMatchObject({ code: 'mandate-exceeded' });
    expect(await isUsed(nonce)).toBe(false);
  });
});
