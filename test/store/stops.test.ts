import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StopCause } from '../../agents/deal/stop-causes.ts';
import { saidOfDecision, saidOfDecisions } from '../../runtime/market/orders/said-before-signing.ts';
import { keepSettings } from '../../store/agent/settings.ts';
import { liveListingOf } from '../../store/market/listings.ts';
import { listBook } from '../../store/market/lots.ts';
import { type OrderContext, readOrderSnapshot } from '../../store/market/order-context.ts';
import { barredLots, standingStops } from '../../store/market/stops.ts';
import { cancelOrder } from '../../store/market/withdrawals.ts';
import { importRegister } from '../../store/registers/registers.ts';
import { unwindDeal } from '../fixtures/closings.ts';
import { type MarketStage, marketStage, unlessStopped } from '../fixtures/market-stage.ts';
import { testDatabase } from '../fixtures/postgres.ts';
import { plainHolder } from '../fixtures/wallets/plain-holder.ts';

/** What has stopped a deal is known to the matcher, to the price and to whoever counts probes. */

let database: Awaited<ReturnType<typeof testDatabase>>;
let stage: MarketStage;

beforeAll(async () => {
  database = await testDatabase();
  stage = marketStage(database.db);
});
afterAll(() => database.drop());

const HOUR = 3_600_000;
const usd = (dollars: number): bigint => BigInt(Math.round(dollars * 1_000_000));
const ownerOf = (handle: string): string => `0xowner-of-${handle}`;
const priceOf = async (lot: string) =>
  (await listBook(database.db, { lot, limit: 1, offset: 0 }))[0]?.priceToBeat;
const WALLET: StopCause = { finding: 'wallet', side: 'buyer', verdict: 'FLAGGED' };

function stop(dealId: string, ...causes: StopCause[]) {
  return stage.inTrx((trx) =>
    unwindDeal(trx, {
      dealId,
      reason: 'stopped',
      orderId: stage.fresh('again'),
      ids: stage.ids(),
      allows: unlessStopped(trx),
      now: stage.tick(),
      causes,
    }),
  );
}

type ActKind = 'mandate' | 'pause' | 'resume' | 'rotate' | 'retire';

/** The owner of an agent has signed an act of it, which is done. */
async function signedAct(handle: string, kind: ActKind, owner: string): Promise<void> {
  await database.db
    .insertInto('owner_acts')
    .values({
      ...{ id: stage.fresh('act'), handle, kind, owner, beneficial_owner: owner, epoch: 1, nonce: 1n },
      ...{ since_block: 1n, deadline: stage.later(1000), version: null, detail: '{}', signatures: null },
      ...{ status: 'done', reason: null, tx: '0x1', created_at: stage.now(), updated_at: stage.now() },
    })
    .execute();
}

interface Stopped {
  readonly seller: string;
  readonly buyer: string;
  readonly lot: string;
  /** Bids again, through the same agent; whether it matched. */
  again(limit?: number): Promise<boolean>;
}

/** A lot with a floor of 80, on which a buyer at 100 was stopped at 90. */
async function stopped(...causes: StopCause[]): Promise<Stopped> {
  const [seller, buyer] = [await stage.agent(), await stage.agent()];
  const lot = await stage.list(seller, { ask: usd(120), floor: usd(80) });
  const { match } = await stage.order(buyer, lot, { limit: usd(100) });
  await stop(match!.dealId, ...causes);
  return {
    seller,
    buyer,
    lot,
    async again(limit = 100) {
      stage.tick();
      const placed = await stage.order(buyer, lot, { limit: usd(limit) });
      return placed.match !== null;
    },
  };
}

