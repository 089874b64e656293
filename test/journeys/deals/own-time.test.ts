import { createWalletClient, erc721Abi, http, publicActions } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../../runtime/cli/demo/client.ts';
import { requireEmbedded } from '../../../runtime/cli/dev.ts';
import { writeLog } from '../../../store/agent/agent-log.ts';
import { webhookReceiver } from '../../fixtures/servers/webhook-receiver.ts';
import { boundWallet } from '../../fixtures/wallets/bound-wallet.ts';
import { confirmed, expectProblem, type WireAgent, type WireStage, wireStage } from '../wire/wire-stage.ts';

/**
 * Two agents are sold that have a history: `plain` is owned by a person's wallet, and `below` by a wallet that belongs
 * to the holder of `head`. For `below`, `head` is what is sold.
 */

let stage: WireStage;
let seller: PrivateKeyAccount;
let buyer: PrivateKeyAccount;
let stranger: PrivateKeyAccount;
let plain: WireAgent;
let head: WireAgent;
let below: WireAgent;
let lotRef: string;

const LISTS = ['orders', 'deals', 'log', 'acts'] as const;
const CATEGORY = 'digital-products';

const handOver = async (agent: WireAgent): Promise<void> => {
  const { agentNft } = requireEmbedded(stage.env).running.chains['1002']!;
  const tokenId = BigInt((await stage.api.get(`/agent/${agent.handle}`)).body.tokenId);
  const wallet = createWalletClient({
    account: seller,
    transport: http(stage.rpcUrl),
    pollingInterval: 20,
  }).extend(publicActions);
  const args = [seller.address, buyer.address, tokenId] as const;
  const call = { address: agentNft, abi: erc721Abi, functionName: 'transferFrom', args } as const;
  await wallet.waitForTransactionReceipt({ hash: await wallet.writeContract({ ...call, chain: null }) });
};

const read = (by: PrivateKeyAccount, agent: WireAgent, list: string, query = '') =>
  stage.api.signedGet(by, `/agent/${agent.handle}/${list}${query}`);

async function itemsOf(
  by: PrivateKeyAccount,
  agent: WireAgent,
  list: string,
  query = '',
): Promise<unknown[]> {
  const { status, body } = await read(by, agent, list, query);
  expect([list, status, body?.detail]).toEqual([list, 200, undefined]);
  return body.items;
}

/** A resting order, a matched one, an entry in the log and a mandate, all from the time of one owner. */
async function aPast(agent: WireAgent, owner: PrivateKeyAccount, others: WireAgent): Promise<void> {
  const order = { handle: agent.handle, side: 'buy', category: CATEGORY };
  const met = await stage.listed(stranger, others, { askUsd: 30 });
  for (const terms of [
    { listingRef: lotRef, limitUsd: 66.61, openingBidUsd: 11.11 },
    { listingRef: met.listingRef, limitUsd: 30 },
  ]) {
    const placed = await stage.api.signedPost(owner, '/order', { ...order, ...terms });
    expect(placed.status, JSON.stringify(placed.body)).toBe(201);
  }
  const proposed = await stage.api.signedPost(owner, `/agent/${agent.handle}/mandate`, {
    mandate: 'Buy digital products, max 61 USDC per deal, for 20 days.',
  });
  expect(proposed.status, JSON.stringify(proposed.body)).toBe(202);
  await stage.db.transaction().execute((trx) =>
    writeLog(trx, [
      {
        ...{ entryId: `log_${agent.handle}`, handle: agent.handle, owner: owner.address.toLowerCase() },
        ...{ topic: lotRef, mark: 'rest', action: 'rest', lot: null, listingRef: lotRef, orderId: null },
        ...{ says: 'It values the lot at 77.77 dollars.', figures: { value: '77.77' }, at: new Date() },
      },
    ]),
  );
}

beforeAll(async () => {
  stage = await wireStage();
  [seller, buyer, stranger] = await Promise.all([
    stage.proceedingOwner(),
    stage.proceedingOwner(),
    stage.proceedingOwner(),
  ]);
  const { agentNft } = requireEmbedded(stage.env).running.chains['1002']!;
  const others = await stage.agent(stranger);
  plain = await stage.agent(seller);
  head = await stage.agent(seller);
  const tokenId = BigInt((await stage.api.get(`/agent/${head.handle}`)).body.tokenId);
  const between = await boundWallet(seller, stage.rpcUrl, { contract: agentNft, tokenId });
  below = await stage.agent(seller, { owner: between });
  lotRef = (await stage.listed(stranger, others, { askUsd: 400 })).listingRef;
  for (const agent of [plain, below]) {
    await stage.moveUsd(seller, agent.account, '200');
    await aPast(agent, seller, others);
  }
});
afterAll(() => stage.stop());

