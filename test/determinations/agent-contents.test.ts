import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Asset, assetKey } from '../../agents/assets.ts';
import { recompute } from '../../agents/determinations/panel/recompute.ts';
import type { MintedAgent } from '../../chain/clients/agents.ts';
import { determineDeal } from '../../runtime/determinations/determine-deal.ts';
import { determineTier } from '../../runtime/determinations/determine-tier.ts';
import { gatherPledges } from '../../runtime/determinations/evidence/pledges.ts';
import { pledgeAsset } from '../../runtime/market/listings/pledge.ts';
import type { Services } from '../../runtime/services.ts';
import { insertPledge } from '../../store/market/pledges.ts';
import { marketStage } from '../fixtures/market-stage.ts';
import { type DealStage, dealStage } from './deal-stage.ts';
import { assetThrough, hand, listOf } from './goods-stage.ts';
import { SILENCE } from './lying-rpc.ts';

const USD = 1_000_000n;
const MODE = { depth: '2-of-2', performer: 'AGENT' } as const;

let stage: DealStage;
let sold: MintedAgent;
let agentToken: Asset;
let question: Parameters<typeof determineDeal>[1];

beforeAll(async () => {
  stage = await dealStage();
  const { db } = stage.database;
  const { deployment, accounts } = stage.chain;
  const market = marketStage(db);
  market.tick(Date.now() - market.now().getTime());
  const { alice, bob } = accounts;
  sold = await stage.agent('for-sale', alice);
  await stage.agent('buyer', bob);
  const contract = deployment.agentNft.toLowerCase() as `0x${string}`;
  agentToken = { kind: 'token', chainId: 1002, contract, tokenId: sold.tokenId.toString() };
  const listingRef = 'listing-of-agent';
  const owner = alice.address.toLowerCase();
  const lot = await market.list('for-sale', { asset: agentToken, owner, listingRef });
  const { match } = await market.order('buyer', lot, {
    limit: 100n * USD,
    owner: bob.address.toLowerCase(),
  });
  question = {
    ...{
      dealId: match!.dealId,
      side: 'buyer',
      buyer: 'buyer',
      seller: 'for-sale',
      asset: agentToken,
      listingRef,
    },
    ...{ category: 'digital-products', price: 100n * USD, ...MODE },
  };
});
afterAll(() => stage?.stop());

async function put(): Promise<Asset & { kind: 'token' }> {
  const { chain } = stage;
  const { alice } = chain.accounts;
  const tokenId = await assetThrough(chain, [alice]);
  await hand(chain, chain.deployment.assets, tokenId, alice, sold.account);
  const contract = chain.deployment.assets.toLowerCase() as `0x${string}`;
  return { kind: 'token', chainId: 1002, contract, tokenId: tokenId.toString() };
}

async function told(deps = stage.deps) {
  const { record, evidence } = await determineDeal(deps, question);
  expect(recompute(JSON.parse(JSON.stringify(evidence))).verdict).toBe(record.verdict);
  const goods = record.determinations.filter(({ id }) => ['double-pledge', 'provenance'].includes(id));
  return { verdicts: goods.map(({ id, verdict }) => `${id} ${verdict}`), record, goods };
}

describe('an agent that is sold', () => {
  it('is CLEAN of pledges with nothing in its account, and with a token that is clean itself', async () => {
    expect((await told()).verdicts).toEqual(['double-pledge CLEAN', 'provenance CLEAN']);
    await put();
    expect((await told()).verdicts).toEqual([
      ...['double-pledge CLEAN', 'double-pledge CLEAN'],
      ...['provenance CLEAN', 'provenance CLEAN'],
    ]);
  });

  it('is not CLEAN in a tier that does not look at what is in it, which is named', async () => {
    const evidence = await gatherPledges(stage.deps, MODE, {
      ...{ asset: agentToken, listingRef: question.listingRef, handle: null },
    });
    expect(evidence.common.contents?.held).toHaveLength(1);
    const { record } = await determineTier(stage.deps, {
      ...{ tier: 'tier2', category: 'digital-products', depth: '2-of-2' },
      facts: { asset: agentToken, listingRef: question.listingRef },
    });
    expect(record.inconclusive).toContain('double-pledge/agent-contents');
  });

  it('is FLAGGED with what is reported stolen in it, and with what a lender has a lien on', async () => {
    const { db } = stage.database;
    const stolen = await put();
    await listOf(db, 'stolen', [assetKey(stolen)], new Date());
    const first = await told();
    expect(first.record.flagged).toEqual(['provenance']);
    await listOf(db, 'stolen', [], new Date());
    const pledged = await put();
    await db.transaction().execute((trx) =>
      insertPledge(trx, {
        ...{ id: 'plg-inside', assetKey: assetKey(pledged), listingRef: 'loan-1', wallet: '0xborrower' },
        ...{ lender: '0xlender', until: null, source: 'owner', proven: true, now: new Date() },
      }),
    );
    const second = await told();
    expect(second.record.flagged).toEqual(['double-pledge']);
    expect(JSON.stringify(second.goods)).toContain(assetKey(pledged));
  });

  it('keeps what is in it from being pledged while it is for sale', async () => {
    const { db } = stage.database;
    const readers = stage.deps.readers.get(1002)!;
    const chains = new Map([[1002, { chainId: 1002, readers, deployment: stage.chain.deployment }]]);
    const services = { ...stage.deps, evidence: stage.deps, db, chains, newId: () => 'plg-late' };
    const terms = { wallet: null, asset: await put(), listingRef: 'loan-2', lender: null, until: null };
    const pledged = pledgeAsset(services as unknown as Services, terms, 'operator', () => {});
    await expect(pledged).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(/the agent "for-sale", which is for sale \(listing-of-agent\)/),
    });
  });

  it('is FLAGGED where one client hides what is in it, and INCONCLUSIVE where it answers nothing', async () => {
    const into = `0x${'0'.repeat(24)}${sold.account.slice(2).toLowerCase()}`;
    const isAsked = ({ method, params }: { method: string; params?: readonly unknown[] }) =>
      method === 'eth_getLogs' && JSON.stringify(params).toLowerCase().includes(into);
    stage.liar.lie((call, result) => (isAsked(call) ? [] : result));
    expect((await told(stage.through('viem'))).record.flagged).toEqual(['double-pledge']);
    stage.liar.lie((call, result) => (isAsked(call) ? SILENCE : result));
    const { record } = await told(stage.through('ethers', 500));
    expect(record.inconclusive).toContain('double-pledge/agent-contents');
  });

  it('is INCONCLUSIVE where one client does not see who owns it, whose claims would count', async () => {
    const asked = `0x6352211e${sold.tokenId.toString(16).padStart(64, '0')}`;
    const isAsked = ({ method, params }: { method: string; params?: readonly unknown[] }) =>
      method === 'eth_call' && JSON.stringify(params).includes(asked);
    stage.liar.lie((call, result) => (isAsked(call) ? '0x' : result));
    const evidence = await gatherPledges(stage.through('viem'), MODE, {
      ...{ asset: agentToken, listingRef: question.listingRef, handle: null },
    });
    expect(evidence.common.contents?.fault).toMatch(
      /^who owns the agent is not known: nobody is seen to hold/,
    );
  });
});
