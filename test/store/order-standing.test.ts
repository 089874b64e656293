import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../agents/errors.ts';
import { priceToBeat } from '../../agents/market/book.ts';
import { challengeBook } from '../../store/challenges.ts';
import { markSettled, unwindDeal } from '../../store/closings.ts';
import { asBid, frontBuys } from '../../store/lots.ts';
import { lookBeforeOrder } from '../../store/order-standing.ts';
import { findOrder } from '../../store/orders.ts';
import { heldBy } from '../../store/reservations.ts';
import { restAtOnce, restable } from '../../store/rest-at-once.ts';
import { cancelOrder } from '../../store/withdrawals.ts';
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
  const look = (await lookBeforeOrder(database.db, asked))!;
  const orderId = stage.fresh('order');
  const order = { orderId, side: 'buy' as const, limit: usd(20), openingBid: null };
  const expiresAt = stage.later(86_400_000);
  const rest = restable(look, { ...order, expiresAt, ...(nonce === undefined ? {} : { nonce }) })!;
  await happens();
  const row = await restAtOnce(database.db, rest);
  const written = await findOrder(database.db, orderId);
  expect(written).toEqual(row);
  return row !== null;
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
    expect((await heldBy(database.db, bob, stage.now())).amount).toBe(usd(20));
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
    }
    expect((await heldBy(database.db, seller, stage.now())).amount).toBe(0n);
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
    const buys = await stage.inTrx((trx) => frontBuys(trx, lot, { seller: null, limit: 10 }));
    expect(told!.price_to_beat).toBe(priceToBeat(usd(100), buys.map(asBid), null));
  });

  it('is left to the locks where it sells, would match, or finds orders whose time is over', async () => {
    const { lot, listingRef, seller } = await listed();
    const bob = await stage.agent();
    const look = async (handle: string) =>
      (await lookBeforeOrder(database.db, {
        ...{ listingRef, handle, owner: `0xowner-of-${handle}`, now: stage.now() },
      }))!;
    const terms = { orderId: stage.fresh('order'), openingBid: null, expiresAt: stage.later(86_400_000) };
    expect(restable(await look(seller), { ...terms, side: 'sell', limit: usd(90) })).toBeNull();
    expect(restable(await look(bob), { ...terms, side: 'buy', limit: usd(100) })).toBeNull();
    await stage.order(await stage.agent(), lot, { limit: usd(5), expiresAt: stage.later(1_000) });
    expect(restable(await look(bob), { ...terms, side: 'buy', limit: usd(20) })).not.toBeNull();
    stage.tick(2_000);
    expect(restable(await look(bob), { ...terms, side: 'buy', limit: usd(20) })).toBeNull();
    await stage.setStatus(bob, 'paused');
    const paused = await look(bob);
    expect(() =>
      restable(
        { ...paused, before: { ...paused.before, overdue: false } },
        { ...terms, side: 'buy', limit: usd(20) },
      ),
    ).toThrow(/paused/);
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
    const ownAtOnce = () => restsAfter(twin, listingRef, nothing, { owner });
    const own = async (limit: bigint) => (await stage.order(twin, lot, { owner, limit })).priceToBeat;

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

  it('makes no price any more that it made by an older release', async () => {
    const url = new URL('../../store/migrations/0027-price-of-others.sql', import.meta.url);
    const text = readFileSync(url, 'utf8');
    const migration = sql.raw(text.slice(text.indexOf('update lots')));
    const lots: string[] = [];
    for (const others of [0, 1, 2, 3]) {
      const { lot, seller } = await listed();
      lots.push(lot);
      const owner = `0xowner-of-${seller}`;
      await stage.order(await stage.agent(undefined, owner), lot, { owner, limit: usd(90) });
      for (let n = 0; n < others; n++) {
        await stage.order(await stage.agent(), lot, {
          limit: usd(60 + 10 * n),
          openingBid: usd(30 + 25 * n),
        });
      }
    }
    const prices = () =>
      database.db
        .selectFrom('lots')
        .select(['asset_key', 'price_to_beat'])
        .where('asset_key', 'in', lots)
        .orderBy('asset_key')
        .execute();
    const right = await prices();
    await database.db
      .updateTable('lots')
      .set((eb) => ({ price_to_beat: eb('price_to_beat', '+', 10_000n) }))
      .execute();
    const { lot: alone } = await listed();
    await database.db.updateTable('lots').set({ price_to_beat: 1n }).where('asset_key', '=', alone).execute();
    await migration.execute(database.db);
    expect(await prices()).toEqual(right);
    // Where the seller's owner bids nothing the price is what it was.
    lots.push(alone);
    expect((await prices()).find((l) => l.asset_key === alone)?.price_to_beat).toBe(1n);
  });
});

