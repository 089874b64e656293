import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { evaluationOrderId } from '../../agents/agent/order-id.ts';
import { AppError } from '../../agents/errors.ts';
import { saidOfCancel } from '../../runtime/market/orders/said-before-signing.ts';
import { type Held, heldBy } from '../../store/agent/reservations.ts';
import { liveListingOf } from '../../store/market/listings.ts';
import { listBook } from '../../store/market/lots.ts';
import { listMatches, type Pair } from '../../store/market/matches.ts';
import { readOrderSnapshot } from '../../store/market/order-context.ts';
import { findOrder, issuedTo } from '../../store/market/orders.ts';
import { livePledge } from '../../store/market/pledges.ts';
import { probedByOwner } from '../../store/market/probed-by-owner.ts';
import { cancelOrder, expireOrders, withdrawOrders } from '../../store/market/withdrawals.ts';
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
const page = { limit: 10, offset: 0 };
const bookOf = async (lot: string) => (await listBook(database.db, { lot, ...page }))[0];
const cancel = (orderId: string, handle: string) =>
  stage.inTrx((trx) => cancelOrder(trx, { orderId, handle, now: stage.now() }));

describe('the price to beat of a lot', () => {
  it('goes from the ask to an opening bid to a tick over the second limit, and back as orders leave', async () => {
    const lot = await stage.list(await stage.agent(), { ask: usd(100) });
    const [ann, bob] = [await stage.agent(), await stage.agent()];
    expect((await bookOf(lot))?.priceToBeat).toBe(usd(100));
    const first = await stage.order(ann, lot, { limit: usd(80) });
    expect([first.priceToBeat, first.order.status, first.match]).toEqual([usd(50), 'resting', null]);
    const second = await stage.order(bob, lot, { limit: usd(60), openingBid: usd(20) });
    expect(second.priceToBeat).toBe(usd(60.01));
    expect((await bookOf(lot))?.priceToBeat).toBe(usd(60.01));
    stage.tick();
    await cancel(first.order.order_id, ann);
    expect((await bookOf(lot))?.priceToBeat).toBe(usd(20));
    await cancel(second.order.order_id, bob);
    expect((await bookOf(lot))?.priceToBeat).toBe(usd(100));
  });

  it('keeps its time while it stays the same, so that the time tells nothing more', async () => {
    const lot = await stage.list(await stage.agent());
    await stage.order(await stage.agent(), lot, { limit: usd(80) });
    await stage.order(await stage.agent(), lot, { limit: usd(60) });
    const before = await bookOf(lot);
    stage.tick();
    await stage.order(await stage.agent(), lot, { limit: usd(55) });
    expect(await bookOf(lot)).toEqual(before);
  });

  it('has a public row of five members, whatever lies behind it', async () => {
    const lot = await stage.list(await stage.agent(), { floor: usd(90) });
    await stage.order(await stage.agent(), lot, { limit: usd(80) });
    expect(await bookOf(lot)).toEqual({
      lot,
      category: 'digital-products',
      chain: 'eip155:1002',
      priceToBeat: usd(50),
      updatedAt: stage.now(),
    });
  });
});

