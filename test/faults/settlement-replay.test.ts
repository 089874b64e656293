import { type Abi, createWalletClient, type Hex, http, publicActions, toFunctionSelector } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spendPolicyAbi } from '../../chain/abi/spend-policy.ts';
import { rpc } from '../../chain/rpc/json-rpc.ts';
import { until } from '../../runtime/cli/demo/client.ts';
import { findRunning } from '../../runtime/embedded/running.ts';
import { type ServiceFolder, serviceFolder } from '../fixtures/service.ts';
import { type Agent, type Lot, type Story, storyOn } from '../fixtures/story-stage.ts';

/**
 * A buyer pauses its agent in the very block in which its deal settles, so that the chain refuses it. The calldata with both
 * signatures is public, and whoever likes may send it again.
 */

let folder: ServiceFolder;
let story: Story;
let seller: PrivateKeyAccount;
let buyer: PrivateKeyAccount;
let stranger: PrivateKeyAccount;
let selling: Agent;
let buying: Agent;

beforeAll(async () => {
  folder = await serviceFolder();
  await folder.start();
  story = storyOn(folder);
  await story.importLists();
  [seller, buyer] = await Promise.all([story.proceedingOwner(), story.proceedingOwner()]);
  stranger = await story.owner();
  selling = await story.assemble(
    seller,
    'replay-seller',
    'Buy and sell digital products, max 500 USDC per deal, for 30 days.',
  );
  buying = await story.assemble(
    buyer,
    'replay-buyer',
    'Buy digital products, max 150 USDC per deal and 900 USDC per day, for 30 days.',
  );
  await story.give(buyer, buying.account, 600);
});
afterAll(() => folder?.remove());

const home = () => findRunning(folder.dataDir)!.chains['1002']!;
const ask = <T>(method: string, params: readonly unknown[] = []) => rpc<T>(home().rpcUrl, method, params);
const walletOf = (account: PrivateKeyAccount) =>
  createWalletClient({ account, transport: http(home().rpcUrl), pollingInterval: 20 }).extend(publicActions);

interface Sent {
  readonly hash: Hex;
  readonly input: Hex;
  readonly to: string;
}

async function setPaused(paused: boolean): Promise<Hex> {
  return await walletOf(buyer).writeContract({
    address: home().policy,
    abi: spendPolicyAbi as Abi,
    functionName: 'setPaused',
    args: [BigInt(buying.tokenId), paused],
    chain: null,
    gas: 300_000n,
    // Before everything else in its block.
    maxPriorityFeePerGas: 3_000_000_000n,
    maxFeePerGas: 30_000_000_000n,
  });
}

/** The status of a transaction of the stranger's with the same calldata. */
async function replay({ input }: Sent): Promise<string> {
  const wallet = walletOf(stranger);
  const to = home().settlement;
  const hash = await wallet.sendTransaction({ to, data: input, chain: null, gas: 1_500_000n });
  return (await wallet.waitForTransactionReceipt({ hash })).status;
}

interface Deal {
  readonly dealId: string;
  readonly state: string;
  readonly reason: string | null;
}

async function dealOf(dealId: string): Promise<Deal> {
  const { body } = await story.api.signedGet(buyer, `/agent/${buying.handle}/deals`);
  return body.items.find((d: Deal) => d.dealId === dealId);
}

/** A deal whose settlement was sent, and refused in the block before which its buyer paused. */
async function refusedDeal(): Promise<{ dealId: string; lot: Lot; sent: Sent }> {
  const lot = await story.list(seller, selling, { askUsd: 120, floorUsd: 100 });
  // The service has seen that an earlier pause is over.
  await until('the buyer active', async () =>
    (await story.api.get(`/agent/${buying.handle}`)).body.status === 'active' ? true : null,
  );
  await ask('evm_setAutomine', [false]);
  const placed = await story.order(buyer, buying, lot, 110);
  expect(placed.body).toMatchObject({ status: 'matched' });
  const { dealId } = placed.body.match as { dealId: string };
  const sent = await until('the settlement in the pool', async () => {
    const { pending } = await ask<{ pending: Record<string, Record<string, Sent>> }>('txpool_content');
    const waiting = Object.values(pending).flatMap((of) => Object.values(of));
    return waiting.find(({ to }) => to?.toLowerCase() === home().settlement.toLowerCase()) ?? null;
  });
  await setPaused(true);
  await ask('evm_mine');
  await ask('evm_setAutomine', [true]);
  expect(await ask('eth_getTransactionReceipt', [sent.hash])).toMatchObject({ status: '0x0' });
  return { dealId, lot, sent };
}

/** The states in which the deal is told for some seconds. */
async function statesOf(dealId: string, seconds: number): Promise<readonly string[]> {
  const states = new Set<string>();
  for (const end = Date.now() + seconds * 1000; Date.now() < end; ) {
    states.add((await dealOf(dealId)).state);
    await new Promise((wake) => setTimeout(wake, 300));
  }
  return [...states];
}

describe('a settlement that the chain refused, and that a stranger sends again', { timeout: 180_000 }, () => {
  it('settles a deal that was never told as stopped, and is booked', async () => {
    const { dealId, lot, sent } = await refusedDeal();
    expect(await statesOf(dealId, 8)).toEqual(['settling']);
    await setPaused(false);
    expect(await replay(sent)).toBe('success');
    await until('the deal recorded', async () => ((await dealOf(dealId)).state === 'recorded' ? true : null));
    expect((await story.chain().ownerOf(lot)).toLowerCase()).toBe(buying.account.toLowerCase());
  });

  it('is refused once the deal is told as stopped, which is after the deadline of its signatures', async () => {
    const { dealId, lot, sent } = await refusedDeal();
    await setPaused(false);
    // The service does not send it once more, although the chain would take it.
    expect(await statesOf(dealId, 8)).toEqual(['settling']);
    await ask('evm_increaseTime', ['0x82']);
    await ask('evm_mine');
    const stopped = await until('the deal stopped', async () => {
      const deal = await dealOf(dealId);
      return deal.state === 'stopped' ? deal : null;
    });
    expect(stopped.reason).toContain('the chain refused the settlement');
    expect(await replay(sent)).toBe('reverted');
    await expect(walletOf(stranger).call({ to: home().settlement, data: sent.input })).rejects.toThrow(
      toFunctionSelector('DealExpired(bytes32,uint48)'),
    );
    expect((await story.chain().ownerOf(lot)).toLowerCase()).toBe(selling.account.toLowerCase());
  });
});
