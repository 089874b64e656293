import { encodeFunctionData, type Hex, keccak256, parseAbi, toHex } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CATEGORIES } from '../../../agents/categories.ts';
import { lowerAddress } from '../../../agents/ids.ts';
import { agentAccountAbi } from '../../../chain/abi/agent-account.ts';
import { settlementAbi } from '../../../chain/abi/settlement.ts';
import { spendPolicyAbi } from '../../../chain/abi/spend-policy.ts';
import { type MintedAgent, mintAgent } from '../../../chain/clients/agents.ts';
import { setListed } from '../../../chain/clients/asset-listings.ts';
import { sessionKeys } from '../../../chain/clients/session-keys.ts';
import { type DealOnChain, SETTLE_GAS, signDeal } from '../../../chain/clients/settlement.ts';
import { type DevChain, fundWallet } from '../../../chain/devnet/dev-wallets.ts';
import { rpc } from '../../../chain/rpc/json-rpc.ts';
import { viemReader } from '../../../chain/rpc/viem/reader.ts';
import { createSigner, type Signer } from '../../../chain/tx/signer.ts';
import { transact } from '../../../chain/tx/transact.ts';
import { burntBy, whyBurnt } from '../../../runtime/market/public.ts';
import { takeEachGas } from '../../../store/payments/relay-budgets.ts';
import { type TestChain, testChain } from '../../fixtures/chain/anvil.ts';
import { runtimeCodes } from '../../fixtures/contracts/runtime-code.ts';
import { type TestDatabase, testDatabase } from '../../fixtures/postgres.ts';

/** Settlements that a real chain refuses in a block, of collections that many honest projects use, and of one that burns. */

