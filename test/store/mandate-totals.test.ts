import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAgent, gatherMandate } from '../../runtime/determinations/evidence/mandate/mandate.ts';
import { adoptMandate, proposeMandate } from '../../store/agent/mandates.ts';
import { heldBy, type OwnedAgent } from '../../store/agent/reservations.ts';
import { soldBy } from '../../store/agent/sales.ts';
import { markSettled } from '../../store/deal/closings.ts';
import { readOrderSnapshot } from '../../store/market/order-context.ts';
import { type MarketStage, marketStage } from '../fixtures/market-stage.ts';
import { type TestDatabase, testDatabase } from '../fixtures/postgres.ts';

const USD = 1_000_000n;
const MANDATE = {
  side: 'both' as const,
  currency: 'USDC' as const,
  cap_per_deal: '500',
  max_deals_total: 5,
  expires_at: '2099-12-31T23:59:59Z',
};

let database: TestDatabase;
let stage: MarketStage;

beforeAll(async () => {
  database = await testDatabase();
  stage = marketStage(database.db);
});
afterAll(() => database?.drop());

async function sign(handle: string, signedAt = stage.now()): Promise<number> {
  return await stage.inTrx(async (trx) => {
    const hash = stage.fresh('0x');
    const version = await proposeMandate(trx, {
      ...{ handle, text: 'Trade', structured: MANDATE, hash, now: signedAt },
    });
    await adoptMandate(trx, { handle, version, tx: '0xtx', signedAt });
    return version;
  });
}

/** Matches an order over a new lot of the seller. @returns the deal */
async function deal(seller: OwnedAgent, buyer: OwnedAgent): Promise<string> {
  const lot = await stage.list(seller.handle, { owner: seller.owner });
  stage.tick();
  const { match } = await stage.order(buyer.handle, lot, { owner: buyer.owner, limit: 100n * USD });
  return match!.dealId;
}

async function settle(dealId: string): Promise<void> {
  stage.tick();
  await stage.inTrx((trx) => markSettled(trx, { dealId, tx: '0xtx', now: stage.now() }));
  await database.db.updateTable('deals').set({ state: 'settled' }).where('deal_id', '=', dealId).execute();
  stage.tick();
}

/** What is counted on the mandate of an agent: for an order by two ways, and for a determination. */
async function counted(agent: OwnedAgent) {
  const { db } = database;
  const other = await stage.agent();
  const lot = await stage.list(other);
  const { listing_ref: listingRef } = await db
    .selectFrom('listings')
    .select('listing_ref')
    .where('asset_key', '=', lot)
    .executeTakeFirstOrThrow();
  const { held, sold } = (await readOrderSnapshot(db, { listingRef, ...agent, now: stage.now() }))!.before;
  expect(await heldBy(db, agent, stage.now())).toEqual(held);
  expect(await soldBy(db, agent, stage.now())).toEqual(sold);
  const judged = await gatherMandate(
    { db, readers: new Map(), deployments: new Map(), now: stage.now },
    {
      ...{ handle: agent.handle, agent: await findAgent(db, agent.handle), dealId: null, verdicts: {} },
      ...{ now: stage.now(), lot },
      proposal: {
        ...{ side: 'sell', category: 'digital-products', price: '100', chainId: 1002, counterparty: null },
      },
    },
  );
  return {
    deals: [held.deals, held.dealsToday],
    sold: [sold.day / USD, sold.week / USD, sold.month / USD, sold.total / USD],
    judged: [judged.deals.total, judged.deals.day, BigInt(judged.sold.total) / USD, judged.sold.day],
  };
}

describe('the totals of a mandate', () => {
  it('begin anew with the next mandate of the same owner, while the windows go on', async () => {
    const [ann, bob] = [stage.side(await stage.agent('ann')), stage.side(await stage.agent('bob'))];
    await sign('ann');
    for (let n = 0; n < 2; n++) await settle(await deal(ann, bob));
    await settle(await deal(bob, ann));
    expect(await counted(ann)).toEqual({
      deals: [3, 3],
      sold: [200n, 200n, 200n, 200n],
      judged: [3, 3, 200n, '200000000'],
    });
    await sign('ann');
    expect(await counted(ann)).toEqual({
      deals: [0, 3],
      sold: [200n, 200n, 200n, 0n],
      judged: [0, 3, 0n, '200000000'],
    });
  });

  it('have what is under way and what settles later, whichever mandate it was agreed under', async () => {
    const [cas, dot] = [stage.side(await stage.agent('cas')), stage.side(await stage.agent('dot'))];
    await sign('cas');
    const [first, second] = [await deal(cas, dot), await deal(cas, dot)];
    stage.tick();
    await sign('cas');
    await settle(first);
    const { deals, sold, judged } = await counted(cas);
    expect([deals, sold[3], judged.slice(0, 3)]).toEqual([[2, 2], 200n, [2, 2, 100n]]);
    await settle(second);
    expect((await counted(cas)).judged.slice(0, 3)).toEqual([2, 2, 200n]);
  });

  it('count from the signature, and the mandate that is put in force again counts no later', async () => {
    const [eve, fay] = [stage.side(await stage.agent('eve')), stage.side(await stage.agent('fay'))];
    const signedAt = stage.now();
    await settle(await deal(eve, fay));
    const version = await sign('eve', signedAt);
    expect((await counted(eve)).deals).toEqual([1, 1]);
    await stage.inTrx((trx) =>
      adoptMandate(trx, { handle: 'eve', version, tx: '0xtx', signedAt: stage.now() }),
    );
    expect((await counted(eve)).deals).toEqual([1, 1]);
  });
});

describe('an agent that was sold', () => {
  it('has made no deal and sold nothing for its new owner, in no window', async () => {
    const [gus, hal] = [stage.side(await stage.agent('gus')), stage.side(await stage.agent('hal'))];
    await sign('gus');
    await settle(await deal(gus, hal));
    await settle(await deal(hal, gus));
    await deal(gus, hal);
    const owner = '0xnew-owner';
    await database.db.updateTable('agents').set({ owner, epoch: 2 }).where('handle', '=', 'gus').execute();
    await sign('gus');
    const sold = { handle: 'gus', owner };
    expect(await counted(sold)).toEqual({ deals: [0, 0], sold: [0n, 0n, 0n, 0n], judged: [0, 0, 0n, '0'] });
    await settle(await deal(sold, hal));
    expect(await counted(sold)).toEqual({
      deals: [1, 1],
      sold: [100n, 100n, 100n, 100n],
      judged: [1, 1, 100n, '100000000'],
    });
  });

  it('is held in an account, and has made the deals of the owner behind it', async () => {
    const [ida, jon] = [stage.side(await stage.agent('ida')), stage.side(await stage.agent('jon'))];
    await sign('ida');
    await settle(await deal(ida, jon));
    await database.db
      .insertInto('beneficial_owners')
      .values({ owner: '0xaccount', beneficial_owner: ida.owner, seen_at: stage.now() })
      .execute();
    await database.db
      .updateTable('agents')
      .set({ owner: '0xaccount', epoch: 2 })
      .where('handle', '=', 'ida')
      .execute();
    expect((await counted(ida)).judged).toEqual([1, 1, 100n, '100000000']);
  });
});
