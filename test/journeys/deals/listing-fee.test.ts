import type { PrivateKeyAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectStatus, until } from '../../../runtime/cli/demo/client.ts';
import { type CardDesk, cardDesk } from '../../fixtures/servers/card-desk.ts';
import { expectProblem, type WireAgent, type WireStage, wireStage } from '../wire/wire-stage.ts';

/** With an operator who charges for listings, a listing must be paid for before anybody sees it. */

let stage: WireStage;
let desk: CardDesk;
let seller: PrivateKeyAccount;
let agent: WireAgent;
let buyer: PrivateKeyAccount;
let buying: WireAgent;

beforeAll(async () => {
  stage = await wireStage({ LISTING_FEE_USD: '2.50' });
  desk = cardDesk(stage);
  [seller, buyer] = await Promise.all([stage.owner(), stage.owner()]);
  [agent, buying] = await Promise.all([stage.agent(seller), stage.agent(buyer)]);
  await stage.moveUsd(buyer, buying.account, '60');
});
afterAll(() => stage.stop());

const TERMS = {
  description: 'A paid thing',
  askUsd: 120,
  floorUsd: 100,
  negotiable: true,
  category: 'digital-products',
  gate: 'deposit',
};

async function list() {
  const asset = await stage.mintTo(seller.address);
  await stage.moveToken(seller, asset, agent.account as never);
  const { contract, tokenId, key } = asset;
  const body = { asset: { chainId: 1002, contract, tokenId }, ...TERMS };
  const listed = await stage.api.signedPost(seller, `/agent/${agent.handle}/assets`, body);
  expect(listed.status).toBe(201);
  return { ...listed.body, key, body } as { listingRef: string; key: string; body: object; status: string };
}

/** Whether the listing is visible in the catalogue, its search, the book, and the chart of its lot. */
async function shownAt(lot: { listingRef: string; key: string }): Promise<boolean[]> {
  const rows = async (path: string) => (await stage.api.get(path)).body.items as Record<string, string>[];
  const [catalogue, found, book] = await Promise.all([
    rows('/catalogue?limit=100'),
    rows('/catalogue?q=paid%20thing'),
    rows(`/orders?lot=${encodeURIComponent(lot.key)}`),
  ]);
  const here = (row: Record<string, string>) => row.listingRef === lot.listingRef;
  return [catalogue.some(here), found.some(here), book.length > 0];
}

function order(lot: { listingRef: string }) {
  const { listingRef } = lot;
  const body = { handle: buying.handle, side: 'buy', listingRef, category: TERMS.category, limitUsd: 60 };
  return stage.api.signedPost(buyer, '/order', body);
}

