import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Abi,
  type Address,
  type BaseError,
  ContractFunctionRevertedError,
  createWalletClient,
  type Hex,
  http,
  keccak256,
  publicActions,
  toHex,
} from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CATEGORIES } from '../../../agents/categories.ts';
import { agentAccountAbi } from '../../../chain/abi/agent-account.ts';
import { settlementAbi } from '../../../chain/abi/settlement.ts';
import { spendPolicyAbi } from '../../../chain/abi/spend-policy.ts';
import { sessionKeys } from '../../../chain/clients/session-keys.ts';
import { signDeal } from '../../../chain/clients/settlement.ts';
import { fund } from '../../../runtime/cli/dev.ts';
import { findRunning } from '../../../runtime/embedded/running.ts';
import { onOneDay } from '../../fixtures/one-day.ts';
import { type ServiceFolder, serviceFolder } from '../../fixtures/service.ts';
import { type Agent, type Lot, type Story, storyOn } from '../../fixtures/story-stage.ts';

/**
 * A deal over the cap: the mandate refuses it, and so does the chain when somebody uses the agent's key without the
 * service.
 */

let folder: ServiceFolder;
let story: Story;
let seller: PrivateKeyAccount;
let buyer: PrivateKeyAccount;
let selling: Agent;
let buying: Agent;
let dear: Lot;
let cheap: Lot;

beforeAll(async () => {
  await onOneDay();
  folder = await serviceFolder();
  await folder.start();
  story = storyOn(folder);
  await story.importLists();
  [seller, buyer] = await Promise.all([story.proceedingOwner(), story.proceedingOwner()]);
  selling = await story.assemble(
    seller,
    'over-seller',
    'Buy and sell digital products, max 900 USDC per deal, for 30 days.',
  );
  buying = await story.assemble(
    buyer,
    'over-buyer',
    'Buy anything, max 150 USDC per deal and 200 USDC per day, for 30 days.',
  );
  dear = await story.list(seller, selling, { askUsd: 160, floorUsd: 155 });
  cheap = await story.list(seller, selling, { askUsd: 130 });
  // Only the buyer's limits should stop the thief here; the seller's own listing would also refuse a low price.
  const lot = { agentId: BigInt(selling.tokenId), asset: dear.contract, tokenId: BigInt(dear.tokenId) };
  const call = { address: home().policy, abi: spendPolicyAbi as Abi, functionName: 'list' };
  expect(await attempt(seller, { ...call, args: [{ ...lot, token: home().usdc, minPrice: 1n }] })).toBeNull();
  await story.give(buyer, buying.account, 500);
});
afterAll(() => folder.remove());

/** The session keys, as a thief of the data folder would have them, with gas to use them. */
async function stolenKeys() {
  const { sessionKeySeed } = JSON.parse(readFileSync(join(folder.dataDir, 'secrets.json'), 'utf8')) as {
    sessionKeySeed: Hex;
  };
  const keys = sessionKeys(sessionKeySeed);
  const stolen = { seller: keys.at(1), buyer: keys.at(2) };
  await fund(folder.env, stolen.buyer.address, '0');
  return stolen;
}

function home() {
  const chain = findRunning(folder.dataDir)?.chains['1002'];
  if (!chain) throw new Error('the service does not run');
  return chain;
}

interface Call {
  readonly address: Address;
  readonly abi: Abi;
  readonly functionName: string;
  readonly args: readonly unknown[];
}

/**
 * Makes a call as the thief: simulates it first, then sends it whatever the result was.
 * @returns the custom error with which it is refused, null when it would succeed
 */
async function attempt(thief: PrivateKeyAccount, call: Call): Promise<string | null> {
  const wallet = createWalletClient({ account: thief, transport: http(home().rpcUrl) }).extend(publicActions);
  let refusal: string | null = null;
  try {
    await wallet.simulateContract(call);
  } catch (error) {
    const reverted = (error as BaseError).walk((e) => e instanceof ContractFunctionRevertedError);
    refusal = (reverted as ContractFunctionRevertedError | null)?.data?.errorName ?? String(error);
  }
  const hash = await wallet.writeContract({ ...call, chain: null, gas: 1_500_000n });
  const { status } = await wallet.waitForTransactionReceipt({ hash, pollingInterval: 20 });
  expect(status).toBe(refusal === null ? 'success' : 'reverted');
  return refusal;
}

