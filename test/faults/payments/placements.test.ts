import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Prices } from '../../../agents/market/pricing/prices.ts';
import { openPlacement } from '../../../runtime/checkout/open-purchase.ts';
import { servePayment } from '../../../runtime/checkout/take-card-event.ts';
import { spawnActor } from '../../../runtime/durable/actors/spawn.ts';
import { checkoutActor } from '../../../runtime/machines.ts';
import type { Services } from '../../../runtime/services.ts';
import { createCheckout } from '../../../store/checkout/checkouts.ts';
import { findListing } from '../../../store/market/listings.ts';
import { type MarketStage, marketStage } from '../../fixtures/market-stage.ts';
import { testDatabase } from '../../fixtures/postgres.ts';

/** Featured placement that would show nothing is not sold; where it was paid for, its money goes back. */

const AMOUNT = 10_000_000n;
const PRICES: Prices = { setting: 'live', standardListing: null };
const NAME = { kind: 'serial', serialKind: 'name', serial: 'harbour.x' } as const;
let database: Awaited<ReturnType<typeof testDatabase>>;
let stage: MarketStage;

beforeAll(async () => {
  database = await testDatabase();
  stage = marketStage(database.db);
});
afterAll(() => database?.drop());

/** Pays a page that was opened for a placement. @returns what became of the payment */
async function paid(listingRef: string) {
  const id = stage.fresh('co');
  const now = stage.now();
  return await stage.inTrx(async (trx) => {
    await createCheckout(trx, {
      ...{ id, kind: 'listing', owner: '0xanybody', handle: null, tier: null, depth: null },
      ...{ amount: AMOUNT, session: `cs_${id}`, details: { listingRef, featured: true } },
      ...{ expiresAt: stage.later(3_600_000), now },
    });
    await spawnActor(trx, checkoutActor, {
      key: id,
      input: { checkoutId: id, expiresInMs: 3_600_000 },
      now,
    });
    const services = { sessionKeys: { base: 0n }, log: { warn() {}, error() {} } } as unknown as Services;
    const event = {
      ...{ eventId: `evt_${id}`, checkoutId: id, sessionId: `cs_${id}`, paymentIntent: `pi_${id}` },
      ...{ amountMicro: AMOUNT, currency: 'usd', paymentStatus: 'paid' },
    };
    return (await servePayment(services, trx, event, now)).served;
  });
}
const featured = async (listingRef: string) => (await findListing(database.db, listingRef))?.featured;

describe('featured placement of a name', () => {
  it('is not sold, because the list of names knows none', async () => {
    const listingRef = stage.fresh('shop');
    await stage.list(await stage.agent(), { listingRef, asset: NAME });
    const services = { db: database.db, config: { prices: PRICES } } as unknown as Services;
    await expect(openPlacement(services, { listingRef, featured: true }, () => {})).rejects.toMatchObject({
      code: 'bad-request',
      errors: [
        {
          path: 'listingRef',
          message: 'is of a name: names have a list of their own, which features none',
        },
      ],
    });
  });

  it('is returned where it was paid on a page that was open', async () => {
    const listingRef = stage.fresh('shop');
    await stage.list(await stage.agent(), { listingRef, asset: { ...NAME, serial: 'quay.x' } });
    expect(await paid(listingRef)).toEqual({
      became: 'returned',
      why: 'names have a list of their own, which features none',
    });
    expect(await featured(listingRef)).toBe(false);
  });
});

describe('featured placement of a listing in a deal', () => {
  it('is returned where it was paid on a page that was open, because nobody would see it', async () => {
    const listingRef = stage.fresh('shop');
    const lot = await stage.list(await stage.agent(), { listingRef, negotiable: false, ask: 50_000_000n });
    const { match } = await stage.order(await stage.agent(), lot, { limit: 50_000_000n });
    expect(match).not.toBeNull();
    expect(await paid(listingRef)).toEqual({
      became: 'returned',
      why: 'the listing was in a deal when the payment came',
    });
    expect(await featured(listingRef)).toBe(false);
  });
});
