import { sql } from 'kysely';
import {
  createWalletClient,
  encodeAbiParameters,
  encodeEventTopics,
  type Hex,
  http,
  pad,
  publicActions,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Effect, strictest } from '../../agents/deal/effect.ts';
import { stopCauses, type UndoneDeal } from '../../agents/deal/stop-causes.ts';
import { judge } from '../../agents/determinations/panel/judge.ts';
import { recompute } from '../../agents/determinations/panel/recompute.ts';
import type { BidHistory } from '../../agents/determinations/shill/bid-history.ts';
import { evaluateLine } from '../../agents/evaluation/evaluate-line.ts';
import { shillOfFile } from '../../agents/evaluation/shill-form.ts';
import { settlementAbi } from '../../chain/abi/settlement.ts';
import { testUsdcAbi } from '../../chain/abi/test-usdc.ts';
import { ethersReader } from '../../chain/rpc/ethers/reader.ts';
import type { ChainLog, ChainReader, LogQuery } from '../../chain/rpc/reader.ts';
import { viemReader } from '../../chain/rpc/viem/reader.ts';
import { followTransfers } from '../../runtime/chain-sync/follow-transfers.ts';
import { determineTier } from '../../runtime/determinations/determine-tier.ts';
import { gatherDealMoney } from '../../runtime/determinations/evidence/shill/deal-money.ts';
import { gatherDealHistory } from '../../runtime/determinations/evidence/shill/dealings.ts';
import { readFunding } from '../../runtime/determinations/evidence/shill/funding.ts';
import { gatherBook, gatherDealBids } from '../../runtime/determinations/evidence/shill/lot-book.ts';
import { pinBlocks } from '../../runtime/determinations/pins.ts';
import { tokenTransfers } from '../../store/chain-sync/flows.ts';
import { addTransfers, rollBackTransfers } from '../../store/chain-sync/transfers.ts';
import type { Database } from '../../store/database.ts';
import { matchOfDeal } from '../../store/deal/deals.ts';
import { importRegister } from '../../store/registers/registers.ts';
import { type TestAccount, type TestChain, testChain } from '../fixtures/chain/anvil.ts';
import { hasTopics } from '../fixtures/chain/log-topics.ts';
import { type MarketStage, marketStage } from '../fixtures/market-stage.ts';
import { testDatabase } from '../fixtures/postgres.ts';

let database: Awaited<ReturnType<typeof testDatabase>>;
let db: Database;
let market: MarketStage;

beforeAll(async () => {
  database = await testDatabase();
  db = database.db;
  market = marketStage(db);
  for (const handle of ['maker', 'ann', 'ben', 'cas', 'dot']) await market.agent(handle);
  await market.agent('maker-two', '0xowner-of-maker');
  await db.updateTable('agents').set({ session_key: sql`'0xkey-of-' || handle` }).execute();
});
afterAll(() => database?.drop());

interface Sale {
  readonly lot: string;
  readonly dealId: string;
}

/** Lists, lets each bid below the ask, then has the last one meet it, and settles. @returns the lot and its deal */
async function sale(seller: string, bidders: readonly string[], terms = {}): Promise<Sale> {
  const lot = await market.list(seller, { owner: `0xowner-of-${seller}`, ...terms });
  for (const bidder of bidders) {
    market.tick();
    await market.order(bidder, lot);
  }
  // Another order of the same agent takes the place of its own, which must have rested for two seconds.
  market.tick();
  const { match } = await market.order(bidders.at(-1)!, lot, { limit: 100_000_000n });
  await db.updateTable('deals').set({ state: 'settled' }).where('deal_id', '=', match!.dealId).execute();
  await db
    .updateTable('matches')
    .set({ settled_at: market.now() })
    .where('deal_id', '=', match!.dealId)
    .execute();
  await db.updateTable('listings').set({ status: 'sold' }).where('asset_key', '=', lot).execute();
  return { lot, dealId: match!.dealId };
}

type Undone = Pick<UndoneDeal, 'findings' | 'stoppedBy'>;

/** Has these sales stopped instead, as the service writes what was found, and for which cause. */
async function stop(sales: readonly Sale[], seller: string, buyer: string, undone: Undone): Promise<void> {
  await db.deleteFrom('stops').execute();
  const outcome = (side: 'buyer' | 'seller') =>
    strictestOf(undone.findings.filter((f) => f.side === side).map((f) => f.effect));
  const causes = stopCauses({ outcomes: { buyer: outcome('buyer'), seller: outcome('seller') }, ...undone });
  for (const { dealId, lot } of sales) {
    const findings = JSON.stringify(undone.findings);
    await db.updateTable('deals').set({ state: 'stopped', findings }).where('deal_id', '=', dealId).execute();
    await db
      .insertInto('stops')
      .values(
        causes.map(({ finding, side }) => ({
          ...{ deal_id: dealId, finding, side, asset_key: lot, price: 1n },
          ...{ seller: `0xowner-of-${seller}`, buyer: `0xowner-of-${buyer}` },
          ...{ stopped_at: market.now(), ends_at: market.now() },
        })),
      )
      .execute();
  }
}

