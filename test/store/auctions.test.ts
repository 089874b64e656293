import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MOST_PASSED_OVER } from '../../agents/market/auction.ts';
import { nameMoney } from '../../agents/market/pricing/fees.ts';
import { projectAuction } from '../../runtime/names/auction-projection.ts';
import { heldBeside, heldBy } from '../../store/agent/reservations.ts';
import { createCheckout } from '../../store/checkout/checkouts.ts';
import type { Trx } from '../../store/database.ts';
import { findDeal } from '../../store/deal/deals.ts';
import { listCatalogue } from '../../store/market/catalogue.ts';
import { payListing } from '../../store/market/listing-payments.ts';
import { liveListingOf } from '../../store/market/listings.ts';
import { listBook } from '../../store/market/lots.ts';
import { listMatches } from '../../store/market/matches.ts';
import { reviewOrders } from '../../store/market/order-reviews.ts';
import { cancelOrder, leaveBook, withdrawOrders } from '../../store/market/withdrawals.ts';
import { closeAuction, openAuction, runningAuction } from '../../store/names/auctions.ts';
import { type Bidden, bidOnName, buyName, type NameBid } from '../../store/names/name-bids.ts';
import { listNames } from '../../store/names/name-listings.ts';
import { markSettled, unwindDeal } from '../fixtures/closings.ts';
import { type MarketStage, marketStage } from '../fixtures/market-stage.ts';
import { testDatabase } from '../fixtures/postgres.ts';

let database: Awaited<ReturnType<typeof testDatabase>>;
let stage: MarketStage;

beforeAll(async () => {
  database = await testDatabase();
  stage = marketStage(database.db);
});
afterAll(() => database.drop());

const usd = (dollars: number): bigint => BigInt(Math.round(dollars * 1_000_000));
const pays = (dollars: number) => nameMoney(usd(dollars)).buyerPays;
const page = { limit: 100, offset: 0 };
const HOUR = 3_600_000;
const MINUTES = 60_000;

/** A listed name at 100 dollars. @returns its asset key */
async function listed(handle: string, ask = usd(100)): Promise<string> {
  const serial = `${stage.fresh('name').replace('_', '')}.x`;
  return stage.list(handle, {
    asset: { kind: 'serial', serialKind: 'name', serial },
    ask,
    floor: null,
    negotiable: false,
  });
}

const row = async (key: string) =>
  (await listNames(database.db, { now: stage.now(), name: key.slice('serial:name:'.length), ...page }))[0];

const start = (handle: string, assetKey: string, terms: Partial<Parameters<typeof openAuction>[1]> = {}) =>
  stage.inTrx((trx) =>
    openAuction(trx, {
      auctionId: stage.fresh('auction'),
      assetKey,
      handle,
      format: 'ascending',
      start: null,
      reserve: usd(10),
      durationMs: HOUR,
      windowMs: 5 * MINUTES,
      extensionMs: 5 * MINUTES,
      now: stage.now(),
      judge: async () => {},
      ...terms,
    }),
  );

describe('names for sale', () => {
  it('by format come in the order of their listings, whenever their auctions began, and page by page', async () => {
    const ann = await stage.agent();
    const keys: string[] = [];
    for (let n = 0; n < 6; n++) keys.push(await listed(ann));
    // Begun in another order than the listings.
    for (const n of [4, 0, 2]) await start(ann, keys[n]!);
    const dutch = await listed(ann);
    await start(ann, dutch, { format: 'dutch' });
    const of = async (format: 'ascending' | 'dutch' | 'buy-now', after?: string) => {
      const query = { now: stage.now(), format, ...(after === undefined ? {} : { after }), ...page };
      return await listNames(database.db, { ...query, limit: 2 });
    };
    const names = async (format: 'ascending' | 'dutch' | 'buy-now') => {
      const seen: string[] = [];
      for (let rows = await of(format); rows.length > 0; rows = await of(format, rows.at(-1)!.listingRef))
        seen.push(...rows.map(({ name }) => `serial:name:${name}`));
      return seen;
    };
    expect(await names('ascending')).toEqual([keys[4], keys[2], keys[0]]);
    expect(await names('dutch')).toEqual([dutch]);
    expect(await names('buy-now')).toEqual([keys[5], keys[3], keys[1]]);
    for (const key of [...keys, dutch])
      await database.db
        .updateTable('listings')
        .set({ status: 'dropped' })
        .where('asset_key', '=', key)
        .execute();
    await database.db.updateTable('auctions').set({ status: 'withdrawn' }).execute();
  });
});

const order = (handle: string, assetKey: string, limit: number, terms: Partial<NameBid> = {}): NameBid => ({
  orderId: stage.fresh('bid'),
  assetKey,
  handle,
  owner: `0xowner-of-${handle}`,
  limit: usd(limit),
  now: stage.now(),
  ids: stage.ids(),
  judge: async () => {},
  allows: (pair) => pair.sell.owner !== pair.buy.owner,
  ...terms,
});
const bid = (...args: Parameters<typeof order>): Promise<Bidden> =>
  stage.inTrx(async (trx) => {
    const bidden = await bidOnName(trx, order(...args));
    if (bidden.match) await shows(trx, bidden.auction.auction_id, 'won', bidden.match.dealId);
    return bidden;
  });
const buy = (...args: Parameters<typeof order>) => stage.inTrx((trx) => buyName(trx, order(...args)));
const close = (auctionId: string, allows: NameBid['allows'] = () => true) =>
  stage.inTrx(async (trx) => {
    const closing = await closeAuction(trx, { auctionId, ids: stage.ids(), allows, now: stage.now() });
    if (closing.outcome === 'won') await shows(trx, auctionId, 'won', closing.dealId);
    else if (closing.outcome !== 'early') await shows(trx, auctionId, closing.outcome, null);
    return closing;
  });

/** Shows the auction as its actor would. */
const shows = (trx: Trx, auctionId: string, value: string, dealId: string | null): Promise<void> =>
  projectAuction(trx, auctionId, { value, context: { dealId } }, stage.now());

