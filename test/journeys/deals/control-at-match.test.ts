import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Abi,
  type Address,
  createWalletClient,
  encodeFunctionData,
  erc721Abi,
  http,
  publicActions,
  zeroAddress,
} from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentAccountAbi } from '../../../chain/abi/agent-account.ts';
import { spendPolicyAbi } from '../../../chain/abi/spend-policy.ts';
import { ultimateOwner } from '../../../chain/clients/ultimate-owner.ts';
import { viemReader } from '../../../chain/rpc/viem/reader.ts';
import { expectStatus, until } from '../../../runtime/cli/demo/client.ts';
import { requireEmbedded } from '../../../runtime/cli/dev.ts';
import { ADVISORY_LOCKS } from '../../../store/advisory-locks.ts';
import { type AdvisoryLock, tryAdvisoryLock } from '../../../store/durable/advisory-lock.ts';
import { attested } from '../../fixtures/attested.ts';
import { boundWallet } from '../../fixtures/wallets/bound-wallet.ts';
import {
  confirmed,
  expectProblem,
  TRADES,
  type WireAgent,
  type WireListing,
  type WireStage,
  wireStage,
} from '../wire/wire-stage.ts';

/**
 * Listed assets leave their seller without the service being told. At first no periodic task runs that would notice, so
 * that only the proof at the match can stop a deal; later the tasks start.
 */

/** The lock of the service's workers: whoever holds it runs the periodic tasks. */
const ROUNDS = ADVISORY_LOCKS.periodicTasks;

/** The number of orders that one owner may place on one lot in an hour. */
const ORDERS = 8;

let stage: WireStage;
let rounds: AdvisoryLock;
let seller: PrivateKeyAccount;
let buyer: PrivateKeyAccount;
let stranger: PrivateKeyAccount;
let sells: WireAgent;
let buys: WireAgent;
let chain: { rpcUrl: string; agentNft: Address; policy: Address };

beforeAll(async () => {
  stage = await wireStage({ WATCH_SECONDS: '0', ORDERS_PER_LOT: String(ORDERS) }, async (db) => {
    rounds = (await tryAdvisoryLock(db, ROUNDS))!;
  });
  chain = requireEmbedded(stage.env).running.chains['1002']!;
  [seller, buyer, stranger] = await Promise.all([
    stage.proceedingOwner(),
    stage.proceedingOwner(),
    stage.proceedingOwner(),
  ]);
  [sells, buys] = await Promise.all([stage.agent(seller), stage.agent(buyer)]);
  await stage.moveUsd(buyer, buys.account, '500');
  for (const register of ['sanctions', 'known-scam']) {
    const response = await fetch(`${stage.baseUrl}/register/${register}?source=test&${attested()}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stage.operatorKey}`, 'content-type': 'application/x-ndjson' },
      body: '{"address":"0x00000000000000000000000000000000deadbeef"}\n',
    });
    expect(response.status).toBe(201);
  }
});
afterAll(() => stage.stop());

/** Waits until another order may replace an agent's newest one. */
const rested = (): Promise<void> => sleep(2_100);

async function send(
  from: PrivateKeyAccount,
  call: { address: Address; abi: Abi; functionName: string; args: readonly unknown[] },
) {
  const wallet = createWalletClient({
    account: from,
    transport: http(chain.rpcUrl),
    pollingInterval: 20,
  }).extend(publicActions);
  const hash = await wallet.writeContract({ ...call, chain: null });
  expect((await wallet.waitForTransactionReceipt({ hash })).status).toBe('success');
}

/** Takes a token out of the agent's account by a transaction of the owner. */
async function takeOut(lot: WireListing): Promise<void> {
  const args = [sells.account, seller.address, BigInt(lot.tokenId)] as const;
  const data = encodeFunctionData({ abi: erc721Abi, functionName: 'transferFrom', args });
  await send(seller, {
    address: sells.account,
    abi: agentAccountAbi,
    functionName: 'execute',
    args: [lot.contract, 0n, data, 0],
  });
}

const idOf = async (agent: WireAgent): Promise<bigint> =>
  BigInt((await stage.api.get(`/agent/${agent.handle}`)).body.tokenId);

