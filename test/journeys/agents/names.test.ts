import { sql } from 'kysely';
import {
  type Address,
  createPublicClient,
  createTestClient,
  encodeAbiParameters,
  erc20Abi,
  erc721Abi,
  http,
  keccak256,
  pad,
} from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { namehash } from 'viem/ens';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoAssetsBytecode } from '../../../chain/abi/demo-assets.ts';
import { settlementAbi } from '../../../chain/abi/settlement.ts';
import { planCreate2 } from '../../../chain/deploy/create2.ts';
import { expectStatus, until } from '../../../runtime/cli/demo/client.ts';
import { verifyRecord } from '../../../runtime/cli/record/record.ts';
import { findRunning } from '../../../runtime/embedded/running.ts';
import { attested } from '../../fixtures/attested.ts';
import { expectProblem, inDays, type WireAgent, type WireStage, wireStage } from '../wire/wire-stage.ts';

/** The name market through its public routes only: an ask, a rising and a falling price, and both fees on chain. */

/** A provider's contract, whose token ids are hashes of names. The contract of the demo assets stands in for it. */
const PROVIDER = planCreate2('assets', demoAssetsBytecode).address;

let stage: WireStage;
let seller: PrivateKeyAccount;
let ann: PrivateKeyAccount;
let bob: PrivateKeyAccount;
let sells: WireAgent;
let annBuys: WireAgent;
let bobBuys: WireAgent;

beforeAll(async () => {
  stage = await wireStage({ AUCTION_EXTENSION_SECONDS: '600', NAME_TOKENS: `demo=${PROVIDER}` });
  [seller, ann, bob] = (await Promise.all([
    stage.proceedingOwner(),
    stage.proceedingOwner(),
    stage.proceedingOwner(),
  ])) as [PrivateKeyAccount, PrivateKeyAccount, PrivateKeyAccount];
  const small = `Buy digital products, max 100 USDC per deal and 150 USDC per day, until ${inDays(30)}.`;
  [sells, annBuys, bobBuys] = (await Promise.all([
    stage.agent(seller),
    stage.agent(ann, { mandate: small }),
    stage.agent(bob),
  ])) as [WireAgent, WireAgent, WireAgent];
  await stage.moveUsd(ann, annBuys.account, '400');
  await stage.moveUsd(bob, bobBuys.account, '400');
  for (const register of ['sanctions', 'known-scam']) {
    const answer = await fetch(`${stage.baseUrl}/register/${register}?source=test&${attested()}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stage.operatorKey}`, 'content-type': 'text/csv' },
      body: `address\n0x${'0b'.repeat(20)}\n`,
    });
    expect(answer.status).toBeLessThan(300);
  }
});
afterAll(() => stage.stop());

const list = (name: string, terms: object = {}) =>
  stage.api.signedPost(seller, '/domains/listings', { handle: sells.handle, name, askUsd: 300, ...terms });
const auction = (name: string, terms: object, owner = seller, agent = sells) =>
  stage.api.signedPost(owner, `/domains/${encodeURIComponent(name)}/auction`, {
    handle: agent.handle,
    ...terms,
  });
const bid = (owner: PrivateKeyAccount, agent: WireAgent, name: string, bidUsd: number) =>
  stage.api.signedPost(owner, `/domains/${encodeURIComponent(name)}/bids`, { handle: agent.handle, bidUsd });
const buy = (owner: PrivateKeyAccount, agent: WireAgent, name: string, priceUsd: number) =>
  stage.api.signedPost(owner, `/domains/${name}/buy`, { handle: agent.handle, priceUsd });
const rowOf = async (name: string) =>
  expectStatus(await stage.api.get(`/domains/listings?name=${encodeURIComponent(name)}`), 200, 'the names')
    .items[0];

function chain() {
  const client = createPublicClient({ transport: http(stage.rpcUrl) });
  const { settlement } = findRunning(stage.env.DATA_DIR!)!.chains['1002']!;
  const usdcOf = (holder: Address) =>
    client.readContract({
      address: stage.usdc,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [holder],
    });
  return {
    usdcOf,
    ownerOf: (contract: Address, tokenId: string) =>
      client.readContract({
        address: contract,
        abi: erc721Abi,
        functionName: 'ownerOf',
        args: [BigInt(tokenId)],
      }),
    treasury: async () =>
      usdcOf(await client.readContract({ address: settlement, abi: settlementAbi, functionName: 'vault' })),
    async money() {
      const [treasury, s, a, b] = await Promise.all([
        this.treasury(),
        ...[sells, annBuys, bobBuys].map((agent) => usdcOf(agent.account)),
      ]);
      return { treasury, seller: s!, ann: a!, bob: b! };
    },
  };
}

