import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { evaluationOrderId, isByItself } from '../../agents/agent/order-id.ts';
import { heldBy } from '../../store/agent/reservations.ts';
import { createCheckout } from '../../store/checkout/checkouts.ts';
import { listCatalogue } from '../../store/market/catalogue.ts';
import { takeChainListings } from '../../store/market/chain-listings.ts';
import { payListing, reviewPayments } from '../../store/market/listing-payments.ts';
import { findListing, liveListingOf } from '../../store/market/listings.ts';
import { listBook } from '../../store/market/lots.ts';
import { listMatches, type Match } from '../../store/market/matches.ts';
import type { MayRest } from '../../store/market/order-reviews.ts';
import { findOrder, ordersOf } from '../../store/market/orders.ts';
import { livePledge } from '../../store/market/pledges.ts';
import { dropLot, withdrawOrders } from '../../store/market/withdrawals.ts';
import { listNames } from '../../store/names/name-listings.ts';
import { markSettled, revokeSettlement, unwindDeal } from '../fixtures/closings.ts';
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
const priceOf = async (lot: string) => (await listBook(database.db, { lot, ...page }))[0]?.priceToBeat;
const settle = (dealId: string, tx = '0xtx') =>
  stage.inTrx((trx) => markSettled(trx, { dealId, tx, block: 1n, now: stage.now() }));
const unwind = (dealId: string, mayRest: MayRest = async () => true, now = stage.now()) =>
  stage.inTrx((trx) =>
    unwindDeal(trx, {
      mayRest,
      dealId,
      reason: 'a determination was not CLEAN',
      orderId: stage.fresh('ord'),
      ids: stage.ids(),
      allows: () => true,
      now,
    }),
  );

/** A lot at 100, floor 80, with a bystander at 60, in a deal with a buyer at 90. */
async function dealing() {
  const [seller, buyer, bystander] = [await stage.agent(), await stage.agent(), await stage.agent()];
  const listingRef = stage.fresh('shop');
  const lot = await stage.list(seller, { listingRef, ask: usd(100), floor: usd(80) });
  await stage.order(bystander, lot, { limit: usd(60), openingBid: usd(30) });
  const { match } = await stage.order(buyer, lot, { limit: usd(90) });
  return { seller, buyer, bystander, listingRef, lot, match: match as Match };
}

/** A payment by card for a listing: of its fee, or of its placement. */
async function paidFor(
  listingRef: string,
  terms: { featured?: false; status?: 'paid' | 'failed' },
): Promise<string> {
  const { status = 'paid', ...details } = terms;
  const id = stage.fresh('co');
  await stage.inTrx((trx) =>
    createCheckout(trx, {
      ...{ id, kind: 'listing', owner: '0xanybody', handle: null, tier: null, depth: null },
      ...{ amount: usd(5), details: { listingRef, ...details } },
      ...{ expiresAt: stage.later(3_600_000), now: stage.now() },
    }),
  );
  const paid = { status, paid_at: stage.now() } as const;
  await database.db.updateTable('checkouts').set(paid).where('id', '=', id).execute();
  return id;
}

/** The money of a payment goes, or comes back. */
async function reverse(id: string, listingRef: string, away: boolean): Promise<void> {
  const suspended_at = away ? stage.now() : null;
  await database.db.updateTable('checkouts').set({ suspended_at }).where('id', '=', id).execute();
  await stage.inTrx((trx) => reviewPayments(trx, listingRef, stage.now()));
}

