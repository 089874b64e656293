import { encodeFunctionData, type Hex } from 'viem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Decision } from '../../agents/agent/decision.ts';
import { plan } from '../../agents/agent/plan.ts';
import type { MandateCommon } from '../../agents/determinations/mandate/mandate-evidence.ts';
import { judge } from '../../agents/determinations/panel/judge.ts';
import { testUsdcAbi } from '../../chain/abi/test-usdc.ts';
import { ethersReader } from '../../chain/rpc/ethers/reader.ts';
import { rpc } from '../../chain/rpc/json-rpc.ts';
import type { ChainReader } from '../../chain/rpc/reader.ts';
import { viemReader } from '../../chain/rpc/viem/reader.ts';
import type { LiveAgent } from '../../runtime/agent/live-agent.ts';
import { observe } from '../../runtime/agent/observe.ts';
import { planWeighed } from '../../runtime/agent/plan-weighed.ts';
import { followTransfers } from '../../runtime/chain-sync/follow-transfers.ts';
import type { EvidenceDeps } from '../../runtime/determinations/deps.ts';
import {
  findAgent as agentOf,
  gatherMandate,
} from '../../runtime/determinations/evidence/mandate/mandate.ts';
import { gatherDealPrice } from '../../runtime/determinations/evidence/price/prices.ts';
import { withTies } from '../../runtime/determinations/evidence/price/sale-ties.ts';
import { gatherUnread } from '../../runtime/determinations/gather.ts';
import { findAgent } from '../../store/agent/agents.ts';
import { type TestChain, testChain } from '../fixtures/chain/anvil.ts';
import { type MarketStage, marketStage } from '../fixtures/market-stage.ts';
import { type TestDatabase, testDatabase } from '../fixtures/postgres.ts';

/** Ten pairs of one's own wallets sell at 1,000 dollars each, and each seller gives its buyer the money back. */

const USD = 1_000_000n;
const CATEGORY = 'digital-products';
const MODE = { depth: '2-of-2', performer: 'AGENT' } as const;
const wallet = (n: number): string => `0x${n.toString(16).padStart(40, '0')}`;
const [THIEF, VICTIM] = [wallet(0x99), wallet(0x91)];

let chain: TestChain;
let database: TestDatabase;
let market: MarketStage;
let deps: EvidenceDeps;
let lot: string;

beforeAll(async () => {
  [chain, database] = await Promise.all([testChain(), testDatabase()]);
  const { db } = database;
  market = marketStage(db);
  market.tick(Date.now() - market.now().getTime());
  for (let i = 0; i < 10; i++) await washedSale(i);
  const options = { rpcUrl: chain.url, chainId: chain.chainId };
  const readers = { viem: viemReader(options), ethers: ethersReader(options) };
  const followed = { chainId: chain.chainId, deployment: chain.deployment };
  while (await followTransfers({ db }, { ...followed, readers }));
  await agent('thief', THIEF, wallet(0x98));
  await agent('victim', VICTIM, wallet(0x92));
  const structured = {
    ...{ side: 'buy', currency: 'USDC', cap_per_deal: '2000', max_pct_of_market: '90' },
    expires_at: '2030-01-01T00:00:00Z',
  };
  const terms = { version: 1, text: 't', hash: '0x', status: 'active' as const, tx: null };
  await db
    .insertInto('mandates')
    .values({ handle: 'victim', structured: JSON.stringify(structured), ...terms })
    .execute();
  lot = await market.list('thief', { owner: THIEF, ask: 890n * USD });
  deps = {
    ...{ db, readers: new Map([[chain.chainId, readers]]), now: market.now, seatTimeoutMs: 60_000 },
    deployments: new Map([[chain.chainId, chain.deployment]]),
  };
});
afterAll(async () => {
  await chain?.stop();
  await database?.drop();
});

async function agent(handle: string, owner: string, account: string): Promise<void> {
  await market.agent(handle, owner);
  await database.db.updateTable('agents').set({ account }).where('handle', '=', handle).execute();
}

async function send(from: string, to: string, usd: bigint): Promise<void> {
  await rpc(chain.url, 'anvil_setBalance', [from, '0x8ac7230489e80000']);
  await rpc(chain.url, 'anvil_impersonateAccount', [from]);
  const data = encodeFunctionData({
    abi: testUsdcAbi,
    functionName: 'transfer',
    args: [to as Hex, usd * USD],
  });
  const call = { from, to: chain.deployment.usdc, data, gas: '0x30d40' };
  const hash = await rpc<Hex>(chain.url, 'eth_sendTransaction', [call]);
  let receipt: { status: string } | null = null;
  while (receipt === null) receipt = await rpc(chain.url, 'eth_getTransactionReceipt', [hash]);
  expect(receipt?.status).toBe('0x1');
}

