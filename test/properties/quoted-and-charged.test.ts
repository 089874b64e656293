import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CATEGORIES } from '../../agents/categories.ts';
import type { PriceSetting } from '../../agents/market/pricing/prices.ts';
import { determinationRoutes } from '../../api/determinations/determinations.ts';
import type { App } from '../../api/http/app.ts';
import { pricingRoutes } from '../../api/service/pricing.ts';
import { paymentGate } from '../../api/x402/gate.ts';
import { memberSignIn, signInNonces } from '../../api/x402/sign-in.ts';
import { paymentTerms } from '../../api/x402/terms.ts';
import { seedKeys } from '../../chain/keys/seeds.ts';
import type { Services } from '../../runtime/services.ts';
import { buyName } from '../../store/names/name-bids.ts';
import { BASE_URL, server } from '../conformance/api/server-fixture.ts';
import { marketStage } from '../fixtures/market-stage.ts';
import { type PaymentStage, paymentStage } from '../fixtures/paid-service.ts';
import '../fixtures/seeded.ts';

/** What `/quote` says is what the 402 challenge asks and what a deal takes, over the whole price table. */

const MEMBER = '0x00000000000000000000000000000000000000aa';
const ADDRESS = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';
let stage: PaymentStage;
const doors = new Map<PriceSetting, App>();

beforeAll(async () => {
  stage = await paymentStage();
  for (const pricing of ['test', 'live'] as const) doors.set(pricing, await open(pricing));
});
afterAll(async () => {
  for (const app of doors.values()) await app.close();
  await stage.stop();
});

async function open(pricing: PriceSetting): Promise<App> {
  const { db } = stage.database;
  const now = () => new Date();
  const nonces = signInNonces(seedKeys(`0x${'5e'.repeat(32)}`));
  const terms = await paymentTerms({
    baseUrl: BASE_URL,
    payTo: '0x00000000000000000000000000000000000000bb',
    networks: stage.networks,
    facilitators: [stage.facilitator],
    now,
    signIn: nonces,
  });
  const gate = paymentGate({ db, terms, verifyDigest: async () => false, now, newId: (prefix) => prefix });
  const admit = memberSignIn({ db, verify: async () => false, nonces, baseUrl: BASE_URL, now });
  // Nobody pays here: of the service's parts the prices alone are asked for, and what is listed.
  const prices = { setting: pricing, standardListing: null };
  const config = { pricing, prices, baseUrl: BASE_URL, rateLimitReads: 1_000_000 };
  const services = { config, evidence: { db } } as unknown as Services;
  const until = new Date('2099-01-01T00:00:00.000Z');
  return await server({
    db,
    limits: { reads: 1_000_000, writes: 1_000_000 },
    routes: [
      (app) =>
        pricingRoutes(app, {
          prices,
          cards: 'test',
          coverOf: async (wallet) => (wallet === MEMBER ? { kind: 'individual', until } : null),
        }),
      (app) => determinationRoutes(app, { services, gate, admit, registry: [] }),
    ],
  });
}

async function quoted(pricing: PriceSetting, query: Record<string, string>) {
  const answer = await doors.get(pricing)!.inject({ url: '/quote', query });
  expect(answer.statusCode).toBe(200);
  return answer.json() as {
    lines: { id: string; amountUsd: number; paidBy: string }[];
    totals: { paidBy: string; amountUsd: number }[];
    totalUsd: number;
    sellerNetsUsd: number | null;
    buyerPaysUsd: number | null;
  };
}

async function asked(pricing: PriceSetting, request: { method: 'GET' | 'POST'; url: string; body?: object }) {
  const { method, url, body } = request;
  const answer = await doors.get(pricing)!.inject({ method, url, ...(body ? { payload: body } : {}) });
  expect(answer.statusCode).toBe(402);
  const amounts = (answer.json() as { accepts: { amount: string }[] }).accepts.map((a) => a.amount);
  expect(amounts).toHaveLength(2);
  expect(amounts[0]).toBe(amounts[1]);
  return Number(amounts[0]) / 1e6;
}

type Paid = readonly { paidBy: string; amountUsd: number }[];

/** Each payer's total is the sum of that payer's lines, and nobody else's. */
function expectByPayer(lines: Paid, totals: Paid): void {
  const micro = (usd: number) => BigInt(Math.round(usd * 1e6));
  const of = (payer: string) =>
    lines.filter((l) => l.paidBy === payer).reduce((sum, l) => sum + micro(l.amountUsd), 0n);
  const payers = [...new Set(lines.map((l) => l.paidBy))];
  expect(totals.map((t) => [t.paidBy, micro(t.amountUsd)])).toEqual(payers.map((p) => [p, of(p)]));
}

const setting = fc.constantFrom<PriceSetting>('test', 'live');
/** Dollars with up to six decimals, as text. */
const price = fc
  .tuple(fc.bigInt(0n, 10_000_000n), fc.integer({ min: 0, max: 999_999 }))
  .map(([whole, micro]) => `${whole}.${String(micro).padStart(6, '0')}`);