describe('a listing that is paid for', () => {
  it('twice keeps what one payment holds when the money of the other goes', async () => {
    const listingRef = stage.fresh('shop');
    await stage.list(await stage.agent(), { listingRef });
    const listing = async () => {
      const { status, featured } = (await findListing(database.db, listingRef))!;
      return { status, featured };
    };
    const placements = [await paidFor(listingRef, {}), await paidFor(listingRef, {})] as const;
    const fees = [
      await paidFor(listingRef, { featured: false }),
      await paidFor(listingRef, { featured: false }),
    ] as const;
    await paidFor(listingRef, { status: 'failed' });
    await reverse(placements[0], listingRef, true);
    expect(await listing()).toEqual({ status: 'live', featured: true });
    await reverse(fees[0], listingRef, true);
    expect(await listing()).toEqual({ status: 'live', featured: true });
    await reverse(fees[1], listingRef, true);
    await reverse(placements[1], listingRef, true);
    expect(await listing()).toEqual({ status: 'unpaid', featured: false });
    await reverse(fees[1], listingRef, false);
    await reverse(placements[0], listingRef, false);
    expect(await listing()).toEqual({ status: 'live', featured: true });
  });

  it.each(['goods', 'names'])(
    'among %s, it has its place by when it was shown first, whenever it was made and its money went or came',
    async (kind) => {
      const seller = await stage.agent();
      const chain = stage.fresh('eip155:');
      const refs = [stage.fresh('shop'), stage.fresh('shop'), stage.fresh('shop')] as const;
      const [one, two, three] = refs;
      for (const listingRef of refs) {
        const serial = `${listingRef}.${kind}`;
        const asset = { kind: 'serial', serialKind: 'name', serial } as const;
        await stage.list(seller, { listingRef, chain, paid: false, ...(kind === 'names' && { asset }) });
        stage.tick(60_000);
      }
      const shown = async (after?: string) => {
        const rows =
          kind === 'names'
            ? await listNames(database.db, { tld: kind, now: stage.now(), ...page, ...(after && { after }) })
            : await listCatalogue(database.db, {
                ...{ chain, ...page },
                ...(after && { after: { featured: false, listingRef: after } }),
              });
        return rows.map(({ listingRef, listedAt }) => [listingRef, listedAt]);
      };
      const pay = async (listingRef: string) => {
        stage.tick(60_000);
        const fee = await paidFor(listingRef, { featured: false });
        const [now, expiresAt] = [stage.now(), stage.later(90 * 86_400_000)];
        await stage.inTrx((trx) => payListing(trx, listingRef, { paid: true, expiresAt, now }));
        return { fee, row: [listingRef, now] };
      };
      const [third, first, second] = [await pay(three), await pay(one), await pay(two)];
      const order = [second.row, first.row, third.row];
      expect(await shown()).toEqual(order);
      expect(await shown(two)).toEqual(order.slice(1));

      stage.tick(60_000);
      await reverse(third.fee, three, true);
      expect(await shown()).toEqual(order.slice(0, 2));
      await reverse(third.fee, three, false);
      expect(await shown()).toEqual(order);
      // All of its money went, and its seller pays anew.
      await reverse(first.fee, one, true);
      await pay(one);
      expect(await shown()).toEqual(order);
    },
  );

  it('stays unpaid when a placement is refunded, and no fee was ever paid', async () => {
    const listingRef = stage.fresh('shop');
    await stage.list(await stage.agent(), { listingRef, paid: false });
    await reverse(await paidFor(listingRef, {}), listingRef, true);
    expect((await findListing(database.db, listingRef))?.status).toBe('unpaid');
  });
});