async function washedSale(i: number): Promise<void> {
  const { alice, carol } = chain.accounts;
  const [seller, buyer] = [wallet(0x5000 + i), wallet(0x6000 + i)];
  await agent(`seller${i}`, seller, wallet(0x7000 + i));
  await agent(`buyer${i}`, buyer, wallet(0x8000 + i));
  await send(carol.address, buyer, 1_000n);
  await send(alice.address, seller, 1_000n);
  const sold = await market.list(`seller${i}`, { owner: seller, ask: 1_000n * USD });
  const { match } = await market.order(`buyer${i}`, sold, { owner: buyer, limit: 1_000n * USD });
  const settled_at = market.tick();
  const { dealId } = match!;
  await database.db.updateTable('deals').set({ state: 'settled' }).where('deal_id', '=', dealId).execute();
  await database.db.updateTable('matches').set({ settled_at }).where('deal_id', '=', dealId).execute();
  await send(seller, buyer, 980n);
}

const priceEvidence = () =>
  gatherUnread(deps, 'price-intelligence', MODE, async () =>
    withTies(
      deps,
      await gatherDealPrice(deps.db, {
        ...{ category: CATEGORY, lot, parties: [THIEF, VICTIM], price: 890n * USD, now: market.now() },
      }),
    ),
  );

const mandateOf = async (price?: Awaited<ReturnType<typeof priceEvidence>>): Promise<MandateCommon> =>
  await gatherMandate(deps, {
    ...{ handle: 'victim', agent: await agentOf(deps.db, 'victim'), dealId: null, lot, now: market.now() },
    proposal: {
      ...{ side: 'buy', category: CATEGORY, price: String(890n * USD), chainId: chain.chainId },
      counterparty: wallet(0x98),
    },
    verdicts: {},
    ...(price === undefined ? {} : { price }),
  });

it('make no market, by which a mandate would pay its share of it', async () => {
  const price = await priceEvidence();
  expect(judge(price).verdict).toBe('INCONCLUSIVE');
  expect((await mandateOf(price)).marketMedian).toBeNull();
  expect((await mandateOf()).marketMedian).toBeNull();
});

it('leave the mandate that names a share of the market INCONCLUSIVE', async () => {
  const lasts = { ...{ day: '2000000000', week: '2000000000', month: '2000000000' }, total: '2000000000' };
  const facts = {
    ...{ owner: VICTIM, keyLive: true, mandateHash: '0x', funds: '2000000000', fault: null },
    remaining: { ...lasts, spendable: '2000000000' },
  };
  const made = await gatherUnread(deps, 'mandate-compliance', MODE, () => mandateOf());
  const seats = made.seats.map((seat) => ({ ...seat, facts }));
  const { verdict, checks } = judge({ ...made, seats });
  expect(checks.filter((c) => c.outcome !== 'PASS').map((c) => c.id)).toEqual(['mandate-market']);
  expect(verdict).toBe('INCONCLUSIVE');
});

it('make an agent bid nothing by itself', async () => {
  const lasts = { ...{ day: 2_000n, week: 2_000n, month: 2_000n, total: 2_000n }, perDeal: 2_000n };
  const limits = Object.fromEntries(
    Object.entries({ ...lasts, spendable: 2_000n }).map(([name, usd]) => [name, usd * USD]),
  );
  const live = {
    agent: await findAgent(deps.db, 'victim'),
    chain: { limits, balance: 2_000n * USD },
  } as unknown as LiveAgent;
  const seen = await observe(deps.db, live, { owner: VICTIM, lots: null, now: market.now() });
  const about = (decisions: readonly Decision[]) =>
    decisions.filter((d) => d.lot === lot).map((d) => [d.action, d.reason]);
  expect(about(plan(seen))).toEqual([['rest', 'worth']]);
  // Where the money cannot be followed it changes nothing; what could not be followed is followed again.
  const away = { ...deps, deployments: new Map(), now: market.now };
  const lost = new Map([[chain.chainId, { viem: silent(), ethers: silent() }]]);
  await expect(planWeighed({ ...away, readers: lost }, seen)).rejects.toMatchObject({ code: 'unavailable' });
  expect(about(await planWeighed(deps, seen))).toEqual([['leave', 'no-valuation']]);
  // It is kept for whoever asks.
  expect(about(await planWeighed({ ...deps, readers: lost }, seen))).toEqual([['leave', 'no-valuation']]);
});

/** A client whose chain answers nothing. */
function silent(): ChainReader {
  return {
    client: 'silent',
    chainId: chain.chainId,
    head: async () => {
      throw new Error('nobody answers');
    },
  } as unknown as ChainReader;
}
