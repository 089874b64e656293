import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Abi,
  type Address,
  type BaseError,
  ContractFunctionRevertedError,
  createWalletClient,
  erc721Abi,
  type Hex,
  http,
  keccak256,
  publicActions,
  toHex,
} from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CATEGORIES } from '../../../agents/categories.ts';
import { settlementAbi } from '../../../chain/abi/settlement.ts';
import { sessionKeys } from '../../../chain/clients/session-keys.ts';
import { signDeal } from '../../../chain/clients/settlement.ts';
import { until } from '../../../runtime/cli/demo/client.ts';
import { findRunning } from '../../../runtime/embedded/running.ts';
import { type ServiceFolder, serviceFolder } from '../../fixtures/service.ts';
import { type Agent, type Lot, type Story, storyOn } from '../../fixtures/story-stage.ts';

/** The owner's own wallet sells an agent, without telling the service, while it has orders and a lot on the book. */

let folder: ServiceFolder;
let story: Story;
let first: PrivateKeyAccount;
let second: PrivateKeyAccount;
let other: PrivateKeyAccount;
let sold: Agent;
let stays: Agent;
let wanted: Lot;
let own: Lot;
let orderId: string;

const BOTH = 'Buy and sell digital products, max 500 USDC per deal, for 30 days.';

beforeAll(async () => {
  folder = await serviceFolder();
  await folder.start();
  story = storyOn(folder);
  [first, second, other] = await Promise.all([
    story.proceedingOwner(),
    story.proceedingOwner(),
    story.proceedingOwner(),
  ]);
  sold = await story.assemble(first, 'changes-hands', BOTH);
  stays = await story.assemble(other, 'stays-here', BOTH);
  await story.give(first, sold.account, 300);
  wanted = await story.list(other, stays, { askUsd: 200 });
  own = await story.list(first, sold, { askUsd: 90 });
  const placed = await story.order(first, sold, wanted, 100);
  expect(placed.status).toBe(201);
  orderId = placed.body.orderId;
  // What the chain refuses below, it accepts as long as the agent has not moved.
  expect(await dealByOldKeys()).toBeNull();
  await transfer(first, sold, second.address);
});
afterAll(() => folder.remove());

function home() {
  const chain = findRunning(folder.dataDir)?.chains['1002'];
  if (!chain) throw new Error('the service does not run');
  return chain;
}

const walletOf = (account: PrivateKeyAccount) =>
  createWalletClient({ account, transport: http(home().rpcUrl), pollingInterval: 20 }).extend(publicActions);

/** Transfers from the owner's wallet, without telling the service. */
async function transfer(from: PrivateKeyAccount, agent: Agent, to: Address): Promise<void> {
  const wallet = walletOf(from);
  const args = [from.address, to, BigInt(agent.tokenId)] as const;
  const call = { address: home().agentNft, abi: erc721Abi, functionName: 'transferFrom', args } as const;
  await wallet.waitForTransactionReceipt({ hash: await wallet.writeContract({ ...call, chain: null }) });
}

const statusOf = async (agent: Agent): Promise<string> =>
  (await story.api.get('/agents/directory?limit=100')).body.items.find(
    (row: { handle: string }) => row.handle === agent.handle,
  ).status;

/** A deal that the sold agent's old key still signs. @returns the error with which the chain refuses it */
async function dealByOldKeys(): Promise<string | null> {
  const { sessionKeySeed } = JSON.parse(readFileSync(join(folder.dataDir, 'secrets.json'), 'utf8')) as {
    sessionKeySeed: Hex;
  };
  const keys = sessionKeys(sessionKeySeed);
  const deployment = home();
  const deal = {
    dealId: keccak256(toHex('after the sale')),
    seller: stays.account,
    buyer: sold.account,
    asset: wanted.contract,
    tokenId: BigInt(wanted.tokenId),
    token: deployment.usdc,
    price: 100_000_000n,
    category: CATEGORIES.indexOf('digital-products'),
    deadline: Math.floor(Date.now() / 1000) + 600,
    state: 0n,
  };
  const [buyerKey, sellerKey] = [keys.at(1), keys.at(2)];
  const args = [
    deal,
    sellerKey.address,
    await signDeal(sellerKey, deployment, deal),
    buyerKey.address,
    await signDeal(buyerKey, deployment, deal),
  ];
  try {
    await walletOf(other).simulateContract({
      address: deployment.settlement,
      abi: settlementAbi as Abi,
      functionName: 'settle',
      args,
    });
    return null;
  } catch (error) {
    const reverted = (error as BaseError).walk((e) => e instanceof ContractFunctionRevertedError);
    return (reverted as ContractFunctionRevertedError | null)?.data?.errorName ?? String(error);
  }
}

describe('an agent that was sold by its owner’s own wallet', () => {
  it('stops by itself: paused, with the new owner in its row', async () => {
    await until('the agent to be paused', async () => ((await statusOf(sold)) === 'paused' ? true : null));
    const { owner, status } = (await story.api.get(`/agent/${sold.handle}`)).body;
    expect([owner, status]).toEqual([second.address.toLowerCase(), 'paused']);
    expect(await statusOf(stays)).toBe('active');
  });

  it('leaves the book with its order and its lot, and its money is released', async () => {
    const orders = await until('the order to leave', async () => {
      // The order was placed in the time of the seller, who alone can read it.
      const { body } = await story.api.signedGet(
        first,
        `/agent/${sold.handle}/orders?owner=${first.address}`,
      );
      return body.items.every((o: { status: string }) => o.status === 'cancelled') ? body.items : null;
    });
    expect(orders.map((o: { orderId: string }) => o.orderId)).toContain(orderId);
    const { items } = (await story.api.get('/catalogue')).body;
    const listed = items.map((row: { listingRef: string }) => row.listingRef);
    expect(listed).toContain(wanted.listingRef);
    expect(listed).not.toContain(own.listingRef);
  });

  it('has keys that no longer work: the chain refuses what the old one signs', async () => {
    expect(await dealByOldKeys()).toBe('KeyNotLive');
  });

  it('obeys neither owner before a mandate is signed', async () => {
    const byNew = await story.order(second, sold, wanted, 100);
    expect([byNew.status, byNew.body.code]).toEqual([409, 'agent-not-active']);
    const byOld = await story.order(first, sold, wanted, 100);
    expect([byOld.status, byOld.body.code]).toEqual([401, 'signature-invalid']);
  });

  it('has the sale in its public activity once', async () => {
    await story.recorded(sold, 'transferred');
    const { items } = (await story.api.get(`/agent/${sold.handle}/activity?limit=100`)).body;
    const sales = items.filter((r: { kind: string }) => r.kind === 'transferred');
    expect(sales).toHaveLength(1);
    expect(sales[0].summary).toBe(
      `The agent changes-hands went from ${first.address.toLowerCase()} to ${second.address.toLowerCase()}.`,
    );
  });
});
