import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Abi,
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  http,
  parseUnits,
  publicActions,
} from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentAccountAbi } from '../../../chain/abi/agent-account.ts';
import { until } from '../../../runtime/cli/demo/client.ts';
import { findRunning } from '../../../runtime/embedded/running.ts';
import { type ServiceFolder, serviceFolder } from '../../fixtures/service.ts';
import { type Agent, type Lot, type Story, storyOn } from '../../fixtures/story-stage.ts';

/** An order that its agent's account cannot cover is on no book: its owner alone sees it, until the money is there. */

let folder: ServiceFolder;
let story: Story;
let [seller, poor, rich]: PrivateKeyAccount[] = [];
let selling: Agent;
let empty: Agent;
let funded: Agent;

const BUYS = 'Buy digital products, max 400 USDC per deal and 2000 USDC in total, for 30 days.';

beforeAll(async () => {
  folder = await serviceFolder();
  await folder.start();
  story = storyOn(folder);
  [seller, poor, rich] = await Promise.all([
    story.proceedingOwner(),
    story.proceedingOwner(),
    story.proceedingOwner(),
  ]);
  const sells = 'Sell digital products, max 500 USDC per deal, for 30 days.';
  [selling, empty, funded] = await Promise.all([
    story.assemble(seller!, 'unfunded-seller', sells),
    story.assemble(poor!, 'unfunded-poor', BUYS),
    story.assemble(rich!, 'unfunded-rich', BUYS),
  ]);
  await story.give(rich!, funded.account, 300);
  await story.importLists();
});
afterAll(() => folder.remove());

const keyOf = (lot: Lot): string => `eip155:1002/erc721:${lot.contract.toLowerCase()}/${lot.tokenId}`;
const get = async (path: string) => (await story.api.get(path)).body;
const matchesOf = async (lot: Lot) => (await get(`/matches?lot=${encodeURIComponent(keyOf(lot))}`)).items;
const priceOf = async (lot: Lot): Promise<number> =>
  (await get(`/orders?lot=${encodeURIComponent(keyOf(lot))}`)).items[0]?.priceToBeatUsd;

const ownOrders = async (owner: PrivateKeyAccount, agent: Agent) =>
  (await story.api.signedGet(owner, `/agent/${agent.handle}/orders`)).body;

async function orderOn(owner: PrivateKeyAccount, agent: Agent, lot: Lot) {
  const { items } = await ownOrders(owner, agent);
  return items.find((o: { lot: string }) => o.lot === keyOf(lot));
}

function comesTo(status: string, owner: PrivateKeyAccount, agent: Agent, lot: Lot): Promise<unknown> {
  return until(`the order of ${agent.handle} to be ${status}`, async () =>
    (await orderOn(owner, agent, lot)).status === status ? true : null,
  );
}

/** Everything that the public may read of the market. The time of a block, and what is over a minute, do not count. */
async function publicBook(lot: Lot): Promise<string> {
  const of = encodeURIComponent(keyOf(lot));
  const lists = [`/orders?lot=${of}`, `/matches?lot=${of}`, '/orders', '/catalogue', '/close-calls'];
  const told = await Promise.all([...lists, `/lots/${lot.listingRef}`].map(get));
  const { issued } = await get(`/agent/${empty.handle}`);
  return JSON.stringify([...told, issued.orders, issued.matches]);
}

/** Takes dollars out of an agent's account by its owner's own transaction. */
async function takeOut(owner: PrivateKeyAccount, agent: Agent, usd: string): Promise<void> {
  const { rpcUrl, usdc } = findRunning(folder.dataDir)!.chains['1002']!;
  const args = [owner.address, parseUnits(usd, 6)] as const;
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args });
  const wallet = createWalletClient({ account: owner, transport: http(rpcUrl), pollingInterval: 20 }).extend(
    publicActions,
  );
  const hash = await wallet.writeContract({
    address: agent.account,
    abi: agentAccountAbi as Abi,
    functionName: 'execute',
    args: [usdc, 0n, data, 0],
    chain: null,
  });
  expect((await wallet.waitForTransactionReceipt({ hash })).status).toBe('success');
}

