import { type Abi, type Address, erc721Abi, keccak256, toHex } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { lowerAddress } from '../../agents/ids.ts';
import { spendPolicyAbi } from '../../chain/abi/spend-policy.ts';
import { type MintedAgent, mintAgent } from '../../chain/clients/agents.ts';
import { setListed } from '../../chain/clients/asset-listings.ts';
import { sessionKeys } from '../../chain/clients/session-keys.ts';
import { SETTLE_GAS, type SignedDeal, settleDeal } from '../../chain/clients/settlement.ts';
import { type DevChain, fundWallet } from '../../chain/devnet/dev-wallets.ts';
import { ethersReader } from '../../chain/rpc/ethers/reader.ts';
import { rpc } from '../../chain/rpc/json-rpc.ts';
import { ReaderError } from '../../chain/rpc/reader.ts';
import { viemReader } from '../../chain/rpc/viem/reader.ts';
import { createSigner, type Signer } from '../../chain/tx/signer.ts';
import { transact } from '../../chain/tx/transact.ts';
import { chainWatch } from '../../runtime/chain-sync/watch-chain.ts';
import { dealRecord } from '../../runtime/deal/deal-record.ts';
import { recordDealEffect } from '../../runtime/deal/record-deal.ts';
import { settleEffect } from '../../runtime/deal/settle.ts';
import type { EffectContext } from '../../runtime/durable/jobs/effect.ts';
import { recordIdOf } from '../../runtime/records/public.ts';
import type { Services } from '../../runtime/services.ts';
import type { Database, Trx } from '../../store/database.ts';
import { loadDeal } from '../../store/deal/deals.ts';
import { retractionOf } from '../../store/records/record-status.ts';
import { insertRecord } from '../../store/records/records.ts';
import { type TestChain, testChain } from '../fixtures/chain/anvil.ts';
import { type Arm, type HostileToken, hostileToken } from '../fixtures/chain/hostile-tokens.ts';
import { type MarketStage, marketStage } from '../fixtures/market-stage.ts';
import { type TestDatabase, testDatabase } from '../fixtures/postgres.ts';
import { pausesOver, quietQuarantine } from '../fixtures/quiet-quarantine.ts';

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
/** Before a lost settlement is sent again, or given up. */
let alone: () => Promise<unknown>;

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
    signRecord: async () => '0x5192ed',
    home: {
      ...{
        chainId,
        deployment,
        readers: { viem, ethers: ethersReader({ rpcUrl, chainId }) },
        settlement: operator,
        minter: operator,
      },
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
  [sent, meanwhile, alone] = [0, async () => {}, async () => {}];
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

const context = () =>
  ({ params: { dealId, determinedAt: Date.now(), round: 1 }, attempt: 1 }) as unknown as EffectContext;
const attempt = () => settleEffect(services).run(context());

/** How the settlement of a deal ends that the chain refuses: as an outcome, and not as what an operator has to mend. */
const refused = (reason: string) => ({
  event: { type: 'EFFECT_FAILED', effect: 'settle', reason: expect.stringContaining(reason) },
});

/** Lets the deadline of all that was signed pass. */
async function signaturesOver(): Promise<void> {
  await rpc(chain.url, 'evm_increaseTime', [300]);
  await rpc(chain.url, 'evm_mine', []);
}

/** The deal as it is booked, by determinations of that time, after a reorg removed its settlement. */
async function settlementRemoved(at: number, value: 'settled' | 'recorded' = 'settled'): Promise<void> {
  const { db } = database;
  const tx = `0x${'7'.repeat(64)}`;
  const booked = db.updateTable('deals').set({ state: value, tx, settled_block: 1n });
  await booked.where('deal_id', '=', dealId).execute();
  const matched = db.updateTable('matches').set({ settled_at: new Date(at), tx });
  await matched.where('deal_id', '=', dealId).execute();
  const context = {
    ...{ dealId, buyer: 'pass', seller: 'pass', decisionMs: 1_000, approvalMs: 1_000, round: 1, at },
    ...{ asked: {}, agreed: {}, tx, block: '1', reason: null },
  };
  const snapshot = { status: 'active', value, context, historyValue: {}, children: {} };
  const now = new Date();
  await db
    .insertInto('actors')
    .values({
      ...{ id: `deal:${dealId}`, kind: 'deal', version: 4, snapshot: JSON.stringify(snapshot) },
      ...{ status: 'active', created_at: now, updated_at: now },
    })
    .execute();
  if (value === 'recorded') return;
  const record = { kind: 'record-deal', params: JSON.stringify({ dealId }) };
  await db
    .insertInto('effects')
    .values({ ...record, key: `deal:${dealId}:1:0`, actor_id: `deal:${dealId}`, next_attempt_at: now })
    .execute();
}

/** A watch of the chain, at each look of which it has gone back. */
function watch(look = async () => ({ head: 100n, wentBack: true }), by = services): () => Promise<void> {
  const held = { stillMine: async () => true, fence: async () => {} };
  return chainWatch(by, look, async (act) => {
    await alone();
    return await act(held as Parameters<typeof act>[0]);
  });
}

/** The database, where something is done before each transaction. */
function beforeTransactions(act: () => Promise<unknown>): Database {
  const { db } = database;
  const transaction = () => ({
    execute: async (work: (trx: Trx) => Promise<unknown>) => {
      await act();
      return await db.transaction().execute(work);
    },
  });
  return new Proxy(db, {
    get: (target, name) => {
      const value = Reflect.get(target, name, target);
      if (name === 'transaction') return transaction;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
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
      await expect(attempt()).rejects.toMatchObject({ name: 'EffectError', retry: true, waitMs: 5_000 });
      await token.disarm();
    }
    expect(sent).toBe(1);
    await signaturesOver();
    expect(await attempt()).toEqual(refused('the chain refused the settlement'));
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

describe('a settlement that burns its gas in a block', () => {
  it.each([
    ['against its seller and contract', 0, ['contract', 'seller']],
    [
      'against all where the chain does not say at first who was to blame',
      1,
      ['agent', 'buyer', 'contract', 'seller'],
    ],
  ] as const)('is counted once, %s', async (_, failures, against) => {
    const { db } = database;
    await db.deleteFrom('relay_budgets').execute();
    const real = services.home.readers.viem;
    let left: number = failures;
    const read: typeof real.read = async (call) => {
      if (call.functionName === 'payDeal' && left-- > 0) throw new ReaderError('down', 'block not found');
      return await real.read(call);
    };
    const home = { ...services.home, readers: { ...services.home.readers, viem: { ...real, read } } };
    const run = () => settleEffect({ ...services, home } as unknown as Services).run(context());
    meanwhile = () => token.arm('an invalid opcode');
    await run().catch(() => {});
    await token.disarm();
    await run().catch(() => {});
    await signaturesOver();
    expect(await run()).toEqual(refused('the chain refused the settlement'));
    expect(sent).toBe(1);
    const budgets = await db.selectFrom('relay_budgets').selectAll().orderBy('subject').execute();
    expect(budgets.map(({ subject }) => subject.split(' ')[0])).toEqual(against);
    for (const { spent } of budgets) expect(spent).toBeLessThanOrEqual(SETTLE_GAS);
  });

  it('is counted with its refusal, or neither is kept', async () => {
    const { db } = database;
    await db.deleteFrom('relay_budgets').execute();
    const lost = new Error('the connection was lost');
    let lose = true;
    const losing = beforeTransactions(async () => {
      if (lose) throw lost;
    });
    const run = () => settleEffect({ ...services, db: losing }).run(context());
    meanwhile = () => token.arm('an invalid opcode');
    await expect(run()).rejects.toBe(lost);
    expect((await loadDeal(db, dealId)).refusal).toBeNull();
    lose = false;
    await token.disarm();
    await run().catch(() => {});
    expect((await loadDeal(db, dealId)).refusal).not.toBeNull();
    expect(await db.selectFrom('relay_budgets').selectAll().execute()).not.toEqual([]);
  });
});

describe('a token that refuses in the simulation', () => {
  it.each([...BORROWED, 'a revert below the gas of a settlement'] as const)(
    'by %s: nothing is sent, and the deal ends',
    async (arm) => {
      await token.arm(arm);
      expect(await attempt()).toEqual(refused('the chain refused the settlement'));
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

  it('is given up only when it was missed for as many blocks as a record rests on', async () => {
    await settlementRemoved(Date.now() - 300_000);
    const wary = { ...services, config: { ...services.config, confirmations: 3 } };
    const looks = [true, false, false].map((wentBack) => ({ head: 100n, wentBack }));
    const round = watch(async () => looks.shift()!, wary);
    await round();
    expect((await dealNow()).state).toBe('settled');
    await pausesOver(database.db);
    await rpc(chain.url, 'anvil_mine', ['0x2']);
    await round();
    expect((await dealNow()).state).toBe('settled');
    await pausesOver(database.db);
    await rpc(chain.url, 'anvil_mine', ['0x1']);
    await round();
    expect((await dealNow()).state).toBe('failed');
  });

  it('is read again however far the head has moved on', async () => {
    await settlementRemoved(Date.now() - 300_000);
    await watch(async () => ({ head: 1_000n, wentBack: true }))();
    expect((await dealNow()).state).toBe('failed');
  });

  it('is read again where its record is overdue, though nobody saw the chain go back', async () => {
    await settlementRemoved(Date.now() - 300_000);
    const lookAt = (head: bigint) => watch(async () => ({ head, wentBack: false }))();
    await lookAt(33n);
    expect((await dealNow()).state).toBe('settled');
    await lookAt(34n);
    expect((await dealNow()).state).toBe('failed');
  });

  it('is read again until it is settled or given up, wherever the head is by then', async () => {
    await settlementRemoved(Date.now() - 300_000, 'recorded');
    alone = () => Promise.reject(new Error('the database has no lock to give'));
    const looks = [100n, 1_000n].map((head) => ({ head, wentBack: head === 100n }));
    const round = watch(async () => looks.shift()!);
    await round();
    expect((await dealNow()).state).toBe('recorded');
    alone = async () => {};
    await pausesOver(database.db);
    const later = { root: `0x${'ab'.repeat(32)}`, size: 1, status: 'anchored', block: 1_000n } as const;
    await database.db
      .insertInto('batches')
      .values({ ...later, tx: null, anchored_at: null })
      .execute();
    await round();
    expect((await dealNow()).state).toBe('failed');
  });

  it('is not taken back beside a record that was filed meanwhile, but with it', async () => {
    const { db } = database;
    await settlementRemoved(Date.now() - 300_000);
    const deal = await loadDeal(db, dealId);
    const filed = (await dealRecord(services, deal, 1))!;
    // Right before the transaction that takes it back.
    const file = () => db.transaction().execute((trx) => insertRecord(trx, filed));
    const round = watch(undefined, { ...services, db: beforeTransactions(file) });
    await round();
    expect((await dealNow()).state).toBe('settled');
    await pausesOver(db);
    await round();
    expect((await dealNow()).state).toBe('failed');
    const { recordId } = filed.record;
    const refusal = recordIdOf('order-refused', `${dealId}:revoked`);
    expect((await retractionOf(db, recordId))?.reason).toContain(refusal);
  });

  it('is recorded once it is booked where it stands now, and not before', async () => {
    await settlementRemoved(Date.now());
    await attempt();
    await rpc(chain.url, 'anvil_mine', ['0x2']);
    const config = { ...services.config, confirmations: 1 };
    const record = () => recordDealEffect({ ...services, config }).run(context());
    await expect(record()).rejects.toMatchObject({
      retry: true,
      message: expect.stringContaining('stands in'),
    });
    await watch()();
    expect(await record()).toMatchObject({ event: { type: 'RECORDED' } });
    expect(sent).toBe(1);
  });

  it('is recorded only when both nodes hold it', async () => {
    await settlementRemoved(Date.now());
    await watch()();
    await rpc(chain.url, 'anvil_mine', ['0x2']);
    const { readers } = services.home;
    const record = (by: Partial<typeof readers>) => {
      const home = { ...services.home, readers: { ...readers, ...by } };
      const config = { ...services.config, confirmations: 1 };
      return recordDealEffect({ ...services, config, home }).run(context());
    };
    for (const name of ['viem', 'ethers'] as const) {
      const denying = { ...readers[name], read: async () => 0 };
      await expect(record({ [name]: denying })).rejects.toMatchObject({
        retry: true,
        message: expect.stringContaining('fewer than 1 blocks'),
      });
    }
    expect(await record({})).toMatchObject({ event: { type: 'RECORDED' } });
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