const strictestOf = (effects: readonly Effect[]) => {
  const effect = strictest(effects);
  return effect === 'proceed' ? 'pass' : effect;
};

const tier2 = (lotRef: string, seller: string) =>
  determineTier(
    { db, readers: new Map(), deployments: new Map(), now: market.now },
    { tier: 'tier2', category: 'digital-products', facts: { lotRef, seller }, depth: '2-of-2' },
  );

describe('the bidding history of a lot', () => {
  it('is INCONCLUSIVE while it is short, and CLEAN once enough lots were bid on by different people', async () => {
    const first = await sale('maker', ['ann', 'ben']);
    expect((await tier2(first.lot, 'maker')).record.inconclusive).toContain('shill-collusion/bid-ring');
    await sale('maker', ['ben', 'cas']);
    await sale('maker', ['cas', 'dot']);
    await sale('maker', ['dot', 'ann']);
    const { record, evidence } = await tier2(first.lot, 'maker');
    expect(record.verdict).toBe('CLEAN');
    expect(recompute(JSON.parse(JSON.stringify(evidence))).verdict).toBe('CLEAN');
    for (const seller of ['0xowner-of-maker', '0xACCOUNT-of-maker'.toLowerCase()]) {
      expect((await tier2(first.lot, seller)).record.verdict).toBe('CLEAN');
    }
    expect((await tier2(first.lot, 'ann')).record.inconclusive).toContain('shill-collusion/seller-of-lot');
    expect((await tier2('nowhere', 'maker')).record.inconclusive).toContain('shill-collusion/lot-known');
  });

  it('counts neither as won nor as lost what a determination kept a bidder from buying, and all that others bid there', async () => {
    await market.agent('halted-house');
    for (const handle of ['eager', 'slow']) await market.agent(handle);
    const lots = [
      await sale('halted-house', ['slow', 'eager']),
      await sale('halted-house', ['slow', 'eager']),
    ];
    const asked = async () => {
      const now = market.now();
      const deps = { db, readers: new Map(), deployments: new Map(), now: market.now };
      const book = await gatherBook(deps, { lotRef: lots[0]!.lot, seller: 'halted-house', now });
      return book!.history.lots.map(({ winner, bids }) => [
        winner !== null,
        new Set(bids.map((b) => b.bidder)).size,
      ]);
    };
    expect(await asked()).toEqual([
      [true, 2],
      [true, 2],
    ]);
    const eager = (undone: Undone) => stop([lots[1]!], 'halted-house', 'eager', undone);
    const [neither, lost] = [
      [
        [true, 2],
        [false, 1],
      ],
      [
        [true, 2],
        [false, 2],
      ],
    ];
    const flagged = { side: 'buyer', determination: 'shill-collusion', verdict: 'FLAGGED' } as const;
    await eager({ findings: [{ ...flagged, effect: 'stop' }], stoppedBy: [] });
    expect(await asked()).toEqual(neither);
    // What the other side's rule stopped was not the bidder's choice, whatever was found.
    const open = { ...flagged, verdict: 'INCONCLUSIVE', effect: 'stop' } as const;
    await eager({ findings: [{ ...open, side: 'seller' }], stoppedBy: [] });
    expect(await asked()).toEqual(neither);
    // Whoever does not want what he won has bid in vain: by a choice of before, or when asked, answered or not.
    await eager({ findings: [open], stoppedBy: [] });
    expect(await asked()).toEqual(lost);
    for (const stoppedBy of [['buyer'], []] as const) {
      await eager({ findings: [{ ...flagged, effect: 'ask' }], stoppedBy });
      expect(await asked()).toEqual(lost);
    }
    await eager({ findings: [], stoppedBy: ['buyer'] });
    expect(await asked()).toEqual(lost);
    await db.deleteFrom('stops').execute();
  });

  it('is FLAGGED for one who refuses each lot that he wins, whether he was asked about a finding or not', async () => {
    const honest = Array.from({ length: 12 }, (_, i) => `honest-${i}`);
    for (const handle of ['refused-house', 'refuser', ...honest]) await market.agent(handle);
    await db.updateTable('agents').set({ session_key: sql`'0xkey-of-' || handle` }).execute();
    const lots: Sale[] = [];
    for (const handle of honest) lots.push(await sale('refused-house', [handle, 'refuser']));
    const judged = async (undone: Undone) => {
      await stop(lots, 'refused-house', 'refuser', undone);
      return (await tier2(lots[0]!.lot, 'refused-house')).record.verdict;
    };
    expect(await judged({ findings: [], stoppedBy: ['buyer'] })).toBe('FLAGGED');
    const price = { side: 'buyer', determination: 'price-intelligence', verdict: 'INCONCLUSIVE' } as const;
    expect(await judged({ findings: [{ ...price, effect: 'ask' }], stoppedBy: ['buyer'] })).toBe('FLAGGED');
    expect(await judged({ findings: [{ ...price, effect: 'ask' }], stoppedBy: [] })).toBe('FLAGGED');
    expect(await judged({ findings: [{ ...price, effect: 'stop' }], stoppedBy: [] })).toBe('FLAGGED');
    await db.deleteFrom('stops').execute();
  });

  it('tells neither who bid nor how much, and does not change with a limit', async () => {
    const lot = await market.list('maker');
    await market.order('ann', lot, { limit: 61_415_926n });
    const ask = () =>
      gatherBook(
        { db, readers: new Map(), deployments: new Map(), now: market.now },
        { lotRef: lot, seller: 'maker', now: market.now() },
      );
    const before = await ask();
    expect(JSON.stringify(before)).not.toMatch(/ann|ben|61415926|account|key|0x/);
    await db
      .updateTable('orders')
      .set({ limit_price: 27_182_818n })
      .where('status', '=', 'resting')
      .execute();
    expect(await ask()).toEqual(before);
    expect(before?.history.lots[0]).toMatchObject({
      bids: [{ bidder: 'bidder-1', amount: null }],
      winner: null,
    });
  });

  it('is the same in a deal over the lot, or of fewer days where there are many bidders', async () => {
    const deps = { db, readers: new Map(), deployments: new Map(), now: market.now };
    const sold = [];
    for (const winner of ['ann', 'ben', 'ann']) sold.push(await sale('dot', ['cas', winner]));
    const { lot, dealId } = sold.at(-1)!;
    const book = await gatherBook(deps, { lotRef: lot, seller: 'dot', now: market.now() });
    expect(await gatherDealBids(db, (await matchOfDeal(db, dealId))!, market.now())).toEqual(book!.history);
    const few = await gatherDealBids(db, (await matchOfDeal(db, dealId))!, market.now(), 5);
    expect(few).toMatchObject({ days: 1, complete: true });
    expect(few!.lots).toEqual(book!.history.lots.slice(0, 2));
    expect(Math.max(...Object.values(few!.lotsOf))).toBeLessThan(
      Math.max(...Object.values(book!.history.lotsOf)),
    );
    expect(await matchOfDeal(db, 'deal_none')).toBeNull();
  });

  it('is judged alike from the database and from a file with the same bids', async () => {
    const lots = ['ann', 'ann', 'ann', 'ann', 'ben'].map((winner) => ['dot', winner]);
    const sold = [];
    for (const bidders of lots) sold.push(await sale('cas', bidders));
    // What is sold in another category is no measure for this one.
    const elsewhere = await market.list('cas', { category: 'travel-and-perishables' });
    await market.order('ben', elsewhere);
    const { lot } = sold.at(-1)!;
    const { record } = await tier2(lot, 'cas');
    const { rows } = await sql<{
      ref: string;
      category: string;
      seller: string;
      bidder: string;
      at: Date;
      won: boolean;
    }>`
      select l.listing_ref as ref, l.category, lower(la.owner) as seller, lower(o.owner) as bidder, o.created_at as at,
        exists (select from matches m where m.buy_order = o.order_id) as won
      from listings l join agents la on la.handle = l.handle
        join orders o on o.listing_ref = l.listing_ref and o.side = 'buy' and o.moves_price
      order by l.asset_key = ${lot} desc, l.seq desc, o.seq`.execute(db);
    const plain = [...new Set(rows.map((r) => r.ref))].map((ref) => {
      const own = rows.filter((r) => r.ref === ref);
      const { category, seller } = own[0]!;
      return {
        ...{ lot: ref, category, seller, endedAt: market.now().toISOString() },
        winner: own.find((r) => r.won)?.bidder ?? null,
        bids: own.map(({ bidder, at }) => ({ bidder, at: at.toISOString() })),
      };
    });
    const seller = plain[0]!.seller;
    const lots_ = plain.filter((l) => l.seller === seller).map(({ seller: _, ...l }) => l);
    const line = { id: lot, seller, lots: lots_, market: plain.filter((l) => l.seller !== seller) };
    const fromFile = evaluateLine('shill-collusion', JSON.stringify(line), 1, '2-of-2');
    const told = record.determinations.find((d) => d.id === 'shill-collusion')!;
    const outcomes = (checks: readonly { id: string; outcome: string }[]) =>
      checks.map(({ id, outcome }) => `${id} ${outcome}`);
    if ('error' in fromFile) throw new Error(fromFile.error.message);
    expect([fromFile.verdict, outcomes(fromFile.checks)]).toEqual([told.verdict, outcomes(told.checks)]);
    const kept = (told.evidence.common as { book: { history: BidHistory } }).book.history;
    const read = shillOfFile(line).common as { book?: { history: BidHistory } };
    const counted = ({ habits, market: live, lots: of }: BidHistory) => [habits, live, of.length];
    expect(counted(read.book!.history)).toEqual(counted(kept));
    expect(kept.lots.length).toBe(5);
  });

  it('flags a bid by the owner of the seller through another agent, hard', async () => {
    const lot = await market.list('maker');
    await market.order('maker-two', lot, { owner: '0xowner-of-maker', limit: 5_000_000n });
    const { record, hardFlags } = await tier2(lot, 'maker');
    expect([record.verdict, hardFlags]).toEqual(['FLAGGED', ['shill-collusion/seller-side-bids']]);
  });
});

