import { type Abi, type Address, createWalletClient, erc721Abi, type Hex, http, publicActions } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { keccak } from '../../../agents/canonical.ts';
import { CATEGORIES } from '../../../agents/categories.ts';
import { settlementAbi } from '../../../chain/abi/settlement.ts';
import { spendPolicyAbi } from '../../../chain/abi/spend-policy.ts';
import { signDeal } from '../../../chain/clients/settlement.ts';
import { until } from '../../../runtime/cli/demo/client.ts';
import { mintAsset } from '../../../runtime/cli/dev.ts';
import { findRunning } from '../../../runtime/embedded/running.ts';
import { type ServiceFolder, serviceFolder } from '../../fixtures/service.ts';
import { type Agent, type Story, storyOn } from '../../fixtures/story-stage.ts';

/**
 * The id of a deal is public from the match on: a buyer settles a deal of her own under that id, for almost nothing.
 */

let folder: ServiceFolder;
let story: Story;
beforeAll(async () => {
  folder = await serviceFolder();
  await folder.start({ DECISION_SECONDS: '3600' });
  story = storyOn(folder);
  await story.importLists();
}, 300_000);
afterAll(() => folder?.remove());

const FAR = 2_000_000_000;
/** The clearing price of the deal: the midpoint of the seller's floor and the buyer's limit. */
const CLEARS_AT = 105_000_000n;
const PROCEEDS = CLEARS_AT - CLEARS_AT / 50n;

interface Stranger {
  readonly owner: PrivateKeyAccount;
  readonly buying: Agent;
  readonly selling: Agent;
}

/**
 * Two agents of one owner settle a worthless token between them for `price` micro-dollars. @returns the transaction, or
 * null if refused
 */
async function settleJunk(
  { owner, buying, selling }: Stranger,
  dealId: string,
  price: bigint,
): Promise<Hex | null> {
  const home = findRunning(folder.dataDir)!.chains['1002']!;
  const wallet = createWalletClient({
    account: owner,
    transport: http(home.rpcUrl),
    pollingInterval: 10,
  }).extend(publicActions);
  const send = async (address: Address, abi: Abi, functionName: string, args: readonly unknown[]) => {
    const hash = await wallet.writeContract({
      address,
      abi,
      functionName,
      args,
      chain: null,
      gas: 1_500_000n,
    });
    return await wallet.waitForTransactionReceipt({ hash });
  };
  const key = privateKeyToAccount(generatePrivateKey());
  for (const agent of [buying, selling])
    await send(home.policy, spendPolicyAbi, 'grantKey', [BigInt(agent.tokenId), key.address, FAR]);
  const junk = await mintAsset(folder.env, owner.address);
  const [asset, tokenId] = [junk.contract as Address, BigInt(junk.tokenId)];
  await send(asset, erc721Abi, 'transferFrom', [owner.address, selling.account, tokenId]);
  const offer = { agentId: BigInt(selling.tokenId), asset, tokenId, token: home.usdc, minPrice: 1n };
  await send(home.policy, spendPolicyAbi, 'list', [offer]);
  const deal = {
    ...{ dealId: keccak(dealId), seller: selling.account, buyer: buying.account, asset, tokenId },
    ...{
      token: home.usdc,
      price,
      category: CATEGORIES.indexOf('digital-products'),
      deadline: FAR,
      state: 0n,
    },
  };
  const signature = await signDeal(key, { ...home, chainId: 1002 }, deal);
  const done = await send(home.settlement, settlementAbi, 'settle', [
    deal,
    key.address,
    signature,
    key.address,
    signature,
  ]);
  return done.status === 'success' ? done.transactionHash : null;
}

it.each([
  { when: 'while the deal waits for its owner', waits: true, price: 1n },
  { when: 'at the price of the deal, while it waits for its owner', waits: true, price: CLEARS_AT },
  { when: 'while the deal settles by itself', waits: false, price: 1n },
])(
  'nothing counts as settled, signed or sold that did not move: a worthless settlement under the id of a deal $when',
  async ({ waits, price }) => {
    const n = crypto.randomUUID().slice(0, 6);
    const [seller, mallory] = await Promise.all([story.proceedingOwner(), story.proceedingOwner()]);
    const victim = await story.assemble(
      seller,
      `seller-${n}`,
      'Sell digital products, max 500 USDC per deal, for 30 days.',
    );
    const ask = waits ? ' ask me before anything above 100 USDC,' : '';
    const buying = await story.assemble(
      mallory,
      `buyer-${n}`,
      `Buy digital products, max 150 USDC per deal,${ask} for 30 days.`,
    );
    const selling = await story.assemble(
      mallory,
      `junk-${n}`,
      'Sell digital products, max 500 USDC per deal, for 30 days.',
    );
    const lot = await story.list(seller, victim, { askUsd: 120, floorUsd: 100 });
    await story.give(mallory, buying.account, 300);

    const placed = await story.order(mallory, buying, lot, 110);
    expect(placed.body.status).toBe('matched');
    const { dealId, matchId } = placed.body.match as { dealId: string; matchId: string };
    const squat = await settleJunk({ owner: mallory, buying, selling }, dealId, price);
    if (waits) {
      expect(squat).not.toBeNull();
      await until('the deal that waits for its owner', async () => {
        const { body } = await story.api.signedGet(mallory, `/agent/${buying.handle}/deals`);
        const deal = body.items.find((d: { dealId: string }) => d.dealId === dealId);
        return deal?.state === 'awaiting-owner' ? true : null;
      });
      const decision = { handle: buying.handle, decision: 'proceed' };
      expect((await story.api.signedPost(mallory, `/deals/${dealId}/decision`, decision)).status).toBe(202);
    }
    const told = await until('the end of the deal', async () => {
      const { body } = await story.api.signedGet(seller, `/agent/${victim.handle}/deals`);
      const deal = body.items.find((d: { dealId: string }) => d.dealId === dealId);
      return ['recorded', 'stopped', 'failed'].includes(deal?.state) ? deal : null;
    });

    const holder = (await story.chain().ownerOf(lot)).toLowerCase();
    // The id belongs to the pair: another pair's settlement under the same id does not use it up.
    expect(holder).toBe(buying.account.toLowerCase());
    expect(told.state).toBe('recorded');
    expect(told.tx).not.toBe(squat);
    const { items: kept } = (await story.api.get(`/agent/${victim.handle}/activity`)).body;
    expect(kept.filter((r: { kind: string }) => r.kind === 'deal-settled')).toHaveLength(1);
    expect(kept.filter((r: { kind: string }) => r.kind === 'flag-decision')).toEqual([]);
    const { items } = (await story.api.get('/matches?limit=100')).body;
    const row = items.find((m: { matchId: string }) => m.matchId === matchId);
    expect(row).toMatchObject({ state: 'settled', tx: told.tx });
    expect(await story.chain().usdcOf(victim.account)).toBe(PROCEEDS);
  },
  180_000,
);
