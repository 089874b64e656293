import { sql } from 'kysely';
import {
  type Abi,
  type Address,
  createWalletClient,
  encodeFunctionData,
  erc721Abi,
  http,
  publicActions,
} from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentAccountAbi } from '../../../chain/abi/agent-account.ts';
import { type Answer, until } from '../../../runtime/cli/demo/client.ts';
import { requireEmbedded } from '../../../runtime/cli/dev.ts';
import { askedEvaluation } from '../../fixtures/actors/asked-evaluation.ts';
import { attested } from '../../fixtures/attested.ts';
import { boundWallet } from '../../fixtures/wallets/bound-wallet.ts';
import {
  confirmed,
  expectProblem,
  inDays,
  TRADES,
  type WireAgent,
  type WireListing,
  type WireStage,
  wireStage,
} from '../wire/wire-stage.ts';

/**
 * A family of agents: a person's wallet owns `head`; a wallet of the holder of `head` owns `inner`; a wallet of the
 * holder of `inner` owns `innermost`; and the account of `head`, which signs for nobody, owns `kept`.
 */

let stage: WireStage;
let first: PrivateKeyAccount;
let second: PrivateKeyAccount;
let seller: PrivateKeyAccount;
let buyer: PrivateKeyAccount;
let head: WireAgent;
let inner: WireAgent;
let innermost: WireAgent;
let kept: WireAgent;
let sells: WireAgent;
let buys: WireAgent;
let agentNft: Address;

const CATEGORY = 'digital-products';
/** The owners of these agents have no signed settings, so their mandates let their deals go on. */
const GOES_ON = 'If anything is inconclusive, go on.';
const TRADES_ON = `${TRADES} ${GOES_ON}`;

beforeAll(async () => {
  stage = await wireStage({ WATCH_SECONDS: '0' });
  agentNft = requireEmbedded(stage.env).running.chains['1002']!.agentNft;
  first = await stage.proceedingOwner();
  second = await stage.proceedingOwner();
  seller = await stage.proceedingOwner();
  buyer = await stage.proceedingOwner();
  const mandate = `Buy digital products, max 300 USDC per deal, until ${inDays(30)}. ${GOES_ON}`;
  head = await stage.agent(first);
  sells = await stage.agent(seller);
  buys = await stage.agent(buyer);
  inner = await stage.agent(first, { owner: await walletOf(head), mandate: TRADES_ON });
  innermost = await stage.agent(first, { owner: await walletOf(inner) });
  kept = await stage.agent(first, { into: head.account, mandate });
  for (const { account } of [head, inner, kept]) await stage.moveUsd(first, account, '200');
  await stage.moveUsd(buyer, buys.account, '200');
  for (const register of ['sanctions', 'known-scam'])
    await importRows(register, ['{"address":"0x00000000000000000000000000000000deadbeef"}']);
});
afterAll(() => stage.stop());

async function importRows(register: string, lines: readonly string[]): Promise<void> {
  const response = await fetch(`${stage.baseUrl}/register/${register}?source=test&${attested()}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stage.operatorKey}`, 'content-type': 'application/x-ndjson' },
    body: `${lines.join('\n')}\n`,
  });
  expect(response.status, await response.text()).toBe(201);
}

const idOf = async (agent: WireAgent): Promise<bigint> =>
  BigInt((await stage.api.get(`/agent/${agent.handle}`)).body.tokenId);

/** The wallet that belongs to the holder of an agent. */
const walletOf = async (agent: WireAgent): Promise<Address> =>
  await boundWallet(first, stage.rpcUrl, { contract: agentNft, tokenId: await idOf(agent) });

async function send(
  from: PrivateKeyAccount,
  call: { address: Address; abi: Abi; functionName: string; args: readonly unknown[] },
): Promise<void> {
  const wallet = createWalletClient({
    account: from,
    transport: http(stage.rpcUrl),
    pollingInterval: 20,
  }).extend(publicActions);
  const hash = await wallet.writeContract({ ...call, chain: null });
  expect((await wallet.waitForTransactionReceipt({ hash })).status).toBe('success');
}

const shows = (agent: WireAgent, status: string) =>
  until(`${agent.handle} to be ${status}`, async () =>
    (await stage.api.get(`/agent/${agent.handle}`)).body.status === status ? true : null,
  );

const bids = (by: PrivateKeyAccount, agent: WireAgent, lot: WireListing, limitUsd: number) =>
  stage.api.signedPost(by, '/order', {
    handle: agent.handle,
    side: 'buy',
    listingRef: lot.listingRef,
    category: CATEGORY,
    limitUsd,
  });

const matches = async (lot: WireListing): Promise<{ clearingPriceUsd: number; tx?: string }[]> =>
  (await stage.api.get(`/matches?lot=${encodeURIComponent(lot.key)}`)).body.items;