describe('an order over an empty account', () => {
  let lot: Lot;

  it('rests unfunded: it matches nobody, tells nothing and moves nothing, and its owner sees what is missing', async () => {
    lot = await story.list(seller!, selling, { askUsd: 120, floorUsd: 100.02 });
    expect((await story.order(rich!, funded, lot, 90)).body).toMatchObject({ status: 'resting' });
    const before = await publicBook(lot);
    const { status, body } = await story.order(poor!, empty, lot, 150);
    expect(status).toBe(201);
    expect(body).toMatchObject({ status: 'unfunded', needUsd: 150, haveUsd: 0, priceToBeatUsd: 60 });
    expect(body).not.toHaveProperty('match');
    // The floor, and the price at which it would have cleared.
    expect(JSON.stringify(body)).not.toMatch(/100\.02|125\.01/);
    expect(await publicBook(lot)).toBe(before);
    const { items, funds } = await ownOrders(poor!, empty);
    expect(items).toEqual([expect.objectContaining({ status: 'unfunded', needUsd: 150, haveUsd: 0 })]);
    expect(funds).toMatchObject({ balanceUsd: 0, inFlightUsd: 0, spendableUsd: 0 });
    expect((await get(`/agent/${empty.handle}`)).caps.remaining[0]).toMatchObject({
      perDealUsd: 400,
      balanceUsd: 0,
      spendableUsd: 0,
    });
  });

  it('matches without a new order once the money is there', async () => {
    await story.give(poor!, empty.account, 150);
    const [match] = await until('the match', async () => {
      const found = await matchesOf(lot);
      return found.length > 0 ? found : null;
    });
    expect(match.clearingPriceUsd).toBe(125.01);
    await comesTo('filled', poor!, empty, lot);
    expect((await story.chain().ownerOf(lot)).toLowerCase()).toBe(empty.account.toLowerCase());
    expect(await story.chain().usdcOf(empty.account)).toBe(24_990_000n);
  });
});

describe('an order whose money is spoken for, or leaves', () => {
  it('is unfunded beside what is in flight, and rests by itself when that is free again', async () => {
    const [first, second] = [
      await story.list(seller!, selling, { askUsd: 200, floorUsd: 190 }),
      await story.list(seller!, selling, { askUsd: 300, floorUsd: 290 }),
    ];
    const { orderId } = (await story.order(rich!, funded, first, 180)).body;
    const beside = await story.order(rich!, funded, second, 200);
    expect(beside.body).toMatchObject({ status: 'unfunded', needUsd: 200, haveUsd: 120 });
    expect(await priceOf(second)).toBe(300);
    const { funds } = await ownOrders(rich!, funded);
    expect(funds).toMatchObject({ balanceUsd: 300, inFlightUsd: 180, spendableUsd: 120 });
    await sleep(2_100);
    const taken = await story.api.signedPost(rich!, `/order/${orderId}/cancel`, { handle: funded.handle });
    expect(taken.status, JSON.stringify(taken.body)).toBe(200);
    await comesTo('resting', rich!, funded, second);
    expect(await priceOf(second)).toBe(150);
  });

  it('leaves the book at the match that it would have made, and the next best has it', async () => {
    const lot = await story.list(seller!, selling, { askUsd: 60, floorUsd: 58 });
    await story.give(poor!, empty.account, 100);
    expect((await story.order(poor!, empty, lot, 50)).body).toMatchObject({ status: 'resting' });
    expect((await story.order(rich!, funded, lot, 45)).body).toMatchObject({ status: 'resting' });
    expect(await priceOf(lot)).toBe(45.01);
    await takeOut(poor!, empty, '100');
    await sleep(2_100);
    const drop = { handle: selling.handle, side: 'sell', listingRef: lot.listingRef, limitUsd: 40 };
    const dropped = await story.api.signedPost(seller!, '/order', { ...drop, category: 'digital-products' });
    expect(dropped.body).toMatchObject({ status: 'matched', match: { clearingPriceUsd: 42.5 } });
    expect(await orderOn(poor!, empty, lot)).toMatchObject({
      status: 'unfunded',
      needUsd: 50,
      haveUsd: 24.99,
    });
    await comesTo('filled', rich!, funded, lot);
    expect(await matchesOf(lot)).toHaveLength(1);
    expect((await story.chain().ownerOf(lot)).toLowerCase()).toBe(funded.account.toLowerCase());
    // It leaves with the lot.
    expect((await orderOn(poor!, empty, lot)).status).toBe('cancelled');
  });
});