describe('a pair that was stopped', () => {
  it('does not match again over the lot, and its buyer moves no price there', async () => {
    const { seller, lot, again } = await stopped(WALLET);
    expect(await again()).toBe(false);
    expect(await again(110)).toBe(false);
    expect(await priceOf(lot)).toBe(usd(120));
    // Also below the seller's limit, where it would match nobody.
    expect(await again(30)).toBe(false);
    expect(await priceOf(lot)).toBe(usd(120));
    // Neither does it when the seller places a new order.
    stage.tick();
    const { match } = await stage.order(seller, lot, { side: 'sell', limit: usd(70) });
    expect(match).toBeNull();
    expect(await priceOf(lot)).toBe(usd(120));
  });

  it('is passed over for the next best buyer, at the price that these two make', async () => {
    const { lot, buyer, again } = await stopped(WALLET);
    expect(await again()).toBe(false);
    const next = await stage.agent();
    const { match } = await stage.order(next, lot, { limit: usd(84) });
    expect(match).toMatchObject({ buyer: next, price: usd(82) });
    // That one is undone as well: a third one is there, and the first two are passed over.
    const third = await stage.agent();
    const undone = await stop(match!.dealId, WALLET);
    expect(undone.match).toBeNull();
    expect((await stage.order(third, lot, { limit: usd(80) })).match).toMatchObject({ buyer: third });
    expect(buyer).not.toBe(next);
  });

  it('rests above the second best, which matches when the seller comes down to it', async () => {
    const [seller, best, second] = [await stage.agent(), await stage.agent(), await stage.agent()];
    const lot = await stage.list(seller, { ask: usd(120), floor: usd(90) });
    await stage.order(second, lot, { limit: usd(85) });
    stage.tick();
    const { match } = await stage.order(best, lot, { limit: usd(100) });
    await stop(match!.dealId, WALLET);
    await stage.order(best, lot, { limit: usd(100) });
    const repriced = await stage.order(seller, lot, { side: 'sell', limit: usd(80) });
    expect(repriced.match).toMatchObject({ buyer: second, price: usd(82.5) });
  });

  it('is known through every agent of both owners', async () => {
    const { lot, buyer } = await stopped(WALLET);
    const sibling = await stage.agent(undefined, ownerOf(buyer));
    const terms = { limit: usd(100), owner: ownerOf(buyer) };
    expect((await stage.order(sibling, lot, terms)).match).toBeNull();
    // Of another owner the same agent is another buyer.
    const sold = await stage.order(buyer, lot, { limit: usd(100), owner: '0xits-new-owner' });
    expect(sold.match).not.toBeNull();
  });

  it('is known when the thing is listed again, and under another spelling', async () => {
    const [seller, buyer] = [await stage.agent(), await stage.agent()];
    const serial = (code: string) => ({ kind: 'serial', serialKind: 'gtin', serial: code }) as const;
    const lot = await stage.list(seller, { asset: serial('4006381333931'), floor: usd(80) });
    const { match } = await stage.order(buyer, lot, { limit: usd(100) });
    await stop(match!.dealId, WALLET);
    const { order_id: orderId } = await restingOffer(seller);
    await stage.inTrx((trx) => cancelOrder(trx, { orderId, handle: seller, now: stage.now() }));
    const again = await stage.list(seller, { asset: serial('04006381333931'), floor: usd(80) });
    expect(again).not.toBe(lot);
    expect((await stage.order(buyer, again, { limit: usd(100) })).match).toBeNull();
  });

  it('stays stopped for what it ordered before, though the clock of who undoes the deal is behind', async () => {
    const [seller, buyer] = [await stage.agent(), await stage.agent()];
    const lot = await stage.list(seller, { ask: usd(120), floor: usd(110) });
    const sibling = await stage.agent(undefined, ownerOf(buyer));
    const lower = { limit: usd(84), owner: ownerOf(buyer) };
    await stage.order(buyer, lot, { limit: usd(100) });
    stage.tick();
    await stage.order(sibling, lot, lower);
    stage.tick();
    const { match } = await stage.order(seller, lot, { side: 'sell', limit: usd(80) });
    expect(match).toMatchObject({ buyer, price: usd(90) });
    const undone = await stage.inTrx((trx) =>
      unwindDeal(trx, {
        dealId: match!.dealId,
        reason: 'stopped',
        orderId: stage.fresh('again'),
        ids: stage.ids(),
        allows: unlessStopped(trx),
        now: stage.later(-60_000),
        causes: [{ finding: 'mandate-compliance', side: 'buyer', verdict: 'FLAGGED' }],
      }),
    );
    // The other order would match at 82, where the finding need not apply: but nobody has ordered since.
    expect(undone).toMatchObject({ listed: true, match: null });
    stage.tick();
    expect((await stage.order(sibling, lot, lower)).match).toMatchObject({ price: usd(82) });
  });

  it('is seen by whoever looks at the lot to order, because other orders make its price then', async () => {
    const { lot, buyer } = await stopped(WALLET);
    expect(await lookAt(lot, buyer)).toMatchObject({ stops: true });
  });
});

async function lookAt(lot: string, handle: string): Promise<OrderContext> {
  const { listing_ref: listingRef } = (await liveListingOf(database.db, lot))!;
  const asked = { listingRef, handle, owner: ownerOf(handle), now: stage.now() };
  return (await readOrderSnapshot(database.db, asked))!.before;
}

