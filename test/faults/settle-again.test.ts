import { type Abi, type Address, erc721Abi, keccak256, toHex } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { lowerAddress } from '../../agents/ids.ts';
import { spendPolicyAbi } from '../../chain/abi/spend-policy.ts';
import { type MintedAgent, mintAgent } from '../../chain/clients/agents.ts';
import { setListed } from '../../chain/clients/asset-listings.ts';
import { sessionKeys } from '../../chain/clients/session-keys.ts';
import { type SignedDeal, settleDeal } from '../../chain/clients/settlement.ts';
import { type DevChain, fundWallet } from '../../chain/devnet/dev-wallets.ts';
import { rpc } from '../../chain/rpc/json-rpc.ts';
import { viemReader } from '../../chain/rpc/viem/reader.ts';
import { createSigner, type Signer } from '../../chain/tx/signer.ts';
import { transact } from '../../chain/tx/transact.ts';
import { chainWatch } from '../../runtime/chain-sync/watch-chain.ts';
import { settleEffect } from '../../runtime/deal/settle.ts';
import type { EffectContext } from '../../runtime/durable/jobs/effect.ts';
import type { Services } from '../../runtime/services.ts';
import { type TestChain, testChain } from '../fixtures/chain/anvil.ts';
import { type Arm, type HostileToken, hostileToken } from '../fixtures/chain/hostile-tokens.ts';
import { type MarketStage, marketStage } from '../fixtures/market-stage.ts';
import { type TestDatabase, testDatabase } from '../fixtures/postgres.ts';
import { quietQuarantine } from '../fixtures/quiet-quarantine.ts';

/** Whether a settlement is sent once more: after the chain refused it, and after a reorg removed it. */

const USD = 1_000_000n;
const PRICE = 40n * USD;
const keys = sessionKeys(`0x${'5e'.repeat(32)}`);

let chain: TestChain;
let database: TestDatabase;
let market: MarketStage;
let operator: Signer;
let owner: Signer;
let buyer: MintedAgent;
let seller: MintedAgent;
let services: Services;
let token: HostileToken;
let dealId: string;
let sent: number;
/** Between the simulation of a settlement and its transaction. */
let meanwhile: (signed: SignedDeal) => Promise<unknown>;

beforeAll(async () => {
  [chain, database] = await Promise.all([testChain(), testDatabase()]);
  const { accounts, deployment, url: rpcUrl, chainId } = chain;
  const dev: DevChain = { rpcUrl, deployment, operatorPrivateKey: accounts.operator.privateKey };
  [operator, owner] = [accounts.operator, accounts.alice].map(({ privateKey }) =>
    createSigner({ rpcUrl, chainId, privateKey }),
  ) as [Signer, Signer];
  market = marketStage(database.db);
  seller = await mint('seller', owner.address, 0);
  buyer = await mint('buyer', accounts.bob.address, 1);
  await fundWallet(dev, buyer.account, 1_000n * USD);
  const viem = viemReader({ rpcUrl, chainId });
  services = {
    db: database.db,
    quarantine: quietQuarantine(database.db),
    now: () => new Date(),
    newId: (prefix: string) => `${prefix}_1`,
    crash: () => {},
    log: { info() {}, warn() {}, error() {} },
    config: { confirmations: 0 },
    sessionKeys: keys,
    home: {
      ...{ chainId, deployment, readers: { viem }, settlement: operator, minter: operator },
      settle: async (signed: SignedDeal) => {
        sent += 1;
        await meanwhile(signed);
        return await settleDeal(operator, deployment, signed);
      },
    },
  } as unknown as Services;
});
afterAll(async () => {
  await Promise.all([chain?.stop(), database?.drop()]);
});

