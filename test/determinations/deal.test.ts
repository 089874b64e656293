import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAssetKey } from '../../agents/assets.ts';
import { TIER_DETERMINATIONS } from '../../agents/determinations/panel/types.ts';
import { rowReader } from '../../agents/determinations/provenance/register-row.ts';
import { askAgain } from '../../runtime/determinations/ask-again.ts';
import type { EvidenceDeps } from '../../runtime/determinations/deps.ts';
import { determineDeal } from '../../runtime/determinations/determine-deal.ts';
import { determineTier, type TierFacts } from '../../runtime/determinations/determine-tier.ts';
import { tierDraft } from '../../runtime/determinations/drafts.ts';
import { findAgent, gatherMandate } from '../../runtime/determinations/evidence/mandate/mandate.ts';
import { gatherContacts } from '../../runtime/determinations/evidence/wallet/contacts.ts';
import { gatherHistory } from '../../runtime/determinations/evidence/wallet/history.ts';
import { dealRecordId } from '../../runtime/records/record-id.ts';
import type { Database } from '../../store/database.ts';
import { importRegister } from '../../store/registers/registers.ts';
import type { DealState } from '../../store/tables.ts';
import { testDatabase } from '../fixtures/postgres.ts';

const NOW = new Date('2026-11-21T08:00:00Z');
const DAY = 86_400_000;
const ago = (days: number): Date => new Date(NOW.getTime() - days * DAY);
const account = (n: number): `0x${string}` => `0xacc${n.toString(16).padStart(37, '0')}`;
const asset = (n: number): string => `eip155:1002/erc721:${account(0xa55e7)}/${n}`;
const MANDATE = {
  side: 'both',
  currency: 'USDC',
  cap_per_deal: '500',
  counterparties_deny: ['Carol'],
  expires_at: '2026-12-31T23:59:59Z',
};

let database: Awaited<ReturnType<typeof testDatabase>>;
let db: Database;
let deps: EvidenceDeps;

beforeAll(async () => {
  database = await testDatabase();
  db = database.db;
  deps = { db, readers: new Map(), deployments: new Map(), now: () => NOW };
  await agent('alice', 1, 'key-a');
  await agent('bob', 2, 'key-b');
  await agent('carol', 3, 'key-a');
  await deal(1, 'alice', 'bob', 100, 'determining', ago(0.1), null);
  await deal(2, 'alice', 'bob', 30, 'settling', ago(0.2), null);
  await deal(3, 'bob', 'alice', 7, 'settled', ago(0.3), ago(0.25));
  await deal(4, 'bob', 'alice', 11, 'recorded', ago(5), ago(5));
  await deal(5, 'bob', 'alice', 13, 'recorded', ago(60), ago(60));
  await deal(6, 'alice', 'bob', 999, 'stopped', ago(0.4), null, [
    { side: 'buyer', about: account(2), hard: true },
    { side: 'seller', about: account(1), hard: false },
  ]);
});

afterAll(async () => {
  await database?.drop();
});

async function agent(handle: string, n: number, key: string): Promise<void> {
  const base = { owner: account(0x0e0 + n), handle, tier: 'AGENT' as const, depth: '2-of-2' };
  await db
    .insertInto('checkouts')
    .values({
      ...base,
      id: `co_${handle}`,
      amount: 5_000_000n,
      status: 'minted',
      processor_session: null,
      checkout_url: null,
      details: '{}',
      expires_at: NOW,
      paid_at: NOW,
    })
    .execute();
  await db
    .insertInto('agents')
    .values({
      ...base,
      checkout_id: `co_${handle}`,
      status: 'active',
      chain_id: 1002,
      contract: account(0xaf7),
      token_id: BigInt(n),
      account: account(n),
      session_key: key,
      session_key_index: BigInt(n),
      mandate_version: 1,
      mint_tx: '0x',
      display_name: null,
      about: null,
    })
    .execute();
  await db
    .insertInto('mandates')
    .values({
      handle,
      version: 1,
      text: 't',
      structured: JSON.stringify(MANDATE),
      hash: '0xhash',
      status: 'active',
      tx: null,
    })
    .execute();
}

