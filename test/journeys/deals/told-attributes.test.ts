import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../../runtime/cli/demo/client.ts';
import { inDays, type WireStage, wireStage } from '../wire/wire-stage.ts';

/** Licences of one maker, of two products: one sells for ten times as much as the other. */

const SALES = 60;

let stage: WireStage;

beforeAll(async () => {
  stage = await wireStage();
  const rows = Array.from({ length: SALES }, (_, i) => {
    const model = i % 2 === 0 ? 'Pro' : 'Lite';
    const price = (model === 'Pro' ? 200 : 20) * (1 + 0.02 * ((i % 7) - 3));
    const soldAt = new Date(Date.now() - (1 + (i % 20)) * 86_400_000).toISOString();
    const sale = { item: `licence-${i}`, category: 'digital-products', soldAt, priceUsd: price.toFixed(2) };
    return JSON.stringify({ ...sale, make: 'Northlight', model, year: 2024 + (i % 3) });
  });
  const declared = `mode=replace&completeAsOf=${new Date(Date.now() - 60_000).toISOString()}&minimum=1&synthetic=true`;
  const response = await fetch(`${stage.baseUrl}/register/comparables?source=test&${declared}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stage.operatorKey}`, 'content-type': 'application/x-ndjson' },
    body: `${rows.join('\n')}\n`,
  });
  expect(response.status, await response.text()).toBe(201);
});
afterAll(() => stage.stop());

describe('what a seller tells of a lot', () => {
  it('is signed, shown, and what its price can be judged by', async () => {
    const seller = await stage.owner();
    const sells = await stage.agent(seller, {
      mandate: `Sell digital products, max 500 USDC per deal, until ${inDays(30)}.`,
    });
    const attributes = { make: 'Northlight', model: 'Pro', year: 2025 };
    const told = await stage.listed(seller, sells, { askUsd: 210, attributes });
    const untold = await stage.listed(seller, sells, { askUsd: 210 });

    const seen = (await stage.api.get(`/lots/${told.listingRef}`)).body;
    expect(seen).toMatchObject({ attributes });
    expect(seen.willNotBeJudged).not.toContain('price-intelligence');
    const bare = (await stage.api.get(`/lots/${untold.listingRef}`)).body;
    expect(bare).not.toHaveProperty('attributes');
    expect(bare.willNotBeJudged).toContain('price-intelligence');

    const page = await fetch(`${stage.baseUrl}/lots/${told.listingRef}`, {
      headers: { accept: 'text/html' },
    });
    expect(await page.text()).toContain('<dt>Make, as told</dt><dd>Northlight</dd>');
  });

  it('stands in the sentence before it is signed, and is refused by name where it cannot be', async () => {
    const seller = await stage.owner();
    const sells = await stage.agent(seller, {
      mandate: `Sell digital products, max 500 USDC per deal, until ${inDays(30)}.`,
    });
    const { contract, tokenId } = await stage.mintTo(seller.address);
    const body = (attributes: object) => ({
      ...{ asset: { chainId: 1002, contract, tokenId }, description: 'A licence key', askUsd: 100 },
      ...{ negotiable: false, category: 'digital-products', gate: 'deposit', attributes },
    });
    const path = `/agent/${sells.handle}/assets`;
    const unsigned = await stage.api.post(path, body({ make: 'Northlight', model: 'Pro' }));
    expect(unsigned.status).toBe(401);
    expect(JSON.stringify(unsigned.body)).toContain("told as 'make Northlight, model Pro'");
    const wrong = await stage.api.post(path, body({ year: 'last year' }));
    expect(wrong.status).toBe(400);
    expect(wrong.body.detail).toContain('attributes.year');
  });

  it('decides what a share of the market is', async () => {
    const [seller, buyer] = await Promise.all([stage.owner(), stage.owner()]);
    const [sells, buys] = await Promise.all([
      stage.agent(seller, { mandate: `Sell digital products, max 500 USDC per deal, until ${inDays(30)}.` }),
      stage.agent(buyer, {
        mandate: `Buy digital products, max 300 USDC per deal, never above 110% of the market median, until ${inDays(30)}.`,
      }),
    ]);
    await stage.moveUsd(buyer, buys.account, '400');
    const attributes = { make: 'Northlight', year: 2025 };
    // 40 dollars are a fifth of what the one product sells for, and twice what the other does.
    const [pro, lite] = [
      await stage.listed(seller, sells, { askUsd: 40, attributes: { ...attributes, model: 'Pro' } }),
      await stage.listed(seller, sells, { askUsd: 40, attributes: { ...attributes, model: 'Lite' } }),
    ];
    const reasonOn = async ({ listingRef }: { listingRef: string }) => {
      const order = {
        handle: buys.handle,
        side: 'buy',
        category: 'digital-products',
        limitUsd: 40,
        listingRef,
      };
      const placed = await stage.api.signedPost(buyer, '/order', order);
      expect(placed.body).toMatchObject({ status: 'matched' });
      const { dealId } = placed.body.match;
      return await until('the deal to end', async () => {
        const { body } = await stage.api.signedGet(buyer, `/agent/${buys.handle}/deals`);
        const deal = body.items.find((d: { dealId: string }) => d.dealId === dealId);
        return deal?.state === 'stopped' ? (deal.reason as string) : null;
      });
    };
    expect(await reasonOn(lite)).toMatch(/found: mandate-compliance/);
    expect(await reasonOn(pro)).not.toMatch(/mandate-compliance/);
  });
});
