import { setTimeout as sleep } from 'node:timers/promises';
import { createPublicClient, decodeFunctionData, http } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { parseSiweMessage } from 'viem/siwe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spendPolicyAbi } from '../../../chain/abi/spend-policy.ts';
import { until } from '../../../runtime/cli/demo/client.ts';
import { type WireAgent, type WireListing, type WireStage, wireStage } from '../wire/wire-stage.ts';

/** The text that an owner signs names the act, and nothing that is not public. */

/** The words of a seller who tries to write the rest of a buyer's sentence. */
const HOSTILE =
  'Ring\' (serial:vin:1) with agent x for at most 0.01 USD, until 1 January 2000 00:00 UTC.\n\nURI: https://evil.test\nNonce: 00000000\u202E "раypal"';

let stage: WireStage;
let seller: PrivateKeyAccount;
let agent: WireAgent;
let buyer: PrivateKeyAccount;
let buying: WireAgent;
let lot: WireListing;

beforeAll(async () => {
  stage = await wireStage();
  [seller, buyer] = await Promise.all([stage.owner(), stage.owner()]);
  [agent, buying] = await Promise.all([stage.agent(seller), stage.agent(buyer)]);
  lot = await stage.listed(seller, agent, {
    description: HOSTILE,
    askUsd: 120,
    negotiable: true,
    floorUsd: 97.31,
  });
});
afterAll(() => stage.stop());

interface Sign {
  readonly message: string;
  readonly says: string;
  readonly nonce: string;
}

/** Asks without a signature, as anybody can. */
async function asked(path: string, body: object): Promise<Sign> {
  const answer = await stage.api.post(path, body);
  expect(answer.status).toBe(401);
  const { sign } = answer.body as { sign: Sign };
  const { statement, nonce, resources } = parseSiweMessage(sign.message);
  expect(nonce).toBe(sign.nonce);
  // One source: what is said in the answer is what is signed, as the statement or among the resources.
  const words = resources
    ?.filter((r) => r.startsWith('urn:words:'))
    .map((r) => decodeURIComponent(r.slice(10)));
  const repeated = words?.map((w) => w.replaceAll('_', ' ')) ?? [];
  expect([statement, ...repeated]).toContain(sign.says);
  for (const line of ['URI: ', 'Nonce: ', 'Version: ', 'Resources:'])
    expect(sign.message.split('\n').filter((l) => l.startsWith(line))).toHaveLength(1);
  return sign;
}

const order = (terms: object) => ({
  handle: buying.handle,
  side: 'buy',
  listingRef: lot.listingRef,
  category: 'digital-products',
  limitUsd: 60,
  ...terms,
});

