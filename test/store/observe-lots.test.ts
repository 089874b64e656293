import { afterAll, beforeAll, expect, it } from 'vitest';
import { evaluationOrderId } from '../../agents/agent/order-id.ts';
import { evaluateMarketEffect } from '../../runtime/agent/evaluate-market.ts';
import type { LiveAgent } from '../../runtime/agent/live-agent.ts';
import { observe } from '../../runtime/agent/observe.ts';
import type { Services } from '../../runtime/services.ts';
import { findAgent } from '../../store/agent/agents.ts';
import { unwindDeal } from '../fixtures/closings.ts';
import { type MarketStage, marketStage } from '../fixtures/market-stage.ts';
import { type TestDatabase, testDatabase } from '../fixtures/postgres.ts';

let database: TestDatabase;
let stage: MarketStage;

beforeAll(async () => {
  database = await testDatabase();
  stage = marketStage(database.db);
});
afterAll(() => database.drop());

it('an agent that is told of lots sees these, what it bids on and what it sells, and no others', async () => {
  const [seller, ann] = [await stage.agent(), await stage.agent()];
  const structured = { side: 'both', currency: 'USD', expires_at: '2027-01-01T00:00:00Z' };
  await database.db
    .insertInto('mandates')
    .values({
      ...{ handle: ann, version: 1, text: '', structured: JSON.stringify(structured), hash: '0x' },
      ...{ status: 'active', tx: null, created_at: stage.now() },
    })
    .execute();
  const [told, other, bidOn] = [await stage.list(seller), await stage.list(seller), await stage.list(seller)];
  const own = await stage.list(ann);
  await stage.order(ann, bidOn);
  const live = {
    agent: await findAgent(database.db, ann),
    chain: { limits: null, balance: null },
  } as unknown as LiveAgent;
  const seen = async (lots: readonly string[] | null) => {
    const found = await observe(database.db, live, { owner: `0xowner-of-${ann}`, lots, now: stage.now() });
    return [found.lots.map((l) => l.lot).sort(), found.offers.map((o) => o.lot)];
  };
  expect(await seen([told])).toEqual([[told, bidOn].sort(), [own]]);
  expect(await seen(['no such lot'])).toEqual([[bidOn], [own]]);
  expect(await seen(null)).toEqual([[told, other, bidOn].sort(), [own]]);
});

it('an agent knows the floor that its owner set after a deal at its own limit was undone', async () => {
  const [seller, buyer] = [await stage.agent(), await stage.agent()];
  const listingRef = stage.fresh('undone');
  const lot = await stage.list(seller, { listingRef, ask: 100_000_000n, floor: 60_000_000n });
  stage.tick();
  const orderId = evaluationOrderId('key', listingRef);
  await stage.order(seller, lot, { orderId, side: 'sell', limit: 95_000_000n });
  const { match } = await stage.order(buyer, lot, { limit: 97_000_000n });
  await stage.inTrx((trx) =>
    unwindDeal(trx, {
      ...{ dealId: match!.dealId, reason: 'a finding', orderId: stage.fresh('ord'), ids: stage.ids() },
      ...{ allows: () => true, now: stage.now() },
    }),
  );
  const live = {
    agent: await findAgent(database.db, seller),
    chain: { limits: null, balance: null },
  } as unknown as LiveAgent;
  const about = { owner: `0xowner-of-${seller}`, lots: [], now: stage.now() };
  const { offers } = await observe(database.db, live, about);
  expect(offers).toMatchObject([
    { lot, ownerLimit: 60_000_000n, order: { limit: 95_000_000n, byItself: true } },
  ]);
});

