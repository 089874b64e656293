import { erc721Abi, type Hex, keccak256, toHex, zeroHash } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MandateTerms } from '../../../agents/mandate/terms/terms.ts';
import { merkleTree, verifyMerkleProof } from '../../../agents/records/merkle.ts';
import { agentNftAbi } from '../../../chain/abi/agent-nft.ts';
import {
  findByPayment,
  isKeyLive,
  type MintedAgent,
  mintAgent,
  readAgentOnChain,
  UNCAPPED,
} from '../../../chain/clients/agents.ts';
import { isListed, listByMessage, listingLine, setListed } from '../../../chain/clients/asset-listings.ts';
import { isApprovedForSettlement, readAssetOwner } from '../../../chain/clients/assets.ts';
import { anchorRoot, findAnchor, readAnchoredAt } from '../../../chain/clients/ledger.ts';
import type { OrderedAgent } from '../../../chain/clients/minted-as-ordered.ts';
import { sessionKeys } from '../../../chain/clients/session-keys.ts';
import {
  type DealOnChain,
  type SignedDeal,
  settleDeal,
  signDeal,
  simulateSettlement,
} from '../../../chain/clients/settlement.ts';
import { type DevChain, fundWallet, mintDemoAsset } from '../../../chain/devnet/dev-wallets.ts';
import { findSettlement } from '../../../chain/indexer/find-settlement.ts';
import { ethersReader } from '../../../chain/rpc/ethers/reader.ts';
import type { ChainReader } from '../../../chain/rpc/reader.ts';
import { viemReader } from '../../../chain/rpc/viem/reader.ts';
import { createSigner, type Signer } from '../../../chain/tx/signer.ts';
import { transact } from '../../../chain/tx/transact.ts';
import { type TestChain, testChain } from '../../fixtures/chain/anvil.ts';
import { unguarded } from '../../fixtures/unguarded.ts';

const USD = 1_000_000n;
const keys = sessionKeys(`0x${'5e'.repeat(32)}`);
const [buyerKey, sellerKey] = [keys.at(0), keys.at(1)];
const reference = (name: string) => keccak256(toHex(name));

let chain: TestChain;
let dev: DevChain;
let operator: Signer;
let alice: Signer;
let bob: Signer;
let buyer: MintedAgent;
let seller: MintedAgent;
/** Unix seconds of the chain. */
let now: number;

/** By what the words of owners are sent. */
const relay = () => ({
  signer: operator,
  reader: readers()[0]!,
  deployment: chain.deployment,
  guard: unguarded,
});

function readers(): ChainReader[] {
  const options = { rpcUrl: chain.url, chainId: chain.chainId };
  return [viemReader(options), ethersReader(options)];
}

function terms(change: Partial<MandateTerms> = {}): MandateTerms {
  return {
    mandateHash: reference('mandate'),
    validAfter: 0,
    expiry: now + 86_400,
    sides: 3,
    allowlistOnly: false,
    categories: 0n,
    caps: {
      perDeal: 50n * USD,
      dayCap: 80n * USD,
      weekCap: 0n,
      monthCap: 0n,
      totalCap: 500n * USD,
      minPrice: 0n,
    },
    allow: [],
    deny: [],
    offChain: [],
    ...change,
  };
}

function ordered(
  to: Hex,
  key: Hex,
  paymentRef: Hex,
  change: Partial<MandateTerms> = {},
): OrderedAgent & { readonly key: Hex } {
  return { to, tier: 1, paymentRef, key, keyValidUntil: now + 86_400, terms: terms(change) };
}

function mint(...order: Parameters<typeof ordered>) {
  return mintAgent(operator, chain.deployment, {
    ...ordered(...order),
    uri: 'http://127.0.0.1/agent/test',
  });
}

function give(from: Signer, to: Hex, contract: Hex, tokenId: bigint) {
  const args = [from.address, to, tokenId] as const;
  return transact(from, { to: contract, abi: erc721Abi, functionName: 'transferFrom', args, gas: 300_000n });
}

