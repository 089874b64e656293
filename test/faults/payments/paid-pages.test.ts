import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keccak } from '../../../agents/canonical.ts';
import { sessionKeyNumbers } from '../../../chain/clients/session-key-numbers.ts';
import { sessionKeys } from '../../../chain/clients/session-keys.ts';
import type { MintEvent } from '../../../chain/indexer/whole-history.ts';
import { createCardGateway } from '../../../runtime/checkout/card-gateway.ts';
import { takePaidPage } from '../../../runtime/checkout/public.ts';
import { spawnActor } from '../../../runtime/durable/actors/spawn.ts';
import { startCardProcessor } from '../../../runtime/embedded/card-processor.ts';
import { checkoutActor } from '../../../runtime/machines.ts';
import { tellMints } from '../../../runtime/restore/tell-mints.ts';
import { createCheckout, findCheckout, type NewCheckout } from '../../../store/checkout/checkouts.ts';
import { lastSessionKey, passSessionKey, unpaidPages } from '../../../store/checkout/restored.ts';
import { noteReversal } from '../../../store/checkout/reversals.ts';
import { cancelOrder } from '../../../store/market/withdrawals.ts';
import { marketStage } from '../../fixtures/market-stage.ts';
import { testDatabase } from '../../fixtures/postgres.ts';

/** Pages that were paid after the moment to which the database went back, before a card processor that knows of it. */

const SECRET = 'sk_test_0123456789abcdef';
const CARD = { number: '4242424242424242', exp_month: '12', exp_year: '2034', cvc: '123', name: 'Owner' };
const AMOUNT = 12_500_000n;
const dataDir = mkdtempSync(join(tmpdir(), 'paid-pages-'));
const clock = () => new Date();
const keys = sessionKeys(`0x${'5e'.repeat(32)}`);
let database: Awaited<ReturnType<typeof testDatabase>>;
let processor: Awaited<ReturnType<typeof startCardProcessor>>;
let card: ReturnType<typeof createCardGateway>;