describe('the history of a deal', () => {
  it('knows the lot coming back and the pair, by owners, without the deal itself', async () => {
    const there = await sale('ann', ['ben']);
    const asset = await db
      .selectFrom('listings')
      .select('asset')
      .where('asset_key', '=', there.lot)
      .executeTakeFirstOrThrow();
    await db
      .updateTable('pledges')
      .set({ released_at: market.now() })
      .where('asset_key', '=', there.lot)
      .execute();
    const back = await sale('ben', ['ann'], { asset: asset.asset });
    const history = await gatherDealHistory(db, back.dealId, market.now());
    expect(history).toMatchObject({
      lot: there.lot,
      seller: '0xowner-of-ben',
      buyer: '0xowner-of-ann',
      trades: [
        {
          dealId: there.dealId,
          seller: '0xowner-of-ann',
          buyer: '0xowner-of-ben',
          place: expect.any(Number),
        },
      ],
      sellerSideBids: 0,
      complete: true,
    });
    expect((await gatherDealHistory(db, there.dealId, market.now()))?.trades.map((t) => t.dealId)).toEqual([
      back.dealId,
    ]);
    expect(await gatherDealHistory(db, 'deal_none', market.now())).toBeNull();
    const later = new Date(market.now().getTime() + 200 * 86_400_000);
    expect((await gatherDealHistory(db, back.dealId, later))?.trades).toEqual([]);
  });
});

