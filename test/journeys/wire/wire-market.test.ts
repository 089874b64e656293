import { setTimeout as sleep } from 'node:timers/promises';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../agents/canonical.ts';
import { until } from '../../../runtime/cli/demo/client.ts';
import { usedSignatures } from '../../../store/http/used-signatures.ts';
import {
  expectProblem,
  inDays,
  TRADES,
  type WireAgent,
  type WireListing,
  type WireStage,
  wireStage,
} from './wire-stage.ts';

/** After this time another order may replace an agent's newest one. */
const RESTED_MS = 2_100;

let stage: WireStage;
let seller: PrivateKeyAccount;
let buyer: PrivateKeyAccount;
let sells: WireAgent;
let buys: WireAgent;
let lot: WireListing;
const stranger = privateKeyToAccount(generatePrivateKey());

beforeAll(async () => {
  stage = await wireStage();
  [seller, buyer] = await Promise.all([stage.proceedingOwner(), stage.proceedingOwner()]);
  [sells, buys] = await Promise.all([stage.agent(seller), stage.agent(buyer)]);
  await stage.moveUsd(buyer, buys.account, '500');
  lot = await stage.listed(seller, sells, { askUsd: 100, negotiable: true, floorUsd: 90 });
});
afterAll(() => stage.stop());

const order = (change: object = {}) => ({
  handle: buys.handle,
  side: 'buy',
  listingRef: lot.listingRef,
  category: 'digital-products',
  limitUsd: 50,
  ...change,
});
const place = (change: object = {}) => stage.api.signedPost(buyer, '/order', order(change));
const listing = (asset: object, change: object = {}) => ({
  asset,
  description: 'A thing',
  askUsd: 10,
  negotiable: false,
  category: 'digital-products',
  gate: 'deposit',
  ...change,
});
const list = (body: object) => stage.api.signedPost(seller, `/agent/${sells.handle}/assets`, body);