describe('an order', () => {
  it('that overlaps fires a match at the midpoint, and takes the lot off the book', async () => {
    const [ann, bob] = [await stage.agent(), await stage.agent()];
    const lot = await stage.list(ann, { ask: usd(100), floor: usd(80) });
    const placed = await stage.order(bob, lot, { limit: usd(90) });
    expect(placed.order.status).toBe('matched');
    expect(placed.match).toMatchObject({ lot, price: usd(85), fee: usd(1.7), seller: ann, buyer: bob });
    expect(await bookOf(lot)).toBeUndefined();
    expect((await liveListingOf(database.db, lot))?.status).toBe('dealing');
    expect(await heldBy(database.db, stage.side(bob), stage.now())).toEqual({
      amount: usd(85),
      unfunded: 0n,
      resting: 0,
      deals: 1,
      dealsToday: 1,
    });
    expect(await listMatches(database.db, { lot, ...page })).toEqual([
      {
        matchId: placed.match?.matchId,
        lot,
        category: 'digital-products',
        chain: 'eip155:1002',
        price: usd(85),
        matchedAt: stage.now(),
        settledAt: null,
        tx: null,
        state: 'settling',
      },
    ]);
    expect(await issuedTo(database.db, bob)).toEqual({ orders: 1, matches: 1 });
    await expect(stage.order(await stage.agent(), lot)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('is one too many after twenty of its owner on the lot within an hour, through whatever agents', async () => {
    const lot = await stage.list(await stage.agent(), { ask: usd(100) });
    const owner = '0xcurious';
    const agents = [await stage.agent(undefined, owner), await stage.agent(undefined, owner)];
    for (let n = 0; n < 20; n++) {
      const placed = await stage.order(agents[n % 2]!, lot, { owner, limit: usd(10 + n) });
      stage.tick();
      await cancel(placed.order.order_id, agents[n % 2]!);
    }
    const more = stage.order(agents[0]!, lot, { owner });
    await expect(more).rejects.toMatchObject({
      code: 'rate-limited',
      message: 'One owner may place 20 orders on one lot an hour: wait 3540 seconds.',
      extra: { retryAfter: 3540 },
    });
    await expect(stage.order(agents[1]!, lot, { owner, probes: 4 })).rejects.toMatchObject({
      message: 'One owner may place 4 orders on one lot an hour: wait 3588 seconds.',
    });
    await stage.order(await stage.agent(), lot);
    await stage.order(agents[0]!, await stage.list(await stage.agent()), { owner });
    stage.tick(3_540_000);
    await stage.order(agents[0]!, lot, { owner });
    await expect(stage.order(agents[1]!, lot, { owner })).rejects.toMatchObject({ code: 'rate-limited' });
    await stage.order(agents[1]!, lot, { owner, probes: 21 });
  });

  it('is not one too many for an agent with its owner’s word by those of agents that anybody had minted for that owner', async () => {
    const seller = await stage.agent();
    const [lot, other] = [await stage.list(seller, { ask: usd(100) }), await stage.list(seller)];
    const owner = '0xnamed-by-a-stranger';
    const [own, given] = [await stage.agent(undefined, owner), await stage.agent(undefined, owner)];
    for (let n = 0; n < 3; n++) {
      await stage.order(given, lot, { owner, limit: usd(10 + n), orderId: `ord_s${n}` });
      stage.tick();
      await cancel(`ord_s${n}`, given);
    }
    const more = () => stage.order(own, lot, { owner, probes: 3, orderId: 'ord_0c' });
    await expect(more()).rejects.toMatchObject({ code: 'rate-limited' });
    // An order by a person's own number is signed by the owner.
    await stage.order(own, other, { owner, orderId: 'ord_0b' });
    await expect(stage.order(given, lot, { owner, probes: 3 })).rejects.toMatchObject({
      code: 'rate-limited',
    });
    // Nor by what such an agent did before the owner gave a word for it, too.
    await stage.order(given, await stage.list(seller), { owner, orderId: 'ord_0d' });
    // In three statements: owners' words are asked for once.
    let asked = 0;
    const db = database.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        asked++;
        return result;
      },
    });
    const probed = [stage.now()];
    await probedByOwner(db, { lot, handle: own, owner, since: new Date(0), most: 1, probed });
    expect(asked).toBe(3);
    await more();
    stage.tick();
    await expect(stage.order(own, lot, { owner, probes: 1 })).rejects.toMatchObject({ code: 'rate-limited' });
  });

  it('on a buy-now lot clears at the ask, and below the ask it rests', async () => {
    const lot = await stage.list(await stage.agent(), { ask: usd(100), floor: usd(10), negotiable: false });
    expect((await stage.order(await stage.agent(), lot, { limit: usd(99.99) })).match).toBeNull();
    expect((await stage.order(await stage.agent(), lot, { limit: usd(150) })).match?.price).toBe(usd(100));
  });

  it.each([
    ['the same thing', 'HONDA'],
    ['a thing of another maker with the same number', 'TOYOTA'],
  ])('that names a listing which was taken back goes onto no other: not of %s', async (_, maker) => {
    const [seller, buyer] = [await stage.agent(), await stage.agent()];
    const number = stage.fresh('A').replace('_', '');
    const serial = (by: string) =>
      ({ kind: 'serial', serialKind: 'generic', serial: `${by}:${number}` }) as const;
    const [before, after] = [stage.fresh('taken-back'), stage.fresh('in-its-place')];
    const lot = await stage.list(seller, { asset: serial('HONDA'), listingRef: before, ask: usd(100) });
    await withdrawOrders(database.db, seller, stage.now());
    const other = await stage.list(seller, { asset: serial(maker), listingRef: after, ask: usd(40) });
    stage.tick();
    for (const terms of [{ limit: usd(90) }, { limit: usd(20) }])
      await expect(stage.order(buyer, lot, { ...terms, listingRef: before })).rejects.toMatchObject({
        code: 'not-listed',
        message: expect.stringContaining(`"${after}" stands in its place`),
      });
    const sell = { side: 'sell', limit: usd(30), listingRef: before } as const;
    await expect(stage.order(seller, lot, sell)).rejects.toMatchObject({ code: 'not-listed' });
    expect(await issuedTo(database.db, buyer)).toEqual({ orders: 0, matches: 0 });
    expect(await liveListingOf(database.db, other)).toMatchObject({ listing_ref: after, ask: usd(40) });
    const meant = await stage.order(buyer, other, { limit: usd(40), listingRef: after });
    expect(meant.match?.price).toBe(usd(40));
  });

  it("of the seller's own owner never matches it", async () => {
    const seller = await stage.agent('own-seller', '0xSame');
    const twin = await stage.agent('own-twin', '0xsame');
    const lot = await stage.list(seller, { owner: '0xSame', ask: usd(100) });
    expect((await stage.order(twin, lot, { owner: '0xsame', limit: usd(120) })).match).toBeNull();
  });

  it('goes by price, then by time, when the seller comes down', async () => {
    const [ann, early, late] = [await stage.agent(), await stage.agent(), await stage.agent()];
    const lot = await stage.list(ann, { ask: usd(100) });
    await stage.order(await stage.agent(), lot, { limit: usd(70) });
    await stage.order(early, lot, { limit: usd(80) });
    await stage.order(late, lot, { limit: usd(80) });
    stage.tick();
    const { match, order } = await stage.order(ann, lot, { side: 'sell', limit: usd(60) });
    expect(match).toMatchObject({ buyer: early, price: usd(70), sellOrder: order.order_id });
  });

  it('passes over a pair that a mandate refuses and an agent that is not active', async () => {
    const [ann, refused, paused, third] = await Promise.all([1, 2, 3, 4].map(() => stage.agent()));
    const lot = await stage.list(ann!, { ask: usd(100) });
    await stage.order(refused!, lot, { limit: usd(90) });
    await stage.order(paused!, lot, { limit: usd(85) });
    await stage.order(third!, lot, { limit: usd(80) });
    await stage.setStatus(paused!, 'paused');
    stage.tick();
    const { match } = await stage.order(ann!, lot, {
      side: 'sell',
      limit: usd(70),
      allows: ({ buy }) => buy.handle !== refused,
    });
    expect(match).toMatchObject({ buyer: third, price: usd(75) });
  });

  it('matches itself where a better bid is still refused, and lets that one match first once it may', async () => {
    const refusing = async () => {
      const lot = await stage.list(await stage.agent(), { ask: usd(100) });
      const bidder = await stage.agent();
      const refused = await stage.order(bidder, lot, { limit: usd(150), allows: () => false });
      expect([refused.order.status, refused.match]).toEqual(['resting', null]);
      return { lot, bidder, others: { allows: ({ buy }: Pair) => buy.handle !== bidder } };
    };
    const still = await refusing();
    const low = await stage.order(await stage.agent(), still.lot, { limit: usd(50), ...still.others });
    expect([low.order.status, low.match]).toEqual(['resting', null]);
    const own = await stage.order(await stage.agent(), still.lot, { limit: usd(100), ...still.others });
    expect([own.order.status, own.match?.buyOrder]).toEqual(['matched', own.order.order_id]);

    for (const limit of [usd(100), usd(50)]) {
      const { lot, bidder } = await refusing();
      const newcomer = await stage.agent();
      const placed = await stage.order(newcomer, lot, { limit });
      expect([placed.order.status, placed.match?.buyer]).toEqual(['resting', bidder]);
      expect(await heldBy(database.db, stage.side(newcomer), stage.now())).toMatchObject({ deals: 0 });
    }
  });

  it('takes the place of its agent’s own, in the price and in what is held, and a refused one leaves it', async () => {
    const lot = await stage.list(await stage.agent(), { ask: usd(100) });
    const [ann, bob] = [await stage.agent(), await stage.agent()];
    const first = await stage.order(ann, lot, { limit: usd(40), openingBid: usd(10) });
    expect(first.priceToBeat).toBe(usd(10));
    stage.tick();
    const judge = () => {
      throw new AppError('mandate-exceeded', 'too much');
    };
    const refused = stage.order(ann, lot, { limit: usd(90), judge });
    await expect(refused).rejects.toMatchObject({ code: 'mandate-exceeded' });
    expect((await findOrder(database.db, first.order.order_id))?.status).toBe('resting');

    const raised = await stage.order(ann, lot, { limit: usd(60), openingBid: usd(10) });
    // The owner who raises his bid does not raise the price that he must beat.
    expect([raised.priceToBeat, (await bookOf(lot))?.priceToBeat]).toEqual([usd(10), usd(10)]);
    const gone = await findOrder(database.db, first.order.order_id);
    expect([gone?.status, gone?.left_at]).toEqual(['cancelled', stage.now()]);
    expect(await heldBy(database.db, stage.side(ann), stage.now())).toMatchObject({
      amount: usd(60),
      resting: 1,
    });

    expect((await stage.order(bob, lot, { limit: usd(50) })).priceToBeat).toBe(usd(50.01));
    stage.tick();
    // Below another's it is no longer the best, whatever it was before.
    const lowered = await stage.order(ann, lot, { limit: usd(30), openingBid: usd(10) });
    expect(lowered.priceToBeat).toBe(usd(50));
  });

  it('replaces another no sooner than that could be taken back, and counts as one more of the owner’s', async () => {
    const lot = await stage.list(await stage.agent(), { ask: usd(100) });
    const ann = await stage.agent();
    const again = (limit: number) => stage.order(ann, lot, { limit: usd(limit), probes: 3 });
    await again(40);
    stage.tick(1_999);
    await expect(again(41)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(/two seconds/),
    });
    stage.tick(1);
    await again(41);
    stage.tick(2_000);
    await again(42);
    stage.tick(2_000);
    await expect(again(43)).rejects.toMatchObject({ code: 'rate-limited' });
  });

  it('of an owner with two agents counts where it is the better of the two, and no further', async () => {
    const seller = await stage.agent();
    const lot = await stage.list(seller, { ask: usd(100) });
    const owner = '0xowner-of-two';
    const [ann, bea] = [await stage.agent(undefined, owner), await stage.agent(undefined, owner)];
    const bob = await stage.agent();
    const bid = (handle: string, limit: number, openingBid: number) =>
      stage.order(handle, lot, { owner, limit: usd(limit), openingBid: usd(openingBid) });
    const best = await bid(ann, 60, 10);
    const beside = await bid(bea, 50, 45);
    // The other one's rests, and makes no price.
    expect([best.priceToBeat, beside.priceToBeat, beside.order.status]).toEqual([
      usd(10),
      usd(10),
      'resting',
    ]);
    expect((await stage.order(bob, lot, { limit: usd(20) })).priceToBeat).toBe(usd(20.01));
    expect((await stage.order(bob, await stage.list(seller))).priceToBeat).toBe(usd(50));

    // Nor does it match while the better one rests, for whatever reason that did not.
    stage.tick();
    const shy = await stage.order(ann, lot, { owner, limit: usd(110), allows: () => false });
    expect(shy.match).toBeNull();
    expect((await stage.order(bea, lot, { owner, limit: usd(105) })).match).toBeNull();
    stage.tick();
    const down = { side: 'sell', limit: usd(90) } as const;
    const tried: string[] = [];
    const allows = ({ buy }: { buy: { handle: string } }) => tried.push(buy.handle) < 0;
    await stage.order(seller, lot, { ...down, allows });
    expect(tried).toEqual([ann]);
  });

  it('is reckoned anew when the better of an owner’s agents changes hands', async () => {
    const lot = await stage.list(await stage.agent(), { ask: usd(100) });
    const owner = '0xowner-of-three';
    const [ann, bea] = [await stage.agent(undefined, owner), await stage.agent(undefined, owner)];
    await stage.order(ann, lot, { owner, limit: usd(60), openingBid: usd(10) });
    await stage.order(bea, lot, { owner, limit: usd(50), openingBid: usd(45) });
    expect((await bookOf(lot))?.priceToBeat).toBe(usd(10));
    await withdrawOrders(database.db, ann, stage.now());
    expect((await bookOf(lot))?.priceToBeat).toBe(usd(45));
    // What it bids for its new owner stands against what it left.
    await stage.order(ann, lot, { owner: '0xnew-owner', limit: usd(60), openingBid: usd(10) });
    expect((await bookOf(lot))?.priceToBeat).toBe(usd(50.01));
  });

  it('to sell re-prices the one sell order of its listing, and never the ask of a lot that leaves room', async () => {
    const ann = await stage.agent();
    const lot = await stage.list(ann, { ask: usd(100) });
    const resting = () =>
      database.db
        .selectFrom('orders')
        .select(['limit_price'])
        .where('asset_key', '=', lot)
        .where('status', '=', 'resting')
        .execute();
    stage.tick();
    await stage.order(ann, lot, { side: 'sell', limit: usd(90) });
    expect([await resting(), (await bookOf(lot))?.priceToBeat]).toEqual([
      [{ limit_price: usd(90) }],
      usd(100),
    ]);
    stage.tick();
    // An ask that followed would be the floor itself, for everybody to read.
    await expect(stage.order(ann, lot, { side: 'sell', limit: usd(100.01) })).rejects.toMatchObject({
      code: 'bad-request',
      message: expect.stringMatching(
        /limitUsd: must not be above the ask of 100 at which it was listed.*list the lot anew/,
      ),
    });
    await stage.order(ann, lot, { side: 'sell', limit: usd(100) });
    expect([await resting(), (await bookOf(lot))?.priceToBeat]).toEqual([
      [{ limit_price: usd(100) }],
      usd(100),
    ]);
    const until = stage.later(80 * 86_400_000);
    const fixed = await stage.list(ann, { ask: usd(100), negotiable: false, expiresAt: until });
    stage.tick();
    const { order: moved } = await stage.order(ann, fixed, { side: 'sell', limit: usd(90), expiresAt: null });
    expect(moved.expires_at).toEqual(until);
    expect((await bookOf(fixed))?.priceToBeat).toBe(usd(90));
    stage.tick();
    await stage.order(ann, fixed, { side: 'sell', limit: usd(80) });
    const kept = await liveListingOf(database.db, fixed);
    expect([kept?.ask, kept?.listed_ask]).toEqual([usd(80), usd(100)]);
    stage.tick();
    await expect(stage.order(ann, fixed, { side: 'sell', limit: usd(120) })).rejects.toMatchObject({
      code: 'bad-request',
      message: expect.stringMatching(/the ask of 100 at which it was listed/),
    });
    await expect(
      stage.order(await stage.agent(), lot, { side: 'sell', limit: usd(1) }),
    ).rejects.toMatchObject({ code: 'not-listed' });
  });

  it('is named to strangers by its id alone when its agent placed it by itself, as if there were none', async () => {
    const [ann, bob] = [await stage.agent(), await stage.agent()];
    const lot = await stage.list(ann);
    // Anybody can reckon this id, and ask without a signature what taking it back would say.
    const [orderId, never] = [evaluationOrderId('1', lot), evaluationOrderId('2', lot)];
    await stage.order(bob, lot, { orderId });
    const said = (id: string) => saidOfCancel(database, { orderId: id, handle: bob });
    expect((await said(orderId)).replace(orderId, never)).toBe(await said(never));
    expect(await said(orderId)).toBe(
      `Take back order ${orderId} of agent ${bob}. If it sells a lot, its listing ends with it.`,
    );
  });

  it('counts once among what its agent was issued, however often it is re-priced', async () => {
    const [ann, bob] = [await stage.agent(), await stage.agent()];
    const lots = [await stage.list(ann, { floor: usd(90) }), await stage.list(ann, { floor: usd(90) })];
    for (const limit of [80, 81, 82]) {
      stage.tick();
      await stage.order(bob, lots[0]!, { limit: usd(limit) });
      await stage.order(ann, lots[0]!, { side: 'sell', limit: usd(limit + 15) });
    }
    await stage.order(bob, lots[1]!, { limit: usd(80) });
    expect(await issuedTo(database.db, ann)).toEqual({ orders: 2, matches: 0 });
    expect(await issuedTo(database.db, bob)).toEqual({ orders: 2, matches: 0 });
  });

  it('is refused whole: what its judge throws leaves nothing behind', async () => {
    const bob = await stage.agent();
    const lot = await stage.list(await stage.agent());
    const judge = () => {
      throw new AppError('mandate-exceeded', 'too much');
    };
    await expect(stage.order(bob, lot, { judge })).rejects.toMatchObject({ code: 'mandate-exceeded' });
    expect(await issuedTo(database.db, bob)).toEqual({ orders: 0, matches: 0 });
    expect((await bookOf(lot))?.priceToBeat).toBe(usd(100));
  });

  it.each([
    [
      'an asset nobody lists',
      'not-listed',
      async () => stage.order(await stage.agent(), 'serial:vin:nowhere'),
    ],
    [
      'an agent nobody knows',
      'not-found',
      async () => stage.order('nobody', await stage.list(await stage.agent())),
    ],
    [
      'an agent that is paused',
      'agent-not-active',
      async () => {
        const bob = await stage.agent();
        await stage.setStatus(bob, 'paused');
        return stage.order(bob, await stage.list(await stage.agent()));
      },
    ],
    [
      'an opening bid above the limit',
      'bad-request',
      async () =>
        stage.order(await stage.agent(), await stage.list(await stage.agent()), { openingBid: usd(60) }),
    ],
  ])('on %s is %s', async (_, code, act) => {
    await expect(act()).rejects.toMatchObject({ code });
  });
});