beforeAll(async () => {
  chain = await testChain();
  const { accounts, deployment, url: rpcUrl, chainId } = chain;
  const signer = (privateKey: Hex) => createSigner({ rpcUrl, chainId, privateKey });
  dev = { rpcUrl, deployment, operatorPrivateKey: accounts.operator.privateKey };
  [operator, alice, bob] = [accounts.operator, accounts.alice, accounts.bob].map((a) =>
    signer(a.privateKey),
  ) as [Signer, Signer, Signer];
  now = Number((await readers()[0]!.head()).timestamp);
  buyer = await mint(alice.address, buyerKey.address, reference('buyer'));
  // A cap per deal holds a seller too: this one may sell for more than the buyer may pay.
  seller = await mint(bob.address, sellerKey.address, reference('seller'), {
    caps: { perDeal: 1_000n * USD, dayCap: 0n, weekCap: 0n, monthCap: 0n, totalCap: 0n, minPrice: 0n },
  });
  await fundWallet(dev, buyer.account, 200n * USD);
});

afterAll(() => chain.stop());

async function signed(deal: DealOnChain): Promise<SignedDeal> {
  await setListed(bob, chain.deployment, listingOf(deal.tokenId), 1n);
  return {
    deal,
    sellerKey: sellerKey.address,
    sellerSignature: await signDeal(sellerKey, chain.deployment, deal),
    buyerKey: buyerKey.address,
    buyerSignature: await signDeal(buyerKey, chain.deployment, deal),
  };
}

function dealOver(tokenId: bigint, name: string, change: Partial<DealOnChain> = {}): DealOnChain {
  const { assets, usdc } = chain.deployment;
  return {
    dealId: reference(name),
    seller: seller.account,
    buyer: buyer.account,
    asset: assets,
    tokenId,
    token: usdc,
    price: 40n * USD,
    category: 0,
    deadline: now + 900,
    state: 0n,
    ...change,
  };
}

const listingOf = (tokenId: bigint) => ({
  agentId: seller.tokenId,
  asset: chain.deployment.assets.toLowerCase() as Hex,
  tokenId,
});

const usdcOf = (reader: ChainReader, account: Hex, block: bigint) =>
  reader.read({
    address: chain.deployment.usdc,
    abi: [
      {
        type: 'function',
        name: 'balanceOf',
        stateMutability: 'view',
        inputs: [{ type: 'address', name: '' }],
        outputs: [{ type: 'uint256', name: '' }],
      },
    ],
    functionName: 'balanceOf',
    args: [account],
    block,
  });