describe('POST /order', () => {
  it.each([
    { limitUsd: 0 },
    { limitUsd: -1 },
    { limitUsd: 1.005 },
    { limitUsd: '1.005' },
    { limitUsd: '01' },
    { limitUsd: 1e13 },
    { side: 'hold' },
    { category: 'nothing' },
    { asset: { contract: `0x${'a'.repeat(40)}`, tokenId: '1' } },
    { listingRef: undefined },
    { openingBidUsd: 51 },
    { openingBidUsd: 0 },
    { side: 'sell', openingBidUsd: 1 },
    { expiresAt: 'tomorrow' },
    { expiresAt: '2026-12-01' },
    { expiresAt: '2020-01-01T00:00:00Z' },
    { expiresAt: '2099-01-01T00:00:00Z' },
    { token: 'EURC' },
  ])('refuses %j before anybody signs', async (change) =>
    expectProblem(await stage.api.post('/order', order(change)), 400, 'bad-request'),
  );

  it('checks errors in a fixed order: 400, 404, 401, then the judgement', async () => {
    expectProblem(
      await stage.api.post('/order', order({ handle: 'nobody-here', limitUsd: 0 })),
      400,
      'bad-request',
    );
    expectProblem(await stage.api.post('/order', order({ handle: 'nobody-here' })), 404, 'not-found');
    const unsigned = await stage.api.post('/order', order({ limitUsd: 501 }));
    expectProblem(unsigned, 401, 'signature-required');
    expect(unsigned.headers.get('www-authenticate')).toBe('EIP191');
    expect(unsigned.body.sign).toMatchObject({
      wallet: buyer.address.toLowerCase(),
      chainId: 1002,
      message: expect.stringContaining('urn:sha256:'),
    });
    expectProblem(await stage.api.signedPost(stranger, '/order', order()), 401, 'signature-invalid');
    const over = await place({ limitUsd: 501 });
    expectProblem(over, 422, 'mandate-exceeded');
    expect(over.body.limit).toBe('mandate-cap-deal');
    expectProblem(await place({ category: 'real-world-assets' }), 400, 'bad-request');
    expectProblem(await place({ listingRef: 'lst_none' }), 409, 'not-listed');
    const other = { contract: `0x${'a'.repeat(40)}`, tokenId: '1' };
    expectProblem(await place({ listingRef: undefined, asset: other }), 409, 'not-listed');
    expectProblem(await place({ side: 'sell', limitUsd: 80 }), 409, 'not-listed');
  });

  it('accepts a signature once, and only for the very body that was signed', async () => {
    const body = order({ limitUsd: 10, openingBidUsd: 1 });
    const { sign } = (await stage.api.post('/order', body)).body;
    const signature = await buyer.signMessage({ message: sign.message });
    const authorization = `EIP191 nonce="${sign.nonce}", signature="${signature}"`;
    expectProblem(
      await stage.api.post('/order', order({ limitUsd: 11 }), { authorization }),
      401,
      'signature-invalid',
    );
    const atOnce = await Promise.all(
      Array.from({ length: 4 }, () => stage.api.post('/order', body, { authorization })),
    );
    expect(atOnce.map((answer) => answer.status).sort()).toEqual([201, 401, 401, 401]);
    const again = await stage.api.post('/order', body, { authorization });
    expectProblem(again, 401, 'signature-used');
  });

  it('uses a signature up even if the order is refused', async () => {
    await sleep(RESTED_MS);
    const body = order({ limitUsd: 501 });
    const { sign } = (await stage.api.post('/order', body)).body;
    const signature = await buyer.signMessage({ message: sign.message });
    const authorization = `EIP191 nonce="${sign.nonce}", signature="${signature}"`;
    expectProblem(await stage.api.post('/order', body, { authorization }), 422, 'mandate-exceeded');
    expectProblem(await stage.api.post('/order', body, { authorization }), 401, 'signature-used');
  });

  it('accepts no signature that another process has used, and makes no record and no order from it', async () => {
    const refusals = () =>
      stage.db.selectFrom('records').select('record_id').where('kind', '=', 'order-refused').execute();
    const before = await refusals();
    for (const limitUsd of [501, 12]) {
      const body = order({ limitUsd });
      const { sign } = (await stage.api.post('/order', body)).body;
      const signature = await buyer.signMessage({ message: sign.message });
      // A second service on the same database uses it.
      expect(await usedSignatures(stage.db).use(sign.nonce, new Date())).toBe(true);
      for (let i = 0; i < 2; i++) {
        const authorization = `EIP191 nonce="${sign.nonce}", signature="${signature}"`;
        expectProblem(await stage.api.post('/order', body, { authorization }), 401, 'signature-used');
      }
    }
    expect(await refusals()).toEqual(before);
    const limits = stage.db.selectFrom('orders').select('limit_price').where('handle', '=', buys.handle);
    expect((await limits.execute()).map((o) => o.limit_price)).not.toContain(12_000_000n);
  });

  it('shows the price to beat and never the limit, which only its owner may read', async () => {
    await sleep(RESTED_MS);
    const placed = await place({ limitUsd: 60, openingBidUsd: 20, expiresAt: `${inDays(2)}T00:00:00Z` });
    expect(placed.status).toBe(201);
    const { orderId, priceToBeatUsd } = placed.body;
    expect(placed.body).toMatchObject({ status: 'resting', expiresAt: `${inDays(2)}T00:00:00.000Z` });
    const { items } = (
      await stage.api.get(
        `/orders?lot=${encodeURIComponent(lot.key.toUpperCase().replace('EIP155', 'eip155').replace('ERC721:0X', 'erc721:0x'))}`,
      )
    ).body;
    expect(items).toEqual([
      {
        lot: lot.key,
        category: 'digital-products',
        chain: 'eip155:1002',
        priceToBeatUsd,
        updatedAt: expect.any(String),
      },
    ]);

    expectProblem(await stage.api.get(`/agent/${buys.handle}/orders`), 401, 'signature-required');
    expectProblem(
      await stage.api.signedGet(stranger, `/agent/${buys.handle}/orders`),
      401,
      'signature-invalid',
    );
    expectProblem(await stage.api.get('/agent/nobody-here/orders'), 404, 'not-found');
    const mine = await stage.api.signedGet(buyer, `/agent/${buys.handle}/orders?limit=1`);
    expect(mine.body).toMatchObject({ limit: 1, hasMore: true });
    expect(mine.body.items[0]).toMatchObject({
      orderId,
      side: 'buy',
      limitUsd: 60,
      openingBidUsd: 20,
      status: 'resting',
      leftAt: null,
    });

    expectProblem(await cancel(orderId, seller, sells), 404, 'not-found');
    // Sets the age of the order explicitly, however slow the machine is.
    const agedAt = async (at: number) =>
      await stage.db
        .updateTable('orders')
        .set({ created_at: new Date(at) })
        .where('order_id', '=', orderId)
        .execute();
    await agedAt(Date.now() + 60_000);
    expectProblem(await cancel(orderId), 409, 'conflict');
    await agedAt(Date.now() - 2_100);
    expect((await cancel(orderId)).body).toEqual({ orderId, status: 'cancelled' });
    expectProblem(await cancel(orderId), 409, 'conflict');
  });
});