async function mint(handle: string, to: Address, key: number): Promise<MintedAgent> {
  const until = Math.floor(Date.now() / 1000) + 10 * 86_400;
  const agent = await mintAgent(operator, chain.deployment, {
    to,
    tier: 1,
    paymentRef: keccak256(toHex(handle)),
    key: keys.at(key).address,
    keyValidUntil: until,
    uri: `http://127.0.0.1/agent/${handle}`,
    terms: {
      mandateHash: keccak256(toHex('mandate')),
      validAfter: 0,
      expiry: until,
      sides: 3,
      allowlistOnly: false,
      categories: 0n,
      caps: { perDeal: 50n * USD, dayCap: 0n, weekCap: 0n, monthCap: 0n, totalCap: 0n, minPrice: 0n },
      allow: [],
      deny: [],
      offChain: [],
    },
  });
  await market.agent(handle, lowerAddress(to));
  await database.db
    .updateTable('agents')
    .set({
      token_id: agent.tokenId,
      account: lowerAddress(agent.account),
      session_key_index: BigInt(key),
    })
    .where('handle', '=', handle)
    .execute();
  return agent;
}

beforeEach(async () => {
  [sent, meanwhile] = [0, async () => {}];
  token = await hostileToken(chain.url, owner, seller.account);
  const contract = lowerAddress(token.address);
  const { tokenId } = token;
  await setListed(owner, chain.deployment, { agentId: seller.tokenId, asset: contract, tokenId }, 1n);
  const lot = await market.list('seller', {
    owner: lowerAddress(owner.address),
    ask: PRICE,
    negotiable: false,
    asset: { kind: 'token', chainId: 1002, contract, tokenId: String(tokenId) },
  });
  const order = { owner: lowerAddress(chain.accounts.bob.address), limit: PRICE };
  dealId = (await market.order('buyer', lot, order)).match!.dealId;
});

const attempt = () =>
  settleEffect(services).run({
    params: { dealId, determinedAt: Date.now() },
    attempt: 1,
  } as unknown as EffectContext);

/** The deal as it is booked, by determinations of that time, after a reorg removed its settlement. */
async function settlementRemoved(at: number): Promise<void> {
  const { db } = database;
  const tx = `0x${'7'.repeat(64)}`;
  const booked = db.updateTable('deals').set({ state: 'settled', tx, settled_block: 1n });
  await booked.where('deal_id', '=', dealId).execute();
  const context = {
    ...{ dealId, buyer: 'pass', seller: 'pass', decisionMs: 1_000, round: 1, at },
    ...{ asked: {}, agreed: {}, tx, block: '1', reason: null },
  };
  const snapshot = { status: 'active', value: 'settled', context, historyValue: {}, children: {} };
  const now = new Date();
  await db
    .insertInto('actors')
    .values({
      ...{ id: `deal:${dealId}`, kind: 'deal', version: 4, snapshot: JSON.stringify(snapshot) },
      ...{ status: 'active', created_at: now, updated_at: now },
    })
    .execute();
}

/** A watch of the chain, at each look of which it has gone back. */
function watch(): () => Promise<void> {
  const held = { stillMine: async () => true, fence: async () => {} };
  const look = async () => ({ head: 100n, wentBack: true });
  return chainWatch(services, look, (act) => act(held as Parameters<typeof act>[0]));
}

const dealNow = async () =>
  await database.db
    .selectFrom('deals')
    .select(['state', 'reason'])
    .where('deal_id', '=', dealId)
    .executeTakeFirstOrThrow();

/** Reverts with the very bytes by which the settlement says that a deal came too late, or is settled already. */
const BORROWED: readonly Arm[] = [
  'the word of the settlement that a deal has expired',
  'the word of the settlement that a deal is settled',
];

