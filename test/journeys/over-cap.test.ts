import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Address,
  type BaseError,
  ContractFunctionRevertedError,
  createPublicClient,
  type Hex,
  http,
  keccak256,
  toHex,
} from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentAccountAbi } from '../../chain/abi/agent-account.ts';
import { settlementAbi } from '../../chain/abi/settlement.ts';
import { sessionKeys } from '../../chain/session-keys.ts';
import { signDeal } from '../../chain/settlement.ts';
import { findRunning } from '../../runtime/embedded/running.ts';
import { type ServiceFolder, serviceFolder } from '../fixtures/service.ts';
import { type Agent, type Lot, type Story, storyOn } from '../fixtures/story-stage.ts';

/** A deal over the cap: the mandate refuses it, and so does the chain when the agent's key is used without the service. */

let folder: ServiceFolder;
let story: Story;
let seller: PrivateKeyAccount;
let buyer: PrivateKeyAccount;
let selling: Agent;
let buying: Agent;
let lot: Lot;

beforeAll(async () => {
  folder = await serviceFolder();
  await folder.start();
  story = storyOn(folder);
  await story.importLists();
  [seller, buyer] = await Promise.all([story.owner(), story.owner()]);
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
  lot = await story.list(seller, selling, { askUsd: 160, floorUsd: 155 });
  await story.give(buyer, buying.account, 500);
});
afterAll(() => folder.remove());

/** The session keys, as somebody would have them who stole the data folder. */
function stolenKeys() {
  const { sessionKeySeed } = JSON.parse(readFileSync(join(folder.dataDir, 'secrets.json'), 'utf8')) as {
    sessionKeySeed: Hex;
  };
  const keys = sessionKeys(sessionKeySeed);
  return { seller: keys.at(1), buyer: keys.at(2) };
}

function chain() {
  const home = findRunning(folder.dataDir)?.chains['1002'];
  if (!home) throw new Error('the service does not run');
  return { ...home, client: createPublicClient({ transport: http(home.rpcUrl) }) };
}

/** The custom error by which a call is refused; null when it would succeed. */
async function refusal(call: Promise<unknown>): Promise<string | null> {
  try {
    await call;
    return null;
  } catch (error) {
    const reverted = (error as BaseError).walk((e) => e instanceof ContractFunctionRevertedError);
    return (reverted as ContractFunctionRevertedError | null)?.data?.errorName ?? String(error);
  }
}

async function balances(): Promise<bigint[]> {
  const on = story.chain();
  return await Promise.all(
    [buying.account, selling.account, seller.address].map((a: Address) => on.usdcOf(a)),
  );
}

describe('a deal over the cap', () => {
  it('is refused by the mandate before it rests, naming the limit, and nothing is held', async () => {
    const before = await balances();
    const answer = await story.order(buyer, buying, lot, 155);
    expect(answer.status).toBe(422);
    expect(answer.body.code).toBe('mandate-exceeded');
    expect(answer.body.detail).toContain('150');
    expect(await balances()).toEqual(before);
    const { items } = (await story.api.get(`/agent/${buying.handle}/activity`)).body;
    const refused = items.find((r: { kind: string }) => r.kind === 'order-refused');
    expect(refused).toBeDefined();
    const { record } = (await story.api.get(`/records/${refused.recordId}`)).body;
    expect(record.content).toEqual({ lot: refused.subject, check: 'mandate-cap-deal' });
    expect(record.summary).not.toMatch(/155|150/);
  });

  it('is refused by the chain by name when the key spends directly', async () => {
    const { client, usdc } = chain();
    const { buyer: key } = stolenKeys();
    const before = await balances();
    const spend = (amount: bigint) =>
      client.simulateContract({
        account: key,
        address: buying.account,
        abi: agentAccountAbi,
        functionName: 'spend',
        args: [usdc, key.address, amount, toHex('theft', { size: 32 })],
      });
    expect(await refusal(spend(150_000_001n))).toBe('PerDealCapExceeded');
    expect(await balances()).toEqual(before);
  });

  it('is refused by the chain by name when both keys sign it and anybody settles it, and no money moves', async () => {
    const { client, rpcUrl: _, ...deployment } = chain();
    const keys = stolenKeys();
    const before = await balances();
    const deal = {
      dealId: keccak256(toHex('a deal nobody matched')),
      seller: selling.account,
      buyer: buying.account,
      asset: lot.contract,
      tokenId: BigInt(lot.tokenId),
      token: deployment.usdc,
      price: 150_000_001n,
      category: 4,
      deadline: Number((await client.getBlock()).timestamp) + 600,
    };
    const settle = async (terms: typeof deal) =>
      await client.simulateContract({
        account: keys.buyer,
        address: deployment.settlement,
        abi: settlementAbi,
        functionName: 'settle',
        args: [
          terms,
          keys.seller.address,
          await signDeal(keys.seller, deployment, terms),
          keys.buyer.address,
          await signDeal(keys.buyer, deployment, terms),
        ],
      });
    expect(await refusal(settle(deal))).toBe('PerDealCapExceeded');
    // The very same deal inside the cap would pass: it is the cap that refuses, and nothing else.
    expect(await refusal(settle({ ...deal, price: 150_000_000n }))).toBeNull();
    expect(await balances()).toEqual(before);
    expect((await story.chain().ownerOf(lot)).toLowerCase()).toBe(selling.account.toLowerCase());
  });
});