beforeAll(async () => {
  database = await testDatabase();
  processor = await startCardProcessor({
    ...{ dataDir, secretKey: SECRET, webhookSecret: 'whsec_0123456789abcdef', clock, log: { warn() {} } },
    // Nobody takes what it tells.
    webhookUrl: 'http://127.0.0.1:1/',
  });
  card = createCardGateway({ secretKey: SECRET, webhookSecrets: [], apiBase: processor.url, clock });
});
afterAll(async () => {
  await processor?.stop();
  await database?.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

const services = () => ({
  ...{ db: database.db, card, sessionKeys: keys, now: clock },
  log: { warn() {}, error() {} },
});

/** A page of the processor's, as the database knows it: nobody has paid it. @returns how it is paid */
async function page(
  id: string,
  about: Partial<NewCheckout> = {},
): Promise<(number?: string) => Promise<void>> {
  const now = clock();
  const expiresAt = new Date(now.getTime() + 3_600_000);
  const { sessionId, url } = await card.createCheckoutSession({
    ...{ checkoutId: id, amountMicro: AMOUNT, productName: 'A year', expiresAt },
    ...{ successUrl: 'http://127.0.0.1/done', cancelUrl: 'http://127.0.0.1/' },
  });
  await database.db.transaction().execute(async (trx) => {
    await createCheckout(trx, {
      ...{ id, kind: 'membership', owner: `0x${'a1'.repeat(20)}`, handle: null, tier: null, depth: null },
      ...{ amount: AMOUNT, session: sessionId, details: {}, expiresAt, now },
      ...about,
    });
    const input = { checkoutId: id, expiresInMs: 3_600_000 };
    await spawnActor(trx, checkoutActor, { key: id, input, now });
  });
  return async (number = CARD.number) => {
    const body = new URLSearchParams({ ...CARD, number });
    const paid = await fetch(url, { method: 'POST', body, redirect: 'manual' });
    expect(paid.status).toBe(303);
  };
}

async function taken(id: string, dryRun = false) {
  const known = (await unpaidPages(database.db, '', 100)).find((one) => one.id === id);
  if (known === undefined) return { became: 'booked' };
  return await takePaidPage(services(), known, { keyIndex: null, dryRun });
}
const effectsOf = async (id: string): Promise<string[]> =>
  (
    await database.db.selectFrom('effects').select('kind').where('actor_id', '=', `checkout:${id}`).execute()
  ).map(({ kind }) => kind);
const status = async (id: string): Promise<string> =>
  (await database.db.selectFrom('checkouts').select('status').where('id', '=', id).executeTakeFirstOrThrow())
    .status;

describe('a card page that the database does not know to be paid', () => {
  it('is booked once, by what the processor says, and not by a dry run', async () => {
    const pay = await page('co_paid');
    expect(await taken('co_paid')).toEqual({ became: 'unpaid' });
    await pay();
    expect(await taken('co_paid', true)).toEqual({ became: 'due' });
    expect(await status('co_paid')).toBe('awaiting-payment');
    const [known] = await unpaidPages(database.db, '', 100);
    expect(await taken('co_paid')).toEqual({ became: 'served' });
    expect(await status('co_paid')).toBe('paid');
    // Somebody else looked at the same moment.
    expect(await takePaidPage(services(), known!, { keyIndex: null, dryRun: false })).toEqual({
      became: 'already',
    });
    expect(await taken('co_paid')).toEqual({ became: 'booked' });
    const events = await database.db
      .selectFrom('mailbox')
      .select('event_id')
      .where('actor_id', '=', 'checkout:co_paid')
      .execute();
    expect(events).toEqual([{ event_id: `card:${known!.session}` }]);
  });

  it('is left where its money was given back', async () => {
    const pay = await page('co_back');
    await pay();
    const { paymentIntent } = (await card.findPayment(
      (await unpaidPages(database.db, '', 100)).find((one) => one.id === 'co_back')!.session,
    ))!;
    await card.refund({ checkoutId: 'co_back', paymentIntent: paymentIntent! });
    expect(await taken('co_back')).toEqual({ became: 'away' });
    expect(await status('co_back')).toBe('awaiting-payment');
  });
});

describe('a page whose payment was disputed', () => {
  const stripe = () => {
    const { hostname: host, port } = new URL(processor.url);
    return new Stripe(SECRET, { host, port, protocol: 'http', telemetry: false });
  };
  const disputed = async (id: string) => {
    const pay = await page(id);
    await pay('4000000000000259');
    const { session } = (await unpaidPages(database.db, '', 100)).find((one) => one.id === id)!;
    const { paymentIntent } = (await card.findPayment(session))!;
    const { data } = await stripe().disputes.list({ payment_intent: paymentIntent! });
    const decide = (evidence: string) =>
      stripe().disputes.update(data[0]!.id, { evidence: { uncategorized_text: evidence }, submit: true });
    return { paymentIntent: paymentIntent!, reference: data[0]!.id, decide };
  };

  it('is booked once that is won, and stays so where the beginning of it is told late', async () => {
    const { paymentIntent, reference, decide } = await disputed('co_won');
    expect(await taken('co_won')).toEqual({ became: 'away' });
    await decide('winning_evidence');
    expect(await taken('co_won')).toEqual({ became: 'served' });
    await database.db
      .transaction()
      .execute((trx) => noteReversal(trx, { paymentIntent, reference, state: 'open' }, clock()));
    const found = await findCheckout(database.db, 'co_won');
    expect(found).toMatchObject({ status: 'paid', suspended_at: null });
  });

  it('is left where that is lost', async () => {
    const { decide } = await disputed('co_lost');
    await decide('losing_evidence');
    expect(await taken('co_lost')).toEqual({ became: 'away' });
    expect(await status('co_lost')).toBe('awaiting-payment');
  });
});

describe('a payment that buys nothing any more', () => {
  it('is told as returned where another agent has the handle, and so is what was minted for it', async () => {
    const about = { kind: 'agent', handle: 'wanted', tier: 'AGENT', depth: '2-of-2' } as const;
    const payFirst = await page('co_bought_again', about);
    const pay = await page('co_bought', about);
    await payFirst();
    await pay();
    expect(await taken('co_bought_again')).toEqual({ became: 'served' });
    expect(await taken('co_bought')).toEqual({
      became: 'returned',
      why: 'the handle went to another agent before the payment came',
    });
    expect(await status('co_bought')).toBe('failed');
    expect(await effectsOf('co_bought')).toEqual(['refund-payment']);
    const mint = (id: string): MintEvent => ({
      ...{ paymentRef: keccak(id), tokenId: 7n, tx: `0x${'01'.repeat(32)}` },
      ...{ owner: `0x${'a1'.repeat(20)}`, account: `0x${'ac'.repeat(20)}` },
    });
    expect(await tellMints(database.db, [mint('co_bought_again'), mint('co_bought')])).toMatchObject([
      { state: 'by-itself' },
      { state: 'by-hand', says: expect.stringContaining('whose purchase failed') },
    ]);
  });

  it('is told as returned where the listing that it was for has ended', async () => {
    const stage = marketStage(database.db);
    const seller = await stage.agent();
    await stage.list(seller, { listingRef: 'listing_unpaid', orderId: 'sell_unpaid', paid: false });
    const pay = await page('co_listing', {
      ...{ kind: 'listing', details: { listingRef: 'listing_unpaid', featured: false } },
    });
    await pay();
    await stage.inTrx((trx) =>
      cancelOrder(trx, { orderId: 'sell_unpaid', handle: seller, now: stage.tick() }),
    );
    expect(await taken('co_listing')).toEqual({
      became: 'returned',
      why: 'the listing had ended before the payment came',
    });
    expect(await status('co_listing')).toBe('failed');
    expect(await effectsOf('co_listing')).toEqual(['refund-payment']);
  });
});

describe('a payment whose checkout is gone', () => {
  it('is told as one that a person must return', async () => {
    const pay = await page('co_gone');
    await pay();
    const known = (await unpaidPages(database.db, '', 100)).find((one) => one.id === 'co_gone')!;
    await database.db.deleteFrom('checkouts').where('id', '=', 'co_gone').execute();
    expect(await takePaidPage(services(), known, { keyIndex: null, dryRun: false })).toEqual({
      became: 'by-hand',
    });
  });
});

describe('numbers of session keys that were given out after the moment', () => {
  it('are found by the keys, and passed over', async () => {
    const last = await lastSessionKey(database.db);
    const wanted = new Set([keys.at(1_234).address.toLowerCase(), `0x${'77'.repeat(20)}`]);
    const found = await sessionKeyNumbers(keys, wanted, last);
    expect([...found.values()]).toEqual([1_234n]);
    await passSessionKey(database.db, 1_234n);
    expect(await lastSessionKey(database.db)).toBe(1_234n);
    await passSessionKey(database.db, 7n);
    expect(await lastSessionKey(database.db)).toBe(1_234n);
  });
});