it('an agent goes through all that its mandate can pay, page by page, whatever else is listed', async () => {
  const [seller, junk, ann] = [await stage.agent(), await stage.agent(), await stage.agent()];
  const structured = {
    ...{ side: 'buy', currency: 'USD', cap_per_deal: '50', cap_per_week: '60' },
    ...{ expires_at: '2027-01-01T00:00:00Z', categories_allow: ['digital-products', 'real-world-assets'] },
  };
  await database.db
    .insertInto('mandates')
    .values({
      ...{ handle: ann, version: 1, text: '', structured: JSON.stringify(structured), hash: '0x' },
      ...{ status: 'active', tx: null, created_at: stage.now() },
    })
    .execute();
  const [cheap, fixed, dear] = [20_000_000n, 50_000_000n, 90_000_000n];
  const wanted = [
    await stage.list(seller, { ask: cheap, category: 'real-world-assets' }),
    // It may bid sixty percent of an ask that is open to offers.
    await stage.list(seller, { ask: 83_000_000n }),
    await stage.list(seller, { ask: fixed, negotiable: false }),
  ];
  for (let i = 0; i < 60; i++) {
    await stage.list(junk, { ask: dear });
    await stage.list(junk, { ask: cheap, category: 'music-and-video-rights' });
  }
  await stage.list(junk, { ask: fixed + 1n, negotiable: false });
  const within: string[] = [];
  for (let i = 0; i < 101; i++) {
    // Many at one moment are on one page each all the same.
    if (i % 30 === 0) stage.tick();
    within.push(await stage.list(junk, { ask: cheap, now: stage.now() }));
  }
  const live = {
    agent: await findAgent(database.db, ann),
    chain: { limits: null, balance: null },
  } as unknown as LiveAgent;
  const pages: string[][] = [];
  for (let after: string | null = null; ; ) {
    const about = { owner: `0xowner-of-${ann}`, lots: null, after, now: stage.now() };
    const { lots, next }: Awaited<ReturnType<typeof observe>> = await observe(database.db, live, about);
    pages.push(lots.filter((l) => l.ask !== 100_000_000n).map((l) => l.lot));
    after = next;
    if (after === null) break;
  }
  expect(pages.map((page) => page.length)).toEqual([50, 50, 4]);
  expect(pages.flat().sort()).toEqual([...wanted, ...within].sort());
  expect(pages[0]).toContain(within.at(-1));
});

it.each([
  ['sell', 0],
  ['both', 70],
] as const)(
  'an agent whose mandate is to %s goes through all that it sells beside %i lots of others',
  async (side, others) => {
    const [seller, ann] = [await stage.agent(), await stage.agent()];
    const structured = { side, currency: 'USD', expires_at: '2027-01-01T00:00:00Z' };
    await database.db
      .insertInto('mandates')
      .values({
        ...{ handle: ann, version: 1, text: '', structured: JSON.stringify(structured), hash: '0x' },
        ...{ status: 'active', tx: null, created_at: stage.now() },
      })
      .execute();
    await database.db
      .updateTable('listings')
      .set({ status: 'dropped' })
      .where('status', '=', 'live')
      .execute();
    const own: string[] = [];
    for (let i = 0; i < 120; i++) own.push(await stage.list(ann, { ask: 20_000_000n }));
    for (let i = 0; i < others; i++) await stage.list(seller, { ask: 20_000_000n });
    const live = {
      agent: await findAgent(database.db, ann),
      chain: { limits: null, balance: null },
    } as unknown as LiveAgent;
    const look = async (lots: readonly string[] | null, after: string | null = null) =>
      await observe(database.db, live, { owner: `0xowner-of-${ann}`, lots, after, now: stage.now() });
    const pages: Awaited<ReturnType<typeof look>>[] = [];
    for (let after: string | null = null; ; ) {
      const page = await look(null, after);
      pages.push(page);
      after = page.next;
      if (after === null) break;
    }
    expect(pages.map(({ offers }) => offers.length)).toEqual([50, 50, 20]);
    expect(pages.flatMap(({ offers }) => offers.map((o) => o.lot)).sort()).toEqual([...own].sort());
    expect(pages.map(({ lots }) => lots.length)).toEqual(others === 0 ? [0, 0, 0] : [50, 20, 0]);
    // A change of one of its own lots, of which it is told, is looked at however old the lot is.
    expect((await look([own[0]!])).offers.map((o) => o.lot)).toContain(own[0]);
  },
);

it('an agent whose machine asked does nothing where agents do nothing by themselves any more', async () => {
  const handle = await stage.agent();
  const services = { db: database.db, now: stage.now, config: { watchSeconds: 0 } } as unknown as Services;
  const context = { ...{ key: 'k', actorId: `agent:${handle}`, attempt: 1, now: stage.now() } };
  const asked = { ...context, params: { handle, lots: null }, signal: new AbortController().signal };
  expect(await evaluateMarketEffect(services).run(asked)).toEqual({
    event: { type: 'SURVEYED', watchEveryMs: 0 },
  });
});
