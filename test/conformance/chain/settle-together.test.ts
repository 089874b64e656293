import { type Hex, keccak256, toHex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CATEGORIES } from '../../../agents/categories.ts';
import { type MintedAgent, mintAgent } from '../../../chain/clients/agents.ts';
import { setListed } from '../../../chain/clients/asset-listings.ts';
import { readAssetOwner } from '../../../chain/clients/assets.ts';
import { sessionKeys } from '../../../chain/clients/session-keys.ts';
import { type Settle, settleTogether } from '../../../chain/clients/settle-together.ts';
import { type SignedDeal, settlePurpose, signDeal } from '../../../chain/clients/settlement.ts';
import { type DevChain, fundWallet, mintDemoAsset } from '../../../chain/devnet/dev-wallets.ts';
import { ChainError } from '../../../chain/rpc/chain-error.ts';
import { rpc } from '../../../chain/rpc/json-rpc.ts';
import { viemReader } from '../../../chain/rpc/viem/reader.ts';
import { createSigner, type Signer } from '../../../chain/tx/signer.ts';
import { type TestChain, testChain } from '../../fixtures/chain/anvil.ts';

/** Several deals of one moment on a real node, by the settlement contract's `settleMany`. */

const USD = 1_000_000n;
const PER_DEAL = 100n * USD;
const keys = sessionKeys(`0x${'7a'.repeat(32)}`);
const [sellerKey, buyerKey] = [keys.at(0), keys.at(1)];

let chain: TestChain;
let dev: DevChain;
let operator: Signer;
let bob: Signer;
let seller: MintedAgent;
let buyer: MintedAgent;
let now: number;
let count = 0;

beforeAll(async () => {
  chain = await testChain();
  const { accounts, deployment, url: rpcUrl, chainId } = chain;
  dev = { rpcUrl, deployment, operatorPrivateKey: accounts.operator.privateKey };
  const signerOf = (name: 'operator' | 'bob') =>
    createSigner({ rpcUrl, chainId, privateKey: accounts[name].privateKey });
  [operator, bob] = [signerOf('operator'), signerOf('bob')];
  now = Number((await viemReader({ rpcUrl, chainId }).head()).timestamp);
  const mint = (to: Hex, key: Hex, name: string) =>
    mintAgent(operator, deployment, {
      ...{ to, tier: 1, paymentRef: keccak256(toHex(name)), key, keyValidUntil: now + 86_400, uri: '' },
      terms: {
        ...{ mandateHash: keccak256(toHex(name)), validAfter: 0, expiry: now + 86_400, sides: 3 },
        ...{ allowlistOnly: false, categories: 0n, allow: [], deny: [], offChain: [] },
        caps: { perDeal: PER_DEAL, dayCap: 0n, weekCap: 0n, monthCap: 0n, totalCap: 0n, minPrice: 0n },
      },
    });
  seller = await mint(accounts.bob.address, sellerKey.address, 'seller');
  buyer = await mint(accounts.alice.address, buyerKey.address, 'buyer');
  await fundWallet(dev, buyer.account, 900n * USD);
}, 120_000);
afterAll(() => chain?.stop());

/** A deal that both sides signed, its lot deposited and listed by its seller. */
async function signed(price = 10n * USD, kind: 'deal' | 'name' = 'deal'): Promise<SignedDeal> {
  const tokenId = await mintDemoAsset(dev, seller.account);
  const listing = { agentId: seller.tokenId, asset: chain.deployment.assets, tokenId };
  await setListed(bob, chain.deployment, listing, 1n);
  const deal = {
    ...{ dealId: keccak256(toHex(`deal ${++count}`)), seller: seller.account, buyer: buyer.account },
    ...{ asset: chain.deployment.assets, tokenId, token: chain.deployment.usdc, price },
    ...{ category: CATEGORIES.indexOf('digital-products'), deadline: now + 80_000, state: 0n },
  };
  return {
    ...{ kind, deal, sellerKey: sellerKey.address, buyerKey: buyerKey.address },
    sellerSignature: await signDeal(sellerKey, chain.deployment, deal, kind),
    buyerSignature: await signDeal(buyerKey, chain.deployment, deal, kind),
  };
}