describe('leaving the book', () => {
  it('is not possible within two seconds, for another agent, or twice', async () => {
    const bob = await stage.agent();
    const lot = await stage.list(await stage.agent());
    const { order } = await stage.order(bob, lot);
    await expect(cancel(order.order_id, bob)).rejects.toMatchObject({ code: 'conflict' });
    stage.tick(2_000);
    await expect(cancel(order.order_id, 'other')).rejects.toMatchObject({ code: 'not-found' });
    await expect(cancel('nowhere', bob)).rejects.toMatchObject({ code: 'not-found' });
    expect((await heldBy(database.db, stage.side(bob), stage.now())).amount).toBe(usd(50));
    await cancel(order.order_id, bob);
    expect((await heldBy(database.db, stage.side(bob), stage.now())).amount).toBe(0n);
    await expect(cancel(order.order_id, bob)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('of the seller takes the listing, its pledge and the other orders along', async () => {
    const [ann, bob] = [await stage.agent(), await stage.agent()];
    const lot = await stage.list(ann, { orderId: 'the-sell' });
    const { order } = await stage.order(bob, lot);
    stage.tick();
    await cancel('the-sell', ann);
    expect(await liveListingOf(database.db, lot)).toBeNull();
    expect(await livePledge(database.db, lot)).toBeNull();
    expect((await findOrder(database.db, order.order_id))?.status).toBe('cancelled');
    expect((await heldBy(database.db, stage.side(bob), stage.now())).amount).toBe(0n);
    expect(await bookOf(lot)).toBeUndefined();
    await expect(stage.order(bob, lot)).rejects.toMatchObject({ code: 'not-listed' });
  });

  it('happens by itself when an order is overdue', async () => {
    const [ann, bob] = [await stage.agent(), await stage.agent()];
    const lot = await stage.list(ann, { ask: usd(100) });
    const { order } = await stage.order(bob, lot, { expiresAt: stage.later(1_000) });
    await expireOrders(database.db, stage.later(999));
    expect((await findOrder(database.db, order.order_id))?.status).toBe('resting');
    await expireOrders(database.db, stage.later(1_000));
    expect((await findOrder(database.db, order.order_id))?.status).toBe('expired');
    expect((await heldBy(database.db, stage.side(bob), stage.now())).amount).toBe(0n);
    expect((await bookOf(lot))?.priceToBeat).toBe(usd(100));
  });

  it('never leaves an overdue order to be matched', async () => {
    const [ann, bob] = [await stage.agent(), await stage.agent()];
    const lot = await stage.list(ann, { ask: usd(100) });
    await stage.order(bob, lot, { limit: usd(90), expiresAt: stage.later(2_000) });
    stage.tick(2_000);
    expect((await stage.order(ann, lot, { side: 'sell', limit: usd(80) })).match).toBeNull();
  });

  it('is what becomes of everything an agent has resting when it is withdrawn', async () => {
    const bob = await stage.agent();
    const [one, two] = [await stage.list(await stage.agent()), await stage.list(await stage.agent())];
    const own = await stage.list(bob);
    await stage.order(bob, one);
    await stage.order(bob, two);
    expect(await withdrawOrders(database.db, bob, stage.now())).toBe(3);
    expect(await heldBy(database.db, stage.side(bob), stage.now())).toMatchObject({ amount: 0n, resting: 0 });
    expect(await liveListingOf(database.db, own)).toBeNull();
    expect(await liveListingOf(database.db, one)).not.toBeNull();
  });

  it('late leaves what the agent placed after it was resumed, and nothing while it is stopped', async () => {
    const bob = await stage.agent();
    const [one, two] = [await stage.list(await stage.agent()), await stage.list(await stage.agent())];
    const own = await stage.list(bob);
    await stage.order(bob, one);
    const askedAt = stage.tick();
    stage.tick();
    await stage.order(bob, two);
    const later = await stage.list(bob);
    expect(await withdrawOrders(database.db, bob, stage.now(), askedAt)).toBe(2);
    expect(await liveListingOf(database.db, own)).toBeNull();
    expect(await liveListingOf(database.db, later)).not.toBeNull();
    expect(await heldBy(database.db, stage.side(bob), stage.now())).toMatchObject({ resting: 2 });
    await stage.setStatus(bob, 'paused');
    expect(await withdrawOrders(database.db, bob, stage.now(), askedAt)).toBe(2);
  });
});

describe('orders that come at once', () => {
  it('see a lot that changes meanwhile as it was or as it is, never half of each', async () => {
    const seller = await stage.agent();
    const lot = await stage.list(seller);
    const bob = await stage.agent();
    const listingRef = (await liveListingOf(database.db, lot))?.listing_ref as string;
    stage.tick();
    const look = () =>
      readOrderSnapshot(database.db, { listingRef, handle: bob, owner: '0xbob', now: stage.now() });
    const orderId = (await look())?.before.sell?.orderId as string;
    const looking = await database.db.transaction().execute(async (trx) => {
      // Holds the look up after it has read the listing and before it reads the orders.
      await sql`lock table orders in access exclusive mode`.execute(trx);
      const waiting = look();
      await expect
        .poll(async () => {
          const { rows } =
            await sql`select 1 from pg_locks where not granted and relation = 'orders'::regclass`.execute(
              database.db,
            );
          return rows.length;
        })
        .toBe(1);
      await cancelOrder(trx, { orderId, handle: seller, now: stage.now() });
      return { waiting };
    });
    const before = (await looking.waiting)?.before;
    expect([before?.listing?.status, before?.sell === null]).toEqual(['live', false]);
    const after = (await look())?.before;
    expect([after?.listing, after?.sell]).toEqual([null, null]);
  });

  it('of one agent never exceed its caps together, on however many lots', async () => {
    const CAP = usd(200);
    const bob = await stage.agent();
    const lots = await Promise.all(Array.from({ length: 12 }, async () => stage.list(await stage.agent())));
    const judge = (held: Held) => {
      if (held.amount + usd(50) > CAP) throw new AppError('mandate-exceeded', 'cap_total');
    };
    const results = await Promise.allSettled(
      lots.map((lot) => stage.order(bob, lot, { limit: usd(50), judge })),
    );
    expect(results.filter((r) => r.status === 'fulfilled')).toHaveLength(4);
    expect((await heldBy(database.db, stage.side(bob), stage.now())).amount).toBe(CAP);
  });

  it('sell one lot once, and hold money for one buyer only as far as it matched', async () => {
    const lot = await stage.list(await stage.agent(), { ask: usd(100), floor: usd(80) });
    const buyers = await Promise.all(Array.from({ length: 20 }, () => stage.agent()));
    const results = await Promise.allSettled(
      buyers.map((buyer, i) => stage.order(buyer, lot, { limit: usd(80 + i) })),
    );
    const matched = results.flatMap((r) =>
      r.status === 'fulfilled' && r.value.match ? [r.value.match] : [],
    );
    expect(matched).toHaveLength(1);
    for (const r of results) {
      if (r.status === 'rejected') expect(r.reason).toMatchObject({ code: 'conflict' });
    }
    expect(await listMatches(database.db, { lot, ...page })).toHaveLength(1);
    const held = await database.db
      .selectFrom('reservations')
      .select('amount')
      .where('handle', 'in', buyers)
      .execute();
    expect(held).toEqual([{ amount: matched[0]?.price }]);
  });

  it('and cancellations and re-pricing on the same lots end without a deadlock', async () => {
    const sellers = await Promise.all([1, 2, 3].map(() => stage.agent()));
    const lots = await Promise.all(sellers.map((s) => stage.list(s, { ask: usd(1_000) })));
    const buyers = await Promise.all([1, 2, 3].map(() => stage.agent()));
    const resting = await Promise.all(
      buyers.flatMap((b) => lots.map(async (lot) => ({ b, id: (await stage.order(b, lot)).order.order_id }))),
    );
    stage.tick();
    const results = await Promise.allSettled([
      ...resting.map(({ b, id }) => cancel(id, b)),
      ...buyers.flatMap((b) => lots.map((lot) => stage.order(b, lot, { limit: usd(40) }))),
      ...lots.map((lot, i) => stage.order(sellers[i] as string, lot, { side: 'sell', limit: usd(900) })),
      expireOrders(database.db, stage.now()),
    ]);
    expect(results.flatMap((r) => (r.status === 'rejected' ? [r.reason] : []))).toEqual([]);
  });
});