async function deal(
  n: number,
  buyer: string,
  seller: string,
  usd: number,
  state: DealState,
  matched: Date,
  settled: Date | null,
  findings: object[] = [],
): Promise<void> {
  const lot = { asset_key: asset(n), category: 'digital-products', chain: 'eip155:1002' };
  const price = BigInt(usd) * 1_000_000n;
  await db
    .insertInto('lots')
    .values({ ...lot, price_to_beat: 1n })
    .execute();
  await db
    .insertInto('listings')
    .values({
      ...lot,
      listing_ref: `lst_${n}`,
      handle: seller,
      asset: JSON.stringify(parseAssetKey(asset(n))),
      description: 'd',
      ask: price,
      floor: null,
      negotiable: true,
      gate: 'deposit',
      proven: true,
      status: 'sold',
    })
    .execute();
  for (const [side, handle] of [
    ['buy', buyer],
    ['sell', seller],
  ] as const) {
    await db
      .insertInto('orders')
      .values({
        order_id: `ord_${side}_${n}`,
        handle,
        owner: ownerOf(handle),
        side,
        asset_key: asset(n),
        listing_ref: `lst_${n}`,
        category: lot.category,
        limit_price: price * 2n,
        opening_bid: null,
        status: 'matched',
        expires_at: NOW,
      })
      .execute();
  }
  await db
    .insertInto('matches')
    .values({
      ...lot,
      match_id: `mat_${n}`,
      deal_id: `deal_${n}`,
      sell_order: `ord_sell_${n}`,
      buy_order: `ord_buy_${n}`,
      seller_owner: ownerOf(seller),
      buyer_owner: ownerOf(buyer),
      price,
      matched_at: matched,
      settled_at: settled,
      tx: null,
    })
    .execute();
  await db
    .insertInto('deals')
    .values({
      deal_id: `deal_${n}`,
      match_id: `mat_${n}`,
      seller,
      buyer,
      price,
      fee: 0n,
      state,
      deadline: null,
      findings: JSON.stringify(findings),
      tx: null,
      reason: 'found out',
      updated_at: matched,
    })
    .execute();
}

const ownerOf = (handle: string) => account(0x0e1 + ['alice', 'bob', 'carol'].indexOf(handle));

const mandateOf = async (
  handle: string,
  side: 'buy' | 'sell',
  dealId: string | null = null,
  counterparty: string | null = null,
) =>
  gatherMandate(deps, {
    handle,
    agent: await findAgent(db, handle),
    proposal: { side, category: 'digital-products', price: '1', chainId: 1002, counterparty },
    dealId,
    verdicts: {},
    now: NOW,
  });

describe('what a mandate is held against', () => {
  it("counts the agent's other deals under way on its side, and none that stopped", async () => {
    expect((await mandateOf('alice', 'buy')).reserved).toBe('130000000');
    expect((await mandateOf('alice', 'buy', 'deal_1')).reserved).toBe('30000000');
    expect((await mandateOf('alice', 'sell')).reserved).toBe('0');
    expect((await mandateOf('bob', 'sell', 'deal_2')).reserved).toBe('100000000');
  });

  it('counts sales by day, week, calendar month and in total, and deals of both sides', async () => {
    const { sold, deals } = await mandateOf('alice', 'sell');
    expect(sold).toEqual({ day: '7000000', week: '18000000', month: '18000000', total: '31000000' });
    expect(deals).toEqual({ day: 3, total: 5 });
    expect((await mandateOf('alice', 'sell', 'deal_1')).deals).toEqual({ day: 2, total: 4 });
  });

  it('does not change with the limits of orders, which are private', async () => {
    const before = await mandateOf('alice', 'buy');
    await db.updateTable('orders').set({ limit_price: 12_345_678n, opening_bid: 1n }).execute();
    expect(await mandateOf('alice', 'buy')).toEqual(before);
  });

  it('knows a counterparty by handle, account and owner, and a listed handle by its account', async () => {
    const { proposal, names } = await mandateOf(
      'alice',
      'buy',
      null,
      account(2).toUpperCase().replace('0X', '0x'),
    );
    expect(proposal.aliases).toEqual([account(2), account(0x0e2), 'bob'].sort());
    expect(names).toEqual({ carol: account(3) });
  });

  it('has no mandate for an agent that is not there', async () => {
    expect((await mandateOf('nobody', 'buy')).agent).toBeNull();
  });
});

describe('platform history', () => {
  it('tells a stopped deal of whom its hard finding names, and of nobody else', async () => {
    const about = async (n: number, now = NOW) =>
      (await gatherHistory(db, account(n), now)).told?.stoppedDeals.map((d) => d.dealId);
    expect(await about(2)).toEqual(['deal_6']);
    expect(await about(1)).toEqual([]);
    expect(await about(2, new Date(NOW.getTime() + 100 * DAY))).toEqual([]);
  });

  it('tells nothing of it while its record is appealed, nor once an appeal has overturned it', async () => {
    const about = async (appealOf: string | null) =>
      (await gatherHistory(db, account(2), NOW, appealOf)).told?.stoppedDeals.map((d) => d.dealId);
    const recordId = dealRecordId('deal_6', 'buyer');
    expect(await about(recordId)).toEqual([]);
    expect(await about(dealRecordId('deal_6', 'seller'))).toEqual(['deal_6']);
    for (const id of [recordId, 'rec_again']) {
      const row = { record_id: id, kind: 'determination', handle: null, subject: 's', summary: '' };
      await db
        .insertInto('records')
        .values({ ...row, body: Buffer.of(1), evidence: null, hash: `0x${id}`, signature: '0x' })
        .execute();
    }
    const appeal = { record_id: recordId, appeal_id: 'rec_again', wallet: account(2), filed_at: NOW };
    await db
      .insertInto('appeals')
      .values({ ...appeal, overturned: false })
      .execute();
    expect(await about(null)).toEqual(['deal_6']);
    await db.updateTable('appeals').set({ overturned: true }).execute();
    expect(await about(null)).toEqual([]);
  });
});

