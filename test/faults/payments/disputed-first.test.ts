import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ServedPayment, servePayment } from '../../../runtime/checkout/take-card-event.ts';
import { spawnActor } from '../../../runtime/durable/actors/spawn.ts';
import { checkoutActor } from '../../../runtime/machines.ts';
import type { Services } from '../../../runtime/services.ts';
import { createCheckout } from '../../../store/checkout/checkouts.ts';
import { noteReversal } from '../../../store/checkout/reversals.ts';
import { listCatalogue } from '../../../store/market/catalogue.ts';
import { reviewPayments } from '../../../store/market/listing-payments.ts';
import { findListing } from '../../../store/market/listings.ts';
import { cancelOrder, expireOrders } from '../../../store/market/withdrawals.ts';
import { type MarketStage, marketStage } from '../../fixtures/market-stage.ts';
import { testDatabase } from '../../fixtures/postgres.ts';

/** Payments for a listing whose dispute was told before the payment itself. */

const AMOUNT = 2_500_000n;
const DAY = 86_400_000;
let database: Awaited<ReturnType<typeof testDatabase>>;
let stage: MarketStage;

beforeAll(async () => {
  database = await testDatabase();
  stage = marketStage(database.db);
});
afterAll(() => database?.drop());

interface Listed {
  readonly seller: string;
  readonly listingRef: string;
  readonly orderId: string;
}

async function listed(paid: boolean): Promise<Listed> {
  const seller = await stage.agent();
  const [listingRef, orderId] = [stage.fresh('shop'), stage.fresh('sell')];
  const expiresAt = stage.later(paid ? 90 * DAY : DAY);
  await stage.list(seller, { listingRef, orderId, paid, expiresAt });
  return { seller, listingRef, orderId };
}

const tell = (paymentIntent: string, listingRef: string, state: 'open' | 'won' | 'lost') =>
  stage.inTrx(async (trx) => {
    await noteReversal(trx, { paymentIntent, reference: `du_${paymentIntent}`, state }, stage.now());
    await reviewPayments(trx, listingRef, stage.now());
  });

/** Pays a page, before or after its dispute is told. */
async function paid(
  { listingRef }: Pick<Listed, 'listingRef'>,
  { featured = false, disputed = false } = {},
): Promise<{ intent: string; served: ServedPayment }> {
  const id = stage.fresh('co');
  const intent = `pi_${id}`;
  if (disputed) await tell(intent, listingRef, 'open');
  const now = stage.now();
  const served = await stage.inTrx(async (trx) => {
    await createCheckout(trx, {
      ...{ id, kind: 'listing', owner: '0xanybody', handle: null, tier: null, depth: null },
      ...{ amount: AMOUNT, session: `cs_${id}`, details: { listingRef, featured } },
      ...{ expiresAt: stage.later(3_600_000), now },
    });
    await spawnActor(trx, checkoutActor, { key: id, input: { checkoutId: id, expiresInMs: 3_600_000 }, now });
    const services = { sessionKeys: { base: 0n }, log: { warn() {}, error() {} } } as unknown as Services;
    const event = {
      ...{ eventId: `evt_${id}`, checkoutId: id, sessionId: `cs_${id}`, paymentIntent: intent },
      ...{ amountMicro: AMOUNT, currency: 'usd', paymentStatus: 'paid' },
    };
    return (await servePayment(services, trx, event, now)).served;
  });
  return { intent, served };
}

const statusOf = async ({ listingRef }: Listed) => (await findListing(database.db, listingRef))?.status;
const endOf = async ({ orderId }: Listed): Promise<Date> => {
  const order = database.db.selectFrom('orders').select('expires_at').where('order_id', '=', orderId);
  return (await order.executeTakeFirstOrThrow()).expires_at;
};

describe('a fee whose dispute was told first', () => {
  it('shows the listing for as long as any other, once the dispute is won', async () => {
    const lot = await listed(false);
    const newer = await listed(true);
    stage.tick(60_000);
    const { intent, served } = await paid(lot, { disputed: true });
    expect(served).toEqual({ became: 'served' });
    const until = stage.later(90 * DAY);
    expect([await statusOf(lot), await endOf(lot)]).toEqual(['unpaid', until]);
    stage.tick(20 * DAY);
    await expireOrders(database.db, stage.now());
    await tell(intent, lot.listingRef, 'won');
    expect([await statusOf(lot), await endOf(lot)]).toEqual(['live', until]);
    const rows = await listCatalogue(database.db, { limit: 10, offset: 0 });
    expect(rows.map(({ listingRef }) => listingRef).slice(0, 2)).toEqual([lot.listingRef, newer.listingRef]);
  });

  it('leaves the place of the first fee that shows the listing to that fee', async () => {
    const lot = await listed(false);
    await paid(lot, { disputed: true });
    stage.tick(60_000);
    const newer = await listed(true);
    stage.tick(60_000);
    expect((await paid(lot)).served).toEqual({ became: 'served' });
    const rows = await listCatalogue(database.db, { limit: 10, offset: 0 });
    expect(rows.map(({ listingRef }) => listingRef).slice(0, 2)).toEqual([lot.listingRef, newer.listingRef]);
  });

  it('is returned where the listing has ended, or shows already', async () => {
    const shown = await listed(true);
    const shows = { became: 'returned', why: 'the listing showed already when the payment came' };
    expect((await paid(shown, { disputed: true })).served).toEqual(shows);
    expect(await statusOf(shown)).toBe('live');
    const gone = await listed(false);
    const taken = { orderId: gone.orderId, handle: gone.seller, now: stage.tick(60_000) };
    await stage.inTrx((trx) => cancelOrder(trx, taken));
    const ended = { became: 'returned', why: 'the listing had ended before the payment came' };
    expect((await paid(gone, { disputed: true })).served).toEqual(ended);
  });
});

describe('a placement whose dispute was told first', () => {
  it('features the listing once the dispute is won', async () => {
    const lot = await listed(true);
    const { intent, served } = await paid(lot, { featured: true, disputed: true });
    const featured = async () => (await findListing(database.db, lot.listingRef))?.featured;
    expect([served, await featured()]).toEqual([{ became: 'served' }, false]);
    await tell(intent, lot.listingRef, 'won');
    expect(await featured()).toBe(true);
  });

  it('is returned where the listing has left the catalogue', async () => {
    const lot = await listed(true);
    const taken = { orderId: lot.orderId, handle: lot.seller, now: stage.tick(60_000) };
    await stage.inTrx((trx) => cancelOrder(trx, taken));
    expect((await paid(lot, { featured: true, disputed: true })).served).toEqual({
      became: 'returned',
      why: 'the listing had left the catalogue before the payment came',
    });
  });
});