/** Transfers an agent by a transaction of its owner. */
async function hand(from: PrivateKeyAccount, agent: WireAgent, to: Address): Promise<void> {
  const args = [from.address, to, await idOf(agent)];
  await send(from, { address: chain.agentNft, abi: erc721Abi, functionName: 'transferFrom', args });
}

/** The wallet that belongs to the holder of an agent. */
const walletOf = async (agent: WireAgent): Promise<Address> =>
  await boundWallet(seller, chain.rpcUrl, { contract: chain.agentNft, tokenId: await idOf(agent) });

async function takeWordBack(lot: WireListing): Promise<void> {
  const args = [await idOf(sells), lot.contract, BigInt(lot.tokenId)];
  await send(seller, { address: chain.policy, abi: spendPolicyAbi, functionName: 'delist', args });
}

/** Whether the chain would let the agent sell it. */
async function onChain(lot: WireListing): Promise<boolean> {
  const client = createWalletClient({ transport: http(chain.rpcUrl) }).extend(publicActions);
  const args = [await idOf(sells), lot.contract, BigInt(lot.tokenId)];
  const call = { address: chain.policy, abi: spendPolicyAbi as Abi, functionName: 'offerOf', args };
  return ((await client.readContract(call)) as { minPrice: bigint }).minPrice > 0n;
}

const order = (lot: { listingRef: string }, limitUsd: number, by = buys) =>
  stage.api.signedPost(buyer, '/order', {
    handle: by.handle,
    side: 'buy',
    listingRef: lot.listingRef,
    category: 'digital-products',
    limitUsd,
  });

const listed = async (lot: { listingRef: string }): Promise<boolean> =>
  (await stage.api.get('/catalogue?limit=100')).body.items.some(
    (row: { listingRef: string }) => row.listingRef === lot.listingRef,
  );

/** Checks that no deal was made, nothing is reserved, and the lot has left catalogue and book. */
async function expectGone(lot: WireListing): Promise<void> {
  expect(await listed(lot)).toBe(false);
  expect((await stage.api.get(`/orders?lot=${encodeURIComponent(lot.key)}`)).body.items).toEqual([]);
  expect((await stage.api.get(`/matches?lot=${encodeURIComponent(lot.key)}`)).body.items).toEqual([]);
  const held = await stage.db
    .selectFrom('reservations')
    .select('order_id')
    .where('state', '=', 'held')
    .execute();
  expect(held).toEqual([]);
}