describe('what stopped a pair is lifted by a new order', () => {
  it('when the owner whose setting stopped it has chosen otherwise', async () => {
    const { buyer, seller, again } = await stopped(WALLET);
    await keepSettings(database.db, plainHolder(ownerOf(seller)), { onFlagged: 'ask' }, stage.now());
    expect(await again()).toBe(false);
    await keepSettings(database.db, plainHolder(ownerOf(buyer)), { onFlagged: 'ask' }, stage.now());
    expect(await again()).toBe(true);
  });

  it('and the best order between both matches then, which is not always the new one', async () => {
    const { lot, buyer, again } = await stopped(WALLET);
    expect(await again(100)).toBe(false);
    await keepSettings(database.db, plainHolder(ownerOf(buyer)), { onFlagged: 'ask' }, stage.now());
    const sibling = await stage.agent(undefined, ownerOf(buyer));
    stage.tick();
    const placed = await stage.order(sibling, lot, { limit: usd(90), owner: ownerOf(buyer) });
    expect(placed.match).toMatchObject({ buyer, price: usd(90) });
    expect(placed.order.status).toBe('resting');
  });

  it('by a choice about what could not be judged, where that is what stopped it, and by none for a wallet', async () => {
    const PRICE: StopCause = { finding: 'price-intelligence', side: 'buyer', verdict: 'INCONCLUSIVE' };
    for (const [cause, lifted] of [
      [PRICE, true],
      [WALLET, false],
    ] as const) {
      const { buyer, again } = await stopped(cause);
      expect(await again()).toBe(false);
      const choice = { onInconclusive: 'proceed' } as const;
      await keepSettings(database.db, plainHolder(ownerOf(buyer)), choice, stage.now());
      expect(await again()).toBe(lifted);
    }
  });

  it('of the seller, too', async () => {
    const { buyer, seller, lot, again } = await stopped(WALLET);
    expect(await again()).toBe(false);
    await keepSettings(database.db, plainHolder(ownerOf(buyer)), { onFlagged: 'ask' }, stage.now());
    // A choice alone brings nothing about.
    expect(await priceOf(lot)).toBe(usd(120));
    const { match } = await stage.order(seller, lot, { side: 'sell', limit: usd(80) });
    expect(match).toMatchObject({ buyer });
  });

  it('when its mandate is another one, where the finding rests on the mandate', async () => {
    const { buyer, seller, again } = await stopped({
      finding: 'provenance',
      side: 'seller',
      verdict: 'FLAGGED',
    });
    await newMandate(buyer);
    expect(await again()).toBe(false);
    await newMandate(seller);
    expect(await again()).toBe(true);
  });

  it('when a list that it rests on was published anew, and not when it was fetched again as it was', async () => {
    const listed = (asOf: string, key: string) =>
      importRegister(database.db, {
        register: 'known-scam',
        source: 'a list',
        asOf: new Date(asOf),
        mode: 'replace',
        rows: (async function* () {
          yield { key, detail: {} };
        })(),
      });
    await listed('2026-09-01T00:00:00Z', '0xone');
    const pair = await stopped(WALLET);
    await listed('2026-09-01T00:00:00Z', '0xone');
    expect(await pair.again()).toBe(false);
    await listed('2026-09-02T00:00:00Z', '0xtwo');
    expect(await pair.again()).toBe(true);
  });

  it('when a claim on the thing comes or goes, of which its listing is none', async () => {
    const { lot, seller, buyer, again } = await stopped({
      finding: 'double-pledge',
      side: 'buyer',
      verdict: 'FLAGGED',
    });
    const { order_id: orderId } = await restingOffer(seller);
    await stage.inTrx((trx) => cancelOrder(trx, { orderId, handle: seller, now: stage.now() }));
    const [, contract, tokenId] = /erc721:(0x[0-9a-f]+)\/([0-9]+)$/.exec(lot)!;
    const asset = {
      kind: 'token',
      chainId: 1002,
      contract: contract as `0x${string}`,
      tokenId: tokenId!,
    } as const;
    await stage.list(seller, { asset, floor: usd(80) });
    expect((await stage.order(buyer, lot, { limit: usd(100) })).match).toBeNull();
    // As a lender's claim stands that was taken down before both were known to be one thing.
    await database.db
      .updateTable('pledges')
      .set({ released_at: stage.now() })
      .where('asset_key', '=', lot)
      .execute();
    await database.db
      .insertInto('pledges')
      .values({
        ...{
          id: stage.fresh('lien'),
          asset_key: lot,
          listing_ref: 'of a lender',
          wallet: '0xlender',
          lender: 'bank',
        },
        ...{ until: null, source: 'operator', proven: true, created_at: stage.now(), released_at: null },
      })
      .execute();
    expect(await again()).toBe(true);
  });

  it('when its time is over, which is twice as long the second time', async () => {
    const silent: StopCause = { finding: 'wallet', side: 'seller', verdict: 'INCONCLUSIVE' };
    const { lot, buyer, again } = await stopped(silent);
    stage.tick(HOUR - 10_000);
    expect(await again()).toBe(false);
    stage.tick(10_000);
    const { match } = await stage.order(buyer, lot, { limit: usd(100) });
    expect(match).not.toBeNull();
    await stop(match!.dealId, silent);
    stage.tick(2 * HOUR - 10_000);
    expect(await again()).toBe(false);
    stage.tick(10_000);
    expect(await again()).toBe(true);
  });

  it('only where every finding that stopped it has been lifted', async () => {
    const { buyer, seller, again } = await stopped(WALLET, {
      finding: 'double-pledge',
      side: 'seller',
      verdict: 'FLAGGED',
    });
    await keepSettings(database.db, plainHolder(ownerOf(buyer)), { onFlagged: 'ask' }, stage.now());
    expect(await again()).toBe(false);
    await keepSettings(database.db, plainHolder(ownerOf(seller)), { onFlagged: 'ask' }, stage.now());
    expect(await again()).toBe(true);
  });

  it('at another price, where the price was what stopped it, and moves no price before', async () => {
    const { lot, again } = await stopped({
      finding: 'price-intelligence',
      side: 'buyer',
      verdict: 'FLAGGED',
    });
    // It would clear at 90, as it did, and at 88.
    expect(await again(100)).toBe(false);
    expect(await again(96)).toBe(false);
    expect(await again(40)).toBe(false);
    expect(await priceOf(lot)).toBe(usd(120));
    // At 85.
    expect(await again(90)).toBe(true);
  });
});