describe('an agent on chain', () => {
  it('is minted with account, mandate, caps and a live key, and both readers say the same', async () => {
    const answers = await Promise.all(
      readers().map(async (reader) => {
        const { number } = await reader.head();
        const agent = await readAgentOnChain(reader, chain.deployment, buyer.tokenId, number);
        expect(await isKeyLive(reader, chain.deployment, buyer.tokenId, buyerKey.address, number)).toBe(true);
        expect(await isKeyLive(reader, chain.deployment, buyer.tokenId, sellerKey.address, number)).toBe(
          false,
        );
        return agent;
      }),
    );
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]).toMatchObject({
      owner: alice.address,
      account: buyer.account,
      mandateHash: reference('mandate'),
      mandateVersion: 1,
      validAfter: 0,
      expiry: now + 86_400,
      paused: false,
      balance: 200n * USD,
      limits: {
        perDeal: 50n * USD,
        day: 80n * USD,
        week: UNCAPPED,
        month: UNCAPPED,
        total: 500n * USD,
        spendable: 50n * USD,
      },
    });
  });

  it('is minted once for one payment, however many try at the same time', async () => {
    const order = ordered(alice.address, keys.at(9).address, reference('ten at once'));
    const tried = await Promise.allSettled(
      Array.from({ length: 10 }, () => mint(order.to, order.key, order.paymentRef)),
    );
    const minted = tried.flatMap((t) => (t.status === 'fulfilled' ? [t.value] : []));
    expect(minted).toHaveLength(1);
    for (const t of tried) {
      if (t.status === 'rejected')
        expect(t.reason).toMatchObject({ kind: 'reverted', errorName: 'PaymentAlreadyUsed' });
    }
    for (const reader of readers()) {
      expect(await findByPayment(reader, chain.deployment, order)).toEqual(minted[0]);
    }
  });

  it('is not that of a payment for which somebody else has minted it, to whomever', async () => {
    const order = ordered(alice.address, keys.at(8).address, reference('front-run'), {
      allow: [bob.address],
      allowlistOnly: true,
    });
    const { to, key, paymentRef } = order;
    await mint(to, key, paymentRef, { allow: [bob.address], allowlistOnly: true });
    for (const reader of readers()) {
      expect(await findByPayment(reader, chain.deployment, order)).toMatchObject({ key });
      for (const other of [
        { ...order, to: bob.address },
        { ...order, terms: { ...order.terms, allow: [] } },
      ])
        expect(await findByPayment(reader, chain.deployment, other)).toBe('taken');
    }
  });

  it('is not found by a payment that minted none', async () => {
    for (const reader of readers()) {
      const never = ordered(alice.address, keys.at(9).address, reference('never'));
      expect(await findByPayment(reader, chain.deployment, never)).toBeNull();
    }
  });

  it('that does not exist is reverted, never an empty agent', async () => {
    for (const reader of readers()) {
      const { number } = await reader.head();
      await expect(readAgentOnChain(reader, chain.deployment, 999n, number)).rejects.toMatchObject({
        kind: 'reverted',
      });
    }
  });

  it('loses its key, and keeps its caps, when it is transferred; the earlier block still says what was', async () => {
    const key = keys.at(20).address;
    const agent = await mint(alice.address, key, reference('to be sold'));
    const [reader] = readers() as [ChainReader, ChainReader];
    const before = await reader.head();
    await give(alice, bob.address, chain.deployment.agentNft, agent.tokenId);
    const after = await reader.head();
    const live = (block: bigint) => isKeyLive(reader, chain.deployment, agent.tokenId, key, block);
    expect([await live(before.number), await live(after.number)]).toEqual([true, false]);
    const [was, is] = await Promise.all(
      [before, after].map(({ number }) => readAgentOnChain(reader, chain.deployment, agent.tokenId, number)),
    );
    expect([was!.owner, is!.owner]).toEqual([alice.address, bob.address]);
    expect(is!.epoch).toBe(was!.epoch + 1);
  });

  it('is refused by name when a stranger mints it', async () => {
    const args = {
      to: alice.address,
      tier: 1 as const,
      paymentRef: reference('stranger'),
      key: buyerKey.address,
      keyValidUntil: now + 60,
      uri: '',
      terms: terms(),
    };
    await expect(mintAgent(alice, chain.deployment, args)).rejects.toMatchObject({
      kind: 'reverted',
      errorName: 'NotInRole',
    });
  });
});