describe('an order that meets a lot while nobody watches the chain', () => {
  it('makes no deal over a deposit that was taken out, and the lot is no longer listed', async () => {
    const lot = await stage.listed(seller, sells);
    await takeOut(lot);
    expect(await listed(lot)).toBe(true);
    const refused = await order(lot, 100);
    expectProblem(refused, 409, 'not-listed');
    expect(refused.body.detail).toContain('has left its seller');
    await expectGone(lot);
  });

  it('makes no deal over a thing that left its owner’s wallet', async () => {
    const asset = await stage.mintTo(seller.address);
    const body = {
      asset: { contract: asset.contract, tokenId: asset.tokenId },
      description: 'A thing',
      askUsd: 50,
      negotiable: false,
      category: 'digital-products',
      gate: 'owner-signed',
    };
    await stage.approve(seller, asset);
    const { listingRef } = (await stage.api.signedPost(seller, `/agent/${sells.handle}/assets`, body)).body;
    await stage.moveToken(seller, asset, stranger.address);
    expectProblem(await order({ listingRef }, 50), 409, 'not-listed');
    await expectGone({ ...asset, listingRef });
  });

  it('makes none over a thing whose owner took the approval of the settlement back', async () => {
    const asset = await stage.mintTo(seller.address);
    await stage.approve(seller, asset);
    const listed = await stage.api.signedPost(seller, `/agent/${sells.handle}/assets`, {
      asset: { contract: asset.contract, tokenId: asset.tokenId },
      description: 'A thing',
      askUsd: 50,
      negotiable: false,
      category: 'digital-products',
      gate: 'owner-signed',
    });
    const { listingRef } = expectStatus(listed, 201, 'listing');
    await stage.approve(seller, asset, zeroAddress);
    const refused = await order({ listingRef }, 50);
    expectProblem(refused, 409, 'not-listed');
    expect(refused.body.detail).toContain('is not approved for the settlement any more');
    await expectGone({ ...asset, listingRef });
  });

  it('makes none over a certificate that left, whatever the lot is called by', async () => {
    const body = {
      asset: { serial: 'FRAME 78-1' },
      description: 'A bicycle',
      askUsd: 60,
      negotiable: false,
      category: 'digital-products',
      gate: 'owner-signed',
    };
    const { listingRef, certificate } = (
      await stage.api.signedPost(seller, `/agent/${sells.handle}/assets`, body)
    ).body;
    await stage.moveToken(seller, certificate, stranger.address);
    expectProblem(await order({ listingRef }, 60), 409, 'not-listed');
    await expectGone({ ...certificate, key: certificate.serial, listingRef });
  });

  it('makes no deal once the owner revoked the permission on chain', async () => {
    const lot = await stage.listed(seller, sells);
    await takeWordBack(lot);
    const refused = await order(lot, 100);
    expectProblem(refused, 409, 'not-listed');
    expect(refused.body.detail).toContain('is not listed on chain');
    await expectGone(lot);
  });

  it('rests below the seller’s limit, and a seller who comes down to it also finds the thing gone', async () => {
    const lot = await stage.listed(seller, sells);
    expect((await order(lot, 70)).body.status).toBe('resting');
    await takeOut(lot);
    await rested();
    const down = {
      handle: sells.handle,
      side: 'sell',
      listingRef: lot.listingRef,
      category: 'digital-products',
      limitUsd: 60,
    };
    expectProblem(await stage.api.signedPost(seller, '/order', down), 409, 'not-listed');
    await expectGone(lot);
  });

  it('is skipped when its agent has changed hands since it was placed', async () => {
    const lot = await stage.listed(seller, sells, { askUsd: 90 });
    const moved = await stage.agent(stranger);
    await stage.moveUsd(stranger, moved.account, '80');
    const placed = await stage.api.signedPost(stranger, '/order', {
      handle: moved.handle,
      side: 'buy',
      listingRef: lot.listingRef,
      category: 'digital-products',
      limitUsd: 80,
    });
    expect(placed.body.status).toBe('resting');
    await hand(stranger, moved, buyer.address);
    const down = {
      handle: sells.handle,
      side: 'sell',
      listingRef: lot.listingRef,
      category: 'digital-products',
      limitUsd: 75,
    };
    await rested();
    const answer = await stage.api.signedPost(seller, '/order', down);
    expect(answer.body).toMatchObject({ status: 'resting' });
    await stage.db
      .updateTable('reservations')
      .set({ state: 'released' })
      .where('handle', '=', moved.handle)
      .execute();
  });

  it('is skipped when its agent has another beneficial owner since, though that agent never moved', async () => {
    const lot = await stage.listed(seller, sells, { askUsd: 90 });
    const deed = await stage.agent(stranger);
    const owned = await stage.agent(stranger, { owner: await walletOf(deed) });
    await stage.moveUsd(stranger, owned.account, '80');
    const placed = await stage.api.signedPost(stranger, '/order', {
      handle: owned.handle,
      side: 'buy',
      listingRef: lot.listingRef,
      category: 'digital-products',
      limitUsd: 80,
    });
    expect(placed.body, JSON.stringify(placed.body)).toMatchObject({ status: 'resting' });
    const comesDown = async (limitUsd: number) => {
      await rested();
      return await stage.api.signedPost(seller, '/order', {
        handle: sells.handle,
        side: 'sell',
        listingRef: lot.listingRef,
        category: 'digital-products',
        limitUsd,
      });
    };
    // To an owner who never ordered this.
    await hand(stranger, deed, buyer.address);
    expect((await comesDown(80)).body).toMatchObject({ status: 'resting' });
    // Into the account of the seller's own agent: after three steps it belongs to the seller.
    const call = { address: chain.agentNft, abi: erc721Abi };
    await send(buyer, { ...call, functionName: 'approve', args: [seller.address, await idOf(deed)] });
    const taken = [buyer.address, sells.account, await idOf(deed)];
    await send(seller, { ...call, functionName: 'transferFrom', args: taken });
    expect((await comesDown(75)).body).toMatchObject({ status: 'resting' });
    await stage.db
      .updateTable('reservations')
      .set({ state: 'released' })
      .where('handle', '=', owned.handle)
      .execute();
  });
});