describe('a quote', () => {
  it.each(['tier2', 'tier3'] as const)('of every category of %s is what the challenge asks', async (tier) => {
    for (const pricing of ['test', 'live'] as const) {
      const listed = (await doors.get(pricing)!.inject('/pricing')).json() as {
        items: { id: string; amountUsd: number }[];
      };
      for (const category of CATEGORIES) {
        const { lines, totalUsd } = await quoted(pricing, { tier, category, wallet: MEMBER });
        const url = `/determinations/${tier}/${category}`;
        const probe = await asked(pricing, { method: 'POST', url });
        const charge = await asked(pricing, { method: 'POST', url, body: { priceUsd: 12 } });
        const row = listed.items.find((i) => i.id === `${tier}-${category}`);
        expect([lines[0]?.amountUsd, totalUsd, probe]).toEqual([charge, charge, charge]);
        expect(row?.amountUsd).toBe(charge);
      }
    }
  });

  it('of a wallet determination is what the challenge asks, whatever the transaction', async () => {
    await fc.assert(
      fc.asyncProperty(setting, price, async (pricing, priceUsd) => {
        const { lines } = await quoted(pricing, { priceUsd });
        const url = `/determination?address=${ADDRESS}&transactionUsd=${priceUsd}`;
        expect(lines[0]).toMatchObject({ id: 'wallet-determination', paidBy: 'caller' });
        expect(lines[0]?.amountUsd).toBe(await asked(pricing, { method: 'GET', url }));
      }),
      { numRuns: 300 },
    );
  });

  it('adds up, and leaves out for a member the determination alone', async () => {
    await fc.assert(
      fc.asyncProperty(setting, price, fc.boolean(), async (pricing, priceUsd, member) => {
        const query = { priceUsd, ...(member ? { wallet: MEMBER } : {}) };
        const { lines, totals, totalUsd } = await quoted(pricing, query);
        const micro = (usd: number) => BigInt(Math.round(usd * 1e6));
        expectByPayer(lines, totals);
        expect(micro(totalUsd)).toBe(member ? 0n : micro(lines[0]!.amountUsd));
        expect(lines[0]?.paidBy).toBe(member ? 'membership' : 'caller');
        expect(lines[0]?.amountUsd === 0).toBe(member);
        expect(lines[1]).toMatchObject({ id: 'deal-fee', paidBy: 'seller' });
      }),
      { numRuns: 300 },
    );
  });

  it('of a deal is what its buyer is held for and its seller gets, of goods and of names', async () => {
    const { db } = stage.database;
    const market = marketStage(db);
    const [seller, buyer] = [await market.agent('quote-seller'), await market.agent('quote-buyer')];
    const micro = (usd: number | null) => BigInt(Math.round(Number(usd) * 1e6));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 100_000_000 }), fc.boolean(), async (cents, isName) => {
        const ask = BigInt(cents) * 10_000n;
        const name = `${market.fresh('quoted').replace('_', '')}.x`;
        const asset = isName
          ? ({ kind: 'serial', serialKind: 'name', serial: name } as const)
          : market.asset();
        const lot = await market.list(seller, { asset, ask, negotiable: false });
        const bid = {
          orderId: market.fresh('bid'),
          assetKey: lot,
          handle: buyer,
          owner: '0xbuyer',
          limit: ask,
          now: market.now(),
          ids: market.ids(),
          judge: async () => {},
          allows: () => true,
        };
        const match = isName
          ? await market.inTrx((trx) => buyName(trx, bid))
          : (await market.order(buyer, lot, { limit: ask })).match;
        const deal = await db
          .selectFrom('deals')
          .innerJoin('reservations', 'reservations.handle', 'deals.buyer')
          .innerJoin('matches', 'matches.deal_id', 'deals.deal_id')
          .whereRef('reservations.order_id', '=', 'matches.buy_order')
          .select(['deals.price', 'deals.fee', 'reservations.amount'])
          .where('deals.deal_id', '=', match!.dealId)
          .executeTakeFirstOrThrow();
        const asked = { priceUsd: (cents / 100).toFixed(2), ...(isName ? { name: name.toUpperCase() } : {}) };
        const { lines, totals, totalUsd, sellerNetsUsd, buyerPaysUsd } = await quoted('live', asked);
        expect(deal.price).toBe(ask);
        expect(micro(buyerPaysUsd)).toBe(deal.amount);
        expect(micro(sellerNetsUsd)).toBe(deal.amount - deal.fee);
        const fees = lines.slice(1).map((line) => [line.id, line.paidBy]);
        expect(fees).toEqual(
          isName
            ? [
                ['name-fee', 'seller'],
                ['name-fee', 'buyer'],
              ]
            : [['deal-fee', 'seller']],
        );
        expectByPayer(lines, totals);
        expect(totalUsd).toBe(lines[0]!.amountUsd);
        expect(lines.slice(1).reduce((sum, line) => sum + micro(line.amountUsd), 0n)).toBe(deal.fee);
      }),
      { numRuns: 12 },
    );
  });

  it('of a name at 300 dollars is the example of the name market, and of what is no name none', async () => {
    const of = async (query: Record<string, string>) => {
      const answer = await doors.get('test')!.inject({ url: '/quote', query: { priceUsd: '300', ...query } });
      return [answer.statusCode, answer.json()] as const;
    };
    const [status, body] = await of({ name: 'harbour.x' });
    expect([status, body]).toMatchObject([200, { sellerNetsUsd: 292.5, buyerPaysUsd: 307.5, totalUsd: 3 }]);
    expect(body.totals).toEqual([
      { paidBy: 'caller', amountUsd: 3 },
      { paidBy: 'seller', amountUsd: 7.5 },
      { paidBy: 'buyer', amountUsd: 7.5 },
    ]);
    for (const name of ['', 'a.b.x', 'аpple.x']) {
      const [refused, problem] = await of({ name });
      expect([refused, problem.errors?.[0]?.path]).toEqual([400, 'name']);
    }
  });
});