const several = async (n: number): Promise<SignedDeal[]> => {
  const all: SignedDeal[] = [];
  for (let i = 0; i < n; i++) all.push(await signed());
  return all;
};
const holderOf = async ({ deal }: SignedDeal) => {
  const reader = viemReader({ rpcUrl: chain.url, chainId: chain.chainId });
  return await readAssetOwner(reader, chain.deployment.assets, deal.tokenId, (await reader.head()).number);
};
const settler = (signer: Signer = operator): Settle => settleTogether(signer, chain.deployment);

/** What the signer sent, as functions of the settlement contract. */
function watched(over: Partial<Signer> = {}): { signer: Signer; sent: readonly string[][] } {
  const sent: string[][] = [];
  const signer: Signer = {
    ...operator,
    send: (transaction) => {
      sent.push([...(transaction.purposes ?? [])]);
      return operator.send(transaction);
    },
    ...over,
  };
  return { signer, sent };
}

describe('deals of one moment', () => {
  it('settle in one transaction, names among them, each under its own purpose', async () => {
    const deals = [...(await several(3)), await signed(10n * USD, 'name')];
    const { signer, sent } = watched();
    const settle = settler(signer);
    const done = await Promise.all(deals.map((deal) => settle(deal)));
    expect(new Set(done.map(({ tx }) => tx)).size).toBe(1);
    expect(sent).toEqual([deals.map(({ deal }) => settlePurpose(deal.dealId))]);
    for (const deal of deals) expect(await holderOf(deal)).toBe(buyer.account);
  });

  it('that are asked for one by one settle one by one', async () => {
    const { signer, sent } = watched();
    const settle = settler(signer);
    const [one, other] = await several(2);
    const { tx } = await settle(one!);
    expect((await settle(other!)).tx).not.toBe(tx);
    expect(sent.map((purposes) => purposes.length)).toEqual([1, 1]);
  });

  it('do not stop each other: one that is refused says why, as if it had been alone', async () => {
    const [one, dear, other] = [await signed(), await signed(PER_DEAL + USD), await signed()];
    const settle = settler();
    const [first, refused, last] = await Promise.allSettled([one, dear, other].map((deal) => settle(deal)));
    expect(first).toMatchObject({ status: 'fulfilled' });
    expect(last).toMatchObject({ status: 'fulfilled' });
    expect(refused).toMatchObject({
      reason: { kind: 'reverted', errorName: 'PerDealCapExceeded' },
    });
    expect([await holderOf(one), await holderOf(dear)]).toEqual([buyer.account, seller.account]);
  });

  it('are looked up by each purpose while they wait for a block', async () => {
    const deals = await several(2);
    await rpc(chain.url, 'evm_setAutomine', [false]);
    const settle = settler();
    const done = Promise.all(deals.map((deal) => settle(deal)));
    const waits = () => Promise.all(deals.map(({ deal }) => operator.underWay(settlePurpose(deal.dealId))));
    await expect.poll(waits).toEqual([true, true]);
    await rpc(chain.url, 'evm_setAutomine', [true]);
    await rpc(chain.url, 'evm_mine', []);
    await done;
    expect(await waits()).toEqual([false, false]);
  });

  it('settle one by one where a node does not take them together', async () => {
    const deals = await several(2);
    const { signer } = watched({
      send: (transaction) =>
        (transaction.purposes ?? []).length > 1
          ? Promise.reject(new ChainError('down', 'the transaction was not taken'))
          : operator.send(transaction),
    });
    const settle = settler(signer);
    const done = await Promise.all(deals.map((deal) => settle(deal)));
    expect(new Set(done.map(({ tx }) => tx)).size).toBe(2);
  });

  it('are all unknown where nobody heard whether they were taken, and none is sent again', async () => {
    const deals = await several(2);
    const { signer, sent } = watched();
    const lost: Signer = {
      ...signer,
      send: async (transaction) => {
        const hash = await signer.send(transaction);
        throw new ChainError('unknown', 'nobody heard', { hash });
      },
    };
    const settle = settler(lost);
    const done = await Promise.allSettled(deals.map((deal) => settle(deal)));
    for (const end of done) expect(end).toMatchObject({ reason: { kind: 'unknown' } });
    expect(sent).toHaveLength(1);
  });

  it('are at most twenty, and the others follow', async () => {
    const deals = await several(22);
    const { signer, sent } = watched();
    const settle = settler(signer);
    await Promise.all(deals.map((deal) => settle(deal)));
    expect(sent.map((purposes) => purposes.length)).toEqual([20, 2]);
  }, 120_000);
});