describe('a name at its ask', () => {
  it('stands among the names for sale, and in no book and no catalogue', async () => {
    const [ann, bob] = [await stage.agent(), await stage.agent()];
    const key = await listed(ann);
    expect(await row(key)).toMatchObject({ ask: usd(100), seller: `0xaccount-of-${ann}`, auction: null });
    expect(await listBook(database.db, { lot: key, ...page })).toEqual([]);
    expect((await listCatalogue(database.db, page)).filter((r) => r.lot === key)).toEqual([]);
    const match = await buy(bob, key, 100);
    expect(match).toMatchObject({ price: usd(100), fee: usd(5), seller: ann, buyer: bob });
    expect((await heldBy(database.db, stage.side(bob), stage.now())).amount).toBe(usd(102.5));
    expect(await row(key)).toBeUndefined();
    await expect(buy(bob, key, 100)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('is sold at the ask however much more was offered, and not for less', async () => {
    const [ann, bob] = [await stage.agent(), await stage.agent()];
    const key = await listed(ann);
    await expect(buy(bob, key, 99.99)).rejects.toMatchObject({ code: 'conflict' });
    expect((await heldBy(database.db, stage.side(bob), stage.now())).amount).toBe(0n);
    expect((await buy(bob, key, 120)).price).toBe(usd(100));
    expect((await heldBy(database.db, stage.side(bob), stage.now())).amount).toBe(usd(102.5));
  });

  it('has one buyer, however many come at once', async () => {
    const ann = await stage.agent();
    const key = await listed(ann);
    const buyers = await Promise.all(Array.from({ length: 12 }, () => stage.agent()));
    const answers = await Promise.allSettled(buyers.map((b) => buy(b, key, 100)));
    expect(answers.filter((a) => a.status === 'fulfilled')).toHaveLength(1);
    expect(await listMatches(database.db, { lot: key, ...page })).toHaveLength(1);
    const held = await Promise.all(
      buyers.map(async (b) => (await heldBy(database.db, stage.side(b), stage.now())).amount),
    );
    expect(held.filter((amount) => amount > 0n)).toEqual([usd(102.5)]);
  });

  it('goes back to its ask when the deal does not settle, and is gone when it does', async () => {
    const [ann, bob, cyd] = [await stage.agent(), await stage.agent(), await stage.agent()];
    const key = await listed(ann);
    const first = await buy(bob, key, 100);
    const undone = await stage.inTrx((trx) =>
      unwindDeal(trx, {
        dealId: first.dealId,
        reason: 'no',
        orderId: stage.fresh('sell'),
        ids: stage.ids(),
        allows: () => true,
        now: stage.now(),
      }),
    );
    expect(undone).toEqual({ unwound: true, listed: true, match: null });
    expect((await heldBy(database.db, stage.side(bob), stage.now())).amount).toBe(0n);
    const second = await buy(cyd, key, 100);
    await stage.inTrx((trx) =>
      markSettled(trx, { dealId: second.dealId, tx: '0x1', block: 1n, now: stage.now() }),
    );
    expect(await liveListingOf(database.db, key)).toBeNull();
  });
});

describe('an auction', () => {
  it('opens only for its seller, one at a time, and closes the way to buy at the ask', async () => {
    const [ann, bob] = [await stage.agent(), await stage.agent()];
    const key = await listed(ann);
    await expect(bid(bob, key, 50)).rejects.toThrow('No auction of this name is under way');
    await expect(start(bob, key)).rejects.toMatchObject({ code: 'not-listed' });
    const auction = await start(ann, key);
    await expect(start(ann, key)).rejects.toMatchObject({ code: 'conflict' });
    await expect(buy(bob, key, 100)).rejects.toThrow('An auction of this name is under way');
    expect((await row(key))?.auction).toEqual({
      auctionId: auction.auction_id,
      format: 'ascending',
      opening: usd(10),
      reserve: usd(10),
      figure: usd(10),
      startsAt: stage.now(),
      endsAt: stage.later(HOUR),
    });
  });

  it('without a bid leaves the name at its ask again', async () => {
    const [ann, bob] = [await stage.agent(), await stage.agent()];
    const key = await listed(ann);
    const { auction_id } = await start(ann, key);
    expect(await close(auction_id)).toEqual({ outcome: 'early', waitMs: HOUR });
    stage.tick(HOUR);
    await expect(bid(bob, key, 50)).rejects.toThrow('The auction of this name is over');
    expect(await close(auction_id)).toEqual({ outcome: 'unsold' });
    expect(await close(auction_id)).toEqual({ outcome: 'unsold' });
    expect((await row(key))?.auction).toBeNull();
    await start(ann, key);
  });

  it('keeps the name of a seller who is stopped until its end, and ends unsold and without the name then', async () => {
    const [ann, bob] = [await stage.agent(), await stage.agent()];
    const key = await listed(ann);
    const { auction_id } = await start(ann, key);
    await bid(bob, key, 50);
    await stage.setStatus(ann, 'paused');
    expect(await withdrawOrders(database.db, ann, stage.now())).toBe(0);
    expect((await row(key))?.auction?.figure).toBe(usd(10.5));
    expect((await heldBy(database.db, stage.side(bob), stage.now())).amount).toBe(pays(50));
    stage.tick(HOUR);
    expect(await close(auction_id)).toEqual({ outcome: 'unsold' });
    expect((await heldBy(database.db, stage.side(bob), stage.now())).amount).toBe(0n);
    expect(await row(key)).toBeUndefined();
    expect(await liveListingOf(database.db, key)).toBeNull();
  });

  it('sells the name of a seller who was stopped and goes on before its end', async () => {
    const [ann, bob] = [await stage.agent(), await stage.agent()];
    const key = await listed(ann);
    const { auction_id } = await start(ann, key);
    await bid(bob, key, 50);
    await stage.setStatus(ann, 'paused');
    await withdrawOrders(database.db, ann, stage.now());
    await stage.setStatus(ann, 'active');
    stage.tick(HOUR);
    expect(await close(auction_id)).toMatchObject({ outcome: 'won', match: { buyer: bob, price: usd(10) } });
  });

  it('whose listing fee is disputed frees what was bid at its end, and its next auction knows nothing of it', async () => {
    const [ann, bob, cyd] = [await stage.agent(), await stage.agent(), await stage.agent()];
    const key = await listed(ann);
    const { auction_id, listing_ref } = await start(ann, key);
    await bid(bob, key, 50);
    const pay = (paid: boolean) =>
      stage.inTrx((trx) => payListing(trx, listing_ref, { paid, expiresAt: null, now: stage.now() }));
    await pay(false);
    stage.tick(HOUR);
    expect(await close(auction_id)).toEqual({ outcome: 'withdrawn' });
    expect((await heldBy(database.db, stage.side(bob), stage.now())).amount).toBe(0n);
    await pay(true);
    await start(ann, key);
    expect(await bid(cyd, key, 20)).toMatchObject({ status: 'leading', figure: usd(10.5) });
  });

  it('whose listing fee is disputed and paid again before its end goes on', async () => {
    const [ann, bob] = [await stage.agent(), await stage.agent()];
    const key = await listed(ann);
    const { auction_id, listing_ref } = await start(ann, key);
    await bid(bob, key, 50);
    const pay = (paid: boolean) =>
      stage.inTrx((trx) => payListing(trx, listing_ref, { paid, expiresAt: null, now: stage.now() }));
    await pay(false);
    expect(await close(auction_id)).toEqual({ outcome: 'early', waitMs: HOUR });
    await pay(true);
    stage.tick(HOUR);
    expect(await close(auction_id)).toMatchObject({ outcome: 'won', match: { buyer: bob } });
  });

  it('counts no bid that rests on another listing of the name', async () => {
    const [ann, bob, cyd] = [await stage.agent(), await stage.agent(), await stage.agent()];
    const key = await listed(ann);
    const { listing_ref } = await start(ann, key);
    await bid(bob, key, 60);
    // As a listing left it that ended otherwise than by the book.
    await database.db
      .updateTable('listings')
      .set({ status: 'dropped' })
      .where('listing_ref', '=', listing_ref)
      .execute();
    await database.db
      .updateTable('pledges')
      .set({ released_at: stage.now() })
      .where('listing_ref', '=', listing_ref)
      .execute();
    const serial = key.slice('serial:name:'.length);
    const dan = await stage.agent();
    await stage.list(dan, {
      asset: { kind: 'serial', serialKind: 'name', serial },
      ask: usd(100),
      floor: null,
      negotiable: false,
    });
    await start(dan, key);
    expect(await bid(cyd, key, 20)).toMatchObject({ status: 'leading', figure: usd(10.5) });
  });
});

describe('a Dutch auction', () => {
  it('falls from its start to its reserve, and the first who covers the price has the name at that price', async () => {
    const [ann, bob, cyd] = [await stage.agent(), await stage.agent(), await stage.agent()];
    const key = await listed(ann);
    await expect(start(ann, key, { format: 'dutch', reserve: usd(100) })).rejects.toMatchObject({
      code: 'bad-request',
    });
    const { auction_id } = await start(ann, key, { format: 'dutch', reserve: usd(20) });
    expect((await row(key))?.auction).toMatchObject({ opening: usd(100), figure: usd(100) });
    stage.tick(HOUR / 4);
    expect((await row(key))?.auction?.figure).toBe(usd(80));
    await expect(bid(bob, key, 79.99)).rejects.toMatchObject({
      code: 'conflict',
      extra: { priceToBeatUsd: 80 },
    });
    const won = await bid(bob, key, 95);
    expect(won).toMatchObject({ status: 'won', figure: usd(80), match: { price: usd(80), fee: usd(4) } });
    expect((await heldBy(database.db, stage.side(bob), stage.now())).amount).toBe(pays(80));
    await expect(bid(cyd, key, 95)).rejects.toMatchObject({ code: 'conflict' });
    expect(await close(auction_id)).toEqual({
      outcome: 'won',
      dealId: won.match?.dealId,
      match: null,
    });
    expect(await findDeal(database.db, won.match!.dealId)).toMatchObject({ price: usd(80), fee: usd(4) });
  });

  it('has one taker, however many come at once', async () => {
    const ann = await stage.agent();
    const key = await listed(ann);
    await start(ann, key, { format: 'dutch', reserve: usd(20) });
    stage.tick(HOUR / 2);
    const takers = await Promise.all(Array.from({ length: 12 }, () => stage.agent()));
    const answers = await Promise.allSettled(takers.map((t) => bid(t, key, 90)));
    expect(answers.filter((a) => a.status === 'fulfilled')).toHaveLength(1);
    const matches = await listMatches(database.db, { lot: key, ...page });
    expect(matches.map((m) => m.price)).toEqual([usd(60)]);
  });

  it('sells nothing while its seller is stopped, and stays', async () => {
    const [ann, bob] = [await stage.agent(), await stage.agent()];
    const key = await listed(ann);
    const { auction_id } = await start(ann, key, { format: 'dutch', reserve: usd(20) });
    await stage.setStatus(ann, 'paused');
    await withdrawOrders(database.db, ann, stage.now());
    await expect(bid(bob, key, 100)).rejects.toThrow('The seller of this name may not trade now');
    expect((await heldBy(database.db, stage.side(bob), stage.now())).amount).toBe(0n);
    await stage.setStatus(ann, 'active');
    expect(await bid(bob, key, 100)).toMatchObject({ status: 'won' });
    expect(await close(auction_id)).toMatchObject({ outcome: 'won', match: null });
  });

  it('is not for its seller’s own owner', async () => {
    const ann = await stage.agent();
    const twin = await stage.agent(undefined, `0xowner-of-${ann}`);
    const key = await listed(ann);
    await start(ann, key, { format: 'dutch', reserve: usd(20) });
    await expect(bid(twin, key, 100, { owner: `0xowner-of-${ann}` })).rejects.toThrow(
      'one owner stands behind both',
    );
    expect(await row(key)).toBeDefined();
  });
});

describe('an ascending auction', () => {
  it('shows one figure, and goes to the highest bid at an increment over the next', async () => {
    const [ann, bob, cyd] = [await stage.agent(), await stage.agent(), await stage.agent()];
    const key = await listed(ann);
    const { auction_id } = await start(ann, key);
    await expect(bid(bob, key, 9.99)).rejects.toMatchObject({ extra: { priceToBeatUsd: 10 } });
    expect(await bid(bob, key, 60)).toMatchObject({ status: 'leading', figure: usd(10.5) });
    expect((await heldBy(database.db, stage.side(bob), stage.now())).amount).toBe(pays(60));
    expect(await bid(cyd, key, 40)).toMatchObject({ status: 'outbid', figure: usd(44.1) });
    expect((await row(key))?.auction?.figure).toBe(usd(44.1));
    await expect(bid(cyd, key, 44.09)).rejects.toMatchObject({ code: 'conflict' });
    await expect(bid(bob, key, 60)).rejects.toThrow('has bid as much already');
    stage.tick(HOUR);
    const closing = await close(auction_id);
    expect(closing).toMatchObject({ outcome: 'won', match: { price: usd(42), buyer: bob, fee: usd(2.1) } });
    expect((await heldBy(database.db, stage.side(bob), stage.now())).amount).toBe(pays(42));
    // What stands beside it stands until the winner has settled.
    expect((await heldBy(database.db, stage.side(cyd), stage.now())).amount).toBe(pays(40));
    expect(await close(auction_id)).toMatchObject({ outcome: 'won', match: null });
    expect(await listMatches(database.db, { lot: key, ...page })).toHaveLength(1);
    const { dealId } = closing as { dealId: string };
    await stage.inTrx((trx) => markSettled(trx, { dealId, tx: '0x1', block: 1n, now: stage.now() }));
    expect((await heldBy(database.db, stage.side(cyd), stage.now())).amount).toBe(0n);
  });

  it('goes on for five minutes when another than the leader bids in its last five', async () => {
    const [ann, bob, cyd] = [await stage.agent(), await stage.agent(), await stage.agent()];
    const key = await listed(ann);
    const { auction_id, ends_at } = await start(ann, key);
    expect((await bid(bob, key, 20)).extendedTo).toBeNull();
    stage.tick(HOUR - 5 * MINUTES);
    expect((await bid(bob, key, 30)).extendedTo).toBeNull();
    const extended = await bid(cyd, key, 25);
    expect(extended.extendedTo).toEqual(new Date(ends_at.getTime() + 5 * MINUTES));
    stage.tick(5 * MINUTES);
    expect(await close(auction_id)).toEqual({ outcome: 'early', waitMs: 5 * MINUTES });
    expect((await bid(cyd, key, 40)).extendedTo).toEqual(new Date(ends_at.getTime() + 10 * MINUTES));
    stage.tick(10 * MINUTES);
    expect(await close(auction_id)).toMatchObject({
      outcome: 'won',
      match: { buyer: cyd, price: usd(31.5) },
    });
  });

  it('lets an agent’s higher bid take the place of its own, and holds no more than the higher', async () => {
    const [ann, bob] = [await stage.agent(), await stage.agent()];
    const key = await listed(ann);
    await start(ann, key);
    await bid(bob, key, 20);
    const judged: bigint[] = [];
    const judge: NameBid['judge'] = async (held, _, due) => {
      judged.push(held.amount, due);
    };
    expect(await bid(bob, key, 50, { judge })).toMatchObject({ status: 'leading', figure: usd(10.5) });
    expect(judged).toEqual([0n, pays(50)]);
    expect((await heldBy(database.db, stage.side(bob), stage.now())).amount).toBe(pays(50));
    const refuse = async () => {
      throw new Error('too much');
    };
    await expect(bid(bob, key, 60, { judge: refuse })).rejects.toThrow('too much');
    expect((await heldBy(database.db, stage.side(bob), stage.now())).amount).toBe(pays(50));
  });

  /** What a pause does: the agent stops, and its orders leave the book. */
  const pause = async (handle: string): Promise<number> => {
    await stage.setStatus(handle, 'paused');
    return await withdrawOrders(database.db, handle, stage.now());
  };

  it('leaves out who may not buy when it ends, as leader and as the one who makes the price, and goes on without them', async () => {
    const [ann, bob, cyd, dan] = await Promise.all(Array.from({ length: 4 }, () => stage.agent()));
    const key = await listed(ann!);
    const { auction_id } = await start(ann!, key);
    await bid(bob!, key, 20);
    await bid(cyd!, key, 30);
    await bid(dan!, key, 40);
    stage.tick(HOUR);
    const may: NameBid['allows'] = (pair) => ![cyd, dan].includes(pair.buy.handle);
    expect(await close(auction_id, may)).toEqual({ outcome: 'early', waitMs: 5 * MINUTES });
    expect((await heldBy(database.db, stage.side(dan!), stage.now())).amount).toBe(0n);
    expect((await row(key))?.auction).toMatchObject({ figure: usd(10.5), endsAt: stage.later(5 * MINUTES) });
    stage.tick(5 * MINUTES);
    expect(await close(auction_id)).toMatchObject({ outcome: 'won', match: { buyer: bob, price: usd(10) } });
  });

  it('gives no name away at its reserve because others were shut out: they bid when it goes on, and who shut them out does not', async () => {
    const [ann, low, honest] = [await stage.agent(), await stage.agent(), await stage.agent()];
    const shields = [await stage.agent(), await stage.agent()];
    const key = await listed(ann);
    const { auction_id } = await start(ann, key);
    await bid(low, key, 10);
    for (const [n, shield] of shields.entries()) await bid(shield, key, 5_000 + 300 * n);
    await expect(bid(honest, key, 5_000)).rejects.toMatchObject({ code: 'conflict' });
    stage.tick(HOUR);
    for (const shield of shields) await pause(shield);
    expect(await close(auction_id)).toEqual({ outcome: 'early', waitMs: 5 * MINUTES });
    for (const shield of shields) {
      await stage.setStatus(shield, 'active');
      const again = 'could not buy when this auction was to end';
      await expect(bid(shield, key, 6_000)).rejects.toThrow(again);
      // Neither another agent of that owner, nor the same agent in other hands.
      const twin = await stage.agent(undefined, `0xowner-of-${shield}`);
      await expect(bid(twin, key, 6_000, { owner: `0xowner-of-${shield}` })).rejects.toThrow(again);
      await expect(bid(shield, key, 6_000, { owner: '0xnext' })).rejects.toThrow(again);
    }
    expect((await bid(honest, key, 300)).status).toBe('leading');
    stage.tick(10 * MINUTES);
    expect(await close(auction_id)).toMatchObject({
      outcome: 'won',
      match: { buyer: honest, price: usd(10.5) },
    });
  });

  it('knows who was passed over, also by what left in a transaction of its own, and forgets it with the auction', async () => {
    const [ann, low, shield] = [await stage.agent(), await stage.agent(), await stage.agent()];
    const key = await listed(ann);
    const { auction_id } = await start(ann, key);
    const [orderId, lowest] = [stage.fresh('bid'), stage.fresh('bid')];
    await bid(low, key, 60, { orderId: lowest });
    await bid(shield, key, 5_000, { orderId });
    stage.tick(HOUR);
    // As an attempt to close it leaves it, which had to be made again.
    await stage.inTrx((trx) => leaveBook(trx, key, [orderId], 'expired', stage.now()));
    expect(await close(auction_id)).toEqual({ outcome: 'early', waitMs: 5 * MINUTES });
    stage.tick(5 * MINUTES);
    expect(await close(auction_id, () => false)).toEqual({ outcome: 'unsold' });
    await start(ann, key);
    for (const handle of [low, shield]) expect((await bid(handle, key, 100)).auction.status).toBe('open');
  });

  it('sells to the leader at once, where who may not buy has made no price', async () => {
    const [ann, bob] = [await stage.agent(), await stage.agent()];
    const [eve, twin] = await Promise.all([1, 2].map(() => stage.agent(undefined, '0xtwins')));
    const key = await listed(ann);
    const { auction_id } = await start(ann, key);
    await bid(bob, key, 20);
    await bid(eve!, key, 40, { owner: '0xtwins' });
    await bid(twin!, key, 60, { owner: '0xtwins' });
    stage.tick(HOUR);
    await pause(twin!);
    expect(await close(auction_id)).toMatchObject({ outcome: 'won', match: { buyer: eve, price: usd(21) } });
  });

  it('is put off no oftener by many agents of one owner', async () => {
    const [ann, low] = [await stage.agent(), await stage.agent()];
    const key = await listed(ann);
    const { auction_id } = await start(ann, key);
    await bid(low, key, 90_000);
    const many: string[] = [];
    for (let n = 0; n <= MOST_PASSED_OVER; n++) {
      many.push(await stage.agent(undefined, '0xmany'));
      await bid(many[n]!, key, 100 * 1.2 ** n, { owner: '0xmany' });
    }
    const outcomes = [];
    for (const rival of many.reverse()) {
      await pause(rival);
      stage.tick(HOUR);
      outcomes.push((await close(auction_id)).outcome);
    }
    expect(outcomes).toEqual([...Array(MOST_PASSED_OVER).fill('early'), 'unsold']);
  });

  it('goes on only so often: then it sells nothing, and nobody has the name for having shut others out', async () => {
    const [ann, low] = [await stage.agent(), await stage.agent()];
    const key = await listed(ann);
    const { auction_id } = await start(ann, key);
    await bid(low, key, 20);
    for (let n = 0; n <= MOST_PASSED_OVER; n++) {
      const shield = await stage.agent();
      await bid(shield, key, 5_000);
      await pause(shield);
      stage.tick(HOUR);
      expect((await close(auction_id)).outcome).toBe(n < MOST_PASSED_OVER ? 'early' : 'unsold');
    }
    expect((await heldBy(database.db, stage.side(low), stage.now())).amount).toBe(0n);
    expect(await row(key)).toMatchObject({ ask: usd(100), auction: null });
  });

  it('gives no bid back to an agent that is stopped: who asks too much learns nothing for nothing', async () => {
    const [ann, bob, shill] = [await stage.agent(), await stage.agent(), await stage.agent()];
    const key = await listed(ann);
    const { auction_id, listing_ref } = await start(ann, key);
    await bid(bob, key, 60);
    const over = await bid(shill, key, 1_000);
    // It tells the leader's limit: 60 and two increments.
    expect(over.figure).toBe(usd(66.15));
    expect(await pause(shill)).toBe(0);
    expect((await runningAuction(database.db, listing_ref))?.price).toBe(usd(63));
    await stage.setStatus(shill, 'active');
    // No bid just under that limit raises what its owner pays.
    await expect(bid(shill, key, 59.99)).rejects.toMatchObject({ code: 'conflict' });
    expect((await heldBy(database.db, stage.side(shill), stage.now())).amount).toBe(pays(1_000));
    stage.tick(HOUR);
    expect(await close(auction_id)).toMatchObject({
      outcome: 'won',
      match: { buyer: shill, price: usd(63) },
    });
  });

  it('passes over who is stopped when it ends, as leader and as the one who makes the price', async () => {
    const [ann, bob, cyd, dan, eve] = await Promise.all(Array.from({ length: 5 }, () => stage.agent()));
    const key = await listed(ann!);
    const { auction_id } = await start(ann!, key);
    await bid(eve!, key, 11);
    await bid(bob!, key, 20);
    await bid(cyd!, key, 30);
    await bid(dan!, key, 40);
    for (const handle of [cyd!, dan!, eve!]) await pause(handle);
    stage.tick(HOUR);
    expect(await close(auction_id)).toEqual({ outcome: 'early', waitMs: 5 * MINUTES });
    stage.tick(5 * MINUTES);
    expect(await close(auction_id)).toMatchObject({ outcome: 'won', match: { buyer: bob, price: usd(10) } });
    // Beside a winner too, nothing stands of an agent that is stopped.
    const held = await Promise.all(
      [cyd!, dan!, eve!].map((who) => heldBy(database.db, stage.side(who), stage.now())),
    );
    expect(held.map(({ amount }) => amount)).toEqual([0n, 0n, 0n]);
  });

  it('passes over the bid of an owner who is known to have handed its agent on, and lets no other take its place', async () => {
    const [ann, bob, cyd] = [await stage.agent(), await stage.agent(), await stage.agent()];
    const key = await listed(ann);
    const { auction_id } = await start(ann, key);
    await bid(bob, key, 20);
    await bid(cyd, key, 60);
    await database.db
      .insertInto('beneficial_owners')
      .values({ owner: `0xowner-of-${cyd}`, beneficial_owner: '0xnext', seen_at: stage.now() })
      .execute();
    await expect(bid(cyd, key, 90, { owner: '0xnext' })).rejects.toThrow('An earlier owner of this agent');
    stage.tick(HOUR);
    expect(await close(auction_id)).toEqual({ outcome: 'early', waitMs: 5 * MINUTES });
    stage.tick(5 * MINUTES);
    expect(await close(auction_id)).toMatchObject({ outcome: 'won', match: { buyer: bob, price: usd(10) } });
    expect((await heldBy(database.db, stage.side(cyd), stage.now())).amount).toBe(0n);
  });

  it('keeps a bid that a new mandate forbids, and does not count it against itself at its end', async () => {
    const [ann, bob] = [await stage.agent(), await stage.agent()];
    const key = await listed(ann);
    const { auction_id } = await start(ann, key);
    const orderId = stage.fresh('bid');
    await bid(bob, key, 60, { orderId });
    const asked: string[] = [];
    const left = await reviewOrders(database.db, bob, stage.now(), async (_, { order }) => {
      asked.push(order.order_id);
      return false;
    });
    expect([left, asked]).toEqual([0, []]);
    expect(await reviewOrders(database.db, ann, stage.now(), async () => false)).toBe(0);
    const beside = await stage.inTrx((trx) =>
      heldBeside(trx, { order_id: orderId, ...stage.side(bob) }, stage.now()),
    );
    expect(beside).toMatchObject({ amount: 0n, resting: 0 });
    stage.tick(HOUR);
    expect(await close(auction_id)).toMatchObject({ outcome: 'won' });
  });

  it('from many bidders at once goes to the highest, at a price that the bids explain', async () => {
    const bidders = await Promise.all(Array.from({ length: 8 }, () => stage.agent()));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1_000, max: 4_000 }), { minLength: 8, maxLength: 8 }),
        async (cents) => {
          const ann = await stage.agent();
          const key = await listed(ann);
          const { auction_id } = await start(ann, key);
          const answers = await Promise.allSettled(bidders.map((b, i) => bid(b, key, cents[i]! / 100)));
          // Refused were those below the figure that others had made by then.
          const stood = answers.flatMap((a, i) =>
            a.status === 'fulfilled' ? [{ who: bidders[i]!, cents: cents[i]! }] : [],
          );
          const best = Math.max(...stood.map((s) => s.cents));
          // Who came too late with less than an increment more may have been refused, and nobody else who bid the most.
          expect(Math.max(...cents)).toBeLessThan(best + Math.ceil(best * 0.05));
          stage.tick(HOUR);
          const closing = await close(auction_id);
          if (closing.outcome !== 'won' || !closing.match) throw new Error(closing.outcome);
          const { buyer, price } = closing.match;
          expect(stood.find((s) => s.who === buyer)?.cents).toBe(best);
          const rest = stood.filter((s) => s.who !== buyer).map((s) => s.cents);
          const second = Math.max(0, ...rest);
          const due = second === 0 ? 1_000 : second + Math.ceil(second * 0.05);
          expect(price).toBe(BigInt(Math.min(best, due)) * 10_000n);
          const held = async (): Promise<bigint[]> =>
            await Promise.all(
              bidders.map(async (b) => (await heldBy(database.db, stage.side(b), stage.now())).amount),
            );
          const others = stood.filter((s) => s.who !== buyer).map((s) => pays(s.cents / 100));
          expect((await held()).reduce((a, b) => a + b)).toBe(
            others.reduce((a, b) => a + b, nameMoney(price).buyerPays),
          );
          await stage.inTrx((trx) =>
            markSettled(trx, { dealId: closing.dealId, tx: '0x1', block: 1n, now: stage.now() }),
          );
          expect((await held()).every((amount) => amount === 0n)).toBe(true);
        },
      ),
      { numRuns: 8 },
    );
  });
});

