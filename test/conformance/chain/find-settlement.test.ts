import { encodeAbiParameters, encodeEventTopics, type Hex, keccak256, toHex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CATEGORIES } from '../../../agents/categories.ts';
import { settlementAbi } from '../../../chain/abi/settlement.ts';
import { type MintedAgent, mintAgent } from '../../../chain/clients/agents.ts';
import { setListed } from '../../../chain/clients/asset-listings.ts';
import { sessionKeys } from '../../../chain/clients/session-keys.ts';
import {
  type DealOnChain,
  type SignedDeal,
  settleDeal,
  signDeal,
} from '../../../chain/clients/settlement.ts';
import { type DevChain, fundWallet, mintDemoAsset } from '../../../chain/devnet/dev-wallets.ts';
import { findSettlement, type SettlementTerms } from '../../../chain/indexer/find-settlement.ts';
import { ethersReader } from '../../../chain/rpc/ethers/reader.ts';
import { rpc } from '../../../chain/rpc/json-rpc.ts';
import type { ChainReader } from '../../../chain/rpc/reader.ts';
import { viemReader } from '../../../chain/rpc/viem/reader.ts';
import { createSigner, type Signer } from '../../../chain/tx/signer.ts';
import { type TestChain, testChain } from '../../fixtures/chain/anvil.ts';

/** What strangers put on chain under the id of somebody's deal, and that none of it counts as the deal's settlement. */

const USD = 1_000_000n;
const keys = sessionKeys(`0x${'6f'.repeat(32)}`);
const [sellerKey, buyerKey, strangerKey] = [keys.at(0), keys.at(1), keys.at(2)];

let chain: TestChain;
let dev: DevChain;
let operator: Signer;
let alice: Signer;
let bob: Signer;
let seller: MintedAgent;
let buyer: MintedAgent;
let stranger: MintedAgent;
let now: number;
const readers = (): [ChainReader, ChainReader] => {
  const options = { rpcUrl: chain.url, chainId: chain.chainId };
  return [viemReader(options), ethersReader(options)];
};

beforeAll(async () => {
  chain = await testChain();
  const { accounts, deployment, url: rpcUrl, chainId } = chain;
  dev = { rpcUrl, deployment, operatorPrivateKey: accounts.operator.privateKey };
  [operator, alice, bob] = [accounts.operator, accounts.alice, accounts.bob].map(({ privateKey }) =>
    createSigner({ rpcUrl, chainId, privateKey }),
  ) as [Signer, Signer, Signer];
  now = Number((await readers()[0].head()).timestamp);
  const mint = (to: Hex, key: Hex, name: string) =>
    mintAgent(operator, deployment, {
      ...{
        to,
        tier: 1,
        paymentRef: keccak256(toHex(name)),
        key,
        keyValidUntil: now + 86_400,
        uri: 'http://x',
      },
      terms: {
        ...{ mandateHash: keccak256(toHex(name)), validAfter: 0, expiry: now + 86_400, sides: 3 },
        ...{ allowlistOnly: false, categories: 0n, allow: [], deny: [], offChain: [] },
        caps: { perDeal: 1_000n * USD, dayCap: 0n, weekCap: 0n, monthCap: 0n, totalCap: 0n, minPrice: 0n },
      },
    });
  seller = await mint(bob.address, sellerKey.address, 'seller');
  buyer = await mint(alice.address, buyerKey.address, 'buyer');
  stranger = await mint(alice.address, strangerKey.address, 'stranger');
  await fundWallet(dev, buyer.account, 500n * USD);
  await fundWallet(dev, stranger.account, 500n * USD);
}, 120_000);
afterAll(() => chain?.stop());

let count = 0;

/** A deal as it was matched, its lot deposited and listed by its seller. */
async function matched(): Promise<{ terms: SettlementTerms; deal: DealOnChain }> {
  const tokenId = await mintDemoAsset(dev, seller.account);
  await setListed(
    bob,
    chain.deployment,
    { agentId: seller.tokenId, asset: chain.deployment.assets, tokenId },
    1n,
  );
  const terms: SettlementTerms = {
    dealId: keccak256(toHex(`deal ${++count}`)),
    ...{ seller: seller.account, buyer: buyer.account, asset: chain.deployment.assets, tokenId },
    ...{ token: chain.deployment.usdc, price: 50n * USD, fee: USD },
  };
  const { fee: _, ...deal } = terms;
  const category = CATEGORIES.indexOf('digital-products');
  return { terms, deal: { ...deal, category, deadline: now + 80_000, state: 0n } };
}

async function settle(deal: DealOnChain, buying = buyerKey, kind: 'deal' | 'name' = 'deal') {
  const signed: SignedDeal = {
    ...{ kind, deal, sellerKey: sellerKey.address, buyerKey: buying.address },
    sellerSignature: await signDeal(sellerKey, chain.deployment, deal, kind),
    buyerSignature: await signDeal(buying, chain.deployment, deal, kind),
  };
  return await settleDeal(operator, chain.deployment, signed);
}