describe('a listing that costs a fee', () => {
  it('is visible and can be ordered only once its fee is paid, and costs what the price table says', async () => {
    const { body: prices } = await stage.api.get('/pricing');
    expect(prices.items.find((i: { id: string }) => i.id === 'listing-standard').amountUsd).toBe(2.5);
    const lot = await list();
    expect(lot).toMatchObject({ status: 'unpaid', feeUsd: 2.5 });
    expect(await shownAt(lot)).toEqual([false, false, false]);
    expectProblem(await order(lot), 409, 'not-listed');
    // The text for signing must not reveal what is for sale here, either.
    const { listingRef } = lot;
    const asked = { handle: buying.handle, side: 'buy', listingRef, category: TERMS.category, limitUsd: 60 };
    expect((await stage.api.post('/order', asked)).body.sign.says).not.toContain('paid thing');

    expectProblem(await stage.api.post('/listing/checkout', { listingRef, featured: true }), 409, 'conflict');
    const opened = await stage.api.post('/listing/checkout', { listingRef, featured: false });
    expect([opened.status, opened.body.amountUsd]).toEqual([201, 2.5]);
    expect(await shownAt(lot)).toEqual([false, false, false]);
    await desk.pay(opened.body.checkoutUrl);
    await until('the listing to show', async () => ((await shownAt(lot)).every(Boolean) ? true : null));
    expect((await order(lot)).status).toBe(201);
    // It lasts as long as any other listing: the time limit for paying ends with the payment.
    const { body: own } = await stage.api.signedGet(seller, `/agent/${agent.handle}/orders`);
    const sell = own.items.find((o: { listingRef: string }) => o.listingRef === listingRef);
    expect(Date.parse(sell.expiresAt) - Date.now()).toBeGreaterThan(80 * 86_400_000);
    const again = await stage.api.post('/listing/checkout', { listingRef, featured: false });
    expectProblem(again, 409, 'conflict');
  });

  it('stands in the catalogue by when it was paid, whenever it was made', async () => {
    const [older, newer] = [await list(), await list()];
    for (const lot of [newer, older]) {
      const asked = { listingRef: lot.listingRef, featured: false };
      await desk.pay((await stage.api.post('/listing/checkout', asked)).body.checkoutUrl);
      await until('the listing to show', async () => ((await shownAt(lot)).every(Boolean) ? true : null));
    }
    const { items } = (await stage.api.get('/catalogue?limit=2')).body;
    expect(items.map((row: { listingRef: string }) => row.listingRef)).toEqual([
      older.listingRef,
      newer.listingRef,
    ]);
    expect(Date.parse(items[0].listedAt)).toBeGreaterThan(Date.parse(items[1].listedAt));
  });

  it('blocks another listing of the same thing before it is paid, and ends when its owner cancels it', async () => {
    const lot = await list();
    const again = await stage.api.signedPost(seller, `/agent/${agent.handle}/assets`, lot.body);
    expectProblem(again, 409, 'double-pledge');
    const opened = await stage.api.post('/listing/checkout', { listingRef: lot.listingRef, featured: false });
    const { body: own } = await stage.api.signedGet(seller, `/agent/${agent.handle}/orders`);
    const sell = own.items.find((o: { listingRef: string }) => o.listingRef === lot.listingRef);
    expect(Date.parse(sell.expiresAt) - Date.now()).toBeLessThan(86_400_000);
    await until('two seconds to be over', async () => {
      const back = await stage.api.signedPost(seller, `/order/${sell.orderId}/cancel`, {
        handle: agent.handle,
      });
      return back.status === 200 ? true : null;
    });
    // A later payment buys nothing, so it is refunded.
    await desk.pay(opened.body.checkoutUrl);
    await until('the refund', async () => {
      const { body } = await stage.api.get(`/listing/checkout/${opened.body.checkoutId}`);
      return body.status === 'failed' ? true : null;
    });
    expect((await desk.stripe.events.list({ type: 'charge.refunded' })).data).toHaveLength(1);
    expect(await shownAt(lot)).toEqual([false, false, false]);
    // While it is being taken off the chain, its owner is asked to try again in a moment, or to sign other words.
    await until('it to be listed again', async () => {
      const relisted = await stage.api.signedPost(seller, `/agent/${agent.handle}/assets`, lot.body);
      if (relisted.body.code === 'signature-invalid') return null;
      if (relisted.status !== 409) return expectStatus(relisted, 201, 'listing it again');
      expectProblem(relisted, 409, 'conflict');
      return null;
    });
  });

  it('leaves the market while its payment is disputed, and comes back with the money', async () => {
    const lot = await list();
    const opened = await stage.api.post('/listing/checkout', { listingRef: lot.listingRef, featured: false });
    await desk.pay(opened.body.checkoutUrl, '4000000000000259');
    await until('the dispute', async () => {
      const [catalogue, found, book] = await shownAt(lot);
      const { body } = await stage.api.get(`/listing/checkout/${opened.body.checkoutId}`);
      return body.suspended && !catalogue && !found && !book ? true : null;
    });
    expectProblem(await order(lot), 409, 'not-listed');
    await desk.decide(opened.body.checkoutUrl, 'winning_evidence');
    await until('the listing to be back', async () => ((await shownAt(lot)).every(Boolean) ? true : null));
  });
});