describe('an auction whose winner does not settle', () => {
  const unwind = (dealId: string, allows: NameBid['allows'] = () => true) =>
    stage.inTrx((trx) =>
      unwindDeal(trx, {
        dealId,
        reason: 'no',
        orderId: stage.fresh('sell'),
        ids: stage.ids(),
        allows,
        now: stage.now(),
      }),
    );
  const held = async (handle: string): Promise<bigint> =>
    (await heldBy(database.db, stage.side(handle), stage.now())).amount;
  const won = async (auctionId: string): Promise<string> => {
    const closing = await close(auctionId);
    if (closing.outcome !== 'won') throw new Error(closing.outcome);
    return closing.dealId;
  };

  /** Ends an auction that goes on, after its five minutes. */
  const wonThen = async (auctionId: string): Promise<string> => {
    stage.tick(5 * MINUTES);
    return await won(auctionId);
  };

  it('goes on without the bid that made its price, for others too, and leaves the name at its ask after the last', async () => {
    const [ann, bob, cyd, dan] = [
      await stage.agent(),
      await stage.agent(),
      await stage.agent(),
      await stage.agent(),
    ];
    const key = await listed(ann);
    const { auction_id } = await start(ann, key);
    await bid(dan, key, 30);
    await bid(cyd, key, 40);
    await bid(bob, key, 60);
    stage.tick(HOUR);
    const first = await won(auction_id);
    expect([await held(bob), await held(cyd), await held(dan)]).toEqual([pays(42), pays(40), pays(30)]);
    await expect(start(ann, key)).rejects.toMatchObject({ code: 'conflict' });
    await expect(bid(bob, key, 90)).rejects.toMatchObject({ code: 'conflict' });

    expect(await unwind(first)).toMatchObject({ listed: true, match: null });
    expect((await row(key))?.auction).toMatchObject({ figure: usd(33.08), endsAt: stage.later(5 * MINUTES) });
    expect([await held(bob), await held(cyd), await held(dan)]).toEqual([0n, pays(40), pays(30)]);
    expect(await unwind(first)).toMatchObject({ unwound: false, match: null });
    await expect(start(ann, key)).rejects.toMatchObject({ code: 'conflict' });
    await expect(bid(bob, key, 90)).rejects.toThrow('has won it and did not settle');

    const second = await wonThen(auction_id);
    expect(await findDeal(database.db, second)).toMatchObject({ buyer: cyd, price: usd(31.5) });
    expect((await unwind(second)).match).toBeNull();
    const third = await wonThen(auction_id);
    expect(await findDeal(database.db, third)).toMatchObject({ buyer: dan, price: usd(10) });
    expect(await unwind(third)).toEqual({ unwound: true, listed: true, match: null });
    expect([await held(bob), await held(cyd), await held(dan)]).toEqual([0n, 0n, 0n]);
    expect(await row(key)).toMatchObject({ ask: usd(100), auction: null });
    await start(ann, key);
    expect((await bid(bob, key, 11)).status).toBe('leading');
  });

  it('goes on although its seller and bidders were stopped in it, however late that is carried out', async () => {
    const [ann, bob, cyd] = [await stage.agent(), await stage.agent(), await stage.agent()];
    const key = await listed(ann);
    const { auction_id } = await start(ann, key);
    await bid(cyd, key, 40);
    await bid(bob, key, 50);
    const askedAt = stage.tick();
    stage.tick(HOUR);
    const first = await won(auction_id);
    for (const handle of [ann, bob, cyd]) await withdrawOrders(database.db, handle, stage.now(), askedAt);
    expect([await held(bob), await held(cyd)]).toEqual([pays(42), pays(40)]);
    expect(await unwind(first)).toMatchObject({ listed: true });
    expect((await row(key))?.auction?.auctionId).toBe(auction_id);
    // The order that has come back from that deal stands in the auction as well.
    const again = stage.tick();
    const second = await wonThen(auction_id);
    await withdrawOrders(database.db, ann, stage.now(), again);
    expect(await unwind(second)).toMatchObject({ listed: true });
    await withdrawOrders(database.db, ann, stage.now(), again);
    expect(await row(key)).toMatchObject({ ask: usd(100), auction: null });
  });

  it('loses its name with the deal by a stop that came while it was won, also when it goes on before that', async () => {
    const [ann, bob, cyd] = [await stage.agent(), await stage.agent(), await stage.agent()];
    const key = await listed(ann);
    const { auction_id } = await start(ann, key);
    await bid(cyd, key, 40);
    await bid(bob, key, 50);
    stage.tick(HOUR);
    const first = await won(auction_id);
    const askedAt = stage.now();
    stage.tick();
    await unwind(first);
    const second = await wonThen(auction_id);
    await withdrawOrders(database.db, ann, stage.now(), askedAt);
    expect(await unwind(second)).toMatchObject({ listed: false });
    expect(await row(key)).toBeUndefined();
  });

  it('of a falling price loses its name with the deal by a stop that came before it began, or after it was won', async () => {
    for (const stopped of ['before', 'after'] as const) {
      const [ann, bob] = [await stage.agent(), await stage.agent()];
      const key = await listed(ann);
      const before = stage.now();
      stage.tick();
      // It has an end that is still to come.
      await start(ann, key, { format: 'dutch' });
      const { match } = await bid(bob, key, 100);
      const askedAt = stopped === 'before' ? before : stage.now();
      stage.tick();
      await withdrawOrders(database.db, ann, stage.now(), askedAt);
      expect(await unwind(match!.dealId)).toMatchObject({ listed: false });
      expect(await row(key)).toBeUndefined();
    }
  });

  it('of a falling price leaves the name at its ask, when its seller was stopped before it was taken', async () => {
    const [ann, bob] = [await stage.agent(), await stage.agent()];
    const key = await listed(ann);
    await start(ann, key, { format: 'dutch' });
    const askedAt = stage.tick();
    stage.tick();
    const { match } = await bid(bob, key, 100);
    stage.tick();
    await withdrawOrders(database.db, ann, stage.now(), askedAt);
    expect(await unwind(match!.dealId)).toMatchObject({ listed: true });
    expect(await row(key)).toMatchObject({ ask: usd(100), auction: null });
  });

  it('gives no name away at its reserve because its winner shut others out and let its deal fail', async () => {
    const [ann, low, shield, honest] = await Promise.all(Array.from({ length: 4 }, () => stage.agent()));
    const key = await listed(ann!);
    const { auction_id } = await start(ann!, key);
    await bid(low!, key, 1_000);
    await bid(shield!, key, 1_100);
    await expect(bid(honest!, key, 900)).rejects.toMatchObject({ code: 'conflict' });
    stage.tick(HOUR);
    expect((await unwind(await won(auction_id))).match).toBeNull();
    expect((await bid(honest!, key, 900)).status).toBe('outbid');
    stage.tick(5 * MINUTES);
    const dealId = await wonThen(auction_id);
    expect(await findDeal(database.db, dealId)).toMatchObject({ buyer: low, price: usd(945) });
  });

  it('sells nothing once that has happened too often', async () => {
    const [ann, low] = [await stage.agent(), await stage.agent()];
    const key = await listed(ann);
    const { auction_id } = await start(ann, key);
    await bid(low, key, 20);
    for (let n = 0; n <= MOST_PASSED_OVER; n++) {
      await bid(await stage.agent(), key, 5_000);
      stage.tick(HOUR);
      expect((await unwind(await won(auction_id))).match).toBeNull();
      expect(await held(low)).toBe(n < MOST_PASSED_OVER ? pays(20) : 0n);
    }
    expect(await row(key)).toMatchObject({ ask: usd(100), auction: null });
  });

  it('passes on at once to a bid of the same owner, whose price the others make', async () => {
    const [ann, bob] = [await stage.agent(), await stage.agent()];
    const [eve, twin] = await Promise.all([1, 2].map(() => stage.agent(undefined, '0xeves')));
    const key = await listed(ann);
    const { auction_id } = await start(ann, key);
    await bid(bob, key, 20);
    await bid(eve!, key, 40, { owner: '0xeves' });
    await bid(twin!, key, 60, { owner: '0xeves' });
    stage.tick(HOUR);
    const next = await unwind(await won(auction_id));
    expect(next).toMatchObject({ match: { buyer: eve, price: usd(21) } });
    // What fell before is not forgotten with it.
    expect((await unwind(next.match!.dealId)).match).toBeNull();
    expect((await row(key))?.auction).toMatchObject({ figure: usd(10.5) });
  });

  it.each([
    [
      'took its bid back',
      async (orderId: string, handle: string) => {
        await stage.inTrx((trx) => cancelOrder(trx, { orderId, handle, now: stage.now() }));
        return () => true;
      },
    ],
    [
      'may not buy',
      async (_: string, handle: string) => (pair: { buy: { handle: string } }) => pair.buy.handle !== handle,
    ],
    [
      'paused',
      async (_: string, handle: string) => {
        await stage.setStatus(handle, 'paused');
        await withdrawOrders(database.db, handle, stage.now());
        return () => true;
      },
    ],
  ])('goes on as well where who made the price %s while the deal was under way', async (_, leave) => {
    const [ann, bob] = [await stage.agent(), await stage.agent()];
    const [eve, twin] = await Promise.all([1, 2].map(() => stage.agent(undefined, '0xpair')));
    const key = await listed(ann);
    const { auction_id } = await start(ann, key);
    const orderId = stage.fresh('bid');
    await bid(eve!, key, 1_000, { owner: '0xpair' });
    await bid(bob, key, 1_100, { orderId });
    await bid(twin!, key, 1_200, { owner: '0xpair' });
    stage.tick(HOUR);
    const dealId = await won(auction_id);
    expect(await findDeal(database.db, dealId)).toMatchObject({ buyer: twin, price: usd(1_155) });
    const { match } = await unwind(dealId, await leave(orderId, bob));
    expect(match).toBeNull();
    expect((await row(key))?.auction?.figure).toBe(usd(10.5));
    expect(await held(bob)).toBe(0n);
    expect(await held(eve!)).toBe(pays(1_000));
  });

  it('releases every bid where its listing’s fee is disputed by then', async () => {
    const [ann, bob, cyd] = [await stage.agent(), await stage.agent(), await stage.agent()];
    const key = await listed(ann);
    const { auction_id, listing_ref } = await start(ann, key);
    await bid(cyd, key, 40);
    await bid(bob, key, 60);
    stage.tick(HOUR);
    const dealId = await won(auction_id);
    const id = stage.fresh('co');
    await stage.inTrx((trx) =>
      createCheckout(trx, {
        ...{ id, kind: 'listing', owner: '0xanybody', handle: null, tier: null, depth: null },
        ...{ amount: usd(5), details: { listingRef: listing_ref, featured: false } },
        ...{ expiresAt: stage.later(HOUR), now: stage.now() },
      }),
    );
    const disputed = { status: 'paid', paid_at: stage.now(), suspended_at: stage.now() } as const;
    await database.db.updateTable('checkouts').set(disputed).where('id', '=', id).execute();
    expect((await unwind(dealId)).match).toBeNull();
    expect([await held(bob), await held(cyd)]).toEqual([0n, 0n]);
    expect(await runningAuction(database.db, listing_ref)).toBeNull();
  });

  it('releases every bid when its seller may not trade any more', async () => {
    const [ann, bob, cyd] = [await stage.agent(), await stage.agent(), await stage.agent()];
    const key = await listed(ann);
    const { auction_id } = await start(ann, key);
    await bid(cyd, key, 40);
    await bid(bob, key, 60);
    stage.tick(HOUR);
    const dealId = await won(auction_id);
    await stage.setStatus(ann, 'paused');
    expect(await unwind(dealId)).toEqual({ unwound: true, listed: false, match: null });
    expect([await held(bob), await held(cyd)]).toEqual([0n, 0n]);
  });

  it('never asks more than was bid, never less than the reserve, and has one deal at a time, whoever falls through', async () => {
    const bidders = await Promise.all(Array.from({ length: 5 }, () => stage.agent()));
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.integer({ min: 1_000, max: 9_000 }), { minLength: 2, maxLength: 5 }),
        fc.nat(4),
        async (cents, settles) => {
          const ann = await stage.agent();
          const key = await listed(ann);
          const { auction_id } = await start(ann, key);
          const stood = new Map<string, bigint>();
          for (const [i, c] of cents.entries()) {
            const placed = await bid(bidders[i]!, key, c / 100).catch(() => null);
            if (placed) stood.set(bidders[i]!, usd(c / 100));
          }
          stage.tick(HOUR);
          const closing = await close(auction_id);
          let match = closing.outcome === 'won' ? closing.match : null;
          for (let n = 0; match !== null; n++) {
            const limits = [...stood.values()].sort((a, b) => Number(b - a));
            const { buyer, price, dealId } = match;
            expect(stood.get(buyer)).toBe(limits[0]);
            expect(price).toBe(standingPrice(limits));
            stood.delete(buyer);
            const sum = [...stood.values()].reduce(
              (all, limit) => all + nameMoney(limit).buyerPays,
              nameMoney(price).buyerPays,
            );
            const all = await Promise.all(bidders.map(held));
            expect(all.reduce((a, b) => a + b)).toBe(sum);
            if (n === settles) {
              await stage.inTrx((trx) =>
                markSettled(trx, { dealId, tx: '0x1', block: 1n, now: stage.now() }),
              );
              expect((await Promise.all(bidders.map(held))).every((a) => a === 0n)).toBe(true);
              return;
            }
            // The same deal undone twice at once lets the auction go on once.
            const twice = await Promise.all([unwind(dealId), unwind(dealId)]);
            expect(twice.map((u) => [u.unwound, u.match]).sort()).toEqual([
              [false, null],
              [true, null],
            ]);
            stage.tick(5 * MINUTES);
            const next = stood.size > 0 ? await close(auction_id) : null;
            match = next?.outcome === 'won' ? next.match : null;
          }
          expect(stood.size).toBe(0);
          expect((await Promise.all(bidders.map(held))).every((a) => a === 0n)).toBe(true);
        },
      ),
      { numRuns: 8 },
    );
  });

  function standingPrice([best, second]: readonly bigint[]): bigint {
    if (second === undefined) return usd(10);
    const due = second + ((second / 20n + 9_999n) / 10_000n) * 10_000n;
    return due < best! ? due : best!;
  }
});