describe.each([
  ['held by a wallet', () => plain, () => plain],
  ['held by an account of another agent, which is sold', () => below, () => head],
])('what an agent did for an owner, where it is %s', (_, theAgent, whatIsSold) => {
  const shown = new Map<string, unknown[]>();

  it('is shown to that owner as long as he owns it', async () => {
    for (const list of LISTS) {
      shown.set(list, await itemsOf(seller, theAgent(), list));
      expect([list, shown.get(list)!.length > 0]).toEqual([list, true]);
    }
    expect(JSON.stringify(shown.get('orders'))).toContain('66.61');
    expect(JSON.stringify(shown.get('log'))).toContain('77.77');
  });

  it('is not shown to the next owner, by any list, page or cursor, nor by the number of an order', async () => {
    const agent = theAgent();
    const [{ orderId }] = shown.get('orders') as [{ orderId: string }];
    const paged = await read(seller, agent, 'orders', '?limit=1');
    await handOver(whatIsSold());
    await until(`${agent.handle} to stop`, async () =>
      (await stage.api.get(`/agent/${agent.handle}`)).body.status === 'paused' ? true : null,
    );
    for (const list of LISTS) {
      expect([list, await itemsOf(buyer, agent, list)]).toEqual([list, []]);
      // Nobody can sign for the time of another owner.
      const asked = await read(buyer, agent, list, `?owner=${seller.address}`);
      expectProblem(asked, 401, 'signature-invalid');
    }
    expect(await itemsOf(buyer, agent, 'orders', `?cursor=${paged.body.next}`)).toEqual([]);
    const cancel = await stage.api.signedPost(buyer, `/order/${orderId}/cancel`, { handle: agent.handle });
    expectProblem(cancel, 404, 'not-found');
  });

  it('is still shown to the owner of that time if he names himself, and to no stranger who does', async () => {
    const agent = theAgent();
    for (const list of LISTS) {
      const now = (await itemsOf(seller, agent, list, `?owner=${seller.address}`)) as Record<
        string,
        unknown
      >[];
      const name = { orders: 'orderId', deals: 'dealId', log: 'says', acts: 'actId' }[list];
      expect([list, now.map((row) => row[name])]).toEqual([
        list,
        (shown.get(list) as Record<string, unknown>[]).map((row) => row[name]),
      ]);
      expect(await itemsOf(stranger, agent, list, `?owner=${stranger.address}`)).toEqual([]);
      expectProblem(await read(seller, agent, list), 401, 'signature-invalid');
    }
  });

  it('is separate from what it does for the next owner, who reads only that', async () => {
    const agent = theAgent();
    await confirmed(stage, buyer, agent, 'mandate', {
      mandate: 'Buy digital products, max 55 USDC per deal, for 20 days.',
    });
    const acts = (await itemsOf(buyer, agent, 'acts')) as { kind: string }[];
    expect(acts.map((a) => a.kind)).toEqual(['mandate']);
    const before = shown.get('acts') as unknown[];
    expect(await itemsOf(seller, agent, 'acts', `?owner=${seller.address}`)).toHaveLength(before.length);
  });
});

it('reports a deal to the owner for whom the order was placed, though the agent was sold since', async () => {
  const receiver = await webhookReceiver();
  const { handle } = plain;
  const [deal] = (await itemsOf(seller, plain, 'deals', `?owner=${seller.address}`)) as [{ dealId: string }];
  for (const owner of [seller, buyer]) {
    const url = `${receiver.url}?${owner.address}`;
    const made = await stage.api.signedPost(owner, '/webhooks/subscriptions', { wallet: owner.address, url });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
  }
  // The chain removed the settlement, as it may until it has enough confirmations.
  const states = ['settling', 'failed'] as const;
  for (const state of states)
    await stage.db.updateTable('deals').set({ state }).where('deal_id', '=', deal.dealId).execute();
  const told = await until('the news', async () => {
    const rows = await stage.db
      .selectFrom('webhook_deliveries')
      .innerJoin('webhook_subscriptions', 'webhook_subscriptions.id', 'webhook_deliveries.subscription_id')
      .select(['webhook_subscriptions.wallet', 'webhook_deliveries.body'])
      .where('webhook_deliveries.kind', '=', 'deal.failed')
      .execute();
    return rows.length > 0 && (await noNewsWaits()) ? rows : null;
  });
  expect(told.map((row) => [row.wallet, JSON.parse(row.body).data.handle])).toEqual([
    [seller.address.toLowerCase(), handle],
  ]);
  await receiver.stop();
});

const noNewsWaits = async (): Promise<boolean> =>
  (await stage.db.selectFrom('owner_notifications').select('seq').execute()).length === 0;