const cancel = (orderId: string, who = buyer, agent = buys) =>
  stage.api.signedPost(who, `/order/${orderId}/cancel`, { handle: agent.handle });

describe('POST /agent/{handle}/assets', () => {
  it.each([
    { description: '   ' },
    { askUsd: 0 },
    { askUsd: 10.001 },
    { floorUsd: 5 },
    { negotiable: true, floorUsd: 11 },
    { gate: 'word-of-honour' },
    { category: 'nothing' },
    { colour: 'red' },
    { asset: { contract: '0x12', tokenId: '1' } },
    { asset: { serial: '!' } },
  ])('refuses %j', async (change) => {
    const body = listing({ contract: lot.contract, tokenId: lot.tokenId }, change);
    expectProblem(await stage.api.post(`/agent/${sells.handle}/assets`, body), 400, 'bad-request');
  });

  it('gives a text for the chain without a hash that would let somebody guess a floor', async () => {
    const body = listing({ contract: lot.contract, tokenId: lot.tokenId }, { negotiable: true, floorUsd: 5 });
    const { sign } = (await stage.api.post(`/agent/${sells.handle}/assets`, body)).body;
    expect(sign.message).not.toContain(sha256Hex(JSON.stringify(body)));
    expect(sign.message).toContain(`urn:sha256:${sha256Hex(sign.salt + JSON.stringify(body))}`);
  });

  it('refuses a serial that the standard of its kind rules out, and lists one that it does not, as a claim', async () => {
    for (const asset of [
      { serial: '1HGCM82633A004353' },
      { serial: '490154203237519', serialKind: 'imei' },
      { serial: '9780306406158', serialKind: 'isbn' },
    ]) {
      const refused = await list(listing(asset));
      expectProblem(refused, 400, 'bad-request');
      expect(refused.body.detail).toContain('asset.serial');
    }
    // Dearer than what the lists of this file look for.
    const { listingRef } = (await list(listing({ serial: 'FRAME 91-1' }, { askUsd: 90 }))).body;
    const lotOf = async (ref: string) => (await stage.api.get(`/lots/${ref}`)).body;
    expect(await lotOf(listingRef)).toMatchObject({ control: "seller's claim, unproven" });
    expect(await lotOf(lot.listingRef)).toMatchObject({ control: 'proven' });
  });

  it('lists only what is proved on chain, and nothing twice', async () => {
    const { contract, tokenId } = lot;
    expectProblem(await list(listing({ contract, tokenId: '999999' })), 409, 'not-listed');
    expectProblem(await list(listing({ chainId: 84532, contract, tokenId })), 409, 'not-listed');
    expectProblem(await list(listing({ contract, tokenId }, { gate: 'owner-signed' })), 409, 'not-listed');
    const twice = await list(listing({ contract, tokenId }));
    expectProblem(twice, 409, 'double-pledge');
    expect(twice.body).toMatchObject({ listingRef: lot.listingRef, asset: lot.key });
  });

  it('lets no agent be listed by itself, which would stop its seller, and asks nobody to sign for it', async () => {
    const { contract, tokenId } = (await stage.api.get(`/agent/${sells.handle}`)).body;
    for (const asset of [
      { contract, tokenId },
      { chainId: 1002, contract: contract.toUpperCase().replace('0X', '0x'), tokenId },
    ]) {
      const body = listing(asset, { gate: 'owner-signed' });
      const refused = await stage.api.post(`/agent/${sells.handle}/assets`, body);
      expectProblem(refused, 400, 'bad-request');
      expect(refused.body.detail).toContain('list it by another agent of yours');
    }
    expect((await stage.api.get(`/agent/${sells.handle}`)).body.status).toBe('active');
  });

  it('takes an asset that its owner holds, signs for and approves, and shows it with the agent as its seller', async () => {
    const { contract, tokenId, key } = await stage.mintTo(seller.address);
    const ownerSigned = listing({ contract, tokenId }, { gate: 'owner-signed', askUsd: '12.50' });
    const early = await list(ownerSigned);
    expectProblem(early, 409, 'not-listed');
    expect(early.body.detail).toContain('is not approved for the settlement contract');
    await stage.approve(seller, { contract, tokenId });
    const listed = await list(ownerSigned);
    expect(listed.status).toBe(201);
    const { items } = (await stage.api.get('/catalogue?maxUsd=12.5')).body;
    expect(items).toEqual([
      expect.objectContaining({
        listingRef: listed.body.listingRef,
        seller: sells.account.toLowerCase(),
        contract: contract.toLowerCase(),
        tokenId,
        lot: key,
        askUsd: 12.5,
        negotiable: false,
        featured: false,
      }),
    ]);
    expect((await stage.api.get('/catalogue?maxUsd=12.49')).body.items).toEqual([]);
  });
});