/** Waits until the buyer has a lot on chain, and throws the reason when its deal fails. */
async function settles(lot: WireListing): Promise<number> {
  return await until(`${lot.key} to be settled`, async () => {
    const [deal] = await stage.db
      .selectFrom('deals')
      .innerJoin('matches', 'matches.match_id', 'deals.match_id')
      .select(['deals.state', 'deals.reason'])
      .where('matches.asset_key', '=', lot.key)
      .execute();
    if (deal?.state === 'failed' || deal?.state === 'stopped')
      throw new Error(`${deal.state}: ${deal.reason}`);
    const [match] = await matches(lot);
    return match?.tx === undefined ? null : match.clearingPriceUsd;
  });
}

const ordersOf = async ({ handle }: WireAgent) =>
  await stage.db
    .selectFrom('orders')
    .select(['asset_key as lot', 'side', 'status'])
    .where('handle', '=', handle)
    .orderBy('seq')
    .execute();

describe('an agent that a chain of accounts owns', () => {
  it('is paused, resumed and given another mandate by the wallet at the end of the chain, here and on chain', async () => {
    await confirmed(stage, first, innermost, 'session', { action: 'pause' });
    await until('the chain to hold it', async () =>
      (await stage.api.get(`/agent/${innermost.handle}`)).body.heldBy?.includes('owner-on-chain')
        ? true
        : null,
    );
    await confirmed(stage, first, innermost, 'session', { action: 'resume' });
    await shows(innermost, 'active');
    await confirmed(stage, first, innermost, 'mandate', { mandate: TRADES_ON });
    await shows(innermost, 'active');
    const foreign = await stage.api.signedPost(seller, `/agent/${innermost.handle}/session`, {
      action: 'pause',
    });
    expectProblem(foreign, 401, 'signature-invalid');
  });

  it('sells what that wallet lists, and buys what it orders', async () => {
    const sold = await stage.listed(first, innermost, { askUsd: 60 });
    expect((await bids(buyer, buys, sold, 60)).body).toMatchObject({ status: 'matched' });
    expect(await settles(sold)).toBe(60);
    const bought = await stage.listed(seller, sells, { askUsd: 50 });
    expectProblem(await bids(seller, inner, bought, 50), 401, 'signature-invalid');
    expect((await bids(first, inner, bought, 50)).body).toMatchObject({ status: 'matched' });
    expect(await settles(bought)).toBe(50);
  });

  it('buys by its own evaluations when no wallet can sign for the account that owns it', async () => {
    const lot = await stage.listed(seller, sells, { askUsd: 80 });
    expectProblem(await bids(first, kept, lot, 80), 401, 'signature-invalid');
    const sales = [96, 98, 99, 100, 100, 100, 101, 102, 103, 104].map((priceUsd, i) =>
      JSON.stringify({
        item: `eip155:1002/erc721:${lot.contract}/${900_000 + i}`,
        category: CATEGORY,
        priceUsd,
        soldAt: new Date(Date.now() - (i + 1) * 86_400_000).toISOString(),
      }),
    );
    await importRows('comparables', sales);
    await askedEvaluation(stage.db, kept.handle, 'survey-of-kept-1');
    expect(await settles(lot)).toBe(80);
  });
});