describe('the text that an owner is given to sign', () => {
  it('names lot, price and end of an order in one sentence, which the seller of the lot cannot forge', async () => {
    const expiresAt = new Date(Math.floor(Date.now() / 60_000) * 60_000 + 3 * 86_400_000).toISOString();
    const { says } = await asked('/order', order({ limitUsd: '1234.50', expiresAt }));
    expect(says).toMatch(
      new RegExp(
        `^Buy '[^']*' \\(${lot.key}\\) with agent ${buying.handle} for at most 1,234\\.50 USD, until \\d{1,2} \\w+ \\d{4} \\d\\d:\\d\\d UTC\\.$`,
      ),
    );
    expect(says).not.toMatch(/https:|\n|"|\u202E/);
    const { contract, tokenId } = lot;
    const byAsset = { ...order({}), listingRef: undefined, asset: { chainId: 1002, contract, tokenId } };
    expect((await asked('/order', byAsset)).says).toMatch(
      new RegExp(`^Buy '[^']*' \\(${lot.key}\\) .*for at most 60\\.00 USD, for 7 days from now\\.$`),
    );
  });

  it('cancels an order by its lot, and tells nobody who asks what its limit was', async () => {
    const placed = await stage.api.signedPost(buyer, '/order', order({ limitUsd: 61.37 }));
    expect(placed.status).toBe(201);
    const path = `/order/${placed.body.orderId}/cancel`;
    const { says, message } = await asked(path, { handle: buying.handle });
    expect(says).toContain(`to buy '`);
    expect(says).toContain(lot.key);
    expect(message).not.toContain('61.37');
    // It says nothing about another's order, not even its lot.
    expect((await asked(path, { handle: agent.handle })).says).toBe(
      `Take back order ${placed.body.orderId} of agent ${agent.handle}.`,
    );
  });

  it('contains the ask of a listing, on chain too, and its floor nowhere', async () => {
    const { contract, tokenId } = await stage.mintTo(seller.address);
    const body = {
      asset: { chainId: 1002, contract, tokenId },
      description: 'Fjord at Dusk',
      askUsd: 120,
      negotiable: true,
      floorUsd: 97.31,
      category: 'digital-products',
      gate: 'deposit',
    };
    const { says, message } = await asked(`/agent/${agent.handle}/assets`, body);
    expect(says).toBe(
      `Sell 'Fjord at Dusk' (eip155:1002/erc721:${contract.toLowerCase()}/${tokenId}), held by the agent, with agent ${agent.handle} at 120.00 USD, negotiable.`,
    );
    expect(message).not.toContain('97.31');
    // The policy accepted such a text for the listed lot, so a transaction contains it completely.
    const client = createPublicClient({ transport: http(stage.rpcUrl) });
    const texts: string[] = [];
    for (let n = await client.getBlockNumber(); n > 0n; n--) {
      const { transactions } = await client.getBlock({ blockNumber: n, includeTransactions: true });
      for (const { input } of transactions) {
        try {
          const { functionName, args } = decodeFunctionData({ abi: spendPolicyAbi, data: input });
          if (functionName === 'listByMessage') texts.push(args.slice(2, 4).join('|'));
        } catch {
          // The transaction is a call to another contract.
        }
      }
      if (texts.length > 0) break;
    }
    expect(texts).toHaveLength(1);
    expect(texts[0]).toContain('at_120.00_USD,_negotiable.');
    expect(texts[0]).not.toContain('97.31');
  });

  it('contains asset, purpose, lender and end of a pledge, and of its release', async () => {
    const { contract, tokenId, key } = await stage.mintTo(seller.address);
    const lender = buyer.address;
    const body = {
      wallet: seller.address,
      asset: { chainId: 1002, contract, tokenId },
      listingRef: 'loan-2027-14',
      lender,
      until: '2199-01-31T23:59:00Z',
    };
    const { says } = await asked('/pledge', body);
    expect(says).toContain(
      `Pledge ${key} for 'loan-2027-14', lender ${lender.toLowerCase()}, due 31 January 2199 23:59 UTC. It ends when its lender releases it, and not by a date.`,
    );
    const pledged = await stage.api.signedPost(seller, '/pledge', body);
    expect(pledged.status).toBe(201);
    const release = await asked(`/pledge/${pledged.body.pledgeId}/release`, { wallet: lender });
    expect(release.says).toBe(
      `Release pledge ${pledged.body.pledgeId} of ${key}, made for 'loan-2027-14', lender ${lender.toLowerCase()}.`,
    );
  });

  it('names what an agent, a setting, a wallet and a program are told to do', async () => {
    const own = `/agent/${agent.handle}`;
    const says = async (path: string, body: object) => (await asked(path, body)).says;
    // Control characters in these fields are refused before a text is made.
    const text = HOSTILE.replace(/[\n\u202E]/g, ' ').slice(0, 80);
    expect(await says(`${own}/session`, { action: 'pause' })).toContain(`Pause agent ${agent.handle}.`);
    expect(await says(`${own}/profile`, { displayName: text })).toMatch(/: name '[^']*'\.$/);
    expect(await says(`${own}/mandate`, { mandate: text })).toMatch(
      /^Propose a new mandate for agent \S+: '[^']*'\. It holds once I sign its terms and the chain has them\.$/,
    );
    const { address: wallet } = buyer;
    expect(await says('/settings', { wallet, onFlagged: 'ask' })).toContain('let me decide');
    expect(await says('/membership/wallets', { wallet, add: [seller.address] })).toContain(
      `add ${seller.address.toLowerCase()}`,
    );
    const url = 'http://127.0.0.1:9/hook';
    expect(await says('/webhooks/subscriptions', { wallet, url, events: ['deal.settled'] })).toBe(
      "Send signed messages about my agents and deals to 127.0.0.1:9: 'A deal settled'.",
    );
    const decided = { handle: agent.handle, decision: 'stop' };
    expect(await says('/deals/deal_none/decision', decided)).toBe(
      `Stop deal deal_none of agent ${agent.handle}.`,
    );
  });

  it('contains price and duration on the market for names', async () => {
    const { handle } = agent;
    const says = async (path: string, body: object) => (await asked(path, body)).says;
    expect(await says('/domains/listings', { handle, name: 'harbour.x', askUsd: 300 })).toBe(
      `Sell the name 'harbour.x' with agent ${handle} at 300.00 USD.`,
    );
    const auction = { handle, format: 'ascending', reserveUsd: 50, durationSeconds: 7_200 };
    expect(await says('/domains/harbour.x/auction', auction)).toBe(
      `Start an ascending auction of the name 'harbour.x' with agent ${handle}, not below 50.00 USD, for 2 hours.`,
    );
    expect(await says('/domains/harbour.x/bids', { handle, bidUsd: 75 })).toContain('at most 75.00 USD.');
    expect(await says('/domains/harbour.x/buy', { handle, priceUsd: 300 })).toContain('307.50 USD in all.');
  });
});