describe('a deal that settles', () => {
  it('spends the reservation, fills both orders, sells the listing and frees everyone else', async () => {
    const { buyer, bystander, listingRef, lot, match } = await dealing();
    expect(await settle(match.dealId)).toBe(true);
    const reservation = await database.db
      .selectFrom('reservations')
      .select(['state', 'amount'])
      .where('order_id', '=', match.buyOrder)
      .executeTakeFirst();
    expect(reservation).toEqual({ state: 'spent', amount: usd(85) });
    for (const id of [match.sellOrder, match.buyOrder]) {
      expect((await findOrder(database.db, id))?.status).toBe('filled');
    }
    expect((await findListing(database.db, listingRef))?.status).toBe('sold');
    expect(await livePledge(database.db, lot)).toBeNull();
    expect(await heldBy(database.db, stage.side(buyer), stage.now())).toMatchObject({ amount: 0n, deals: 1 });
    expect(await heldBy(database.db, stage.side(bystander), stage.now())).toMatchObject({
      amount: 0n,
      resting: 0,
    });
    expect(await priceOf(lot)).toBeUndefined();
    expect((await listMatches(database.db, { lot, ...page }))[0]).toMatchObject({
      settledAt: stage.now(),
      tx: '0xtx',
      state: 'settled',
    });
  });

  it('settles once, keeps its first transaction, and is never unwound', async () => {
    const { lot, match } = await dealing();
    const results = await Promise.all(['0x1', '0x2', '0x3'].map((tx) => settle(match.dealId, tx)));
    expect(results.filter(Boolean)).toHaveLength(1);
    const first = `0x${results.indexOf(true) + 1}`;
    expect((await listMatches(database.db, { lot, ...page }))[0]?.tx).toBe(first);
    await expect(unwind(match.dealId)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('leaves the asset free to be listed again', async () => {
    const { buyer, lot, match } = await dealing();
    await settle(match.dealId);
    const [, contract, tokenId] = /erc721:(0x\w+)\/(\d+)/.exec(lot) as RegExpExecArray;
    await stage.list(buyer, {
      asset: {
        kind: 'token',
        chainId: 1002,
        contract: contract as `0x${string}`,
        tokenId: tokenId as string,
      },
      ask: usd(200),
    });
    expect(await priceOf(lot)).toBe(usd(200));
  });
});

describe('a deal that is unwound', () => {
  it('releases the money and lists the lot again on the same terms', async () => {
    const { seller, buyer, listingRef, lot, match } = await dealing();
    expect(await unwind(match.dealId)).toMatchObject({ unwound: true, listed: true, match: null });
    expect(await heldBy(database.db, stage.side(buyer), stage.now())).toEqual({
      amount: 0n,
      unfunded: 0n,
      resting: 0,
      deals: 0,
      dealsToday: 0,
    });
    expect((await findOrder(database.db, match.buyOrder))?.status).toBe('unwound');
    expect((await listMatches(database.db, { lot, ...page }))[0]).toMatchObject({ state: 'stopped' });
    expect((await findListing(database.db, listingRef))?.status).toBe('live');
    expect(await livePledge(database.db, lot)).not.toBeNull();
    expect(await heldBy(database.db, stage.side(seller), stage.now())).toMatchObject({
      resting: 1,
      deals: 0,
    });
    expect(await priceOf(lot)).toBe(usd(30));
    const again = await stage.order(await stage.agent(), lot, { limit: usd(84) });
    expect(again.match).toMatchObject({ price: usd(82), seller });
  });

  it('brings the order of its seller back as whose it was: the owner’s, or the agent’s by itself', async () => {
    const owners = await dealing();
    await unwind(owners.match.dealId);
    const { seller, buyer, listingRef, lot, match } = await dealing();
    await unwind(match.dealId);
    stage.tick();
    const orderId = evaluationOrderId('key', listingRef);
    await stage.order(seller, lot, { orderId, side: 'sell', limit: usd(92) });
    const again = (await stage.order(buyer, lot, { limit: usd(96) })).match as Match;
    expect(again.sellOrder).toBe(orderId);
    await unwind(again.dealId);
    const returned = async (handle: string) => {
      const orders = await ordersOf(database.db, stage.side(handle), page);
      return orders.filter((o) => o.status === 'resting').map((o) => [o.limit_price, isByItself(o.order_id)]);
    };
    expect(await returned(owners.seller)).toEqual([[usd(80), false]]);
    expect(await returned(seller)).toEqual([[usd(92), true]]);
  });

  it('is unwound once, and never settles afterwards', async () => {
    const { match } = await dealing();
    const results = await Promise.all([1, 2, 3].map(() => unwind(match.dealId)));
    expect(results.filter((r) => r.unwound)).toHaveLength(1);
    await expect(settle(match.dealId)).rejects.toThrow(/unwound/);
  });

  it('matches the next buyer whom the seller overlapped all along', async () => {
    const [seller, best, next] = [await stage.agent(), await stage.agent(), await stage.agent()];
    const lot = await stage.list(seller, { ask: usd(100) });
    await stage.order(best, lot, { limit: usd(90) });
    await stage.order(next, lot, { limit: usd(80) });
    stage.tick();
    const { match } = await stage.order(seller, lot, { side: 'sell', limit: usd(70) });
    expect(match?.buyer).toBe(best);
    const undone = await unwind((match as Match).dealId);
    expect(undone.match).toMatchObject({ buyer: next, price: usd(75) });
    expect((await liveListingOf(database.db, lot))?.status).toBe('dealing');
    expect((await heldBy(database.db, stage.side(next), stage.now())).amount).toBe(usd(75));
  });

  it('drops the listing when its seller may no longer trade', async () => {
    const { seller, bystander, listingRef, lot, match } = await dealing();
    await stage.setStatus(seller, 'paused');
    expect(await unwind(match.dealId)).toEqual({ unwound: true, listed: false, match: null });
    expect((await findListing(database.db, listingRef))?.status).toBe('dropped');
    expect(await livePledge(database.db, lot)).toBeNull();
    expect((await heldBy(database.db, stage.side(bystander), stage.now())).amount).toBe(0n);
  });

  it('drops the listing where the mandate that its seller signed meanwhile forbids the order, and matches nobody', async () => {
    const [seller, best, next] = [await stage.agent(), await stage.agent(), await stage.agent()];
    const listingRef = stage.fresh('forbidden');
    const lot = await stage.list(seller, { listingRef, ask: usd(100) });
    await stage.order(best, lot, { limit: usd(90) });
    await stage.order(next, lot, { limit: usd(80) });
    stage.tick();
    const { match } = await stage.order(seller, lot, { side: 'sell', limit: usd(70) });
    const asked: unknown[] = [];
    const undone = await unwind(match!.dealId, async (_, { order, listing, held }) => {
      asked.push([order.side, order.limit_price, listing.status, held.resting, held.deals]);
      return false;
    });
    expect(undone).toEqual({ unwound: true, listed: false, match: null });
    // It counts as one that comes to what the agent has besides.
    expect(asked).toEqual([['sell', usd(70), 'live', 0, 0]]);
    expect((await findListing(database.db, listingRef))?.status).toBe('dropped');
    expect((await heldBy(database.db, stage.side(next), stage.now())).amount).toBe(0n);
  });

  it('drops the listing of a lot that left the market after its undoing began', async () => {
    const { listingRef, lot, match } = await dealing();
    const began = stage.now();
    stage.tick();
    expect(await stage.inTrx((trx) => dropLot(trx, lot, stage.now()))).toBe('ends');
    const undone = await unwind(match.dealId, async () => true, began);
    expect(undone).toEqual({ unwound: true, listed: false, match: null });
    expect((await findListing(database.db, listingRef))?.status).toBe('dropped');
  });

  it('drops the listing of a seller who was stopped meanwhile and goes on, and keeps what it placed since', async () => {
    const one = await dealing();
    const pause = async (handle: string, meanwhile: () => Promise<unknown>) => {
      const askedAt = stage.now();
      await stage.setStatus(handle, 'paused');
      stage.tick();
      await stage.setStatus(handle, 'active');
      await meanwhile();
      await withdrawOrders(database.db, handle, stage.now(), askedAt);
    };
    await pause(one.seller, async () => {});
    expect(await unwind(one.match.dealId)).toEqual({ unwound: true, listed: false, match: null });
    expect((await findListing(database.db, one.listingRef))?.status).toBe('dropped');
    // Where the deal was undone before that was carried out, the order that returned leaves.
    const two = await dealing();
    await pause(two.seller, () => unwind(two.match.dealId));
    expect((await findListing(database.db, two.listingRef))?.status).toBe('dropped');
    // A stop of the buyer takes nothing from the seller.
    const three = await dealing();
    await pause(three.buyer, async () => {});
    expect(await unwind(three.match.dealId)).toMatchObject({ listed: true });
    const listingRef = stage.fresh('since');
    await pause(three.seller, () => stage.list(three.seller, { listingRef }));
    expect((await findListing(database.db, listingRef))?.status).toBe('live');
    expect((await findListing(database.db, three.listingRef))?.status).toBe('dropped');
  });

  it('shows its lot to nobody while the fee that was paid for it is disputed, and then as before', async () => {
    const { bystander, listingRef, lot, match } = await dealing();
    const fee = await paidFor(listingRef, { featured: false });
    await reverse(fee, listingRef, true);
    expect(await unwind(match.dealId)).toEqual({ unwound: true, listed: true, match: null });
    expect((await findListing(database.db, listingRef))?.status).toBe('unpaid');
    expect(await priceOf(lot)).toBeUndefined();
    stage.tick();
    await expect(stage.order(bystander, lot, { limit: usd(95) })).rejects.toMatchObject({
      code: 'not-listed',
    });
    await reverse(fee, listingRef, false);
    expect((await findListing(database.db, listingRef))?.status).toBe('live');
    expect(await priceOf(lot)).not.toBeUndefined();
  });

  it.each([72, 60])(
    'leaves its lot to the best bid that waited out the dispute, not to a newcomer at %i',
    async (dollars) => {
      const [seller, best, next, newcomer] = [
        await stage.agent(),
        await stage.agent(),
        await stage.agent(),
        await stage.agent(),
      ];
      const listingRef = stage.fresh('disputed');
      const lot = await stage.list(seller, { listingRef, ask: usd(100) });
      await stage.order(best, lot, { limit: usd(90) });
      await stage.order(next, lot, { limit: usd(80) });
      stage.tick();
      const { match } = await stage.order(seller, lot, { side: 'sell', limit: usd(70) });
      const fee = await paidFor(listingRef, { featured: false });
      await reverse(fee, listingRef, true);
      expect(await unwind(match!.dealId)).toMatchObject({ listed: true, match: null });
      await reverse(fee, listingRef, false);
      const placed = await stage.order(newcomer, lot, { limit: usd(dollars) });
      expect(placed.match).toMatchObject({ buyer: next, price: usd(75) });
      expect(placed.order.status).toBe('resting');
      expect(await priceOf(lot)).toBeUndefined();
    },
  );

  it('does not bring back what ran out meanwhile', async () => {
    const [seller, best, next] = [await stage.agent(), await stage.agent(), await stage.agent()];
    const lot = await stage.list(seller, { ask: usd(100), expiresAt: stage.later(7_200_000) });
    await stage.order(best, lot, { limit: usd(90) });
    const { order } = await stage.order(next, lot, { limit: usd(80), expiresAt: stage.later(3_600_000) });
    const terms = { side: 'sell', limit: usd(70), expiresAt: stage.later(7_200_000) } as const;
    stage.tick();
    const first = (await stage.order(seller, lot, terms)).match as Match;
    stage.tick(3_600_000);
    expect(await unwind(first.dealId)).toEqual({ unwound: true, listed: true, match: null });
    expect((await findOrder(database.db, order.order_id))?.status).toBe('expired');

    const second = (await stage.order(next, lot, { limit: usd(70) })).match as Match;
    stage.tick(3_600_000);
    expect(await unwind(second.dealId)).toEqual({ unwound: true, listed: false, match: null });
    expect(await liveListingOf(database.db, lot)).toBeNull();
  });

  it('that nobody knows is not found', async () => {
    await expect(unwind('deal_nowhere')).rejects.toMatchObject({ code: 'not-found' });
    await expect(settle('deal_nowhere')).rejects.toMatchObject({ code: 'not-found' });
  });
});

describe('a deal that is undone after its thing has left', () => {
  it('is not listed again, and lets everyone go', async () => {
    const { bystander, listingRef, lot, match } = await dealing();
    const undone = await stage.inTrx((trx) =>
      unwindDeal(trx, {
        dealId: match.dealId,
        reason: 'refused on chain',
        orderId: stage.fresh('again'),
        ids: stage.ids(),
        allows: () => true,
        now: stage.now(),
        left: true,
      }),
    );
    expect(undone).toEqual({ unwound: true, listed: false, match: null });
    expect((await findListing(database.db, listingRef))?.status).toBe('dropped');
    expect(await priceOf(lot)).toBeUndefined();
    expect(await heldBy(database.db, stage.side(bystander), stage.now())).toMatchObject({
      amount: 0n,
      resting: 0,
    });
  });
});

describe('a settlement that a reorg removed for good', () => {
  it('is spent, filled and sold no more: its money is free, its lot may be listed anew, and the chain is looked after', async () => {
    const { seller, buyer, listingRef, match } = await dealing();
    await settle(match.dealId);
    stage.tick();
    const gone = { dealId: match.dealId, reason: 'refused again', now: stage.now() };
    await stage.inTrx((trx) => revokeSettlement(trx, gone));
    const reservation = await database.db
      .selectFrom('reservations')
      .select('state')
      .where('order_id', '=', match.buyOrder)
      .executeTakeFirst();
    expect(reservation).toEqual({ state: 'released' });
    for (const id of [match.sellOrder, match.buyOrder]) {
      expect((await findOrder(database.db, id))?.status).toBe('unwound');
    }
    const listing = await findListing(database.db, listingRef);
    expect(listing?.status).toBe('dropped');
    expect(await heldBy(database.db, stage.side(buyer), stage.now())).toMatchObject({ amount: 0n, deals: 0 });
    const [left] = await takeChainListings(database.db, {
      now: stage.now(),
      limit: 50,
      quarantine: 'chain-listing',
    });
    expect(left).toMatchObject({ handle: seller, lot: listing?.asset_key });
    const lot = await stage.list(seller, { asset: listing?.asset as never, floor: usd(80) });
    // What the chain has refused the same two do not try again at once.
    stage.tick();
    expect((await stage.order(buyer, lot, { limit: usd(90) })).match).toBeNull();
  });
});
