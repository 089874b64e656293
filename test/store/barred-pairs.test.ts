import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../agents/errors.ts';
import type { Mandate } from '../../agents/mandate/terms/schema.ts';
import { UNCAPPED } from '../../chain/clients/agents.ts';
import { placeOrder } from '../../runtime/market/orders/place-order.ts';
import type { OrderingAgent } from '../../runtime/market/orders/read-ordering-agent.ts';
import type { Services } from '../../runtime/services.ts';
import { findAgent } from '../../store/agent/agents.ts';
import { unwindDeal } from '../fixtures/closings.ts';
import { type MarketStage, marketStage, unlessStopped } from '../fixtures/market-stage.ts';
import { testDatabase } from '../fixtures/postgres.ts';

/**
 * A buyer who may not match a seller would find out the seller's floor by what its order causes. What the chain is asked
 * takes time, which the buyer can measure.
 */

let database: Awaited<ReturnType<typeof testDatabase>>;
let stage: MarketStage;

beforeAll(async () => {
  database = await testDatabase();
  stage = marketStage(database.db);
});
afterAll(() => database.drop());

const usd = (dollars: number): bigint => BigInt(dollars) * 1_000_000n;
const ownerOf = (handle: string): `0x${string}` => `0xowner-of-${handle}`;
const [BELOW, FLOOR, ABOVE] = [79, 80, 95];
const NOBODY = `0x${'0'.repeat(40)}`;

async function trader(handle: string, terms: Partial<Mandate> = {}): Promise<string> {
  await stage.agent(handle);
  const structured: Mandate = {
    side: 'both',
    currency: 'USDC',
    expires_at: '2027-01-01T00:00:00Z',
    ...terms,
  };
  await database.db
    .insertInto('mandates')
    .values({
      ...{ handle, version: 1, text: 'its terms', hash: '0xhash', status: 'active', tx: null },
      structured: JSON.stringify(structured),
    })
    .execute();
  return handle;
}

async function listedBy(seller: string): Promise<{ lot: string; listingRef: string }> {
  const listingRef = stage.fresh('listing');
  return { lot: await stage.list(seller, { ask: usd(120), floor: usd(FLOOR), listingRef }), listingRef };
}

/** Places an order, with a node that counts how often it is asked and never answers. @returns what the buyer gets */
async function ordered(buyer: string, listingRef: string, dollars: number) {
  stage.tick();
  const agent = (await findAgent(database.db, buyer))!;
  const limits = { perDeal: UNCAPPED, day: UNCAPPED, week: UNCAPPED, month: UNCAPPED, total: UNCAPPED };
  const first: OrderingAgent = {
    agent,
    chain: { owner: ownerOf(buyer), block: 1n },
    spending: { block: 1n, epoch: agent.epoch, limits: { ...limits, spendable: UNCAPPED } },
    inForce: 1,
    beneficialOwner: ownerOf(buyer),
    balance: usd(1_000),
    look: null,
  };
  let asked = 0;
  const viem = {
    head: async () => {
      asked += 1;
      throw new AppError('unavailable', 'The node does not answer.');
    },
  };
  const services = {
    db: database.db,
    config: { ordersPerLot: 100 },
    home: { readers: { viem }, deployment: { agentNft: NOBODY, certificates: NOBODY, assets: NOBODY } },
    now: stage.now,
    newId: stage.fresh,
  } as unknown as Services;
  const terms = {
    ...({ side: 'buy', asset: null, listingRef, category: 'digital-products', openingBid: null } as const),
    ...{ limit: usd(dollars), expiresAt: stage.later(86_400_000) },
  };
  const answer = await placeOrder(services, first, terms, () => {}).then(
    ({ order, priceToBeat, match }) => ({ status: order.status, priceToBeat, match }),
    (error: AppError) => error.code,
  );
  return { asked, answer };
}

describe('an order of a buyer who may not match the seller', () => {
  it.each(['buyer', 'seller'])(
    'asks the chain as little above the floor as below it where the mandate of the %s bars the other',
    async (side) => {
      const [ann, bob] = [`ann-${side}`, `bob-${side}`];
      await trader(ann, side === 'seller' ? { counterparties_deny: [bob] } : {});
      await trader(bob, side === 'buyer' ? { counterparties_deny: [ann] } : {});
      const { listingRef } = await listedBy(ann);
      const below = await ordered(bob, listingRef, BELOW);
      expect(below).toEqual({ asked: 0, answer: { status: 'resting', priceToBeat: usd(60), match: null } });
      expect(await ordered(bob, listingRef, FLOOR)).toEqual(below);
      expect(await ordered(bob, listingRef, ABOVE)).toEqual(below);
    },
  );

  it('asks as little where a deal of the two was stopped over the lot', async () => {
    const [ann, bob] = [await trader('ann'), await trader('bob')];
    const { lot, listingRef } = await listedBy(ann);
    const { match } = await stage.order(bob, lot, { limit: usd(100) });
    await stage.inTrx((trx) =>
      unwindDeal(trx, {
        ...{ dealId: match!.dealId, reason: 'stopped', orderId: stage.fresh('again'), ids: stage.ids() },
        ...{ allows: unlessStopped(trx), now: stage.tick() },
        causes: [{ finding: 'wallet', side: 'buyer', verdict: 'FLAGGED' }],
      }),
    );
    const below = await ordered(bob, listingRef, BELOW);
    expect(below).toEqual({ asked: 0, answer: { status: 'resting', priceToBeat: usd(120), match: null } });
    expect(await ordered(bob, listingRef, FLOOR)).toEqual(below);
    expect(await ordered(bob, listingRef, ABOVE)).toEqual(below);
  });
});

describe('an order of a buyer who may match', () => {
  it('matches nobody before the chain was asked about the pair', async () => {
    const [ann, bob] = [await trader('carol'), await trader('dave')];
    const { listingRef } = await listedBy(ann);
    expect(await ordered(bob, listingRef, ABOVE)).toEqual({ asked: 1, answer: 'unavailable' });
  });
});
