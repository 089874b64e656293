import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EffectContext } from '../../runtime/durable/jobs/effect.ts';
import { projectAuction } from '../../runtime/names/auction-projection.ts';
import { reviewAfterAuctionEffect } from '../../runtime/names/review-after-auction.ts';
import type { Services } from '../../runtime/services.ts';
import { standingListingOf } from '../../store/market/listings.ts';
import { dropLot } from '../../store/market/withdrawals.ts';
import { closeAuction, openAuction } from '../../store/names/auctions.ts';
import { type MarketStage, marketStage } from '../fixtures/market-stage.ts';
import { type TestDatabase, testDatabase } from '../fixtures/postgres.ts';

let database: TestDatabase;
let stage: MarketStage;

beforeAll(async () => {
  database = await testDatabase();
  stage = marketStage(database.db);
});
afterAll(() => database?.drop());

const HOUR = 3_600_000;

const list = (handle: string, listingRef: string, serial: string) =>
  stage.list(handle, {
    ...{ listingRef, asset: { kind: 'serial', serialKind: 'name', serial }, floor: null, negotiable: false },
  });

const auction = async (handle: string, assetKey: string): Promise<string> => {
  const opened = await stage.inTrx((trx) =>
    openAuction(trx, {
      ...{ auctionId: stage.fresh('auction'), assetKey, handle, format: 'ascending', start: null },
      ...{ reserve: 10_000_000n, durationMs: HOUR, windowMs: 0, extensionMs: 0, now: stage.now() },
      judge: async () => {},
    }),
  );
  return opened.auction_id;
};

/** @returns how it ended */
const close = async (auctionId: string): Promise<string> =>
  await stage.inTrx(async (trx) => {
    const closed = { auctionId, ids: stage.ids(), allows: () => true, now: stage.now() };
    const { outcome } = await closeAuction(trx, closed);
    await projectAuction(trx, auctionId, { value: outcome, context: { dealId: null } }, stage.now());
    return outcome;
  });

/** Reviews after an auction, on a chain on which every agent was handed on. */
async function review(auctionId: string, meanwhile: () => Promise<unknown> = async () => {}): Promise<void> {
  const viem = {
    head: async () => {
      await meanwhile();
      return { number: 1n };
    },
    code: async () => '0x',
    read: async ({ functionName }: { functionName: string }) =>
      functionName === 'epochOf' ? 1 : `0x${'9'.repeat(40)}`,
  };
  const services = {
    ...{ db: database.db, now: stage.now, log: { info() {} } },
    home: { readers: { viem }, deployment: {} },
  } as unknown as Services;
  const effect = { params: { auctionId } } as unknown as EffectContext;
  await reviewAfterAuctionEffect(services).run(effect);
}

const standing = async (key: string) => (await standingListingOf(database.db, key))?.listing_ref;

describe('the review after an auction', () => {
  it('takes a name off the market whose agent was handed on', async () => {
    const ann = await stage.agent();
    const key = await list(ann, 'shop_one', 'one.x');
    const auctionId = await auction(ann, key);
    stage.tick(HOUR);
    expect(await close(auctionId)).toBe('unsold');
    await review(auctionId);
    expect(await standing(key)).toBeUndefined();
  });

  it('is not of whoever has listed the name since the listing of the auction left', async () => {
    const [ann, bob] = [await stage.agent(), await stage.agent()];
    const key = await list(ann, 'shop_two', 'two.x');
    const auctionId = await auction(ann, key);
    await stage.inTrx((trx) => dropLot(trx, key, stage.now()));
    await list(bob, 'shop_three', 'two.x');
    stage.tick(HOUR);
    expect(await close(auctionId)).toBe('withdrawn');
    await auction(bob, key);
    await review(auctionId);
    expect(await standing(key)).toBe('shop_three');
  });

  it('nor of whoever lists it while the chain is asked', async () => {
    const [ann, bob] = [await stage.agent(), await stage.agent()];
    const key = await list(ann, 'shop_four', 'four.x');
    const auctionId = await auction(ann, key);
    stage.tick(HOUR);
    await close(auctionId);
    await review(auctionId, async () => {
      await stage.inTrx((trx) => dropLot(trx, key, stage.now()));
      await list(bob, 'shop_five', 'four.x');
    });
    expect(await standing(key)).toBe('shop_five');
  });
});
