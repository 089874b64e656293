import {
  type Abi,
  type Address,
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  erc721Abi,
  getAddress,
  type Hex,
  http,
  type PrivateKeyAccount,
  publicActions,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keccak } from '../../../agents/canonical.ts';
import { CATEGORIES } from '../../../agents/categories.ts';
import { agentAccountAbi } from '../../../chain/abi/agent-account.ts';
import { agentNftAbi } from '../../../chain/abi/agent-nft.ts';
import { settlementAbi } from '../../../chain/abi/settlement.ts';
import { spendPolicyAbi, spendPolicyBytecode } from '../../../chain/abi/spend-policy.ts';
import { signDeal } from '../../../chain/clients/settlement.ts';
import type { Deployment } from '../../../chain/deploy/deployment.ts';
import { until } from '../../../runtime/cli/demo/client.ts';
import { mintAsset, requireEmbedded } from '../../../runtime/cli/dev.ts';
import { findRunning } from '../../../runtime/embedded/running.ts';
import { runCommand, type ServiceFolder, serviceFolder } from '../../fixtures/service.ts';
import { type Story, storyOn } from '../../fixtures/story-stage.ts';

type Home = Deployment & { readonly rpcUrl: string };

const USD = 1_000_000n;
const FAR = 2_000_000_000;

let folder: ServiceFolder;
let story: Story;
let home: Home;

beforeAll(async () => {
  folder = await serviceFolder();
  await folder.start({ DECISION_SECONDS: '3600' });
  story = storyOn(folder);
  await story.importLists();
  home = { ...findRunning(folder.dataDir)!.chains['1002']!, chainId: 1002 } as unknown as Home;
});

afterAll(() => folder.remove());

/** Sends a wallet's own transactions, which an owner may do without asking anybody. */
function ownerActs(owner: PrivateKeyAccount) {
  const wallet = createWalletClient({
    account: owner,
    transport: http(home.rpcUrl),
    pollingInterval: 10,
  }).extend(publicActions);
  return async (address: Address, abi: Abi, functionName: string, args: readonly unknown[]): Promise<Hex> => {
    const hash = await wallet.writeContract({
      address,
      abi,
      functionName,
      args,
      chain: null,
      gas: 1_500_000n,
    });
    expect((await wallet.waitForTransactionReceipt({ hash })).status).toBe('success');
    return hash;
  };
}

/** Another policy, which serves nobody yet. */
async function deployed(account: PrivateKeyAccount, args: [Address, Address]): Promise<Address> {
  const transport = http(home.rpcUrl);
  const wallet = createWalletClient({ account, transport, pollingInterval: 10 }).extend(publicActions);
  const code = { abi: spendPolicyAbi, bytecode: spendPolicyBytecode, args };
  const hash = await wallet.deployContract({ ...code, chain: null });
  return getAddress((await wallet.waitForTransactionReceipt({ hash })).contractAddress!);
}

interface ToldDeal {
  readonly dealId: string;
  readonly state: string;
  readonly tx?: string;
}

async function deal(owner: PrivateKeyAccount, handle: string, dealId: string): Promise<ToldDeal | undefined> {
  const { body } = await story.api.signedGet(owner, `/agent/${handle}/deals`);
  return (body.items as ToldDeal[]).find((d) => d.dealId === dealId);
}

async function ended(owner: PrivateKeyAccount, handle: string, dealId: string): Promise<ToldDeal> {
  return await until('the deal has ended', async () => {
    const told = await deal(owner, handle, dealId);
    return told && ['recorded', 'stopped', 'failed'].includes(told.state) ? told : null;
  });
}