/** Moves the end of an auction, and its timer, into the past; again if the batch of a bid has set a new timer. */
async function endNow(listingRef: string): Promise<void> {
  const ended = await stage.db
    .updateTable('auctions')
    .set({ ends_at: sql`starts_at + interval '1 millisecond'` })
    .where('listing_ref', '=', listingRef)
    .where('status', '=', 'open')
    .returning('auction_id')
    .executeTakeFirst();
  if (!ended) return;
  await stage.db
    .updateTable('timers')
    .set({ due_at: sql`clock_timestamp()` })
    .where('actor_id', '=', `auction:${ended.auction_id}`)
    .where('fired_at', 'is', null)
    .execute();
}

const settled = (matchId: string) =>
  until('the settlement', async () => {
    const { body } = await stage.api.get('/matches');
    return body.items.find((m: { matchId: string; tx?: string }) => m.matchId === matchId && m.tx) ?? null;
  });

describe('the name market', () => {
  it('prices a name of either provider, in one spelling, and gives its rules as data', async () => {
    const price = (query: string) => stage.api.get(`/domains/price?${query}`);
    expect((await price('name=Alice.X&source=provider-a')).body).toEqual({
      name: 'alice.x',
      tld: 'x',
      source: 'provider-a',
      priceUsd: 300,
      rule: 'name-a-x',
    });
    expect((await price('name=chakri&source=provider-b')).body).toMatchObject({ priceUsd: 50_000 });
    for (const query of [
      'name=alice&source=provider-a',
      'name=a.b.x&source=provider-b',
      'name=alice.x&source=ens',
      'source=provider-a',
    ])
      expectProblem(await price(query), 400, 'bad-request');
    const policy = expectStatus(await stage.api.get('/domains/policy'), 200, 'the policy');
    expect(policy.fees.example).toEqual({ askUsd: 300, sellerNetsUsd: 292.5, buyerPaysUsd: 307.5 });
    expect(policy.auctions.ascending).toMatchObject({ incrementBasisPoints: 500, extensionSeconds: 600 });
    expect(policy.providers['provider-b'].reservedTlds).toHaveLength(6);
  });

  it('sells by the highest bid after an extension, settles with a fee on each side, and records it', async () => {
    const name = 'Harbour.X';
    const unsigned = await stage.api.post('/domains/listings', { handle: sells.handle, name, askUsd: 300 });
    expectProblem(unsigned, 401, 'signature-required');
    expect(unsigned.body.sign.message).toContain('urn:serial:name:harbour.x');
    const listed = expectStatus(await list(name, { askUsd: 40 }), 201, 'listing a name');
    expect(listed).toMatchObject({ name: 'harbour.x', askUsd: 40 });
    expectProblem(await list('harbour.x'), 409, 'double-pledge');
    expect(await rowOf('HARBOUR.x')).toEqual({
      name: 'harbour.x',
      askUsd: 40,
      format: 'buy-now',
      listingRef: listed.listingRef,
      seller: sells.account.toLowerCase(),
      control: "seller's claim, unproven",
      listedAt: expect.any(String),
    });
    expectProblem(await bid(ann, annBuys, name, 50), 409, 'conflict');
    // As short as the extension by a bid, so that every change of the leader extends the auction, however quickly it
    // comes.
    const terms = { format: 'ascending', reserveUsd: 20, durationSeconds: 600 };
    expectProblem(await auction(name, terms, bob, bobBuys), 409, 'not-listed');
    // The chain sells a listing for no less than half of its ask.
    expectProblem(await auction(name, { ...terms, reserveUsd: 19.99 }), 400, 'bad-request');
    const before = await chain().money();
    const started = expectStatus(await auction(name, terms), 201, 'starting the auction');
    expect(started).toMatchObject({ format: 'ascending', openingBidUsd: 20 });
    expectProblem(await buy(ann, annBuys, 'harbour.x', 300), 409, 'conflict');

    const first = expectStatus(await bid(ann, annBuys, name, 90), 201, 'the first bid');
    expect(first).toMatchObject({ status: 'leading', priceToBeatUsd: 21 });
    expect(await rowOf(name)).toMatchObject({ format: 'ascending', openingBidUsd: 20, priceToBeatUsd: 21 });
    // 98 dollars and the fee on top of them exceed the 100 that the mandate allows.
    expectProblem(await bid(ann, annBuys, name, 98), 422, 'mandate-exceeded');
    const second = expectStatus(await bid(bob, bobBuys, name, 120), 201, 'the second bid');
    expect(second).toMatchObject({ status: 'leading', priceToBeatUsd: 99.23 });
    expect(Date.parse(second.endsAt)).toBeGreaterThan(Date.parse(started.endsAt));
    expectProblem(await bid(ann, annBuys, name, 95), 409, 'conflict');
    // Neither side can leave its auction, and names are not in the order book.
    const { items: orders } = (await stage.api.signedGet(seller, `/agent/${sells.handle}/orders`)).body;
    const cancel = (owner: PrivateKeyAccount, agent: WireAgent, orderId: string) =>
      stage.api.signedPost(owner, `/order/${orderId}/cancel`, { handle: agent.handle });
    expectProblem(await cancel(seller, sells, orders[0].orderId), 409, 'conflict');
    expectProblem(await cancel(bob, bobBuys, second.bidId), 409, 'conflict');
    const rest = { side: 'buy', listingRef: listed.listingRef, category: 'digital-products', limitUsd: 400 };
    expectProblem(
      await stage.api.signedPost(bob, '/order', { handle: bobBuys.handle, ...rest }),
      409,
      'conflict',
    );

    // The end comes when everything before it has been checked, without waiting.
    const match = await until('the match', async () => {
      await endNow(listed.listingRef);
      const { body } = await stage.api.get('/matches?lot=serial:name:harbour.x');
      return body.items[0] ?? null;
    });
    expect(match.clearingPriceUsd).toBe(94.5);
    expect(await rowOf(name)).toBeUndefined();
    await settled(match.matchId);
    const after = await chain().money();
    const { contract, tokenId } = listed.token;
    expect((await chain().ownerOf(contract, tokenId)).toLowerCase()).toBe(bobBuys.account.toLowerCase());
    // 2.5 percent of 94.50 are 2.3625: taken from the seller's proceeds, and again from the buyer on top.
    expect(before.bob - after.bob).toBe(96_862_500n);
    expect(after.seller - before.seller).toBe(92_137_500n);
    expect(after.treasury - before.treasury).toBe(4_725_000n);
    expect(after.ann).toBe(before.ann);

    const record = await until('the anchored record', async () => {
      const { body } = await stage.api.get(`/agent/${bobBuys.handle}/activity`);
      return (
        body.items.find(
          (r: { kind: string; state: string }) => r.kind === 'deal-settled' && r.state === 'anchored',
        ) ?? null
      );
    });
    expect(record.summary).toBe(`${sells.handle} sold the name harbour.x to ${bobBuys.handle} for 94.5 USD.`);
    const { body: told } = await stage.api.get(`/records/${record.recordId}`);
    expect(told.record.content).toMatchObject({
      lot: 'serial:name:harbour.x',
      priceUsd: 94.5,
      feeUsd: 4.725,
      buyerPaidUsd: 96.8625,
      sellerGotUsd: 92.1375,
    });
    const money = { priceUsd: 94.5, paysUsd: 96.8625, getsUsd: 92.1375 };
    for (const [owner, { handle }] of [
      [seller, sells],
      [bob, bobBuys],
    ] as const)
      expect((await stage.api.signedGet(owner, `/agent/${handle}/deals`)).body.items).toContainEqual(
        expect.objectContaining(money),
      );
    const proof = await verifyRecord(record.recordUrl, stage.rpcUrl, stage.ledger);
    expect(proof).toMatchObject({ ok: true });
  });

  it('sells at a falling price to the first buyer who covers it, a name that no keyboard can write', async () => {
    const name = 'Café☕.crypto';
    expectStatus(await list(name, { askUsd: 20 }), 201, 'listing a name');
    const spelled = 'café☕.crypto';
    expect((await rowOf(name)).name).toBe(spelled);
    const started = await auction(name, {
      format: 'dutch',
      reserveUsd: 10,
      startUsd: 80,
      durationSeconds: 3_600,
    });
    expect(expectStatus(started, 201, 'the auction')).toMatchObject({ name: spelled, openingBidUsd: 80 });
    expectProblem(await bid(ann, annBuys, name, 11), 409, 'conflict');
    const before = await chain().money();
    const [one, other] = await Promise.all([bid(ann, annBuys, name, 80), bid(bob, bobBuys, name, 80)]);
    expect([one.status, other.status].sort()).toEqual([201, 409]);
    const { match } = (one.status === 201 ? one : other).body;
    // It falls by 70 dollars in an hour.
    expect(match.clearingPriceUsd).toBeGreaterThan(70);
    expect(match.clearingPriceUsd).toBeLessThanOrEqual(80);
    await settled(match.matchId);
    const after = await chain().money();
    const price = BigInt(Math.round(match.clearingPriceUsd * 1e6));
    const side = (price * 250n) / 10_000n;
    expect(before.ann + before.bob - after.ann - after.bob).toBe(price + side);
    expect(after.seller - before.seller).toBe(price - side);
    expect(after.treasury - before.treasury).toBe(2n * side);
  });

  it('sells at the ask, refuses too little and too much, and keeps names out of the other market', async () => {
    expectStatus(await list('desk.nft', { askUsd: 60 }), 201, 'listing a name');
    expectProblem(await buy(bob, bobBuys, 'desk.nft', 59), 409, 'conflict');
    expectProblem(await buy(seller, sells, 'desk.nft', 60), 409, 'conflict');
    const bought = expectStatus(await buy(bob, bobBuys, 'desk.nft', 60), 201, 'buying');
    const { body: quote } = await stage.api.get('/quote?name=desk.nft&priceUsd=60');
    expect(quote).toMatchObject({ sellerNetsUsd: 58.5, buyerPaysUsd: 61.5 });
    expect(bought.match.clearingPriceUsd).toBe(60);
    expectProblem(await buy(ann, annBuys, 'desk.nft', 60), 409, 'conflict');
    const asset = { serial: 'desk.nft', serialKind: 'name' };
    const terms = { askUsd: 10, negotiable: false, category: 'digital-products', gate: 'deposit' };
    const path = `/agent/${sells.handle}/assets`;
    expectProblem(
      await stage.api.signedPost(seller, path, { asset, description: 'A name', ...terms }),
      400,
      'bad-request',
    );
    expectProblem(await list('аpple.x'), 400, 'bad-request');
    expectProblem(await list('a.b.x'), 400, 'bad-request');
    const { body } = await stage.api.get('/catalogue');
    expect(body.items).toEqual([]);
  });

  it("sells a name through its provider's token, if there is one, and only for its holder", async () => {
    const tokenId = BigInt(namehash('dock.demo'));
    expectProblem(await list('Dock.demo', { askUsd: 50 }), 409, 'not-listed');
    const client = createTestClient({ mode: 'anvil', transport: http(stage.rpcUrl) });
    // The third word of an OpenZeppelin ERC-721 holds the owners.
    await client.setStorageAt({
      address: PROVIDER,
      index: keccak256(encodeAbiParameters([{ type: 'uint256' }, { type: 'uint256' }], [tokenId, 2n])),
      value: pad(sells.account),
    });
    const asset = { chainId: 1002, contract: PROVIDER, tokenId: tokenId.toString() };
    const terms = { description: 'A thing', askUsd: 10, negotiable: false, category: 'digital-products' };
    expectProblem(
      await stage.api.signedPost(seller, `/agent/${sells.handle}/assets`, {
        asset,
        ...terms,
        gate: 'deposit',
      }),
      409,
      'not-listed',
    );
    const listed = expectStatus(await list('Dock.demo', { askUsd: 50 }), 201, 'listing the name');
    expect(listed).toEqual({
      listingRef: expect.any(String),
      name: 'dock.demo',
      askUsd: 50,
      status: 'live',
      feeUsd: 0,
      token: { contract: PROVIDER.toLowerCase(), tokenId: tokenId.toString() },
    });
    expect(await rowOf('dock.demo')).toMatchObject({ listingRef: listed.listingRef });
    const { match } = expectStatus(await buy(bob, bobBuys, 'dock.demo', 50), 201, 'buying');
    await settled(match.matchId);
    expect((await chain().ownerOf(PROVIDER, tokenId.toString())).toLowerCase()).toBe(
      bobBuys.account.toLowerCase(),
    );
  });

  it('shows names and their auctions on their own page', async () => {
    expectStatus(await list('open.x', { askUsd: 120 }), 201, 'listing a name');
    const page = await fetch(`${stage.baseUrl}/names`, { headers: { accept: 'text/html' } });
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    const text = await page.text();
    for (const said of ['open.x', '$120.00', '$123.00', 'buy now', 'href="/names" aria-current="page"'])
      expect(text).toContain(said);
  });
});
