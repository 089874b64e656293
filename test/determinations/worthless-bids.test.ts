import { sql } from 'kysely';
import { keccak256, toHex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAssetKey } from '../../agents/assets.ts';
import { dealBidChecks } from '../../agents/determinations/shill/deal-bids.ts';
import { determineDeal } from '../../runtime/determinations/determine-deal.ts';
import { gatherDealHistory } from '../../runtime/determinations/evidence/shill/dealings.ts';
import { gatherBook, gatherDealBids } from '../../runtime/determinations/evidence/shill/lot-book.ts';
import type { Database } from '../../store/database.ts';
import { matchOfDeal } from '../../store/deal/deals.ts';
import { type MarketStage, marketStage } from '../fixtures/market-stage.ts';
import { testDatabase } from '../fixtures/postgres.ts';

const USD = 1_000_000n;
const SELLERS = ['ada', 'bea', 'cleo', 'dora', 'emma', 'thief'];
const BUYERS = Array.from({ length: 14 }, (_, i) => `buyer-${i}`);
const RING = ['ring-one', 'ring-two', 'ring-three'];
const SYBILS = ['sybil-one', 'sybil-two', 'sybil-three'];
const LOTS = 7;

/** Buyers come to a lot as chance has it, and the same each time. */
const worth = (buyer: string, lot: string): number =>
  Number.parseInt(keccak256(toHex(buyer + lot)).slice(2, 10), 16);

let database: Awaited<ReturnType<typeof testDatabase>>;
let db: Database;
let market: MarketStage;
/** The lots of each seller, and the deal over its last one. */
const sold = new Map<string, { lots: string[]; dealId: string }>();

beforeAll(async () => {
  database = await testDatabase();
  db = database.db;
  market = marketStage(db);
  for (const handle of [...SELLERS, ...BUYERS, ...RING, ...SYBILS, 'flooder']) await market.agent(handle);
  await db
    .updateTable('agents')
    .set({ session_key: sql`'0xkey-of-' || handle`, account: sql`'0x' || lpad(token_id::text, 40, '0')` })
    .execute();
  for (let n = 0; n < LOTS; n++) {
    for (const seller of SELLERS) {
      const own = sold.get(seller) ?? { lots: [], dealId: '' };
      const lot = await market.list(seller);
      const comers = [...BUYERS].sort((a, b) => worth(a, lot) - worth(b, lot)).slice(0, 4);
      for (const buyer of comers) await market.order(buyer, lot);
      market.tick();
      const { match } = await market.order(comers[0]!, lot, { limit: 100n * USD });
      await db
        .updateTable('matches')
        .set({ settled_at: market.now() })
        .where('deal_id', '=', match!.dealId)
        .execute();
      sold.set(seller, { lots: [...own.lots, lot], dealId: match!.dealId });
    }
  }
});
afterAll(() => database?.drop());

/** So many orders for a cent on a lot that left the book before, of an account that held so much. */
async function orders(
  handle: string,
  lot: string,
  { many = 1, held = 50n * USD, rested = true }: { many?: number; held?: bigint; rested?: boolean } = {},
): Promise<void> {
  await sql`
    insert into orders (order_id, handle, owner, side, asset_key, listing_ref, category, limit_price, status,
      created_at, expires_at, account_held, rested_at, left_at)
    select ${market.fresh('old')} || '_' || n, ${handle}, ${`0xowner-of-${handle}`}, 'buy', asset_key, listing_ref, category,
      10000, 'cancelled', listed_at, ${market.later(86_400_000)}::timestamptz, ${held},
      case when ${rested} then listed_at end, case when ${rested} then listed_at + interval '2 seconds' end
    from listings, generate_series(1, ${many}::int) n where asset_key = ${lot}`.execute(db);
}

async function told(seller: string): Promise<Record<string, string>> {
  const bids = await gatherDealBids(db, (await matchOfDeal(db, sold.get(seller)!.dealId))!, market.now());
  return Object.fromEntries(
    dealBidChecks(bids, market.now().toISOString()).map(({ id, outcome }) => [id, outcome]),
  );
}

const lastOf = (seller: string): string => sold.get(seller)!.lots.at(-1)!;
const HONEST = { 'bid-ring': 'PASS', 'bids-against-market': 'PASS' };
const FOUND = { 'bid-ring': 'FLAG', 'bids-against-market': 'FLAG' };