const OZ = '@openzeppelin/contracts';
const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;
import {ERC721} from "${OZ}/token/ERC721/ERC721.sol";
import {ERC721Enumerable} from "${OZ}/token/ERC721/extensions/ERC721Enumerable.sol";
import {ERC721Votes} from "${OZ}/token/ERC721/extensions/ERC721Votes.sol";
import {EIP712} from "${OZ}/utils/cryptography/EIP712.sol";
contract Listed is ERC721Enumerable {
  constructor() ERC721("", "") {}
  function mint(address to, uint256 id) external { _mint(to, id); }
}
contract Voting is ERC721Enumerable, ERC721Votes {
  constructor() ERC721("", "") EIP712("", "") {}
  function mint(address to, uint256 id) external { _mint(to, id); }
  // Who names nobody votes for himself, as in Nouns.
  function delegates(address account) public view override returns (address) {
    address to = super.delegates(account);
    return to == address(0) ? account : to;
  }
  function _update(address to, uint256 id, address by) internal override(ERC721Enumerable, ERC721Votes) returns (address) { return super._update(to, id, by); }
  function _increaseBalance(address who, uint128 by) internal override(ERC721Enumerable, ERC721Votes) { super._increaseBalance(who, by); }
  function supportsInterface(bytes4 id) public view override(ERC721, ERC721Enumerable) returns (bool) { return super.supportsInterface(id); }
}
contract Burning is ERC721 {
  constructor() ERC721("", "") {}
  function mint(address to, uint256 id) external { _mint(to, id); }
  function _update(address to, uint256 id, address by) internal override returns (address) {
    if (by != address(0)) while (true) {}
    return super._update(to, id, by);
  }
}`;
const USD = 1_000_000n;
const PRICE = 10n * USD;
const keys = sessionKeys(`0x${'7c'.repeat(32)}`);
const [sellerKey, buyerKey] = [keys.at(0), keys.at(1)];

let database: TestDatabase;
let chain: TestChain;
let dev: DevChain;
let [operator, bob, alice]: Signer[] = [];
let seller: MintedAgent;
let buyer: MintedAgent;
let now: number;
let codes: ReadonlyMap<string, string>;
let count = 0;

beforeAll(async () => {
  [database, chain] = await Promise.all([testDatabase(), testChain()]);
  codes = runtimeCodes({ 'collections.sol': SOURCE });
  const { accounts, deployment, url: rpcUrl, chainId } = chain;
  dev = { rpcUrl, deployment, operatorPrivateKey: accounts.operator.privateKey };
  [operator, bob, alice] = (['operator', 'bob', 'alice'] as const).map((name) =>
    createSigner({ rpcUrl, chainId, privateKey: accounts[name].privateKey }),
  );
  now = Number((await viemReader({ rpcUrl, chainId }).head()).timestamp);
  const mint = (to: Hex, key: Hex, name: string) =>
    mintAgent(operator!, deployment, {
      ...{ to, tier: 1, paymentRef: keccak256(toHex(name)), key, keyValidUntil: now + 86_400, uri: '' },
      terms: {
        ...{ mandateHash: keccak256(toHex(name)), validAfter: 0, expiry: now + 86_400, sides: 3 },
        ...{ allowlistOnly: false, categories: 0n, allow: [], deny: [], offChain: [] },
        caps: {
          perDeal: PRICE,
          dayCap: 100n * USD,
          weekCap: 0n,
          monthCap: 0n,
          totalCap: 900n * USD,
          minPrice: 0n,
        },
      },
    });
  seller = await mint(accounts.bob.address, sellerKey.address, 'burnt seller');
  buyer = await mint(accounts.alice.address, buyerKey.address, 'burnt buyer');
}, 120_000);
afterAll(async () => {
  await Promise.all([chain?.stop(), database?.drop()]);
});
beforeEach(async () => {
  await database.db.deleteFrom('relay_budgets').execute();
});

/** Counts a settlement that was refused in a block, as it is kept for each deal. */
async function countBurnt(...[services, ...refused]: Parameters<typeof burntBy>): Promise<void> {
  const charges = await burntBy(services, ...refused);
  await services.db.transaction().execute((trx) => takeEachGas(trx, charges, services.now()));
}

/** What a settlement of a thing of the collection burns that is refused in a block, and how often it counts until none is tried. */
async function refused(
  name: 'Listed' | 'Voting' | 'Burning',
  around: (settle: () => Promise<Hex>) => Promise<Hex> = (settle) => settle(),
) {
  const asset: Hex = `0x${(++count).toString(16).padStart(40, 'c')}`;
  const { url, deployment, chainId } = chain;
  await rpc(url, 'anvil_setCode', [asset, codes.get(name)]);
  const abi = parseAbi(['function mint(address to, uint256 id)']);
  for (const tokenId of [1n, 2n, 3n])
    await transact(operator!, {
      to: asset,
      abi,
      functionName: 'mint',
      args: [seller.account, tokenId],
      gas: 900_000n,
    });
  await setListed(bob!, deployment, { agentId: seller.tokenId, asset, tokenId: 1n }, 1n);
  const deal: DealOnChain = {
    ...{ dealId: keccak256(toHex(`burnt ${count}`)), seller: seller.account, buyer: buyer.account, asset },
    ...{ tokenId: 1n, token: deployment.usdc, price: PRICE, state: 0n },
    ...{ category: CATEGORIES.indexOf('digital-products'), deadline: now + 80_000 },
  };
  const signatures = await Promise.all([sellerKey, buyerKey].map((key) => signDeal(key, deployment, deal)));
  const args = [deal, sellerKey.address, signatures[0]!, buyerKey.address, signatures[1]!] as const;
  const data = encodeFunctionData({ abi: settlementAbi, functionName: 'settle', args });
  const hash = await around(() => operator!.send({ to: deployment.settlement, data, gas: SETTLE_GAS }));
  const { status, gasUsed, blockNumber: block } = await operator!.receipt(hash);
  expect(status).toBe('reverted');
  const services = {
    ...{ db: database.db, now: () => new Date() },
    home: { deployment, settlement: operator, readers: { viem: viemReader({ rpcUrl: url, chainId }) } },
  } as unknown as Parameters<typeof burntBy>[0];
  const { accounts } = chain;
  const sold: Parameters<typeof whyBurnt>[1] = {
    asset: { kind: 'token', chainId: 1002, contract: lowerAddress(asset), tokenId: '1' },
    ...{ assetKey: `token:1002:${asset}:1`, seller: accounts.bob.address },
    buyer: { owner: accounts.alice.address, tokenId: buyer.tokenId },
  };
  let tried = 0;
  while (tried < 20 && (await whyBurnt(services, sold)) === null) {
    tried++;
    await countBurnt(services, sold, { hash, block, payment: { ...deal, key: buyerKey.address } });
  }
  const other = { owner: accounts.carol.address, tokenId: 99n };
  return {
    ...{ gasUsed, tried },
    sellerHeld: await whyBurnt(services, { ...sold, buyer: other }),
    buyerHeld: await whyBurnt(services, {
      ...sold,
      seller: accounts.carol.address,
      asset: { ...sold.asset, contract: `0x${'77'.repeat(20)}` } as never,
    }),
  };
}

const ERC20 = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function transfer(address, uint256)',
]);
const usdcOf = async (account: Hex) =>
  BigInt(
    await alice!.call({
      to: chain.deployment.usdc,
      data: encodeFunctionData({ abi: ERC20, functionName: 'balanceOf', args: [account] }),
    }),
  );
const transfer = (to: Hex, amount: bigint) =>
  encodeFunctionData({ abi: ERC20, functionName: 'transfer', args: [to, amount] });

interface Call {
  readonly to: Hex;
  readonly data: Hex;
}
const payOut = (amount: bigint): Call => ({
  to: buyer.account,
  data: encodeFunctionData({
    abi: agentAccountAbi,
    functionName: 'execute',
    args: [chain.deployment.usdc, 0n, transfer(alice!.address, amount), 0],
  }),
});

const emptied = async () => {
  const { data, to } = payOut(await usdcOf(buyer.account));
  await alice!.receipt(await alice!.send({ to, data, gas: 300_000n }));
};

/** The buyer's owner does one thing before the settlement and another after it, all in one block. */
const within = (before: Call, after: Call) => async (settle: () => Promise<Hex>) => {
  const { url } = chain;
  const from = alice!.address;
  await rpc(url, 'evm_setAutomine', [false]);
  try {
    await rpc(url, 'anvil_impersonateAccount', [from]);
    const nonce = Number(await rpc(url, 'eth_getTransactionCount', [from, 'latest']));
    const send = (call: Call, ahead: number, maxFee: bigint) =>
      rpc<Hex>(url, 'eth_sendTransaction', [
        {
          ...{ from, ...call, gas: toHex(400_000), nonce: toHex(nonce + ahead) },
          ...{ maxFeePerGas: toHex(maxFee), maxPriorityFeePerGas: '0x0' },
        },
      ]);
    const { maxFeePerGas } = operator!;
    const first = await send(before, 0, maxFeePerGas * 2n);
    const hash = await settle();
    const last = await send(after, 1, maxFeePerGas - 1n);
    await rpc(url, 'evm_mine', []);
    const receipts = await Promise.all(
      [first, hash, last].map((each) =>
        rpc<{ status: string; transactionIndex: string }>(url, 'eth_getTransactionReceipt', [each]),
      ),
    );
    expect(receipts.map(({ status }) => status)).toEqual(['0x1', '0x0', '0x1']);
    expect(receipts.map(({ transactionIndex }) => Number(transactionIndex))).toEqual([0, 1, 2]);
    return hash;
  } finally {
    await rpc(url, 'anvil_stopImpersonatingAccount', [from]);
    await rpc(url, 'evm_setAutomine', [true]);
  }
};

describe('a settlement that is refused in a block', () => {
  it.each(['Listed', 'Voting'] as const)(
    'for the buyer’s want of money stops the buyer alone, of an honest collection that is %s',
    async (name) => {
      await emptied();
      const { gasUsed, tried, sellerHeld, buyerHeld } = await refused(name);
      expect(gasUsed).toBeGreaterThan(300_000n);
      expect(gasUsed).toBeLessThan(450_000n);
      expect(tried).toBeLessThan(20);
      expect(sellerHeld).toBeNull();
      expect(buyerHeld).toMatch(/settlements of the (agent|buyer) /);
    },
  );

  it('for what the thing burns stops its seller and its collection, and never a buyer who could pay', async () => {
    await fundWallet(dev, buyer.account, 20n * USD);
    const { gasUsed, tried, sellerHeld, buyerHeld } = await refused('Burning');
    expect(gasUsed).toBeGreaterThan(650_000n);
    expect(tried).toBe(5);
    expect(sellerHeld).toMatch(/settlements of the (contract|seller) /);
    expect(buyerHeld).toBeNull();
  });

  it('for what the thing burns is paid by the buyer’s own budget where he took his money out meanwhile', async () => {
    await emptied();
    const { tried, sellerHeld, buyerHeld } = await refused('Burning');
    expect(tried).toBe(5);
    expect(sellerHeld).toBeNull();
    expect(buyerHeld).not.toBeNull();
  });

  it.each(['Listed', 'Voting'] as const)(
    'for money that is taken out and put back within the block stops the buyer alone, of a collection that is %s',
    async (name) => {
      await fundWallet(dev, buyer.account, 20n * USD);
      const balance = await usdcOf(buyer.account);
      const back = { to: chain.deployment.usdc, data: transfer(buyer.account, balance) };
      const { sellerHeld, buyerHeld } = await refused(name, within(payOut(balance), back));
      expect(sellerHeld).toBeNull();
      expect(buyerHeld).not.toBeNull();
    },
  );

  it('for a pause that is lifted within the block stops the buyer alone', async () => {
    await fundWallet(dev, buyer.account, 20n * USD);
    const paused = (to: boolean) => ({
      to: chain.deployment.policy,
      data: encodeFunctionData({
        abi: spendPolicyAbi,
        functionName: 'setPaused',
        args: [buyer.tokenId, to],
      }),
    });
    const { sellerHeld, buyerHeld } = await refused('Voting', within(paused(true), paused(false)));
    expect(sellerHeld).toBeNull();
    expect(buyerHeld).not.toBeNull();
  });

  it('for what the thing burns stops its seller where the buyer paid others within the block, and had enough left', async () => {
    await fundWallet(dev, buyer.account, 40n * USD);
    const { sellerHeld, buyerHeld } = await refused('Burning', within(payOut(USD), payOut(USD)));
    expect(sellerHeld).not.toBeNull();
    expect(buyerHeld).toBeNull();
  });
});