describe('POST /pledge', () => {
  const operator = () => ({ authorization: `Bearer ${stage.operatorKey}` });

  it('needs the wallet that holds the asset, and collides with every second pledge', async () => {
    const asset = await stage.mintTo(seller.address);
    const body = {
      wallet: seller.address,
      asset: { contract: asset.contract, tokenId: asset.tokenId },
      listingRef: 'loan-1',
      lender: 'a bank',
    };
    expectProblem(await stage.api.post('/pledge', { ...body, wallet: undefined }), 400, 'bad-request');
    expectProblem(
      await stage.api.post('/pledge', { ...body, until: '2020-01-01T00:00:00Z' }),
      400,
      'bad-request',
    );
    expectProblem(await stage.api.post('/pledge', body), 401, 'signature-required');
    expectProblem(
      await stage.api.signedPost(stranger, '/pledge', { ...body, wallet: stranger.address }),
      409,
      'not-listed',
    );
    expectProblem(
      await stage.api.post('/pledge', body, { authorization: 'Bearer not-a-key-of-this-service' }),
      403,
      'operator-key-invalid',
    );
    const serial = { ...body, asset: { serial: '1HGCM82633A004352' } };
    expectProblem(await stage.api.signedPost(seller, '/pledge', serial), 409, 'not-listed');

    const pledged = await stage.api.signedPost(seller, '/pledge', body);
    expect(pledged.status).toBe(201);
    expect(pledged.body).toMatchObject({
      asset: asset.key,
      listingRef: 'loan-1',
      wallet: seller.address.toLowerCase(),
      until: null,
    });
    const again = await stage.api.post(
      '/pledge',
      { ...body, wallet: undefined, listingRef: 'loan-2' },
      operator(),
    );
    expectProblem(again, 409, 'double-pledge');
    expect(again.body.detail).toContain('is already listed or pledged under');
    expect(again.body.listingRef).toBe('loan-1');
    await stage.approve(seller, asset);
    expectProblem(await list(listing(body.asset, { gate: 'owner-signed' })), 409, 'double-pledge');

    const path = `/pledge/${pledged.body.pledgeId}/release`;
    expectProblem(await stage.api.post('/pledge/plg_none/release', {}), 404, 'not-found');
    expectProblem(await stage.api.post(path, { colour: 'red' }), 400, 'bad-request');
    // A lien is its lender's: who borrowed on the thing does not release it.
    expectProblem(await stage.api.signedPost(seller, path, {}), 403, 'not-owner');
    expect((await stage.api.post(path, {}, operator())).body).toEqual({
      pledgeId: pledged.body.pledgeId,
      status: 'released',
    });
    expectProblem(await stage.api.post(path, {}, operator()), 409, 'conflict');
    expect((await list(listing(body.asset, { gate: 'owner-signed' }))).status).toBe(201);
  });

  it('is accepted from the owner of the agent whose account holds the asset', async () => {
    const asset = await stage.mintTo(seller.address);
    await stage.moveToken(seller, asset, sells.account);
    const body = {
      wallet: seller.address,
      asset: { contract: asset.contract, tokenId: asset.tokenId },
      listingRef: 'loan-3',
    };
    expect((await stage.api.signedPost(seller, '/pledge', body)).status).toBe(201);
  });

  it('is ended by its lender, if that is a wallet, and not by who borrowed', async () => {
    const asset = await stage.mintTo(seller.address);
    const body = {
      wallet: seller.address,
      asset: { contract: asset.contract, tokenId: asset.tokenId },
      listingRef: 'loan-5',
      lender: buyer.address,
    };
    const { pledgeId } = (await stage.api.signedPost(seller, '/pledge', body)).body;
    const path = `/pledge/${pledgeId}/release`;
    const by = (wallet: string) => ({ wallet });
    expectProblem(await stage.api.post(path, by(stranger.address)), 403, 'not-owner');
    expectProblem(await stage.api.post(path, by(seller.address)), 403, 'not-owner');
    expectProblem(await stage.api.signedPost(seller, path, by(buyer.address)), 401, 'signature-invalid');
    expect((await stage.api.signedPost(buyer, path, by(buyer.address))).status).toBe(200);
  });

  it('accepts a serial from an operator, and until its end', async () => {
    const body = {
      asset: { serial: '1HGCM82633A004352' },
      listingRef: 'loan-4',
      until: `${inDays(3)}T00:00:00Z`,
    };
    expectProblem(await stage.api.post('/pledge', body, operator()), 400, 'bad-request');
    const pledged = await stage.api.post('/pledge', { ...body, wallet: seller.address }, operator());
    expect(pledged.body).toMatchObject({
      asset: 'serial:vin:1HGCM82633A004352',
      until: `${inDays(3)}T00:00:00.000Z`,
    });
    expectProblem(
      await stage.api.post('/pledge', { ...body, wallet: buyer.address }, operator()),
      409,
      'double-pledge',
    );
    expect(
      (await stage.api.post(`/pledge/${pledged.body.pledgeId}/release`, undefined, operator())).status,
    ).toBe(200);
  });

  it('ends with the listing if it belongs to one', async () => {
    const { id } = await stage.db
      .selectFrom('pledges')
      .select('id')
      .where('listing_ref', '=', lot.listingRef)
      .executeTakeFirstOrThrow();
    expectProblem(await stage.api.signedPost(seller, `/pledge/${id}/release`, {}), 409, 'conflict');
  });
});