describe('a deal id', () => {
  it('under which strangers settle something else does not keep the deal of its pair from being settled and reported as agreed', async () => {
    const [seller, mallory] = await Promise.all([story.proceedingOwner(), story.proceedingOwner()]);
    const sells = await story.assemble(
      seller,
      'honest-seller',
      'Sell digital products, max 500 USDC per deal, for 30 days.',
    );
    const buys = await story.assemble(
      mallory,
      'mallory-buyer',
      'Buy digital products, max 150 USDC per deal, ask me before anything above 100 USDC, for 30 days.',
    );
    const junkSeller = await story.assemble(
      mallory,
      'mallory-seller',
      'Sell digital products, max 500 USDC per deal, for 30 days.',
    );
    const lot = await story.list(seller, sells, { askUsd: 120, floorUsd: 100 });
    await story.give(mallory, buys.account, 300);

    const act = ownerActs(mallory);
    const key = privateKeyToAccount(generatePrivateKey());
    await act(home.policy, spendPolicyAbi, 'grantKey', [BigInt(buys.tokenId), key.address, FAR]);
    await act(home.policy, spendPolicyAbi, 'grantKey', [BigInt(junkSeller.tokenId), key.address, FAR]);
    const junk = await mintAsset(folder.env, mallory.address);
    const [asset, tokenId] = [junk.contract as Address, BigInt(junk.tokenId)];
    await act(asset, erc721Abi, 'transferFrom', [mallory.address, junkSeller.account, tokenId]);
    await act(home.policy, spendPolicyAbi, 'list', [
      { agentId: BigInt(junkSeller.tokenId), asset, tokenId, token: home.usdc, minPrice: 1n },
    ]);

    const placed = await story.order(mallory, buys, lot, 110);
    expect(placed.body.status).toBe('matched');
    const dealId = placed.body.match.dealId as string;
    const squat = {
      dealId: keccak(dealId) as Hex,
      seller: junkSeller.account as Address,
      buyer: buys.account as Address,
      asset,
      tokenId,
      token: home.usdc,
      price: 1n,
      category: CATEGORIES.indexOf('digital-products'),
      deadline: FAR,
      state: 0n,
    };
    const signature = await signDeal(key, home, squat);
    const tx = await act(home.settlement, settlementAbi, 'settle', [
      squat,
      key.address,
      signature,
      key.address,
      signature,
    ]);

    await until('the deal waits for its owner', async () =>
      (await deal(mallory, buys.handle, dealId))?.state === 'awaiting-owner' ? true : null,
    );
    const decision = { handle: buys.handle, decision: 'proceed' };
    expect((await story.api.signedPost(mallory, `/deals/${dealId}/decision`, decision)).status).toBe(202);
    const told = await ended(seller, sells.handle, dealId);
    expect(told.state).toBe('recorded');
    expect(told.tx).not.toBe(tx);
    expect((await story.chain().ownerOf(lot)).toLowerCase()).toBe(buys.account.toLowerCase());
    expect(await story.chain().usdcOf(sells.account)).toBeGreaterThan(100n * USD);
  });
});