describe('the beneficial owner of an agent', () => {
  it('is found through accounts that own agents', async () => {
    const reader = viemReader({ rpcUrl: chain.rpcUrl, chainId: 1002 });
    const { number } = await reader.head();
    expect(await ultimateOwner(reader, sells.account, number)).toBe(seller.address.toLowerCase());
    expect(await ultimateOwner(reader, seller.address, number)).toBe(seller.address.toLowerCase());
    // A contract that is no account is its own beneficial owner.
    expect(await ultimateOwner(reader, chain.policy, number)).toBe(chain.policy.toLowerCase());
    const spare = await stage.agent(seller);
    await hand(seller, spare, buyer.address);
    const nested = [buyer.address, buys.account, await idOf(spare)];
    await send(buyer, {
      address: chain.agentNft,
      abi: erc721Abi,
      functionName: 'transferFrom',
      args: nested,
    });
    const later = await reader.head();
    expect(await ultimateOwner(reader, spare.account, later.number)).toBe(buyer.address.toLowerCase());
  });
});

describe('once the chain is watched', () => {
  beforeAll(() => rounds.release());

  it('a lot leaves the market at once when its thing leaves, without any order', async () => {
    const lot = await stage.listed(seller, sells);
    expect((await order(lot, 40)).body.status).toBe('resting');
    await takeOut(lot);
    await until('the lot to leave', async () => ((await listed(lot)) ? null : true));
    await expectGone(lot);
  });

  it('a cancelled listing is removed from the chain, and may be listed again', async () => {
    const lot = await stage.listed(seller, sells);
    expect(await onChain(lot)).toBe(true);
    const { items } = (await stage.api.signedGet(seller, `/agent/${sells.handle}/orders`)).body;
    const { orderId } = items.find((o: { listingRef: string }) => o.listingRef === lot.listingRef);
    const cancelled = await until('the two seconds to be over', async () => {
      const answer = await stage.api.signedPost(seller, `/order/${orderId}/cancel`, { handle: sells.handle });
      return answer.status === 409 ? null : answer.status;
    });
    expect(cancelled).toBe(200);
    await until('the chain to list it no more', async () => ((await onChain(lot)) ? null : true));
    const again = await until('another listing', async () => {
      const answer = await stage.api.signedPost(seller, `/agent/${sells.handle}/assets`, {
        asset: { contract: lot.contract, tokenId: lot.tokenId },
        description: 'The same',
        askUsd: 90,
        negotiable: false,
        category: 'digital-products',
        gate: 'deposit',
      });
      return answer.status === 409 ? null : answer;
    });
    expect(again.status).toBe(201);
    expect(await onChain(lot)).toBe(true);
    // The buying agent is owned by a wallet that belongs to another agent, so the deal is one of the person behind
    // both. That wallet has no settings of its own, so the mandate lets its deals go on.
    const mandate = `${TRADES} If anything is inconclusive, go on.`;
    const owned = await stage.agent(buyer, { owner: await walletOf(buys), mandate });
    await stage.moveUsd(buyer, owned.account, '100');
    expect((await order(again.body, 90, owned)).body.status).toBe('matched');
    await until('the sale', async () => {
      const { items: matches } = (await stage.api.get(`/matches?lot=${encodeURIComponent(lot.key)}`)).body;
      return matches[0]?.tx === undefined ? null : true;
    });
  });

  it('leaves nothing for sale on chain that is not for sale here', async () => {
    await until('every listing that is over to be forgotten', async () => {
      // One that was sold is looked for a quarter of an hour later, when no reorg brings it back any more.
      const over = stage.db.selectFrom('chain_listings').select('lot').where('over_at', '<=', new Date());
      return (await over.execute()).length === 0 ? true : null;
    });
  });
});