describe('orders that could move no price', () => {
  it('accuse nobody: without money, or below what the chain sells for', async () => {
    for (const seller of SELLERS) expect(await told(seller)).toEqual(HONEST);
    for (const lot of sold.get('bea')!.lots)
      for (const sybil of SYBILS) {
        await orders(sybil, lot, { rested: false });
        await orders(sybil, lot, { held: 50n * USD - 1n });
      }
    expect(await told('bea')).toEqual(HONEST);
    const deps = { db, readers: new Map(), deployments: new Map(), now: market.now };
    const book = await gatherBook(deps, { lotRef: lastOf('bea'), seller: 'bea', now: market.now() });
    expect(new Set(book!.history.lots.map(({ bids }) => bids.length))).toEqual(new Set([5]));
    for (const lot of sold.get('bea')!.lots) for (const sybil of SYBILS) await orders(sybil, lot);
    expect(await told('bea')).toEqual(FOUND);
    await db.deleteFrom('orders').where('handle', 'in', SYBILS).execute();
  });

  it('nor bids of an agent that somebody sends to the seller afterwards', async () => {
    const owned = (owner: string) =>
      db.updateTable('agents').set({ owner }).where('handle', '=', 'sybil-one').execute();
    await orders('sybil-one', lastOf('ada'));
    await owned('0xowner-of-ada');
    const deps = { db, readers: new Map(), deployments: new Map(), now: market.now };
    const book = () => gatherBook(deps, { lotRef: lastOf('ada'), seller: 'ada', now: market.now() });
    expect((await book())!.sellerSide).toEqual([]);
    const bought = db
      .updateTable('orders')
      .set({ owner: '0xowner-of-ada' })
      .where('handle', '=', 'sybil-one');
    await bought.execute();
    expect((await book())!.sellerSide).toMatchObject([{ by: 'owner' }]);
    await db.deleteFrom('orders').where('handle', '=', 'sybil-one').execute();
    await owned('0xowner-of-sybil-one');
  });

  it('make no self-dealing of a deal over the lot, while bids of the seller’s own do', async () => {
    const lot = lastOf('bea');
    const { dealId } = sold.get('bea')!;
    const deps = { db, readers: new Map(), deployments: new Map(), now: market.now };
    const { buyer, listingRef } = await db
      .selectFrom('matches')
      .innerJoin('deals', 'deals.match_id', 'matches.match_id')
      .innerJoin('orders', 'orders.order_id', 'matches.sell_order')
      .select(['deals.buyer', 'orders.listing_ref as listingRef'])
      .where('matches.deal_id', '=', dealId)
      .executeTakeFirstOrThrow();
    const hard = async () => {
      const { findings } = await determineDeal(deps, {
        ...{ dealId, side: 'buyer', buyer, seller: 'bea', listingRef, asset: parseAssetKey(lot) },
        ...{ category: 'digital-products', price: 100n * USD, depth: '2-of-2', performer: 'AGENT' },
      });
      return findings.some((f) => f.hard && f.determination === 'shill-collusion');
    };
    const own = async () => (await gatherDealHistory(db, dealId, market.now()))!.sellerSideBids;
    const owned = (owner: string) =>
      db.updateTable('agents').set({ owner }).where('handle', '=', 'sybil-one').execute();
    await orders('sybil-one', lot, { rested: false });
    await owned('0xowner-of-bea');
    expect([await own(), await hard()]).toEqual([0, false]);
    // It bid as the seller's, and is somebody else's by now; or for an account behind which the seller stands.
    await owned('0xowner-of-sybil-one');
    const account = '0xaccount-of-hers';
    await db
      .insertInto('beneficial_owners')
      .values({ owner: account, beneficial_owner: '0xowner-of-bea', seen_at: market.now() })
      .execute();
    for (const owner of ['0xowner-of-bea', account]) {
      await db.updateTable('orders').set({ owner }).where('handle', '=', 'sybil-one').execute();
      expect([await own(), await hard()]).toEqual([1, true]);
    }
    await db.deleteFrom('beneficial_owners').where('owner', '=', account).execute();
    await db.deleteFrom('orders').where('handle', '=', 'sybil-one').execute();
  });

  it('become no bids where the seller asks for less: the chain sells for half of the listed ask', async () => {
    const lot = await market.list('cleo', { negotiable: false });
    const late = await market.agent();
    const counts = async () => {
      const deps = { db, readers: new Map(), deployments: new Map(), now: market.now };
      const book = await gatherBook(deps, { lotRef: lot, seller: 'cleo', now: market.now() });
      return book!.history.lots[0]!.bids.length;
    };
    const asks = (limit: bigint) => {
      market.tick();
      return market.order('cleo', lot, { side: 'sell', limit });
    };
    await market.order('flooder', lot, { limit: 40n * USD });
    const seen = [await counts()];
    await asks(60n * USD);
    seen.push(await counts());
    await market.order(late, lot, { limit: 40n * USD });
    seen.push(await counts());
    await asks(100n * USD);
    seen.push(await counts());
    // It could win, were the seller to ask for the least that the chain allows.
    market.tick();
    await market.order(late, lot, { limit: 50n * USD });
    seen.push(await counts());
    expect(seen).toEqual([0, 0, 0, 0, 1]);
    for (const table of ['reservations', 'orders'] as const)
      await db.deleteFrom(table).where('handle', '=', late).execute();
  });
});

describe('the bids on what a deal’s seller sells', () => {
  it('tell a ring from honest bidders', async () => {
    for (const lot of sold.get('thief')!.lots) for (const member of RING) await orders(member, lot);
    for (const seller of SELLERS) expect(await told(seller)).toEqual(seller === 'thief' ? FOUND : HONEST);
  });

  it('show a ring behind any number of orders of one agent on the last lot', async () => {
    await orders('flooder', lastOf('thief'), { many: 401, held: 10_000n, rested: false });
    expect(await told('thief')).toEqual(FOUND);
    await orders('flooder', lastOf('thief'), { many: 401 });
    expect(await told('thief')).toEqual(FOUND);
  });

  it('show a ring behind lots of the seller on which nobody bid, and behind free orders of the ring elsewhere', async () => {
    for (let n = 0; n < 8; n++) await market.list('thief');
    const bids = await gatherDealBids(
      db,
      (await matchOfDeal(db, sold.get('thief')!.dealId))!,
      market.now(),
      30,
    );
    expect(bids!.lots.filter((lot) => lot.bids.length > 0).length).toBeLessThan(LOTS);
    expect(bids!.complete).toBe(false);
    for (const seller of SELLERS.filter((name) => name !== 'thief'))
      for (const lot of sold.get(seller)!.lots)
        for (const member of RING) await orders(member, lot, { held: 10_000n });
    expect(await told('thief')).toEqual(FOUND);
  });

  it('show it behind many orders of one agent elsewhere, which are one bid of the market', async () => {
    await orders('flooder', lastOf('ada'), { many: 6_000 });
    expect(await told('thief')).toEqual(FOUND);
  });
});