describe('what the chain has booked of an agent’s deals', () => {
  it('is known by its last block, and by none where a settlement does not say its own', async () => {
    const ann = await stage.agent();
    const booked = async () => {
      const { listingRef } = await listed();
      const asked = { listingRef, handle: ann, owner: `0xowner-of-${ann}`, now: stage.now() };
      return (await lookBeforeOrder(database.db, asked))!.before.bookedBlock;
    };
    const settle = async (block?: bigint) => {
      const { lot } = await listed();
      const { match } = await stage.order(ann, lot, { limit: usd(100) });
      const settled = { dealId: match!.dealId, tx: '0x1', now: stage.now() };
      await stage.inTrx((trx) => markSettled(trx, block === undefined ? settled : { ...settled, block }));
    };
    expect(await booked()).toBeNull();
    await settle(9n);
    await settle(4n);
    expect(await booked()).toBe(9n);
    await settle();
    expect(await booked()).toBe(2n ** 63n - 1n);
  });
});

describe('the signature that asks for an order', () => {
  const book = () => challengeBook(database.db);
  async function asked(): Promise<string> {
    const nonce = stage.fresh('nonce');
    const to = { wallet: '0x1', method: 'POST', path: '/order', bodyHash: '', message: '' };
    await book().insert({ nonce, ...to, expiresAt: stage.later(600_000) });
    return nonce;
  }

  it('counts once, however many come with it at the same time', async () => {
    const lot = await stage.list(await stage.agent());
    const handle = await stage.agent();
    const nonce = await asked();
    const all = await Promise.allSettled(
      Array.from({ length: 8 }, () => stage.order(handle, lot, { nonce, limit: usd(10) })),
    );
    expect(all.filter((a) => a.status === 'fulfilled')).toHaveLength(1);
    const refused = all.flatMap((a) => (a.status === 'rejected' ? [a.reason.code] : []));
    expect(refused).toEqual(Array.from({ length: 7 }, () => 'signature-used'));
    expect((await book().find(nonce))?.usedAt).toEqual(stage.now());
  });

  it('counts once for an order that was judged by a look, and is not used where that does not rest', async () => {
    const { listingRef } = await listed();
    const [ann, bob] = [await stage.agent(), await stage.agent()];
    const nonce = await asked();
    const used = async () => (await book().find(nonce))?.usedAt ?? null;
    const elsewhere = await listed();
    const orders = () => stage.order(ann, elsewhere.lot, { limit: usd(10) });
    expect(await restsAfter(ann, listingRef, orders, { nonce })).toBe(false);
    expect(await used()).toBeNull();
    expect(await restsAfter(ann, listingRef, nothing, { nonce })).toBe(true);
    expect(await used()).toEqual(stage.now());
    expect(await restsAfter(bob, listingRef, nothing, { nonce })).toBe(false);
  });

  it('is used with the order, or not at all', async () => {
    const lot = await stage.list(await stage.agent());
    const nonce = await asked();
    const judge = () => {
      throw new AppError('mandate-exceeded', 'Too much.');
    };
    const refused = stage.order(await stage.agent(), lot, { nonce, judge });
    await expect(refused).rejects.toMatchObject({ code: 'mandate-exceeded' });
    expect((await book().find(nonce))?.usedAt).toBeNull();
  });
});