describe('a deal on chain', () => {
  it('settles whole from a deposit, once, and is found again by its id', async () => {
    const tokenId = await mintDemoAsset(dev, seller.account);
    const deal = await signed(dealOver(tokenId, 'deposit'));
    const [reader] = readers() as [ChainReader, ChainReader];
    const before = await reader.head();
    const terms = { ...deal.deal, fee: 800_000n };
    expect(await findSettlement(reader, chain.deployment, terms)).toEqual({ kind: 'none' });
    await simulateSettlement(operator, chain.deployment, deal);
    const { tx } = await settleDeal(operator, chain.deployment, deal);
    for (const r of readers()) {
      expect(await findSettlement(r, chain.deployment, terms)).toMatchObject({ kind: 'settled', tx });
    }
    const after = await reader.head();
    const { vault, assets } = chain.deployment;
    const gained = await Promise.all(
      [buyer.account, seller.account, vault].map(
        async (a) =>
          ((await usdcOf(reader, a, after.number)) as bigint) -
          ((await usdcOf(reader, a, before.number)) as bigint),
      ),
    );
    expect(gained).toEqual([-40n * USD, 39_200_000n, 800_000n]);
    expect(await readAssetOwner(reader, assets, tokenId, after.number)).toBe(buyer.account);
    expect(await readAssetOwner(reader, assets, tokenId, before.number)).toBe(seller.account);

    await expect(simulateSettlement(operator, chain.deployment, deal)).rejects.toMatchObject({
      kind: 'reverted',
      errorName: 'DealAlreadySettled',
    });
    await expect(settleDeal(operator, chain.deployment, deal)).rejects.toMatchObject({
      kind: 'reverted',
      errorName: 'DealAlreadySettled',
      args: [deal.deal.dealId],
    });
  });

  it('settles from the wallet of an owner who approved the settlement for the token', async () => {
    const { assets, settlement } = chain.deployment;
    const tokenId = await mintDemoAsset(dev, bob.address);
    const [reader] = readers() as [ChainReader, ChainReader];
    const approved = async (r: ChainReader) =>
      isApprovedForSettlement(r, chain.deployment, { contract: assets, tokenId }, (await r.head()).number);
    expect(await Promise.all(readers().map(approved))).toEqual([false, false]);
    const args = [settlement, tokenId] as const;
    await transact(bob, { to: assets, abi: erc721Abi, functionName: 'approve', args, gas: 100_000n });
    expect(await Promise.all(readers().map(approved))).toEqual([true, true]);
    await settleDeal(
      operator,
      chain.deployment,
      await signed(dealOver(tokenId, 'owner-signed', { price: USD })),
    );
    expect(await readAssetOwner(reader, assets, tokenId, (await reader.head()).number)).toBe(buyer.account);
  });

  it('above a cap is refused by the name of the cap before anything is sent, and on chain, and moves nothing', async () => {
    const tokenId = await mintDemoAsset(dev, seller.account);
    const deal = await signed(dealOver(tokenId, 'too dear', { price: 51n * USD }));
    const [reader] = readers() as [ChainReader, ChainReader];
    const balance = async () => usdcOf(reader, buyer.account, (await reader.head()).number);
    const before = await balance();
    const refusal = {
      kind: 'reverted',
      errorName: 'PerDealCapExceeded',
      args: [buyer.tokenId, chain.deployment.usdc, 51n * USD, 50n * USD],
    };
    await expect(simulateSettlement(operator, chain.deployment, deal)).rejects.toMatchObject(refusal);
    await expect(settleDeal(operator, chain.deployment, deal)).rejects.toMatchObject(refusal);
    expect(await balance()).toBe(before);
    const { number } = await reader.head();
    expect(await readAssetOwner(reader, chain.deployment.assets, tokenId, number)).toBe(seller.account);
  });

  it('signed for other terms is refused', async () => {
    const tokenId = await mintDemoAsset(dev, seller.account);
    const honest = await signed(dealOver(tokenId, 'honest', { price: 2n * USD }));
    const cheaper = { ...honest, deal: { ...honest.deal, price: USD } };
    await expect(simulateSettlement(operator, chain.deployment, cheaper)).rejects.toMatchObject({
      kind: 'reverted',
      errorName: expect.stringMatching(/Signature/),
    });
  });
});