describe('agents of one family', () => {
  it('never trade with each other, whatever owns what between them', async () => {
    const lot = await stage.listed(first, innermost, { askUsd: 60 });
    for (const agent of [head, inner])
      expect((await bids(first, agent, lot, 60)).body).toMatchObject({ status: 'resting' });
    await askedEvaluation(stage.db, kept.handle, 'survey-of-kept-2');
    expect((await ordersOf(kept)).filter((o) => o.lot === lot.key)).toEqual([]);
    const other = await stage.listed(first, head, { askUsd: 40 });
    expect((await bids(first, inner, other, 40)).body).toMatchObject({ status: 'resting' });
    expect([await matches(lot), await matches(other)]).toEqual([[], []]);
  });

  it('all stop when the agent at the top is sold, and then belong to another family', async () => {
    const dear = await stage.listed(seller, sells, { askUsd: 150 });
    expect((await bids(first, inner, dear, 50)).body).toMatchObject({ status: 'resting' });
    // It does not bid where another one of its family already bids.
    const free = await stage.listed(seller, sells, { askUsd: 150, negotiable: true, floorUsd: 140 });
    await askedEvaluation(stage.db, kept.handle, 'survey-of-kept-3');
    expect(await ordersOf(kept)).toContainEqual({ lot: free.key, side: 'buy', status: 'resting' });
    const old = await stage.agent(first);
    const own = await stage.agent(second);
    await stage.moveUsd(first, old.account, '100');
    await stage.moveUsd(second, own.account, '100');

    const wallet = (await stage.api.get(`/agent/${innermost.handle}`)).body.owner as Address;
    const settingsOfWallet = async () => (await stage.api.get(`/settings/${wallet}`)).body;
    await stage.api.signedPost(first, '/settings', { wallet, onInconclusive: 'proceed' });
    expect(await settingsOfWallet()).toMatchObject({ onInconclusive: 'proceed', chosen: ['onInconclusive'] });

    const { token } = (await stage.api.signedPost(first, '/read-sessions', { wallet })).body;
    const readBy = { headers: { authorization: `ReadSession ${token}` } };
    const ofInnermost = `${stage.baseUrl}/agent/${innermost.handle}/deals`;
    expect((await fetch(ofInnermost, readBy)).status).toBe(200);
    const subscribed = (by: PrivateKeyAccount, n: number) =>
      stage.api.signedPost(by, '/webhooks/subscriptions', { wallet, url: `http://127.0.0.1:9/${n}` });
    for (let n = 0; n < 10; n++) expect((await subscribed(first, n)).status).toBe(201);
    expectProblem(await subscribed(first, 10), 409, 'conflict');

    const args = [first.address, second.address, await idOf(head)];
    await send(first, { address: agentNft, abi: erc721Abi, functionName: 'transferFrom', args });
    for (const agent of [head, inner, innermost, kept]) {
      await shows(agent, 'paused');
      await until(`nothing of ${agent.handle} to rest`, async () =>
        (await ordersOf(agent)).some((o) => o.status === 'resting') ? null : true,
      );
    }
    expect([await matches(dear), await matches(free)]).toEqual([[], []]);

    // The activity of each agent shows that it was sold, with what, and to whom.
    const [was, is] = [first.address.toLowerCase(), second.address.toLowerCase()];
    for (const agent of [head, inner, innermost, kept]) {
      const sales = await until(`the sale in the activity of ${agent.handle}`, async () => {
        const { items } = (await stage.api.get(`/agent/${agent.handle}/activity?limit=100`)).body;
        const found = items.filter((r: { kind: string }) => r.kind === 'transferred');
        return found.length > 0 && found.every((r: { state: string }) => r.state === 'anchored')
          ? found
          : null;
      });
      expect(sales).toHaveLength(1);
      const { owner } = (await stage.api.get(`/agent/${agent.handle}`)).body;
      const went = `The agent ${agent.handle} went from ${was} to ${is}`;
      expect(sales[0].summary).toBe(
        agent === head ? `${went}.` : `${went}, with the account ${owner} that owns it.`,
      );
    }

    // The wallet at the end has another owner, whose mandate alone resumes them.
    const asked = await stage.api.signedPost(first, `/agent/${innermost.handle}/mandate`, {
      mandate: TRADES_ON,
    });
    expectProblem(asked, 401, 'signature-invalid');
    await confirmed(stage, second, innermost, 'mandate', { mandate: TRADES });
    await shows(innermost, 'active');
    // What the wallet's former holder chose holds for the next one no more.
    expect(await settingsOfWallet()).toMatchObject({ onInconclusive: 'stop', chosen: [] });
    expect((await fetch(ofInnermost, readBy)).status).toBe(401);
    expect((await subscribed(second, 11)).status).toBe(201);
    const lot = await stage.listed(second, innermost, { askUsd: 70 });
    expect((await bids(second, own, lot, 70)).body).toMatchObject({ status: 'resting' });
    expect((await bids(first, old, lot, 70)).body).toMatchObject({ status: 'matched' });
    await expect(settles(lot)).rejects.toThrow('stopped');
  });

  it('are taken out of an account that signs for nobody, and resumed, by the holder of its agent', async () => {
    const call = [head.account, second.address, await idOf(kept)] as const;
    const data = encodeFunctionData({ abi: erc721Abi, functionName: 'transferFrom', args: call });
    const args = [agentNft, 0n, data, 0];
    await send(second, { address: head.account, abi: agentAccountAbi as Abi, functionName: 'execute', args });
    await confirmed(stage, second, kept, 'mandate', { mandate: TRADES_ON });
    await shows(kept, 'active');
  });

  it('choose and are told nothing more by whom their account was sold while the signature was taken', async () => {
    const agent = await stage.agent(first);
    const wallet = await walletOf(agent);
    /** Sells the account while an act waits whose signature was verified, and counts as used in a moment. */
    const soldDuring = async (from: PrivateKeyAccount, to: PrivateKeyAccount, act: () => Promise<Answer>) => {
      const args = [from.address, to.address, await idOf(agent)];
      const waiting = async () => {
        const { rows } = await sql`select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(stage.db);
        return rows.length > 0 ? true : null;
      };
      const { acted } = await stage.db.transaction().execute(async (trx) => {
        await sql`lock table used_signatures in share mode`.execute(trx);
        const acted = act();
        await until('the act to wait', waiting, { timeoutMs: 30_000 });
        await send(from, { address: agentNft, abi: erc721Abi, functionName: 'transferFrom', args });
        return { acted };
      });
      return await acted;
    };
    const chosen = await soldDuring(first, second, () =>
      stage.api.signedPost(first, '/settings', { wallet, onInconclusive: 'proceed' }),
    );
    expect(chosen.status).toBe(200);
    expect((await stage.api.get(`/settings/${wallet}`)).body).toMatchObject({
      onInconclusive: 'stop',
      chosen: [],
    });

    const terms = { wallet, url: 'http://127.0.0.1:9/late' };
    const subscribed = await soldDuring(second, first, () =>
      stage.api.signedPost(second, '/webhooks/subscriptions', terms),
    );
    expectProblem(subscribed, 403, 'not-owner');
    const rows = stage.db.selectFrom('webhook_subscriptions').selectAll();
    expect(await rows.where('url', '=', terms.url).execute()).toEqual([]);
  });
});