describe('an agent that is for sale', () => {
  /** Whose agent sells, the agent that is sold, and the buyer's agent, which asks its owner first. */
  const assembled = async (
    seller: PrivateKeyAccount,
    buyer: PrivateKeyAccount,
    [sells, goods, buys]: [string, string, string],
  ) =>
    [
      await story.assemble(seller, sells, 'Sell digital products, max 500 USDC per deal, for 30 days.'),
      await story.assemble(seller, goods, 'Buy digital products, max 500 USDC per deal, for 30 days.'),
      await story.assemble(
        buyer,
        buys,
        'Buy digital products, max 450 USDC per deal, ask me before anything above 100 USDC, for 30 days.',
      ),
    ] as const;

  it('is not sold if it was emptied between match and settlement', async () => {
    const [mallory, victim] = await Promise.all([story.proceedingOwner(), story.proceedingOwner()]);
    const [sells, goods, buys] = await assembled(mallory, victim, [
      'agent-seller',
      'the-goods',
      'agent-buyer',
    ]);
    await story.give(mallory, goods.account, 400);
    await story.give(victim, buys.account, 500);
    const act = ownerActs(mallory);
    const goodsId = BigInt(goods.tokenId);
    await act(home.agentNft, erc721Abi, 'transferFrom', [mallory.address, sells.account, goodsId]);
    const listed = await story.api.signedPost(mallory, `/agent/${sells.handle}/assets`, {
      asset: { chainId: 1002, contract: home.agentNft, tokenId: goods.tokenId },
      description: 'An agent with 400 USDC in its account',
      askUsd: 390,
      negotiable: false,
      category: 'digital-products',
      gate: 'deposit',
    });
    expect(listed.status).toBe(201);
    const placed = await story.order(victim, buys, listed.body, 390);
    const dealId = placed.body.match.dealId as string;
    await until('the deal waits for its owner', async () =>
      (await deal(victim, buys.handle, dealId))?.state === 'awaiting-owner' ? true : null,
    );

    const take = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transfer',
      args: [mallory.address, 400n * USD],
    });
    const inner = encodeFunctionData({
      abi: agentAccountAbi,
      functionName: 'execute',
      args: [home.usdc, 0n, take, 0],
    });
    await act(sells.account as Address, agentAccountAbi, 'execute', [goods.account, 0n, inner, 0]);

    const decision = { handle: buys.handle, decision: 'proceed' };
    expect((await story.api.signedPost(victim, `/deals/${dealId}/decision`, decision)).status).toBe(202);
    const told = await ended(victim, buys.handle, dealId);
    expect(told.state).not.toBe('recorded');
    // Whoever sells could raise an alarm at will otherwise.
    const { stdout } = await runCommand(['dead-letters', 'list'], { env: folder.env });
    expect(stdout).toContain('There are no dead letters.');
    expect(await story.chain().usdcOf(buys.account)).toBe(500n * USD);
    const holder = await story.chain().ownerOf({ contract: home.agentNft, tokenId: goods.tokenId } as never);
    expect(holder.toLowerCase()).toBe(sells.account.toLowerCase());
  });

  it('is sold although a stranger has tried to put an agent into its account, by a checkout and on chain', async () => {
    const [owner, buyer, stranger] = await Promise.all([
      story.proceedingOwner(),
      story.proceedingOwner(),
      story.proceedingOwner(),
    ]);
    const [sells, goods, buys] = await assembled(owner, buyer, [
      'seller-of-host',
      'the-host',
      'buyer-of-host',
    ]);
    await story.give(buyer, buys.account, 500);
    const gift = await story.assemble(
      stranger,
      'the-gift',
      'Buy digital products, max 1 USDC per deal, for 30 days.',
    );
    const goodsId = BigInt(goods.tokenId);
    await ownerActs(owner)(home.agentNft, erc721Abi, 'approve', [home.settlement, goodsId]);
    const listed = await story.api.signedPost(owner, `/agent/${sells.handle}/assets`, {
      asset: { chainId: 1002, contract: home.agentNft, tokenId: goods.tokenId },
      description: 'An agent',
      askUsd: 390,
      negotiable: false,
      category: 'digital-products',
      gate: 'owner-signed',
    });
    expect(listed.status).toBe(201);
    const placed = await story.order(buyer, buys, listed.body, 390);
    const dealId = placed.body.match.dealId as string;
    await until('the deal waits for its owner', async () =>
      (await deal(buyer, buys.handle, dealId))?.state === 'awaiting-owner' ? true : null,
    );

    const asked = { owner: goods.account, handle: 'the-lodger', tier: 'EXECUTOR' };
    const refused = await story.api.post('/agent/checkout', {
      ...asked,
      mandate: 'Buy digital products, max 1 USDC per deal, for 30 days.',
    });
    expect(refused).toMatchObject({ status: 400, body: { code: 'bad-request' } });
    expect(refused.body.errors).toEqual([
      { path: 'owner', message: expect.stringContaining(`the account of the agent "${goods.handle}"`) },
    ]);
    const put = ownerActs(stranger)(home.agentNft, erc721Abi, 'transferFrom', [
      ...[stranger.address, goods.account, BigInt(gift.tokenId)],
    ]);
    await expect(put).rejects.toThrow();
    expect(
      (
        await story.chain().ownerOf({ contract: home.agentNft, tokenId: gift.tokenId } as never)
      ).toLowerCase(),
    ).toBe(stranger.address.toLowerCase());

    const decision = { handle: buys.handle, decision: 'proceed' };
    expect((await story.api.signedPost(buyer, `/deals/${dealId}/decision`, decision)).status).toBe(202);
    expect((await ended(buyer, buys.handle, dealId)).state).toBe('recorded');
    const holder = await story.chain().ownerOf({ contract: home.agentNft, tokenId: goods.tokenId } as never);
    expect(holder.toLowerCase()).toBe(buys.account.toLowerCase());
  });

  it('is neither listed once its owner has retired it, nor sold if that is done after the match', async () => {
    const [owner, victim] = await Promise.all([story.proceedingOwner(), story.proceedingOwner()]);
    const [sells, goods, buys] = await assembled(owner, victim, [
      'seller-of-agents',
      'agent-at-its-end',
      'buyer-of-agents',
    ]);
    await story.give(victim, buys.account, 500);
    await ownerActs(owner)(home.agentNft, erc721Abi, 'approve', [home.settlement, BigInt(goods.tokenId)]);
    const offer = () =>
      story.api.signedPost(owner, `/agent/${sells.handle}/assets`, {
        asset: { chainId: 1002, contract: home.agentNft, tokenId: goods.tokenId },
        description: 'An agent',
        askUsd: 390,
        negotiable: false,
        category: 'digital-products',
        gate: 'owner-signed',
      });
    const listed = await offer();
    expect(listed.status).toBe(201);
    const placed = await story.order(victim, buys, listed.body, 390);
    const dealId = placed.body.match.dealId as string;
    await until('the deal waits for its owner', async () =>
      (await deal(victim, buys.handle, dealId))?.state === 'awaiting-owner' ? true : null,
    );
    const retired = await story.api.signedPost(owner, `/agent/${goods.handle}/session`, { action: 'retire' });
    expect(retired.status).toBe(202);
    await until('the agent is retired', async () =>
      (await story.api.get(`/agent/${goods.handle}`)).body.status === 'retired' ? true : null,
    );

    const decision = { handle: buys.handle, decision: 'proceed' };
    expect((await story.api.signedPost(victim, `/deals/${dealId}/decision`, decision)).status).toBe(202);
    expect(await ended(victim, buys.handle, dealId)).toMatchObject({
      state: 'stopped',
      reason: expect.stringContaining('is the agent "agent-at-its-end", which is retired'),
    });
    expect(await story.chain().usdcOf(buys.account)).toBe(500n * USD);
    const holder = await story.chain().ownerOf({ contract: home.agentNft, tokenId: goods.tokenId } as never);
    expect(holder.toLowerCase()).toBe(owner.address.toLowerCase());

    const again = await offer();
    expect(again).toMatchObject({ status: 409, body: { code: 'not-listed' } });
    expect(again.body.detail).toContain('is the agent "agent-at-its-end", which is retired');
  });

  it('is neither listed while it is bound to another settlement or policy, nor sold if it is bound so after the match', async () => {
    const [owner, victim] = await Promise.all([story.proceedingOwner(), story.proceedingOwner()]);
    const [sells, goods, buys] = await assembled(owner, victim, [
      'seller-of-bound',
      'bound-elsewhere',
      'buyer-of-bound',
    ]);
    await story.give(victim, buys.account, 500);
    const goodsId = BigInt(goods.tokenId);
    const admin = privateKeyToAccount(requireEmbedded(folder.env).operatorPrivateKey);
    const [act, adminActs] = [ownerActs(owner), ownerActs(admin)];
    await act(home.agentNft, erc721Abi, 'approve', [home.settlement, goodsId]);
    const offer = () =>
      story.api.signedPost(owner, `/agent/${sells.handle}/assets`, {
        asset: { chainId: 1002, contract: home.agentNft, tokenId: goods.tokenId },
        description: 'An agent',
        askUsd: 390,
        negotiable: false,
        category: 'digital-products',
        gate: 'owner-signed',
      });

    // What matters is its address alone: no deal comes from it.
    await adminActs(home.policy, spendPolicyAbi, 'admitSettlement', [home.ledger]);
    const bind = (to: Address) => act(home.policy, spendPolicyAbi, 'bindSettlement', [goodsId, to]);
    await bind(home.ledger);
    const refused = await offer();
    expect(refused).toMatchObject({ status: 409, body: { code: 'not-listed' } });
    expect(refused.body.detail).toContain(
      `is bound to another settlement than this service's (${home.ledger}): its owner binds it back first`,
    );

    await bind(home.settlement);
    const listed = await offer();
    expect(listed.status).toBe(201);
    const placed = await story.order(victim, buys, listed.body, 390);
    const dealId = placed.body.match.dealId as string;
    await until('the deal waits for its owner', async () =>
      (await deal(victim, buys.handle, dealId))?.state === 'awaiting-owner' ? true : null,
    );
    await bind(home.ledger);
    const decision = { handle: buys.handle, decision: 'proceed' };
    expect((await story.api.signedPost(victim, `/deals/${dealId}/decision`, decision)).status).toBe(202);
    expect((await ended(victim, buys.handle, dealId)).state).not.toBe('recorded');
    expect(await story.chain().usdcOf(buys.account)).toBe(500n * USD);
    const holder = await story.chain().ownerOf({ contract: home.agentNft, tokenId: goods.tokenId } as never);
    expect(holder.toLowerCase()).toBe(owner.address.toLowerCase());

    await bind(home.settlement);
    const policy = await deployed(admin, [admin.address, home.manager]);
    const served = [home.agentNft, home.settlement, home.certificates];
    await adminActs(policy, spendPolicyAbi, 'bind', served);
    await adminActs(home.agentNft, agentNftAbi, 'admitPolicy', [policy]);
    await act(home.agentNft, agentNftAbi, 'bindPolicy', [goodsId, policy]);
    const again = await offer();
    expect(again).toMatchObject({ status: 409, body: { code: 'not-listed' } });
    expect(again.body.detail).toContain(
      `is bound to another policy than this service's (${policy}): it can be sold only where that one is served`,
    );
  });
});
