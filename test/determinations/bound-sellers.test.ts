import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAssetKey } from '../../agents/assets.ts';
import { determineDeal } from '../../runtime/determinations/determine-deal.ts';
import { determineTier } from '../../runtime/determinations/determine-tier.ts';
import { findAgent, gatherMandate } from '../../runtime/determinations/evidence/mandate/mandate.ts';
import { gatherBook, gatherDealBids } from '../../runtime/determinations/evidence/shill/lot-book.ts';
import type { Database } from '../../store/database.ts';
import { matchOfDeal } from '../../store/deal/deals.ts';
import { type MarketStage, marketStage } from '../fixtures/market-stage.ts';
import { testDatabase } from '../fixtures/postgres.ts';

const WALLET = '0xowner-of-maker';
const ACCOUNT = '0xtoken-account';
const USD = 1_000_000n;

let database: Awaited<ReturnType<typeof testDatabase>>;
let db: Database;
let market: MarketStage;
let deps: Parameters<typeof gatherBook>[0];

beforeAll(async () => {
  database = await testDatabase();
  db = database.db;
  market = marketStage(db);
  deps = { db, readers: new Map(), deployments: new Map(), now: market.now };
  await market.agent('maker', ACCOUNT);
  await market.agent('maker-two', WALLET);
  await market.agent('maker-three', '0xanother-account');
  for (const handle of ['ann', 'ben', 'cas', 'dot', 'eve']) await market.agent(handle);
  await db.updateTable('agents').set({ session_key: sql`'0xkey-of-' || handle` }).execute();
  for (const owner of [ACCOUNT, '0xanother-account'])
    await db
      .insertInto('beneficial_owners')
      .values({ owner, beneficial_owner: WALLET, seen_at: market.now() })
      .execute();
});
afterAll(() => database?.drop());

/** Each bids below the ask, the last one meets it, and the deal settles. */
async function sale(
  seller: string,
  bidders: readonly string[],
  owner = `0xowner-of-${seller}`,
  ask = 100n * USD,
) {
  const lot = await market.list(seller, { owner, ask });
  for (const bidder of bidders) {
    market.tick();
    await market.order(bidder, lot);
  }
  market.tick();
  const { match } = await market.order(bidders.at(-1)!, lot, { limit: ask });
  const { dealId } = match!;
  await db.updateTable('deals').set({ state: 'settled' }).where('deal_id', '=', dealId).execute();
  await db.updateTable('matches').set({ settled_at: market.now() }).where('deal_id', '=', dealId).execute();
  await db.updateTable('listings').set({ status: 'sold' }).where('asset_key', '=', lot).execute();
  return { lot, dealId };
}

const tier2 = (lotRef: string, seller: string) =>
  determineTier(deps, {
    tier: 'tier2',
    category: 'digital-products',
    facts: { lotRef, seller },
    depth: '2-of-2',
  });

describe('the bidding history of a seller whose agent is held in an account', () => {
  it('has the lots of all agents of the owner behind it, in a deal as in a request', async () => {
    await sale('maker-two', ['ann', 'ben'], WALLET);
    await sale('maker-three', ['cas', 'dot'], WALLET);
    const { lot, dealId } = await sale('maker', ['ben', 'cas'], WALLET);
    const bids = await gatherDealBids(db, (await matchOfDeal(db, dealId))!, market.now());
    expect(bids?.lots.map((l) => l.bids.length)).toEqual([3, 3, 3]);
    expect((await gatherBook(deps, { lotRef: lot, seller: 'maker', now: market.now() }))?.history).toEqual(
      bids,
    );
    for (const seller of ['maker', WALLET, ACCOUNT, '0xaccount-of-maker'])
      expect((await tier2(lot, seller)).record.inconclusive).not.toContain('shill-collusion/seller-of-lot');
  });

  it('has the lot of the deal itself while nobody has yet read who stands behind the account', async () => {
    await market.agent('new-seller', '0xunread-account');
    const { lot, dealId } = await sale('new-seller', ['ann', 'ben'], '0xowner-of-new-seller');
    expect((await gatherDealBids(db, (await matchOfDeal(db, dealId))!, market.now()))?.lots).toHaveLength(1);
    expect(
      (await gatherBook(deps, { lotRef: lot, seller: 'new-seller', now: market.now() }))?.history.lots,
    ).toHaveLength(1);
  });

  it('is no part of the habits that others have elsewhere', async () => {
    await sale('dot', ['ann', 'ben']);
    const { lot } = await sale('maker', ['ann', 'ben'], WALLET);
    const ask = async () =>
      (await gatherBook(deps, { lotRef: lot, seller: 'maker', now: market.now() }))!.history;
    const before = await ask();
    // Held by the wallet itself, they are the same seller's.
    await db.updateTable('agents').set({ owner: WALLET }).where('handle', 'like', 'maker%').execute();
    const plain = await ask();
    await db.updateTable('agents').set({ owner: ACCOUNT }).where('handle', '=', 'maker').execute();
    await db
      .updateTable('agents')
      .set({ owner: '0xanother-account' })
      .where('handle', '=', 'maker-three')
      .execute();
    expect(before).toEqual(plain);
  });

  it('counts a bid of another agent of that owner as the seller’s own, hard', async () => {
    const lot = await market.list('maker', { owner: WALLET });
    await market.order('maker-two', lot, { owner: WALLET, limit: 5n * USD });
    const { record, hardFlags } = await tier2(lot, 'maker');
    expect([record.verdict, hardFlags]).toEqual(['FLAGGED', ['shill-collusion/seller-side-bids']]);
  });
});