describe('determinations on a deal', () => {
  const question = (buyer: string, seller: string) => ({
    dealId: 'deal_1',
    side: 'buyer' as const,
    buyer,
    seller,
    asset: parseAssetKey(asset(1)),
    listingRef: 'lst_1',
    category: 'digital-products' as const,
    price: 100_000_000n,
    depth: '2-of-2' as const,
    performer: 'AGENT' as const,
  });

  it('are not CLEAN while no chain is read, and say of each what could not be read', async () => {
    const { record, findings } = await determineDeal(deps, question('alice', 'bob'));
    expect(record.verdict).toBe('FLAGGED');
    expect(record.determinationsRun).toEqual(['wallet', ...TIER_DETERMINATIONS]);
    expect(record.determinationsNotRun).toEqual([]);
    expect(record.inconclusive).toEqual(expect.arrayContaining(['shill-collusion', 'mandate-compliance']));
    expect(record.determinations.find((d) => d.id === 'double-pledge')?.verdict).toBe('INCONCLUSIVE');
    expect(findings.find((f) => f.determination === 'wallet')).toMatchObject({
      side: 'buyer',
      about: account(2),
    });
  });

  it('flag one session key on both sides even then, as a hard flag', async () => {
    const { hardFlags, record } = await determineDeal(deps, question('alice', 'carol'));
    expect(hardFlags).toEqual(['shill-collusion/same-session-key']);
    expect(record.flagged).toContain('mandate-compliance');
  });

  it('compare the other side with those whom the asker has settled deals with, and nobody else', async () => {
    await agent('mallory', 0xbad0002, 'key-m');
    const alike = async (buyer: string, seller: string) =>
      (await determineDeal(deps, question(buyer, seller))).record.determinations
        .find((d) => d.id === 'wallet')
        ?.checks.find((c) => c.id === 'look-alike');
    const found = await alike('alice', 'mallory');
    expect(found).toMatchObject({ outcome: 'FLAG', detail: expect.stringContaining(account(2)) });
    expect((await alike('alice', 'bob'))?.outcome).toBe('PASS');
    expect(await alike('carol', 'mallory')).toMatchObject({
      outcome: 'PASS',
      detail: expect.stringContaining('no dealings known'),
    });
    const { owner, account: acts } = await db
      .selectFrom('agents')
      .select(['owner', 'account'])
      .where('handle', '=', 'alice')
      .executeTakeFirstOrThrow();
    const [byOwner, byAccount] = [owner, acts].map((asker) => gatherContacts(db, asker, NOW));
    expect((await byOwner!).addresses).toContain(account(2));
    expect(await byAccount).toEqual(await byOwner);
  });

  it('trace where the goods come from: INCONCLUSIVE while no register of goods can be asked, and by it after', async () => {
    const asked = async () => (await determineDeal(deps, question('alice', 'bob'))).record;
    const before = await asked();
    expect(before.inconclusive).toEqual(expect.arrayContaining(['provenance', 'provenance/list-stolen']));
    expect(before.flagged).not.toContain('provenance');
    for (const register of ['stolen', 'recalled'] as const) {
      async function* rows() {
        yield { key: register === 'stolen' ? asset(1) : 'serial:generic:NOBODYS', detail: {} };
      }
      await importRegister(db, { register, source: 'deal', asOf: NOW, mode: 'replace', rows: rows() });
    }
    expect((await asked()).flagged).toContain('provenance');
    for (const register of ['stolen', 'recalled'] as const) {
      async function* none() {}
      await importRegister(db, { register, source: 'deal', asOf: NOW, mode: 'replace', rows: none() });
    }
  });

  it('are refused for an agent that does not exist', async () => {
    await expect(determineDeal(deps, question('alice', 'nobody'))).rejects.toMatchObject({
      code: 'not-found',
    });
  });
});