describe('the price of a lot on which an agent asked in vain for which its owner never gave a word', () => {
  it('goes by what the owner bids through another agent, and by nothing of that one', async () => {
    const { buyer: gift, lot } = await stopped({ finding: 'not-determined', side: 'buyer', verdict: null });
    const owner = ownerOf(gift);
    const own = await stage.agent(undefined, owner);
    stage.tick();
    await stage.order(gift, lot, { owner, limit: usd(79), openingBid: usd(78) });
    expect(await priceOf(lot)).toBe(usd(120));
    await stage.order(own, lot, { owner, limit: usd(75), openingBid: usd(70) });
    expect(await priceOf(lot)).toBe(usd(70));
    stage.tick();
    expect((await stage.order(own, lot, { owner, limit: usd(90) })).match).not.toBeNull();
  });

  it('leaves out who was kept waiting by such an agent of its seller', async () => {
    const { buyer, lot } = await stopped({ finding: 'not-determined', side: 'seller', verdict: null });
    stage.tick();
    await stage.order(buyer, lot, { limit: usd(75), openingBid: usd(70) });
    expect(await priceOf(lot)).toBe(usd(120));
  });
});

describe('the stops on a lot', () => {
  const UNANSWERED: StopCause = { finding: 'not-determined', side: 'buyer', verdict: null };

  it('are read in two statements, however many there are', async () => {
    const { lot } = await stopped(UNANSWERED);
    let asked = 0;
    const counting = database.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        asked++;
        return result;
      },
    });
    const statements = async () => {
      asked = 0;
      const stops = await standingStops(counting, lot);
      return [stops.length, asked];
    };
    expect(await statements()).toEqual([1, 2]);
    for (const _ of [1, 2]) {
      const buyer = await stage.agent();
      const { match } = await stage.order(buyer, lot, { limit: usd(100) });
      await stop(match!.dealId, UNANSWERED);
    }
    expect(await statements()).toEqual([3, 2]);
  });

  it('keep apart what was ordered before, also when nobody answered and the time is over', async () => {
    const { lot, buyer, again } = await stopped(UNANSWERED);
    expect(await again()).toBe(false);
    stage.tick(100 * HOUR);
    // Nothing comes about by itself: another's order makes no match of the two.
    const other = await stage.agent();
    const { match } = await stage.order(other, lot, { limit: usd(84) });
    expect(match).toMatchObject({ buyer: other });
    await stop(match!.dealId, WALLET);
    expect((await stage.order(buyer, lot, { limit: usd(100) })).match).toMatchObject({ buyer });
  });
});