describe('two agents of one owner', () => {
  const bids = (owner: PrivateKeyAccount, agent: WireAgent, lot: WireListing, limitUsd: number) =>
    stage.api.signedPost(owner, '/order', {
      handle: agent.handle,
      side: 'buy',
      listingRef: lot.listingRef,
      category: 'digital-products',
      limitUsd,
    });
  const comesDown = (lot: WireListing, limitUsd: number) =>
    stage.api.signedPost(seller, '/order', {
      handle: sells.handle,
      side: 'sell',
      listingRef: lot.listingRef,
      category: 'digital-products',
      limitUsd,
    });
  const matches = async (lot: WireListing): Promise<{ clearingPriceUsd: number }[]> =>
    (await stage.api.get(`/matches?lot=${encodeURIComponent(lot.key)}`)).body.items;
  const shows = (agent: WireAgent, status: string) =>
    until(`${agent.handle} to be ${status}`, async () =>
      (await stage.api.get(`/agent/${agent.handle}`)).body.status === status ? true : null,
    );

  it('never match, even if one is owned by a wallet that belongs to a token, at placement or later', async () => {
    const lot = await stage.listed(seller, sells, { askUsd: 90 });
    // Two agents of one wallet.
    const twin = await stage.agent(seller);
    await stage.moveUsd(seller, twin.account, '100');
    const own = await bids(seller, twin, lot, 95);
    expect(own.body, JSON.stringify(own.body)).toMatchObject({ status: 'resting', priceToBeatUsd: 90 });

    // The owner of this agent is the holder of a token, at first the seller.
    const deed = await stage.agent(seller);
    const bound = await stage.agent(seller, { owner: await walletOf(deed) });
    await stage.moveUsd(seller, bound.account, '300');
    expect((await bids(seller, bound, lot, 94)).body).toMatchObject({ status: 'resting' });
    expect(await matches(lot)).toEqual([]);
    // They do not push up its price, either.
    const { items: book } = (await stage.api.get(`/orders?lot=${encodeURIComponent(lot.key)}`)).body;
    expect(book).toMatchObject([{ priceToBeatUsd: 90 }]);

    // Then a stranger holds the token: the order placed for the seller has left the book, and the agent waits for the
    // stranger's mandate.
    await hand(seller, deed, stranger.address);
    await shows(bound, 'paused');
    await until('its order to leave', async () => {
      const { items } = (await stage.api.signedGet(stranger, `/agent/${bound.handle}/orders`)).body;
      return items.every((o: { status: string }) => o.status === 'cancelled') ? true : null;
    });
    expectProblem(await bids(seller, bound, lot, 80), 401, 'signature-invalid');
    expectProblem(await bids(stranger, bound, lot, 80), 409, 'agent-not-active');
    await confirmed(stage, stranger, bound, 'mandate', { mandate: TRADES });
    await shows(bound, 'active');
    expect((await bids(stranger, bound, lot, 80)).body).toMatchObject({ status: 'resting' });
    const down = await until('the two seconds to be over', async () => {
      const answer = await comesDown(lot, 75);
      return answer.status === 409 ? null : answer.body;
    });
    expect(down).toMatchObject({
      status: 'matched',
      match: { clearingPriceUsd: 75 },
    });
    expect(await matches(lot)).toMatchObject([{ clearingPriceUsd: 75 }]);
    const { items } = (await stage.api.signedGet(seller, `/agent/${twin.handle}/orders`)).body;
    expect(items.map((o: { status: string }) => o.status)).toEqual(['resting']);
  });
});

describe('an owner who probes the limit behind a price', () => {
  it('is told how long to wait after as many orders on one lot as the operator allows', async () => {
    const lot = await stage.listed(seller, sells, { askUsd: 300 });
    for (let n = 0; n < ORDERS; n++) {
      expect((await order(lot, 10 + n)).status).toBe(201);
      await rested();
    }
    const refused = await order(lot, 30);
    expectProblem(refused, 429, 'rate-limited');
    const wait = Number(refused.headers.get('retry-after'));
    expect(refused.body).toMatchObject({
      detail: `One owner may place ${ORDERS} orders on one lot an hour: wait ${wait} seconds.`,
      retryAfter: wait,
    });
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(3_600);
  });
});
