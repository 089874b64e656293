import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../agents/errors.ts';
import { challengeBook } from '../../store/challenges.ts';
import { markSettled } from '../../store/closings.ts';
import { outsetOf, sameMark } from '../../store/order-standing.ts';
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

describe('caps that were read before an agent is locked', () => {
  it('count no more once it orders, takes back, or pays what it held; other agents change nothing', async () => {
    const lots = [];
    for (let i = 0; i < 3; i++) lots.push(await stage.list(await stage.agent(), { ask: usd(100) }));
    const [one, two, three] = lots as [string, string, string];
    const [ann, bob] = [await stage.agent(), await stage.agent()];
    const markOf = async () => (await outsetOf(database.db, ann, null))!.mark;
    let before = await markOf();
    const moved = async (): Promise<boolean> => {
      const now = await markOf();
      const same = sameMark(before, now);
      before = now;
      return !same;
    };
    expect(await moved()).toBe(false);
    const resting = await stage.order(ann, one, { limit: usd(10) });
    expect(await moved()).toBe(true);
    const bought = await stage.order(ann, two, { limit: usd(100) });
    expect(await moved()).toBe(true);
    await stage.order(bob, three, { limit: usd(10) });
    expect(await moved()).toBe(false);
    const { dealId } = bought.match!;
    await stage.inTrx((trx) => markSettled(trx, { dealId, tx: '0x1', now: stage.now() }));
    expect(await moved()).toBe(true);
    // As many hold as before, and one that held has been paid.
    before = { ...before, newestOrder: before.newestOrder! - 1n };
    expect(await moved()).toBe(true);
    stage.tick();
    const taken = { orderId: resting.order.order_id, handle: ann, now: stage.now() };
    await stage.inTrx((trx) => cancelOrder(trx, taken));
    expect(await moved()).toBe(true);
  });

  it('are known with the lot that a listing is of, and for no agent that is not there', async () => {
    const handle = await stage.agent();
    const lot = await stage.list(handle, { listingRef: 'lst_named' });
    expect(await outsetOf(database.db, handle, 'lst_named')).toMatchObject({ lot, agent: { handle } });
    expect((await outsetOf(database.db, handle, 'lst_other'))?.lot).toBeNull();
    expect(await outsetOf(database.db, 'nobody', 'lst_named')).toBeNull();
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