describe('the price of a deal', () => {
  it('is not weighed by earlier sales of a party whose agent is held in an account', async () => {
    const own = await sale('maker', ['cas'], WALLET);
    const { lot, dealId } = await sale('ben', ['dot']);
    for (const [n, handle] of ['maker', 'ben'].entries())
      await db
        .updateTable('agents')
        .set({ account: `0xacc${`${n}`.padStart(37, '0')}` })
        .where('handle', '=', handle)
        .execute();
    const asset = parseAssetKey(lot);
    const listing = await db
      .selectFrom('listings')
      .select('listing_ref')
      .where('asset_key', '=', lot)
      .executeTakeFirstOrThrow();
    // The same deal with the account's agent as its buyer.
    await db.updateTable('matches').set({ buyer_owner: WALLET }).where('deal_id', '=', dealId).execute();
    const { evidence } = await determineDeal(deps, {
      ...{ dealId, side: 'buyer', buyer: 'maker', seller: 'ben', asset, category: 'digital-products' },
      ...{ listingRef: listing.listing_ref, price: 100n * USD, depth: '2-of-2', performer: 'AGENT' },
    });
    const { match_id: id } = await db
      .selectFrom('matches')
      .select('match_id')
      .where('deal_id', '=', own.dealId)
      .executeTakeFirstOrThrow();
    const price = evidence.determinations.find((d) => d.id === 'price-intelligence')!;
    const { comparables } = price.common as { comparables: { id: string; dropped: string | null }[] };
    expect(comparables.find((c) => c.id === id)?.dropped).toBe('party');
  });

  it('as its mandate’s share of the market sees it leaves these sales out as well', async () => {
    const others = ['ann', 'ben', 'cas', 'dot', 'eve'];
    for (const [n, seller] of others.entries()) {
      await sale(seller, [others[(n + 1) % others.length]!]);
      for (const own of ['maker', 'maker-two', 'maker-three'])
        await sale(own, [others[(n + 2) % others.length]!], WALLET, 300n * USD);
    }
    const mandate = {
      side: 'both',
      currency: 'USDC',
      cap_per_deal: '500',
      max_pct_of_market: '90',
      expires_at: '2026-12-31T23:59:59Z',
    };
    const terms = { version: 1, text: 't', hash: '0x', status: 'active' as const, tx: null };
    await db
      .insertInto('mandates')
      .values({ handle: 'maker', structured: JSON.stringify(mandate), ...terms })
      .execute();
    const { lot } = await sale('maker', ['ann'], WALLET);
    const asked = async () => {
      const agent = await findAgent(db, 'maker');
      const { marketMedian } = await gatherMandate(deps, {
        ...{ handle: 'maker', agent, dealId: null, verdicts: {}, lot, now: market.now() },
        proposal: {
          ...{ side: 'buy', category: 'digital-products', price: '100', chainId: 1002 },
          counterparty: '0xaccount-of-dot',
        },
      });
      return marketMedian;
    };
    const bound = await asked();
    await db.updateTable('agents').set({ owner: WALLET }).where('handle', '=', 'maker').execute();
    const plain = await asked();
    await db.updateTable('agents').set({ owner: ACCOUNT }).where('handle', '=', 'maker').execute();
    // What others paid among themselves is too little to tell.
    expect([bound, plain]).toEqual([null, null]);
  });
});
