import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assetKey, normaliseAsset } from '../../agents/assets.ts';
import { displaceClaim } from '../../store/market/displace-claim.ts';
import { insertPledge, livePledge } from '../../store/market/pledges.ts';
import { type MarketStage, marketStage } from '../fixtures/market-stage.ts';
import { type TestDatabase, testDatabase } from '../fixtures/postgres.ts';

/** A proof that a thing is one's own, against what stands on it already. */

let database: TestDatabase;
let stage: MarketStage;
let seller: string;

beforeAll(async () => {
  database = await testDatabase();
  stage = marketStage(database.db);
  seller = await stage.agent();
});
afterAll(() => database.drop());

const TOKEN = `eip155:1002/erc721:0x${'ab'.repeat(20)}/7`;
const statusOf = async (listingRef: string) =>
  (
    await database.db
      .selectFrom('listings')
      .select('status')
      .where('listing_ref', '=', listingRef)
      .executeTakeFirstOrThrow()
  ).status;
const PROVES = '0xproves';
const pledge = (named: {
  assetKey: string;
  listingRef: string;
  proven: boolean;
  wallet?: string;
  lender?: string;
}) =>
  stage.inTrx((trx) =>
    insertPledge(trx, {
      id: stage.fresh(named.listingRef),
      wallet: '0xwallet',
      lender: null,
      until: null,
      source: 'owner',
      now: stage.now(),
      ...named,
    }),
  );
const displaced = (lot: string) =>
  stage.inTrx((trx) =>
    displaceClaim(trx, { assetKey: lot, tokenKey: TOKEN, by: [PROVES], now: stage.now() }),
  );

describe('a proof', () => {
  it('ends a listing that stands on a word, with its pledge and what rests on its lot', async () => {
    const listingRef = stage.fresh('claim');
    const lot = await stage.list(seller, { listingRef, proven: false });
    expect(await displaced(lot)).toBe(listingRef);
    expect(await statusOf(listingRef)).toBe('dropped');
    expect(await livePledge(database.db, lot)).toBeNull();
  });

  it('leaves a listing that the chain proves, and one that is in a deal', async () => {
    const [proven, dealing] = [stage.fresh('proof'), stage.fresh('claim')];
    const lots = [
      await stage.list(seller, { listingRef: proven, proven: true }),
      await stage.list(seller, { listingRef: dealing, proven: false }),
    ];
    await database.db
      .updateTable('listings')
      .set({ status: 'dealing' })
      .where('listing_ref', '=', dealing)
      .execute();
    expect(await Promise.all(lots.map(displaced))).toEqual([null, null]);
    expect(await Promise.all([proven, dealing].map(statusOf))).toEqual(['live', 'dealing']);
  });

  it('ends a pledge that stands on a word, and takes over what the token itself was pledged for', async () => {
    const lot = assetKey(normaliseAsset({ serial: 'FRAME 90-1' }));
    await stage.list(seller, { listingRef: stage.fresh('other') });
    await pledge({ assetKey: lot, listingRef: 'loan-by-word', proven: false });
    await pledge({ assetKey: TOKEN, listingRef: 'loan-by-token', proven: true });
    await displaced(lot);
    expect(await livePledge(database.db, lot)).toMatchObject({ listing_ref: 'loan-by-token' });
  });

  it('leaves a lien of a lender that the one who proves it made himself, and ends one that somebody else made', async () => {
    const [own, squatted, plain] = ['91-1', '91-2', '91-3'].map((serial) =>
      assetKey(normaliseAsset({ serial: `FRAME ${serial}` })),
    ) as [string, string, string];
    const lender = '0xlender';
    await pledge({ assetKey: own, listingRef: 'own-loan', proven: false, wallet: PROVES, lender });
    await pledge({ assetKey: squatted, listingRef: 'their-loan', proven: false, lender });
    await pledge({ assetKey: plain, listingRef: 'own-word', proven: false, wallet: PROVES });
    for (const lot of [own, squatted, plain]) await displaced(lot);
    expect(await livePledge(database.db, own)).toMatchObject({ listing_ref: 'own-loan' });
    expect(await livePledge(database.db, squatted)).toBeNull();
    expect(await livePledge(database.db, plain)).toBeNull();
  });
});