describe('an asset an agent may sell', () => {
  const wallet = keys.at(40);
  let mine: MintedAgent;

  async function words(tokenId: bigint, signer = wallet) {
    const listing = { ...listingOf(tokenId), agentId: mine.tokenId, minPrice: 5n * USD, change: 0, epoch: 1 };
    const line = listingLine(chain.deployment, { ...listing, deadline: now + 3_600 });
    const message = `market.test wants you to sign in:\n${signer.address}\n\n${line}\n\nNonce: ${tokenId}`;
    return { message, signature: await signer.signMessage({ message }) };
  }

  beforeAll(async () => {
    mine = await mint(wallet.address, keys.at(41).address, reference('lists'));
  });

  it('is listed by the text its owner signed, once, and both readers say so', async () => {
    const tokenId = await mintDemoAsset(dev, mine.account);
    const text = await words(tokenId);
    const wanted = { ...listingOf(tokenId), agentId: mine.tokenId };
    const stand = () =>
      Promise.all(readers().map(async (r) => isListed(r, chain.deployment, wanted, (await r.head()).number)));
    expect(await stand()).toEqual([false, false]);
    expect(await listByMessage(relay(), text)).toEqual({
      ...wanted,
      minPrice: 5n * USD,
      deadline: now + 3_600,
    });
    expect(await stand()).toEqual([true, true]);
    await expect(listByMessage(relay(), text)).rejects.toMatchObject({
      errorName: 'BadOwnerSignature',
    });
  });

  it('is not listed by a text of another signer, or one whose words were changed', async () => {
    const tokenId = await mintDemoAsset(dev, mine.account);
    const foreign = await words(tokenId, keys.at(41));
    const { message, signature } = await words(tokenId);
    const changed = {
      message: message.replace(`List token ${tokenId}`, `List token ${tokenId + 1n}`),
      signature,
    };
    for (const text of [foreign, changed]) {
      await expect(listByMessage(relay(), text)).rejects.toMatchObject({
        errorName: 'BadOwnerSignature',
      });
    }
    expect(await listByMessage(relay(), { message: 'Sell all of it.', signature })).toBeNull();
  });

  it('and was never listed does not settle, though both session keys sign', async () => {
    const tokenId = await mintDemoAsset(dev, seller.account);
    const deal = await signed(dealOver(tokenId, 'unlisted', { price: USD }));
    await setListed(bob, chain.deployment, listingOf(tokenId), null);
    await expect(settleDeal(operator, chain.deployment, deal)).rejects.toMatchObject({
      kind: 'reverted',
      errorName: 'AssetNotListed',
      args: [seller.tokenId, chain.deployment.assets, tokenId],
    });
  });
});

describe('an asset on chain', () => {
  it('that nobody holds, or in no collection, has no owner', async () => {
    for (const reader of readers()) {
      const { number } = await reader.head();
      expect(await readAssetOwner(reader, chain.deployment.assets, 10_000n, number)).toBeNull();
      expect(await readAssetOwner(reader, alice.address, 1n, number)).toBeNull();
    }
  });

  it('cannot be judged through a dead node: that is an error, not "nobody"', async () => {
    const dead = viemReader({ rpcUrl: 'http://127.0.0.1:1', chainId: 1002, retries: 0 });
    await expect(readAssetOwner(dead, chain.deployment.assets, 1n, 1n)).rejects.toMatchObject({
      kind: 'down',
    });
  });
});

describe('the ledger', () => {
  it('anchors a root once, tells when, and the proof of a record holds against it', async () => {
    const hashes = ['a', 'b', 'c'].map(reference);
    const tree = merkleTree(hashes);
    const [reader] = readers() as [ChainReader, ChainReader];
    const before = await reader.head();
    expect(await findAnchor(reader, chain.deployment, tree.root)).toBeNull();
    const anchor = await anchorRoot(operator, chain.deployment, tree.root, tree.size);
    for (const r of readers()) expect(await findAnchor(r, chain.deployment, tree.root)).toEqual(anchor);
    expect(await readAnchoredAt(reader, chain.deployment, tree.root, anchor.block!)).toBeGreaterThanOrEqual(
      now,
    );
    expect(await readAnchoredAt(reader, chain.deployment, tree.root, before.number)).toBe(0);
    expect(verifyMerkleProof(hashes[1]!, tree.proof(1), tree.root)).toBe(true);

    await expect(anchorRoot(operator, chain.deployment, tree.root, 3)).rejects.toMatchObject({
      kind: 'reverted',
      errorName: 'AlreadyAnchored',
    });
    await expect(anchorRoot(alice, chain.deployment, reference('other'), 1)).rejects.toMatchObject({
      kind: 'reverted',
      errorName: 'NotInRole',
    });
    await expect(anchorRoot(operator, chain.deployment, zeroHash, 0)).rejects.toThrow(RangeError);
  });
});

describe('a chain of the tests', () => {
  it('is made anew for each that asks: what one does the other does not see', async () => {
    const other = await testChain();
    try {
      expect(other.deployment).toEqual(chain.deployment);
      const reader = viemReader({ rpcUrl: other.url, chainId: 1002 });
      const { number } = await reader.head();
      const args = {
        address: other.deployment.agentNft,
        abi: agentNftAbi,
        functionName: 'balanceOf',
        args: [alice.address],
        block: number,
      };
      expect(await reader.read(args)).toBe(0n);
    } finally {
      await other.stop();
    }
  });
});