describe('the history of a lot that goes round among three', () => {
  it('knows what else was sold among them, and nothing of others', async () => {
    for (const handle of ['una', 'dua', 'tre', 'other']) await market.agent(handle);
    const sellOn = async (lot: string, seller: string, buyer: string) => {
      const { asset } = await db
        .selectFrom('listings')
        .select('asset')
        .where('asset_key', '=', lot)
        .executeTakeFirstOrThrow();
      await db
        .updateTable('pledges')
        .set({ released_at: market.now() })
        .where('asset_key', '=', lot)
        .execute();
      return await sale(seller, [buyer], { asset });
    };
    const beside = await sale('una', ['dua']);
    await sale('una', ['other']);
    const first = await sale('una', ['dua']);
    const second = await sellOn(first.lot, 'dua', 'tre');
    const known = async (dealId: string) =>
      (await gatherDealHistory(db, dealId, market.now()))?.trades.map((t) => t.dealId).sort();
    expect(await known(second.dealId)).toEqual([first.dealId]);
    const closing = await sellOn(first.lot, 'tre', 'una');
    expect(await known(closing.dealId)).toEqual([beside.dealId, first.dealId, second.dealId].sort());
  });
});

describe('money between the sides of a deal', () => {
  let chain: TestChain;
  beforeAll(async () => {
    chain = await testChain();
  });
  afterAll(() => chain?.stop());

  const side = (n: number): string => `0x${n.toString(16).padStart(40, '0')}`;

  async function send(from: TestAccount, to: string, usd: number): Promise<void> {
    const wallet = createWalletClient({
      account: from,
      transport: http(chain.url),
      pollingInterval: 20,
    }).extend(publicActions);
    const hash = await wallet.writeContract({
      address: chain.deployment.usdc,
      abi: testUsdcAbi,
      functionName: 'transfer',
      args: [to as `0x${string}`, BigInt(usd * 1e6)],
      chain: null,
    });
    expect((await wallet.waitForTransactionReceipt({ hash })).status).toBe('success');
  }

  async function read(buyer: readonly string[], seller: readonly string[]) {
    const options = { rpcUrl: chain.url, chainId: chain.chainId };
    const [one, other] = [viemReader(options), ethersReader(options)];
    const { number } = await one.head();
    const followed = { chainId: chain.chainId, deployment: chain.deployment };
    const found = () =>
      Promise.all(
        [one, other].map((reader) =>
          readFunding(db, reader, chain.deployment, { buyer, seller }, number, new Date()),
        ),
      );
    // By the index as far as it goes, and by logs for the rest: of all blocks, of the newest ones, of none.
    await rollBackTransfers(db, chain.chainId, null);
    const all = await found();
    while (await followTransfers({ db }, { ...followed, readers: { viem: one, ethers: other } }));
    all.push(...(await found()));
    await rollBackTransfers(db, chain.chainId, number - 2n);
    all.push(...(await found()));
    for (const told of all) expect(told).toEqual(all[0]);
    return all[0]!;
  }

  it('is found where the seller paid the buyer, and counts to the last cent', async () => {
    const { alice, bob } = chain.accounts;
    const [buyer, seller] = [[bob.address.toLowerCase()], [alice.address.toLowerCase()]];
    await send(alice, bob.address, 0.5);
    expect(await read(buyer, seller)).toMatchObject({ returned: [], sent: '500000', sharedFunders: [] });
    await send(alice, bob.address, 7);
    expect(await read(buyer, seller)).toMatchObject({ returned: [{ amount: '7000000' }], sent: '7500000' });
    expect(await read(seller, buyer)).toMatchObject({ returned: [], sent: '0' });
  });

  it('is read of whatever the sides sent one another, and not of the dust of strangers', async () => {
    const [one, other, stranger, token] = [side(0x7801), side(0x7802), side(0x7803), side(0x7804)];
    const rows = [
      [stranger, one, 999_999n],
      [stranger, one, 1_000_000n],
      [other, one, 1n],
      [one, one, 2_000_000n],
      [one, stranger, 1n],
    ] as const;
    const blocks = { fromBlock: 5n, toBlock: 6n };
    await addTransfers(db, 9, blocks, [{ block: 6n, hash: '0x' }], {
      created: [],
      transfers: rows.map(([sender, receiver, amount], place) => ({
        ...{ block: 5n, place, tx: '0x', token, sender, receiver, amount, at: new Date() },
      })),
    });
    const asked = { chainId: 9, token };
    const places = async (ends: Parameters<typeof tokenTransfers>[2]) =>
      (await tokenTransfers(db, asked, ends, blocks)).map(({ place }) => place);
    expect(await places({ to: [one, other] })).toEqual([1, 2, 3]);
    expect(await places({ by: [one] })).toEqual([3, 4]);
  });

  it('is added up over all addresses of both sides', async () => {
    const { alice, carol } = chain.accounts;
    const seller = [alice, carol].map((w) => w.address.toLowerCase());
    const buyer = [side(0x7701), side(0x7702)];
    for (const from of [alice, carol]) for (const to of buyer) await send(from, to, 0.9);
    expect(await read(buyer, seller)).toMatchObject({ returned: [], sent: '3600000' });
  });

  it('is not found in what a settlement paid, and is in whatever else its transaction sent', async () => {
    const { alice, bob, carol } = chain.accounts;
    const reader = viemReader({ rpcUrl: chain.url, chainId: chain.chainId });
    const sides = { buyer: [bob.address.toLowerCase()], seller: [alice.address.toLowerCase()] };
    const { number } = await reader.head();
    const [paid] = (await readFunding(db, reader, chain.deployment, sides, number, new Date())).returned;
    expect(paid).toBeDefined();
    // The same chain, in which that transfer's transaction settled a deal too: of these two, or of others.
    const returned = async (sold: { seller: Hex; buyer: Hex; price: bigint }) => {
      const topics = encodeEventTopics({
        abi: settlementAbi,
        eventName: 'DealSettled',
        args: { dealId: `0x${'1'.repeat(64)}`, seller: sold.seller, buyer: sold.buyer },
      }) as Hex[];
      const data = encodeAbiParameters(
        ['address', 'uint256', 'address', 'uint256', 'uint256'].map((type) => ({ type })),
        [chain.deployment.assets, 1n, chain.deployment.usdc, sold.price, 0n],
      );
      const settling: ChainReader = Object.assign(Object.create(reader), {
        logs: async (query: LogQuery) =>
          query.address === chain.deployment.settlement
            ? [{ transactionHash: paid?.tx, topics, data }].filter((log) =>
                hasTopics(log.topics, query.topics),
              )
            : await reader.logs(query),
      });
      return (await readFunding(db, settling, chain.deployment, sides, number, new Date())).returned;
    };
    expect(await returned({ seller: bob.address, buyer: alice.address, price: 7_000_000n })).toEqual([]);
    for (const other of [
      { seller: bob.address, buyer: carol.address, price: 7_000_000n },
      { seller: carol.address, buyer: alice.address, price: 7_000_000n },
      { seller: bob.address, buyer: alice.address, price: 1n },
    ])
      expect(await returned(other)).toEqual([paid]);
  });

  it('is told from prices by the settlements of these sides alone, however many the market has', async () => {
    const { alice, bob, carol } = chain.accounts;
    const reader = viemReader({ rpcUrl: chain.url, chainId: chain.chainId });
    const sides = { buyer: [bob.address.toLowerCase()], seller: [alice.address.toLowerCase()] };
    const { number } = await reader.head();
    const asked: LogQuery[] = [];
    const told: ChainReader = Object.assign(Object.create(reader), {
      logs: async (query: LogQuery) => {
        if (query.address === chain.deployment.settlement) asked.push(query);
        return await reader.logs(query);
      },
    });
    await readFunding(db, told, chain.deployment, sides, number, new Date());
    const soldBy = (seller: Hex): Hex[] => {
      const args = { dealId: pad('0x1'), seller, buyer: carol.address };
      return encodeEventTopics({ abi: settlementAbi, eventName: 'DealSettled', args }) as Hex[];
    };
    expect(asked).not.toEqual([]);
    for (const query of asked) {
      expect(hasTopics(soldBy(alice.address), query.topics)).toBe(true);
      expect(hasTopics(soldBy(bob.address), query.topics)).toBe(true);
      expect(hasTopics(soldBy(carol.address), query.topics)).toBe(false);
    }
  });

  it('names who paid much of all that came to both sides, and how many others that one paid', async () => {
    const { carol } = chain.accounts;
    await send(carol, side(0xb1), 5);
    await send(carol, side(0xa1), 5);
    expect(await read([side(0xb1)], [side(0xa1)])).toMatchObject({
      least: 25,
      sharedFunders: [{ funder: carol.address.toLowerCase(), others: 0, customers: 'few' }],
    });
    for (let n = 1; n <= 7; n++) await send(carol, side(0xc0 + n), 1);
    expect((await read([side(0xb1)], [side(0xa1)])).sharedFunders).toMatchObject([
      { others: 7, customers: 'many' },
    ]);
    expect((await read([side(0xb1), carol.address.toLowerCase()], [side(0xa1)])).sharedFunders).toEqual([]);
  });

  it('is not made by a dollar to each side from somebody who means them ill, though it came first', async () => {
    const { alice, bob, carol } = chain.accounts;
    for (const to of [side(0xb2), side(0xa2)]) await send(carol, to, 1);
    await send(alice, side(0xb2), 50);
    await send(bob, side(0xa2), 50);
    expect((await read([side(0xb2)], [side(0xa2)])).sharedFunders).toEqual([]);
  });

  it('is not hidden by a dollar from elsewhere that came before', async () => {
    const { alice, bob, carol } = chain.accounts;
    await send(alice, side(0xb3), 1);
    await send(bob, side(0xa3), 1);
    for (const to of [side(0xb3), side(0xa3)]) await send(carol, to, 50);
    const { sharedFunders } = await read([side(0xb3)], [side(0xa3)]);
    expect(sharedFunders.map(({ funder }) => funder)).toEqual([carol.address.toLowerCase()]);
  });

  it('is followed over others from the seller to the buyer of a deal, and not from an earlier deal’s price', async () => {
    const { alice, bob, carol } = chain.accounts;
    const withGas = async (byte: string): Promise<TestAccount> => {
      const privateKey: Hex = `0x${byte.repeat(32)}`;
      const account: TestAccount = { ...privateKeyToAccount(privateKey), privateKey };
      const params = [account.address, '0xde0b6b3a7640000'];
      await createWalletClient({ transport: http(chain.url) }).request({
        method: 'anvil_setBalance',
        params,
      } as never);
      return account;
    };
    const between = await withGas('b7');
    await send(alice, between.address, 40);
    await send(between, side(0xd1), 40);
    await market.agent('rich', alice.address.toLowerCase());
    await market.agent('straw', side(0xd1));
    await market.agent('stranger', bob.address.toLowerCase());
    const options = { rpcUrl: chain.url, chainId: chain.chainId };
    const readers = { viem: viemReader(options), ethers: ethersReader(options) };
    const { deployment, chainId } = chain;
    const deps = {
      db,
      readers: new Map([[chainId, readers]]),
      deployments: new Map([[chainId, deployment]]),
      now: market.now,
    };
    const told = async (buyer: string, owner: string, losing: readonly string[] = []) => {
      const lot = await market.list('rich', { owner: alice.address.toLowerCase() });
      for (const [i, loser] of losing.entries()) {
        market.tick();
        await market.order(loser, lot, { owner: side(0xe1 + i) });
      }
      market.tick();
      const { match } = await market.order(buyer, lot, { owner, limit: 100_000_000n });
      const accounts = { buyer: `0xaccount-of-${buyer}`, seller: '0xaccount-of-rich' };
      const blocks = await pinBlocks(deps, [chainId]);
      const question = { dealId: match!.dealId, chainId, accounts, blocks };
      return await gatherDealMoney(deps, question);
    };
    await rollBackTransfers(db, chainId, null);
    expect(await told('straw', side(0xd1))).toBeUndefined();
    while (await followTransfers({ db }, { chainId, deployment, readers }));
    expect((await told('straw', side(0xd1)))?.bidders).toMatchObject([{ bidder: 'buyer', fromSeller: 1 }]);
    expect((await told('stranger', bob.address.toLowerCase()))?.bidders[0]?.fromSeller).toBeLessThan(0.2);
    expect(JSON.stringify(await told('straw', side(0xd1)))).not.toMatch(/0x/);
    // Bidders whom one paid who may have customers, or not, are no matter of these two.
    const payer = await withGas('b8');
    await send(carol, payer.address, 900);
    const losing = await Promise.all([1, 2, 3].map((n) => market.agent(`loser-${n}`, side(0xe0 + n))));
    for (const n of [1, 2, 3]) await send(payer, side(0xe0 + n), 100);
    for (let n = 0; n < 9; n++) await send(payer, side(0xea0 + n), 6);
    while (await followTransfers({ db }, { chainId, deployment, readers }));
    const money = await told('stranger', bob.address.toLowerCase(), losing);
    expect(money!.bidders.map(({ bidder }) => bidder)).toEqual(['buyer', 'bidder-1', 'bidder-2', 'bidder-3']);
    expect(money!.fault).toBeNull();
  });

  it('is less where it gives back what had gone the other way before, and for one deal that had settled', async () => {
    const [one, other] = [[side(0xb6)], [side(0xa6)]];
    const paid = (from: string, to: string, usd: number, place: number): ChainLog =>
      ({
        ...{ blockNumber: 1n, logIndex: place, transactionHash: `0x${String(place).padStart(64, '0')}` },
        topics: ['0x', pad(from as Hex), pad(to as Hex)],
        data: `0x${BigInt(usd * 1e6).toString(16)}`,
      }) as unknown as ChainLog;
    const [buyer, seller] = [one[0]!, other[0]!];
    const told = async (
      transfers: readonly (readonly [string, string, number])[],
      deals: readonly number[] = [],
    ) => {
      const reader = viemReader({ rpcUrl: chain.url, chainId: chain.chainId });
      const logs = transfers.map(([from, to, usd], i) => paid(from, to, usd, i));
      const settled = deals.map((i) => ({
        transactionHash: logs[i]!.transactionHash,
        topics: encodeEventTopics({
          abi: settlementAbi,
          eventName: 'DealSettled',
          args: { dealId: `0x${'1'.repeat(64)}`, seller: seller as Hex, buyer: buyer as Hex },
        }),
        data: encodeAbiParameters(
          ['address', 'uint256', 'address', 'uint256', 'uint256'].map((type) => ({ type })),
          [chain.deployment.assets, 1n, chain.deployment.usdc, BigInt(transfers[i]![2] * 1e6), 0n],
        ),
      }));
      const made: ChainReader = Object.assign(Object.create(reader), {
        logs: async ({ address }: LogQuery) => (address === chain.deployment.settlement ? settled : logs),
      });
      await rollBackTransfers(db, chain.chainId, null);
      const found = await readFunding(
        db,
        made,
        chain.deployment,
        { buyer: one, seller: other },
        1n,
        new Date(),
      );
      return [found.sent, found.setOff];
    };
    expect(
      await told([
        [buyer, seller, 500],
        [seller, buyer, 510],
      ]),
    ).toEqual(['510000000', '500000000']);
    expect(
      await told([
        [seller, buyer, 500],
        [buyer, seller, 500],
      ]),
    ).toEqual(['500000000', undefined]);
    expect(
      await told(
        [
          [buyer, seller, 98],
          [seller, buyer, 98],
        ],
        [0],
      ),
    ).toEqual(['98000000', '98000000']);
    const again = [
      [buyer, seller, 98],
      [seller, buyer, 98],
      [buyer, seller, 98],
      [seller, buyer, 98],
    ] as const;
    expect(await told(again, [0, 2])).toEqual(['196000000', '98000000']);
    // Whichever of two things was bought first, the refund of the dearer one is one.
    for (const prices of [
      [5, 100],
      [100, 5],
    ] as const) {
      const bought = prices.map((usd) => [buyer, seller, usd] as const);
      expect(await told([...bought, [seller, buyer, 100]], [0, 1])).toEqual(['100000000', '100000000']);
    }
    const each = [
      [buyer, seller, 5],
      [seller, buyer, 5],
      [buyer, seller, 100],
      [seller, buyer, 100],
    ] as const;
    for (const both of [each, [...each.slice(2), ...each.slice(0, 2)]])
      expect(await told(both, [0, 2])).toEqual(['105000000', '100000000']);
  });

  it('comes from nobody whom a list in force knows as an exchange, whomever else that one paid', async () => {
    const { alice } = chain.accounts;
    for (const to of [side(0xb7), side(0xa7)]) await send(alice, to, 600);
    const funder = alice.address.toLowerCase();
    const found = async () => (await read([side(0xb7)], [side(0xa7)])).sharedFunders;
    expect(await found()).toMatchObject([{ funder, customers: 'few', share: 100 }]);
    const list = () =>
      importRegister(db, {
        ...{ register: 'labels', source: 'exchanges', asOf: new Date(), minimum: 1, mode: 'replace' },
        rows: (async function* () {
          yield { key: funder, detail: { kind: 'exchange' } };
        })(),
      });
    await list();
    expect(await found()).toMatchObject([
      { funder, customers: 'many', label: { label: 'exchange', list: 'labels/exchanges' } },
    ]);
    const reader = viemReader({ rpcUrl: chain.url, chainId: chain.chainId });
    const later = new Date(Date.now() + 4_000 * 86_400_000);
    const sides = { buyer: [side(0xb7)], seller: [side(0xa7)] };
    const { number } = await reader.head();
    expect(
      (await readFunding(db, reader, chain.deployment, sides, number, later)).sharedFunders,
    ).toMatchObject([{ funder, customers: 'few' }]);
    await db.deleteFrom('register_entries').execute();
  });

  it('is hidden by no payments of nothing, or of little, to others, nor to other addresses of both sides', async () => {
    const { carol } = chain.accounts;
    const [buyer, seller] = [
      [side(0xb4), side(0xbb4)],
      [side(0xa4), side(0xaa4)],
    ];
    await send(carol, side(0xb4), 3_000);
    await send(carol, side(0xa4), 3_000);
    for (const to of [side(0xbb4), side(0xaa4)]) await send(carol, to, 1);
    const found = async () => (await read(buyer, seller)).sharedFunders[0]!;
    // Others had a dollar to fifty each before.
    const { others } = await found();
    expect(await found()).toMatchObject({ customers: 'few' });
    for (let n = 0; n < 8; n++) await send(carol, side(0xd10 + n), n % 2 === 0 ? 0 : 9);
    expect(await found()).toMatchObject({ others: others + 4, customers: 'few' });
    await send(carol, side(0xd20), 270);
    expect(await found()).toMatchObject({ others: others + 5, customers: 'open' });
    // Many who got less than a tenth each are customers, too, where together they got as much.
    for (let n = 1; n <= 6; n++) await send(carol, side(0xd20 + n), 270);
    expect(await found()).toMatchObject({ others: others + 11, customers: 'many' });
  });

  it('is not made by a dollar to each of two who had their money before the blocks that are looked at', async () => {
    const { alice, bob, carol } = chain.accounts;
    await send(alice, side(0xb5), 50);
    await send(bob, side(0xa5), 50);
    await rollBackTransfers(db, chain.chainId, null);
    const options = { rpcUrl: chain.url, chainId: chain.chainId };
    const readers = [viemReader(options), ethersReader(options)];
    // Transfers are looked at from the deployment's block on, or from fifty thousand blocks ago.
    const { number: before } = await readers[0]!.head();
    const deployment = { ...chain.deployment, deployedAtBlock: Number(before) + 1 };
    const found = async () => {
      const { number } = await readers[0]!.head();
      const sides = { buyer: [side(0xb5)], seller: [side(0xa5)] };
      const told = await Promise.all(
        readers.map((r) => readFunding(db, r, deployment, sides, number, new Date())),
      );
      return told.map(({ sharedFunders }) => sharedFunders.map(({ funder }) => funder));
    };
    for (const to of [side(0xb5), side(0xa5)]) await send(carol, to, 1);
    expect(await found()).toEqual([[], []]);
    // A quarter of all that both hold.
    for (const to of [side(0xb5), side(0xa5)]) await send(carol, to, 16);
    const funder = carol.address.toLowerCase();
    expect(await found()).toEqual([[funder], [funder]]);
  });
});

it('judges evidence kept before histories and transfers were read as it was judged then', () => {
  const kept = {
    id: 'shill-collusion' as const,
    rules: 1 as const,
    at: '2026-11-01T00:00:00.000Z',
    performer: 'AGENT' as const,
    depth: '1-of-1' as const,
    common: {
      scope: 'deal',
      dealId: 'deal_1',
      chain: 'eip155:1002',
      parties: [
        { role: 'buyer', handle: 'b', account: '0x1', sessionKey: '0x2' },
        { role: 'seller', handle: 's', account: '0x3', sessionKey: '0x4' },
      ],
    },
    blocks: {},
    seats: [
      {
        seat: 'rules/viem',
        method: 'rules' as const,
        source: 'viem',
        limit: '',
        facts: {
          owners: [
            { handle: 'b', owners: ['0xb'], fault: null },
            { handle: 's', owners: ['0xs'], fault: null },
          ],
          sharedKey: false,
          fault: null,
        },
        fault: null,
      },
    ],
    latencyMs: 1,
  };
  const { verdict, checks } = judge(kept);
  expect([verdict, checks.map((c) => c.id)]).toEqual(['CLEAN', ['same-owner', 'same-session-key']]);
});
