import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assetKey } from '../../agents/assets.ts';
import { findAgent } from '../../store/agent/agents.ts';
import { mintedBetween, moveMints } from '../../store/agent/mints.ts';
import {
  beginChainListing,
  forgetChainListing,
  leaveChainListing,
  takeChainListings,
} from '../../store/market/chain-listings.ts';
import { withdrawOrders } from '../../store/market/withdrawals.ts';
import { type MarketStage, marketStage } from '../fixtures/market-stage.ts';
import { testDatabase } from '../fixtures/postgres.ts';

let database: Awaited<ReturnType<typeof testDatabase>>;
let stage: MarketStage;
beforeAll(async () => {
  database = await testDatabase();
  stage = marketStage(database.db);
});
afterAll(() => database.drop());

const asked = () => ({ now: stage.now(), limit: 50, quarantine: 'chain-listing' });
const take = async () => (await takeChainListings(database.db, asked())).map((r) => r.lot);
const begin = (handle: string, lot: string) =>
  beginChainListing(database.db, { handle, tokenKey: lot, lot }, stage.now());

describe('what stands on chain for sale', () => {
  it('is left alone while it is listed here, and taken on once the listing is over', async () => {
    const seller = await stage.agent();
    const asset = stage.asset();
    const lot = assetKey(asset);
    expect(await begin(seller, lot)).toBe(true);
    await stage.list(seller, { asset });
    stage.tick(3_600_000);
    expect(await take()).toEqual([]);
    await withdrawOrders(database.db, seller, stage.now());
    expect(await take()).toEqual([lot]);
  });

  it('is taken on by one, cannot be begun anew meanwhile, and is taken over from who vanished', async () => {
    const seller = await stage.agent();
    const lot = assetKey(stage.asset());
    await begin(seller, lot);
    stage.tick(61_000);
    const [first, second] = await Promise.all([take(), take()]);
    expect([...first, ...second]).toEqual([lot]);
    expect(await begin(seller, lot)).toBe(false);
    expect(await take()).toEqual([]);
    stage.tick(361_000);
    const taken = await takeChainListings(database.db, asked());
    const row = taken.find((r) => r.handle === seller);
    expect(row).toMatchObject({ lot });
    await leaveChainListing(database.db, row!);
    expect(await take()).toEqual([lot]);
    await forgetChainListing(database.db, row!);
    expect(await begin(seller, lot)).toBe(true);
  });

  it('is not taken from a request that has just begun', async () => {
    const lot = assetKey(stage.asset());
    await begin(await stage.agent(), lot);
    stage.tick(30_000);
    expect(await take()).not.toContain(lot);
  });
});

describe('mints that stand elsewhere after the chain went back', () => {
  it('move together, also when they took each other’s numbers', async () => {
    const [one, two] = [await stage.agent('swaps-one'), await stage.agent('swaps-two')];
    const [a, b] = [(await findAgent(database.db, one))!, (await findAgent(database.db, two))!];
    await stage.inTrx((trx) =>
      moveMints(trx, [
        { handle: one, tokenId: b.token_id, account: b.account, tx: '0xnew-one' },
        { handle: two, tokenId: a.token_id, account: a.account, tx: '0xnew-two' },
      ]),
    );
    const rows = await mintedBetween(database.db, new Date(0), null, 500);
    expect(rows.find((r) => r.handle === one)).toMatchObject({
      token_id: b.token_id,
      account: b.account,
      mint_tx: '0xnew-one',
    });
    expect(rows.find((r) => r.handle === two)).toMatchObject({ token_id: a.token_id, mint_tx: '0xnew-two' });
  });
});