describe('an owner’s setting and decision', () => {
  it('is stop until the owner signs another one', async () => {
    const wallet = stranger.address.toLowerCase();
    expect((await stage.api.get(`/settings/${stranger.address}`)).body).toEqual({
      wallet,
      onFlagged: 'stop',
      onInconclusive: 'stop',
      chosen: [],
    });
    const body = { wallet: stranger.address, onFlagged: 'ask' };
    expectProblem(await stage.api.post('/settings', { ...body, onFlagged: 'never' }), 400, 'bad-request');
    expectProblem(await stage.api.signedPost(seller, '/settings', body), 401, 'signature-invalid');
    expect((await stage.api.signedPost(stranger, '/settings', body)).body).toEqual({
      wallet,
      onFlagged: 'ask',
      onInconclusive: 'ask',
      chosen: ['onFlagged'],
    });
    expect((await stage.api.get(`/settings/${wallet}`)).body.onFlagged).toBe('ask');
  });

  it('separates the effect of a finding from that of an INCONCLUSIVE determination, and keeps the one that is left out', async () => {
    const wallet = stranger.address.toLowerCase();
    const choose = (choice: Record<string, unknown>) =>
      stage.api.signedPost(stranger, '/settings', { wallet: stranger.address, ...choice });
    expect((await choose({ onInconclusive: 'proceed' })).body.onInconclusive).toBe('proceed');
    expect((await choose({ onFlagged: 'stop' })).body).toEqual({
      wallet,
      onFlagged: 'stop',
      onInconclusive: 'proceed',
      chosen: ['onFlagged', 'onInconclusive'],
    });
  });

  it('refuses a choice about a wallet, a double pledge or a mandate, and says where there is a choice', async () => {
    for (const onInconclusive of [{ wallet: 'proceed' }, { 'double-pledge': 'proceed' }, 'never', null]) {
      const answer = await stage.api.post('/settings', { wallet: stranger.address, onInconclusive });
      expectProblem(answer, 400, 'bad-request');
      expect(answer.body.errors).toEqual([
        {
          path: 'onInconclusive',
          message: expect.stringMatching(
            /^must be one of stop, ask, proceed; it holds for shill-collusion, provenance, price-intelligence alone/,
          ),
        },
      ]);
    }
    const none = await stage.api.post('/settings', { wallet: stranger.address });
    expectProblem(none, 400, 'bad-request');
    expect(none.body.errors[0].message).toBe('give onFlagged, onInconclusive, or both');
  });

  it('is accepted only for a deal that waits, and only from its parties', async () => {
    const careful = await stage.agent(buyer, {
      mandate: `Buy digital products, max 300 USDC per deal, ask me above 20 USDC, until ${inDays(30)}.`,
    });
    await stage.moveUsd(buyer, careful.account, '100');
    // Settings decide what a finding causes; here both owners want to be asked, so that the deal waits in either case.
    for (const owner of [buyer, seller]) {
      await stage.api.signedPost(owner, '/settings', { wallet: owner.address, onFlagged: 'ask' });
    }
    const sold = await stage.listed(seller, sells, { askUsd: 40 });
    const placed = await place({ handle: careful.handle, listingRef: sold.listingRef, limitUsd: 40 });
    expect(placed.body).toMatchObject({ status: 'matched', match: { clearingPriceUsd: 40 } });
    const { dealId, matchId } = placed.body.match;
    const path = `/deals/${dealId}/decision`;
    const waits = await until('the deal to wait', async () => {
      const { body } = await stage.api.signedGet(buyer, `/agent/${careful.handle}/deals`);
      return (
        body.items.find(
          (d: { dealId: string; state: string }) => d.dealId === dealId && d.state === 'awaiting-owner',
        ) ?? null
      );
    });
    expect(waits).toMatchObject({
      role: 'buyer',
      priceUsd: 40,
      feeUsd: 0.8,
      deadline: expect.any(String),
      tx: null,
    });
    expectProblem(
      await stage.api.post(path, { handle: careful.handle, decision: 'maybe' }),
      400,
      'bad-request',
    );
    expectProblem(await stage.api.post(path, { handle: 'nobody-here', decision: 'stop' }), 404, 'not-found');
    expectProblem(
      await stage.api.signedPost(stranger, path, { handle: careful.handle, decision: 'stop' }),
      401,
      'signature-invalid',
    );
    expectProblem(
      await stage.api.signedPost(buyer, path, { handle: buys.handle, decision: 'stop' }),
      404,
      'not-found',
    );
    expectProblem(
      await stage.api.signedPost(buyer, '/deals/deal_none/decision', {
        handle: careful.handle,
        decision: 'stop',
      }),
      404,
      'not-found',
    );
    const stop = await stage.api.signedPost(buyer, path, { handle: careful.handle, decision: 'stop' });
    expect({ status: stop.status, body: stop.body }).toEqual({
      status: 202,
      body: { dealId, decision: 'stop' },
    });
    await until('the deal to stop', async () => {
      const { body } = await stage.api.signedGet(buyer, `/agent/${careful.handle}/deals`);
      return (
        body.items.find(
          (d: { dealId: string; state: string }) => d.dealId === dealId && d.state === 'stopped',
        ) ?? null
      );
    });
    expectProblem(
      await stage.api.signedPost(buyer, path, { handle: careful.handle, decision: 'proceed' }),
      409,
      'conflict',
    );
    const match = (await stage.api.get('/matches')).body.items.find(
      (m: { matchId: string }) => m.matchId === matchId,
    );
    expect(match).toMatchObject({ state: 'stopped' });
    for (const field of ['tx', 'clearingPriceUsd']) expect(match).not.toHaveProperty(field);
  });
});