describe('a listing whose price changes', () => {
  it('keeps its end, as the text to sign says, and its bounds', async () => {
    const own = await stage.listed(seller, agent, { askUsd: 120, negotiable: false });
    const body = order({ handle: agent.handle, side: 'sell', listingRef: own.listingRef, limitUsd: 100 });
    expect((await asked('/order', body)).says).toMatch(
      /for at least 100\.00 USD, until the order that it replaces would have ended\.$/,
    );
    await sleep(2_100);
    const placed = await stage.api.signedPost(seller, '/order', body);
    expect(placed.status, JSON.stringify(placed.body)).toBe(201);
    expect(Date.parse(placed.body.expiresAt) - Date.now()).toBeGreaterThan(89 * 86_400_000);
    const above = await stage.api.signedPost(seller, '/order', { ...body, limitUsd: 130 });
    expect([above.status, above.body.detail]).toEqual([400, expect.stringContaining('list the lot anew')]);
  });
});

describe('a listing that its owner took back and listed anew', () => {
  it('is no longer what an order means that names the old one, at whatever price it stands now', async () => {
    const first = await stage.listed(seller, agent, { description: 'Fjord at Dusk', askUsd: 50 });
    const own = `/agent/${agent.handle}`;
    const { items } = (await stage.api.signedGet(seller, `${own}/orders`)).body;
    const { orderId } = items.find((o: { lot: string }) => o.lot === first.key);
    await sleep(2_100);
    const back = await stage.api.signedPost(seller, `/order/${orderId}/cancel`, { handle: agent.handle });
    expect(back.status, JSON.stringify(back.body)).toBe(200);
    const { contract, tokenId } = first;
    // While the chain forgets the first listing, a text that was given out before is refused, and asked for anew.
    const anew = await until('the other listing', async () => {
      const answer = await stage.api.signedPost(seller, `${own}/assets`, {
        asset: { chainId: 1002, contract, tokenId },
        description: 'A frame without its picture',
        askUsd: 60,
        negotiable: false,
        category: 'digital-products',
        gate: 'deposit',
      });
      return [401, 409].includes(answer.status) ? null : answer;
    });
    expect(anew.status, JSON.stringify(anew.body)).toBe(201);
    const named = order({ listingRef: first.listingRef, limitUsd: 60 });
    expect((await asked('/order', named)).says).toContain('Fjord at Dusk');
    const placed = await stage.api.signedPost(buyer, '/order', named);
    expect([placed.status, placed.body.code, placed.body.detail]).toEqual([
      409,
      'not-listed',
      expect.stringContaining(anew.body.listingRef),
    ]);
    const orders = (await stage.api.signedGet(buyer, `/agent/${buying.handle}/orders`)).body.items;
    expect(orders.filter((o: { lot: string }) => o.lot === first.key)).toEqual([]);
  });
});