async function found(terms: SettlementTerms) {
  const [one, other] = await Promise.all(readers().map((r) => findSettlement(r, chain.deployment, terms)));
  expect(other).toEqual(one);
  return one!;
}

describe('the settlement of a deal', () => {
  it('is found where the contract settled the deal itself, of both kinds', async () => {
    const { terms, deal } = await matched();
    const { tx, block } = await settle(deal);
    expect(await found(terms)).toEqual({ kind: 'settled', tx, block });
    const name = await matched();
    const done = await settle(name.deal, buyerKey, 'name');
    expect(await found({ ...name.terms, fee: 2_500_000n })).toEqual({ kind: 'settled', ...done });
  });

  it('is not the sale of the same lot under the same id to another buyer', async () => {
    const { terms, deal } = await matched();
    await settle({ ...deal, buyer: stranger.account }, strangerKey);
    // The id belongs to each pair by itself: a stranger does not use it up.
    expect(await found(terms)).toEqual({ kind: 'none' });
  });

  it('is not the sale of another lot between the same two at the same price', async () => {
    const { terms } = await matched();
    const junk = await matched();
    const { tx } = await settle({ ...junk.deal, dealId: terms.dealId });
    expect(await found(terms)).toEqual({ kind: 'taken', tx });
  });

  it('is not the sale of the same lot at another price, or by the other rule of fees', async () => {
    const cheap = await matched();
    const one = await settle({ ...cheap.deal, price: 1n });
    expect(await found(cheap.terms)).toEqual({ kind: 'taken', tx: one.tx });
    const named = await matched();
    const two = await settle(named.deal, buyerKey, 'name');
    expect(await found(named.terms)).toEqual({ kind: 'taken', tx: two.tx });
  });

  it('is not an event that somebody else emits with every field right', async () => {
    const { terms } = await matched();
    const { dealId, seller: sold, buyer: bought } = terms;
    const topics = encodeEventTopics({
      abi: settlementAbi,
      eventName: 'DealSettled',
      args: { dealId, seller: sold, buyer: bought },
    }) as Hex[];
    const data = encodeAbiParameters(
      ['address', 'uint256', 'address', 'uint256', 'uint256'].map((type) => ({ type })),
      [terms.asset, terms.tokenId, terms.token, terms.price, terms.fee],
    );
    const impostor = await deployEcho();
    await alice.receipt(
      await alice.send({
        to: impostor,
        data: `0x${[...topics, data].map((p) => p.slice(2)).join('')}`,
        gas: 200_000n,
      }),
    );
    const [reader] = readers();
    const emitted = {
      topics: [topics[0] as Hex, dealId],
      fromBlock: 0n,
      toBlock: (await reader.head()).number,
    };
    expect(await reader.logs({ ...emitted, address: impostor })).toHaveLength(1);
    expect(await found(terms)).toEqual({ kind: 'none' });
  });

  it('is not an event of a block that was taken back, before or while it is looked at', async () => {
    const { terms, deal } = await matched();
    const { tx } = await settle(deal);
    const reader = viemReader({ rpcUrl: chain.url, chainId: chain.chainId });
    const slipping: ChainReader = {
      ...reader,
      logs: async (query) => {
        const logs = await reader.logs(query);
        await rpc(chain.url, 'anvil_reorg', [1, []]);
        return logs;
      },
    };
    await expect(findSettlement(slipping, chain.deployment, terms)).rejects.toMatchObject({
      kind: 'reorganised',
    });
    // What was taken back is mined again by nobody here.
    await rpc(chain.url, 'anvil_dropTransaction', [tx]);
    expect(await found(terms)).toEqual({ kind: 'none' });
  });

  it('is asked of the chain that the contract is on, and of no other', async () => {
    const { terms } = await matched();
    const [reader] = readers();
    await expect(findSettlement(reader, { ...chain.deployment, chainId: 84532 }, terms)).rejects.toThrow(
      'chain 1002 was asked of chain 84532',
    );
  });
});

/** A contract that emits whatever it is sent: four topics, then the data. */
async function deployEcho(): Promise<Hex> {
  const runtime = '606035604035602035600035608036038060806000376000a400';
  await rpc(chain.url, 'anvil_impersonateAccount', [chain.accounts.alice.address]);
  const hash = await rpc<Hex>(chain.url, 'eth_sendTransaction', [
    { from: chain.accounts.alice.address, data: `0x601a600c600039601a6000f3${runtime}`, gas: toHex(500_000) },
  ]);
  const { contractAddress } = await rpc<{ contractAddress: Hex }>(chain.url, 'eth_getTransactionReceipt', [
    hash,
  ]);
  return contractAddress;
}