describe('a token that refuses its settlement in a block by', () => {
  it.each(BORROWED)('%s: it is sent once, and the deal ends', async (arm) => {
    meanwhile = () => token.arm(arm);
    for (let tries = 0; tries < 3; tries++) {
      await expect(attempt()).rejects.toMatchObject({
        ...{ name: 'EffectError', retry: false },
        message: expect.stringContaining('the chain refused the settlement'),
      });
      await token.disarm();
    }
    expect(sent).toBe(1);
  });

  it.each(BORROWED)('%s: it is not sent again and again after a reorg', async (arm) => {
    await settlementRemoved(Date.now());
    meanwhile = () => token.arm(arm);
    const round = watch();
    for (let rounds = 0; rounds < 3; rounds++) {
      await round();
      await token.disarm();
    }
    expect(sent).toBe(1);
  });
});

describe('a token that refuses in the simulation', () => {
  it.each([...BORROWED, 'a revert below the gas of a settlement'] as const)(
    'by %s: nothing is sent, and the deal ends',
    async (arm) => {
      await token.arm(arm);
      await expect(attempt()).rejects.toMatchObject({ name: 'EffectError', retry: false });
      expect(sent).toBe(0);
    },
  );
});

describe('the settlement itself', () => {
  it('has a deal that came after its deadline signed anew', async () => {
    meanwhile = async () => {
      await rpc(chain.url, 'evm_increaseTime', [200]);
      meanwhile = async () => {};
    };
    await expect(attempt()).rejects.toMatchObject({ name: 'EffectError', retry: true });
    expect(await attempt()).toMatchObject({ event: { type: 'SETTLED' } });
    expect(sent).toBe(2);
    expect((await ownerOf(token.address)).toLowerCase()).toBe(buyer.account.toLowerCase());
  });

  it('has a deal that somebody settled before booked as settled', async () => {
    meanwhile = (signed) => settleDeal(owner, chain.deployment, signed);
    expect(await attempt()).toMatchObject({ event: { type: 'SETTLED' } });
    expect(sent).toBe(1);
  });
});

describe('a settlement that a reorg removed', () => {
  it('is sent once more, between the same owners and by determinations of now', async () => {
    await settlementRemoved(Date.now());
    await watch()();
    expect((await ownerOf(token.address)).toLowerCase()).toBe(buyer.account.toLowerCase());
    expect((await dealNow()).state).toBe('settled');
    expect(sent).toBe(1);
  });

  it('is given up where the determinations are too old to settle by', async () => {
    await settlementRemoved(Date.now() - 300_000);
    await watch()();
    expect(await dealNow()).toMatchObject({ state: 'failed', reason: expect.stringContaining('too old') });
    expect(sent).toBe(0);
  });

  it('is given up where an agent has another owner, even one who has given it a key', async () => {
    await settlementRemoved(Date.now());
    const { deployment, accounts, url: rpcUrl, chainId } = chain;
    const [from, to] = [accounts.bob, accounts.operator].map(({ privateKey }) =>
      createSigner({ rpcUrl, chainId, privateKey }),
    ) as [Signer, Signer];
    const send = (by: Signer, address: Address, abi: Abi, functionName: string, args: readonly unknown[]) =>
      transact(by, { to: address, abi, functionName, args, gas: 500_000n });
    await send(from, deployment.agentNft, erc721Abi, 'transferFrom', [
      from.address,
      to.address,
      buyer.tokenId,
    ]);
    const until = Math.floor(Date.now() / 1000) + 86_400;
    await send(to, deployment.policy, spendPolicyAbi as Abi, 'grantKey', [
      ...[buyer.tokenId, keys.at(2).address, until],
    ]);
    const agents = database.db.updateTable('agents').set({ session_key_index: 2n });
    await agents.where('handle', '=', 'buyer').execute();
    await watch()();
    expect(await dealNow()).toMatchObject({
      ...{ state: 'failed', reason: expect.stringContaining('has changed hands') },
    });
    expect(sent).toBe(0);
  });
});

async function ownerOf(contract: Address): Promise<Address> {
  const data = `0x6352211e${'1'.padStart(64, '0')}`;
  const answer = await rpc<string>(chain.url, 'eth_call', [{ to: contract, data }, 'latest']);
  return `0x${answer.slice(-40)}`;
}