describe('a pair that one mandate does not allow', () => {
  it('rests beside its counterpart and does not match', async () => {
    const shy = await stage.agent(buyer, {
      mandate: `Buy digital products, max 300 USDC per deal, never deal with ${sells.account}, until ${inDays(30)}.`,
    });
    await stage.moveUsd(buyer, shy.account, '30');
    const goods = await stage.listed(seller, sells, { askUsd: 30 });
    const placed = await place({ handle: shy.handle, listingRef: goods.listingRef, limitUsd: 30 });
    expect({ status: placed.status, body: placed.body }).toMatchObject({
      status: 201,
      body: { status: 'resting' },
    });
    // It is above the other order, because on one lot only the best order of an owner matches.
    const willing = await place({ listingRef: goods.listingRef, limitUsd: 31 });
    expect(willing.body).toMatchObject({ status: 'matched', match: { clearingPriceUsd: 30 } });
  });
});

describe('an agent', () => {
  it('is shown with its mandate, its present caps, and what was issued to it', async () => {
    const { body } = await stage.api.get(`/agent/${buys.handle}`);
    expect(body).toMatchObject({
      handle: buys.handle,
      tier: 'AGENT',
      depth: '2-of-2',
      status: 'active',
      owner: buyer.address.toLowerCase(),
      chainId: 1002,
      categories: ['digital-products'],
      mandate: { text: TRADES, version: 1, hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
      caps: { asOfBlock: expect.stringMatching(/^\d+$/), remaining: [{ perDealUsd: 500, perDayUsd: null }] },
      issued: {
        mintTx: expect.stringMatching(/^0x/),
        orders: expect.any(Number),
        matches: expect.any(Number),
      },
    });
    expect(body.issued.mandateHashOnChain).toBe(body.mandate.hash);
    const executor = await stage.agent(stranger, { tier: 'EXECUTOR' });
    const { items } = (await stage.api.get('/agents/directory?tier=EXECUTOR')).body;
    expect(items).toEqual([expect.objectContaining({ handle: executor.handle, depth: null })]);
    // The record is inscribed by an effect of its own after the mint.
    const activity = await until('its record', async () => {
      const { items: rows } = (await stage.api.get(`/agent/${executor.handle}/activity`)).body;
      return rows.length > 0 ? rows : null;
    });
    expect(activity[0]).toMatchObject({
      kind: 'agent-purchase',
      state: expect.stringMatching(/^(inscribing|inscribed|anchored)$/),
    });
    expect((await fetch(activity[0].recordUrl)).status).toBe(200);
  });
});

describe('GET /close-calls', () => {
  it('names the lot and the hour, and nothing that reveals a figure, a side or a party', async () => {
    const row = { close_call_id: 'cc_1', lot: lot.key, category: 'digital-products', chain: 'eip155:1002' };
    await stage.db
      .insertInto('close_calls')
      .values({ ...row, hour: new Date('2026-09-06T12:00:00Z') })
      .execute();
    const { body } = await stage.api.get(`/close-calls?lot=${encodeURIComponent(lot.key)}`);
    expect(body.items).toEqual([
      {
        closeCallId: 'cc_1',
        lot: lot.key,
        category: 'digital-products',
        chain: 'eip155:1002',
        hour: '2026-09-06T12:00:00.000Z',
      },
    ]);
    expect((await stage.api.get('/close-calls?category=real-world-assets')).body.items).toEqual([]);
  });
});

it('names the formats in which a name is sold to who asks for another', async () => {
  const { body } = await stage.api.get('/domains/listings?format=zzz');
  expect(body.detail).toBe('format: must be one of buy-now, dutch, ascending');
});