async function stolenSpend(amount: bigint): Promise<string | null> {
  const { buyer: key } = await stolenKeys();
  return await attempt(key, {
    address: buying.account,
    abi: agentAccountAbi as Abi,
    functionName: 'spend',
    args: [home().usdc, key.address, amount, toHex('theft', { size: 32 })],
  });
}

/** A deal that no book ever matched, signed by both stolen keys. */
async function stolenDeal(price: bigint): Promise<string | null> {
  const keys = await stolenKeys();
  const deployment = home();
  const deal = {
    dealId: keccak256(toHex(`a deal nobody matched at ${price}`)),
    seller: selling.account,
    buyer: buying.account,
    asset: dear.contract,
    tokenId: BigInt(dear.tokenId),
    token: deployment.usdc,
    price,
    category: CATEGORIES.indexOf('digital-products'),
    deadline: Math.floor(Date.now() / 1000) + 600,
    state: 0n,
  };
  const args = [
    deal,
    keys.seller.address,
    await signDeal(keys.seller, deployment, deal),
    keys.buyer.address,
    await signDeal(keys.buyer, deployment, deal),
  ];
  return await attempt(keys.buyer, {
    address: deployment.settlement,
    abi: settlementAbi as Abi,
    functionName: 'settle',
    args,
  });
}

async function holdings(): Promise<unknown> {
  const on = story.chain();
  const accounts = [buying.account, selling.account, seller.address, buyer.address, home().vault];
  accounts.push((await stolenKeys()).buyer.address);
  return {
    money: await Promise.all(accounts.map((a) => on.usdcOf(a))),
    lot: await on.ownerOf(dear),
    settlements: await on.settlements(),
  };
}

async function refusedOrder(limitUsd: number, check: string): Promise<void> {
  const answer = await story.order(buyer, buying, dear, limitUsd);
  expect(answer.status).toBe(422);
  expect(answer.body).toMatchObject({ code: 'mandate-exceeded', limit: check });
  const { items } = (await story.api.signedGet(buyer, `/agent/${buying.handle}/orders`)).body;
  expect(items.filter((o: { status: string }) => o.status === 'resting')).toEqual([]);
}

describe('a deal over the cap', () => {
  it('is refused by the mandate before it is placed, with the limit named, in a public record without an amount', async () => {
    const before = await holdings();
    await refusedOrder(155, 'mandate-cap-deal');
    expect(await holdings()).toEqual(before);
    const { items } = (await story.api.get(`/agent/${buying.handle}/activity`)).body;
    const refused = items.find((r: { kind: string }) => r.kind === 'order-refused');
    expect(refused).toBeDefined();
    const { record } = (await story.api.get(`/records/${refused.recordId}`)).body;
    expect(record.content).toEqual({ lot: refused.subject, check: 'mandate-cap-deal' });
    expect(record.summary).not.toMatch(/155|150/);
  });

  it('is refused by the chain by name when the key spends directly, and no money moves', async () => {
    const before = await holdings();
    expect(await stolenSpend(150_000_001n)).toBe('PerDealCapExceeded');
    expect(await holdings()).toEqual(before);
  });

  it('is refused by the chain by name when both keys sign it and anybody settles it, and nothing moves', async () => {
    const before = await holdings();
    expect(await stolenDeal(150_000_001n)).toBe('PerDealCapExceeded');
    expect(await holdings()).toEqual(before);
  });

  it('is also refused in all three ways for the day, once a deal has used most of its cap', async () => {
    expect((await story.order(buyer, buying, cheap, 130)).body.status).toBe('matched');
    await story.recorded(buying, 'deal-settled');
    const before = await holdings();
    await refusedOrder(100, 'mandate-cap-day');
    expect(await stolenSpend(70_000_001n)).toBe('DayCapExceeded');
    expect(await stolenDeal(70_000_001n)).toBe('DayCapExceeded');
    expect(await holdings()).toEqual(before);
  });

  it('is refused only for its price: the same deal within the cap passes', async () => {
    expect(await stolenDeal(70_000_000n)).toBeNull();
    expect((await story.chain().ownerOf(dear)).toLowerCase()).toBe(buying.account.toLowerCase());
  });
});