describe('a stop by an own rule', () => {
  async function probes(handle: string, lot: string): Promise<number> {
    return (await lookAt(lot, handle)).probed.length;
  }

  it('counts as a probe of the owner whose rule it was, once however much was found', async () => {
    const { buyer, seller, lot } = await stopped(WALLET, {
      finding: 'provenance',
      side: 'buyer',
      verdict: 'INCONCLUSIVE',
    });
    // The order that matched, and the stop.
    expect(await probes(buyer, lot)).toBe(2);
    // The listing. That it rests again is not the seller's doing.
    expect(await probes(seller, lot)).toBe(1);
  });

  it('holds an owner down who tries a lot out by being stopped', async () => {
    const { buyer, lot } = await stopped(WALLET);
    const third = stage.order(buyer, lot, { limit: usd(100), probes: 2 });
    await expect(third).rejects.toMatchObject({ code: 'rate-limited' });
    await expect(stage.order(buyer, lot, { limit: usd(100), probes: 3 })).resolves.toBeDefined();
  });

  it('is none of those that nobody chose', async () => {
    const { buyer, lot } = await stopped({ finding: 'settlement', side: 'neither', verdict: null });
    expect(await probes(buyer, lot)).toBe(1);
  });
});

describe('the seller of a lot whose deal was stopped', () => {
  it('may withdraw at once, also while the order of the one who was stopped rests', async () => {
    const { seller, lot, again } = await stopped(WALLET);
    expect(await again()).toBe(false);
    const { order_id: orderId } = await restingOffer(seller);
    await stage.inTrx((trx) => cancelOrder(trx, { orderId, handle: seller, now: stage.now() }));
    expect(await priceOf(lot)).toBeUndefined();
  });

  it('waits two seconds with an order that it places itself', async () => {
    const { seller, lot } = await stopped(WALLET);
    await stage.order(seller, lot, { side: 'sell', limit: usd(81) });
    const { order_id: orderId } = await restingOffer(seller);
    const early = stage.inTrx((trx) => cancelOrder(trx, { orderId, handle: seller, now: stage.now() }));
    await expect(early).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('an agent that looks for what to buy', () => {
  it('is told which lots its owner would not match on, until what stopped it has changed', async () => {
    const { buyer, seller, lot } = await stopped(WALLET);
    const lots = [{ lot, owners: [ownerOf(seller)] }];
    const barred = () => barredLots(database.db, { handle: buyer, owner: ownerOf(buyer) }, lots, stage.now());
    expect([...(await barred())]).toEqual([lot]);
    expect([
      ...(await barredLots(database.db, { handle: 'other', owner: '0xother' }, lots, stage.now())),
    ]).toEqual([]);
    const elsewhere = [{ lot, owners: ['0xanother-seller'] }];
    expect([
      ...(await barredLots(database.db, { handle: buyer, owner: ownerOf(buyer) }, elsewhere, stage.now())),
    ]).toEqual([]);
    await keepSettings(database.db, plainHolder(ownerOf(buyer)), { onFlagged: 'ask' }, stage.now());
    expect([...(await barred())]).toEqual([]);
  });

  it('is kept from no lot by what an agent asked in vain for which its owner never gave a word', async () => {
    const unanswered: StopCause = { finding: 'not-determined', side: 'buyer', verdict: null };
    const { buyer, seller, lot } = await stopped(unanswered);
    const owner = ownerOf(buyer);
    const own = await stage.agent(undefined, owner);
    const lots = [{ lot, owners: [ownerOf(seller)] }];
    const barred = async (handle: string) => [
      ...(await barredLots(database.db, { handle, owner }, lots, stage.now())),
    ];
    expect([await barred(buyer), await barred(own)]).toEqual([[lot], []]);
    stage.tick();
    const bid = { owner, limit: usd(100) };
    expect((await stage.order(buyer, lot, bid)).match).toBeNull();
    // An order by a person's own number is signed by the owner, and says nothing of what was asked before.
    await stage.order(buyer, await stage.list(await stage.agent()), { owner, orderId: 'ord_0d' });
    expect(await barred(own)).toEqual([]);
    stage.tick(2 * HOUR);
    const { match } = await stage.order(buyer, lot, bid);
    await stop(match!.dealId, unanswered);
    expect(await barred(own)).toEqual([lot]);
  });

  it.each([
    ['pause', 'keeps its owner from no lot'],
    ['retire', 'keeps its owner from no lot'],
    ['mandate', 'keeps its owner from the lot'],
    ['resume', 'keeps its owner from the lot'],
    ['rotate', 'keeps its owner from the lot'],
  ] as const)('after a %s that its owner signed, what an agent asks in vain %s', async (kind, keeps) => {
    const [seller, gift] = [await stage.agent(), await stage.agent()];
    const owner = ownerOf(gift);
    const own = await stage.agent(undefined, owner);
    const lot = await stage.list(seller, { ask: usd(120), floor: usd(80) });
    await signedAct(gift, kind, owner);
    stage.tick();
    const { match } = await stage.order(gift, lot, { limit: usd(100), owner });
    await stop(match!.dealId, { finding: 'not-determined', side: 'buyer', verdict: null });
    const lots = [{ lot, owners: [ownerOf(seller)] }];
    const barred = await barredLots(database.db, { handle: own, owner }, lots, stage.now());
    expect([...barred]).toEqual(keeps === 'keeps its owner from the lot' ? [lot] : []);
  });

  it('does not wait longer for what another agent asked in vain for which its owner never gave a word', async () => {
    const unanswered: StopCause = { finding: 'not-determined', side: 'buyer', verdict: null };
    const { buyer: gift, seller, lot } = await stopped(unanswered);
    const owner = ownerOf(gift);
    const own = await stage.agent(undefined, owner);
    const endOf = async (dealId: string) => {
      const stops = database.db.selectFrom('stops').select(['stopped_at', 'ends_at']);
      const { stopped_at, ends_at } = await stops.where('deal_id', '=', dealId).executeTakeFirstOrThrow();
      return (ends_at.getTime() - stopped_at.getTime()) / HOUR;
    };
    const askAgain = async (handle: string) => {
      stage.tick(100 * HOUR);
      const { match } = await stage.order(handle, lot, { owner, limit: usd(100) });
      await stop(match!.dealId, unanswered);
      return await endOf(match!.dealId);
    };
    expect([await askAgain(gift), await askAgain(gift), await askAgain(own)]).toEqual([2, 4, 1]);
    expect(ownerOf(seller)).not.toBe(owner);
  });
});

describe('what an owner is asked to sign about a deal, which anybody may ask for', () => {
  const said = async (dealId: string, handle: string, at = stage.now()): Promise<readonly string[]> => {
    const { statement, each } = await saidOfDecisions(database, 'proceed', [{ dealId, handle }], at);
    const one = await saidOfDecision(database, { dealId, handle, decision: 'stop' }, at);
    return [one, statement, ...each];
  };

  it('names lot and price while the deal is under way, and only the deal once it was stopped', async () => {
    const [seller, buyer] = [await stage.agent(), await stage.agent()];
    const lot = await stage.list(seller, { ask: usd(120), floor: usd(80) });
    const { match } = await stage.order(buyer, lot, { limit: usd(100) });
    const { dealId } = match!;
    for (const text of await said(dealId, buyer)) expect(text).toContain('90.00 USD');
    const asked = stage.now();
    stage.tick();
    await stop(dealId, WALLET);
    // Who was asked before it was stopped has signed what was said then, and hears that it is over.
    for (const text of await said(dealId, buyer, asked)) expect(text).toContain('90.00 USD');
    // So does who was asked while its stop was being committed.
    stage.tick(30_000);
    for (const text of await said(dealId, buyer)) expect(text).toContain('90.00 USD');
    stage.tick(30_000);
    for (const handle of [buyer, seller]) {
      const never = await said('deal_never', handle);
      expect(await said(dealId, handle)).toEqual(never.map((text) => text.replace('deal_never', dealId)));
    }
  });
});

async function newMandate(handle: string): Promise<void> {
  await database.db
    .insertInto('mandates')
    .values({
      ...{ handle, version: 2, text: 'other terms', hash: '0xhash', status: 'active', tx: null },
      structured: JSON.stringify({ side: 'both', currency: 'USDC', expires_at: '2027-01-01T00:00:00Z' }),
    })
    .execute();
}

async function restingOffer(seller: string) {
  return await database.db
    .selectFrom('orders')
    .select('order_id')
    .where('handle', '=', seller)
    .where('side', '=', 'sell')
    .where('status', '=', 'resting')
    .executeTakeFirstOrThrow();
}