describe('asking again what a record asked', () => {
  const filing = { recordId: 'rec_new', issuedAt: NOW };

  it.each(['buyer', 'seller'] as const)(
    'asks the same of a deal for its %s, of the same depth',
    async (side) => {
      const first = await determineDeal(deps, {
        dealId: 'deal_1',
        side,
        buyer: 'alice',
        seller: 'bob',
        asset: parseAssetKey(asset(1)),
        listingRef: 'lst_1',
        category: 'digital-products',
        price: 100_000_000n,
        depth: 'superconsensus',
        performer: 'AGENT',
      });
      const { record, evidence } = first;
      const again = await askAgain(deps, { record, evidence, parties: [side], ...filing });
      expect(again).toEqual(tierDraft(first, filing, [side]));
    },
  );

  it('asks the same of a tier, whatever facts it was given', async () => {
    const facts: TierFacts[] = [
      { lotRef: 'lst_1', seller: 'bob', priceUsd: '12.5' },
      { asset: { serial: 'SN-0042' }, priceUsd: 7 },
      { subject: { chainId: 1002, contract: account(0xa55e7), tokenId: '4' } },
      {
        handle: 'alice',
        asset: { chainId: 1002, contract: account(0xa55e7), tokenId: '3' },
        proposal: {
          side: 'buy',
          category: 'digital-products',
          priceUsd: '99.5',
          counterparty: 'bob',
          asset: { chainId: 1002, contract: account(0xa55e7), tokenId: '3' },
        },
      },
    ];
    for (const given of facts) {
      const first = await determineTier(deps, {
        tier: 'tier3',
        category: 'digital-products',
        facts: given,
        depth: null,
        performer: 'EXECUTOR',
        priceUsd: 0.01,
      });
      const { record, evidence } = first;
      expect(await askAgain(deps, { record, evidence, parties: [], ...filing })).toEqual(
        tierDraft(first, filing),
      );
    }
  });
});

describe('the price of a deal', () => {
  const MODES = [
    ['1-of-1', 'AGENT'],
    ['2-of-2', 'AGENT'],
    ['superconsensus', 'AGENT'],
    [null, 'EXECUTOR'],
  ] as const;
  const about = async (price: bigint, [depth, performer]: (typeof MODES)[number]) => {
    const { record, evidence } = await determineDeal(deps, {
      dealId: 'deal_1',
      side: 'buyer',
      buyer: 'alice',
      seller: 'bob',
      asset: parseAssetKey(asset(1)),
      listingRef: 'lst_1',
      category: 'digital-products',
      price: price * 1_000_000n,
      depth,
      performer,
    });
    expect(record.determinationsNotRun).toEqual([]);
    expect(evidence.determinations.some((d) => d.id === 'price-intelligence')).toBe(true);
    return record.determinations.find((d) => d.id === 'price-intelligence');
  };

  /** @param sales item, category and price of each, in place of those before */
  const comparables = async (sales: readonly string[]) => {
    const read = rowReader('comparables', 'csv');
    const rows = sales.map((sale, i) => `${sale},2026-11-${10 + (i % 9)},`);
    await importRegister(db, {
      register: 'comparables',
      source: 'auctions',
      asOf: NOW,
      mode: 'replace',
      rows: (async function* () {
        for (const [i, line] of ['item,category,priceUsd,soldAt,flagged', ...rows].entries()) {
          const row = read(line, i + 1);
          if (row !== null) yield row;
        }
      })(),
    });
  };

  it('is INCONCLUSIVE while too few sales of the lot or its kind are known', async () => {
    for (const mode of MODES) expect((await about(100n, mode))?.verdict, String(mode)).toBe('INCONCLUSIVE');
  });

  it('is not held to sales of other kinds of goods, however many the category has', async () => {
    const other = (n: number) => `eip155:1002/erc721:${account(0xbeef + n)}/1`;
    await comparables(Array.from({ length: 12 }, (_, i) => `${other(i)},digital-products,${95 + i}`));
    const dear = await about(400n, MODES[1]);
    expect(dear?.verdict).toBe('INCONCLUSIVE');
    expect(dear?.reasons.join()).toContain('no comparable sale was found');
  });

  it('is held to the sales of its kind at every depth, by each of its seats', async () => {
    const kind = `eip155:1002/erc721:${account(0xa55e7)}`;
    await comparables(Array.from({ length: 12 }, (_, i) => `${kind}/${100 + i},digital-products,${95 + i}`));
    for (const mode of MODES) {
      expect((await about(100n, mode))?.verdict, String(mode)).toBe('CLEAN');
      const dear = await about(400n, mode);
      expect(dear?.verdict, String(mode)).toBe('FLAGGED');
      expect(dear?.panel.votes.map((v) => v.vote)).toEqual(dear?.panel.votes.map(() => 'FLAGGED'));
    }
  });
});