describe('whatever comes at once over a name', () => {
  it('sells it once at most, and holds for it what its buyer owes and nothing else', async () => {
    const buyers = await Promise.all(Array.from({ length: 4 }, () => stage.agent()));
    const stop = async (handle: string): Promise<void> => {
      await stage.setStatus(handle, 'paused');
      await withdrawOrders(database.db, handle, stage.now());
    };
    const act = fc.record({
      what: fc.constantFrom('bid', 'buy', 'close', 'start', 'pause', 'resume'),
      who: fc.nat(3),
      dollars: fc.integer({ min: 20, max: 120 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('dutch' as const, 'ascending' as const),
        fc.boolean(),
        fc.array(act, { minLength: 4, maxLength: 12 }),
        async (format, over, acts) => {
          const ann = await stage.agent();
          const key = await listed(ann);
          await Promise.all(buyers.map((b) => stage.setStatus(b, 'active')));
          const { auction_id } = await start(ann, key, { format, reserve: usd(20) });
          if (format === 'ascending') await bid(buyers[0]!, key, 25);
          stage.tick(over ? HOUR : HOUR / 2);
          await Promise.allSettled(
            acts.map(({ what, who, dollars }) => {
              if (what === 'close') return close(auction_id);
              if (what === 'start') return start(ann, key, { format });
              if (what === 'pause') return stop(buyers[who]!);
              if (what === 'resume') return stage.setStatus(buyers[who]!, 'active');
              return what === 'bid' ? bid(buyers[who]!, key, dollars) : buy(buyers[who]!, key, dollars);
            }),
          );
          for (;;) {
            // It may be put off as long as somebody who made its price may not buy.
            stage.tick(2 * HOUR);
            const { listing_ref } = await database.db
              .selectFrom('listings')
              .select('listing_ref')
              .where('asset_key', '=', key)
              .executeTakeFirstOrThrow();
            const running = await runningAuction(database.db, listing_ref);
            if (!running) break;
            await close(running.auction_id);
          }
          const matches = await database.db
            .selectFrom('matches')
            .innerJoin('deals', 'deals.match_id', 'matches.match_id')
            .select(['matches.price', 'deals.deal_id'])
            .where('asset_key', '=', key)
            .execute();
          expect(matches.length).toBeLessThanOrEqual(1);
          const held = await Promise.all(
            buyers.map(async (b) => (await heldBy(database.db, stage.side(b), stage.now())).amount),
          );
          const due = matches.map((m) => nameMoney(m.price).buyerPays);
          const resting = await database.db
            .selectFrom('orders')
            .select('limit_price')
            .where('asset_key', '=', key)
            .where('side', '=', 'buy')
            .where('status', '=', 'resting')
            .execute();
          // Bids stand beside a winner, and beside nobody else.
          expect(resting.length === 0 || (format === 'ascending' && matches.length === 1)).toBe(true);
          const stands = resting.map((o) => nameMoney(o.limit_price).buyerPays);
          const sum = (amounts: bigint[]): bigint => amounts.reduce((a, b) => a + b, 0n);
          expect(sum(held)).toBe(sum([...due, ...stands]));
          expect((await liveListingOf(database.db, key))?.status).toBe(
            matches.length === 1 ? 'dealing' : 'live',
          );
          for (const { deal_id } of matches)
            await stage.inTrx((trx) =>
              markSettled(trx, { dealId: deal_id, tx: '0x1', block: 1n, now: stage.now() }),
            );
        },
      ),
      { numRuns: 12 },
    );
  });
});

describe('what the public sees of an ascending auction', () => {
  it('is the same, whatever the leader’s limit is, as long as the figure is', async () => {
    const [leader, rival] = [await stage.agent(), await stage.agent()];
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1_050, max: 3_000 }),
        fc.array(fc.nat(100_000), { minLength: 2, maxLength: 2 }),
        async (second, above) => {
          const seen = [];
          for (const over of above) {
            const ann = await stage.agent();
            const key = await listed(ann);
            const { auction_id } = await start(ann, key);
            const limit = second + Math.ceil(second * 0.05) + over;
            const first = await bid(leader, key, limit / 100);
            const then = await bid(rival, key, second / 100);
            const { listingRef: _, seller: _seller, auction, name: _name, ...row_ } = (await row(key))!;
            const { auctionId: _id, ...shown } = auction!;
            seen.push([row_, shown, first.figure, then.status, then.figure, then.extendedTo]);
            // Neither takes back what it bid, and nobody sees that it tried.
            await withdrawOrders(database.db, leader, stage.now());
            await withdrawOrders(database.db, rival, stage.now());
            expect((await row(key))!.auction).toEqual(auction);
            expect(
              (await runningAuction(database.db, (await liveListingOf(database.db, key))!.listing_ref))
                ?.auction_id,
            ).toBe(auction_id);
          }
          expect(seen[0]).toEqual(seen[1]);
        },
      ),
      { numRuns: 6 },
    );
  });
});
