import { describe, expect, it } from 'vitest';
import { judge } from '../panel/judge.ts';
import { panelFor } from '../panel/panel.ts';
import type { Depth, DeterminationEvidence } from '../panel/types.ts';
import type { BidHistory, BidLot } from './bid-history.ts';
import { ringsByChance, ringsByPresence } from './bid-rings.ts';
import { components, graphOf } from './graph.ts';
import type { BidderMoney, MoneyTrails } from './money-trails.ts';
import type { Customers } from './payees.ts';
import type { DealHistory, Funding, LotBook, ShillCommon, ShillFacts } from './shill-evidence.ts';
import { shillScores } from './shill-score.ts';

const AT = '2026-12-01T00:00:00.000Z';

function evidence(common: ShillCommon, facts: object, depth: Depth = '2-of-2'): DeterminationEvidence {
  return {
    id: 'shill-collusion',
    rules: 1,
    at: AT,
    performer: 'AGENT',
    depth,
    common,
    blocks: {},
    seats: panelFor(depth).seats.map(({ seat, method, client }) => ({
      seat,
      method,
      source: `${client} over 127.0.0.1:1`,
      limit: 'a test',
      facts: client === 'all' ? null : facts,
      fault: null,
    })),
    latencyMs: 1,
  };
}

const DEPTHS = ['1-of-1', '2-of-2', 'superconsensus'] as const;
const lot = (n: number, bidders: readonly string[], over: Partial<BidLot> = {}): BidLot => ({
  lot: `lst_${n}`,
  minutes: 1_000,
  bids: bidders.map((bidder, i) => ({ bidder, minute: 10 + 100 * i, amount: null })),
  winner: bidders.at(-1) ?? null,
  priceToAsk: null,
  ...over,
});
const history = (lots: readonly BidLot[], over: Partial<BidHistory> = {}): BidHistory => {
  const lotsOf: Record<string, number> = {};
  for (const l of lots)
    for (const b of new Set(l.bids.map((x) => x.bidder))) lotsOf[b] = (lotsOf[b] ?? 0) + 1;
  return { days: 90, lots, lotsOf, market: 400, complete: true, ...over };
};
/** Lots of one seller with different bidders on each. */
const HONEST = [1, 2, 3, 4, 5].map((n) =>
  lot(n, [`a${n}`, `b${n}`, `c${n}`, 'regular'].slice(0, n === 1 ? 4 : 3)),
);
const RING = [1, 2, 3, 4].map((n) => lot(n, ['s1', 's2', 's3', `honest${n}`]));

describe('the determination of a lot', () => {
  const book = (over: Partial<LotBook> = {}): ShillCommon => ({
    scope: 'lot',
    lotRef: 'lst_1',
    seller: 'alice',
    book: { listingRef: 'lst_1', sellerListed: true, sellerSide: [], history: history(HONEST), ...over },
  });
  const flagged = (common: ShillCommon) =>
    judge(evidence(common, {}))
      .checks.filter((c) => c.outcome === 'FLAG')
      .map((c) => [c.id, c.hard === true]);

  const unjudged = (common: ShillCommon) =>
    judge(evidence(common, {}))
      .checks.filter((c) => c.outcome === 'INCONCLUSIVE')
      .map((c) => c.id);

  it('is CLEAN at every depth when the seller has a history and no bidders keep together in it', () => {
    for (const depth of DEPTHS) expect(judge(evidence(book(), {}, depth)).verdict, depth).toBe('CLEAN');
  });

  it('is a hard flag of every seat when the seller bids on its own lot', () => {
    const common = book({ sellerSide: [{ bidder: 'bidder-2', by: 'owner' }] });
    expect(flagged(common)).toEqual([['seller-side-bids', true]]);
    for (const depth of DEPTHS) {
      const { verdict, panel } = judge(evidence(common, {}, depth));
      expect([verdict, ...new Set(panel.votes.map((v) => v.vote))]).toEqual(['FLAGGED', 'FLAGGED']);
    }
  });

  it('flags a ring with its rule and figures, by both methods, but not as a hard flag', () => {
    const common = book({ history: history(RING) });
    const { checks, panel } = judge(evidence(common, {}));
    expect(panel.votes.map((v) => v.vote)).toEqual(['FLAGGED', 'FLAGGED']);
    const ring = checks.find((c) => c.id === 'bid-ring');
    expect(ring).toMatchObject({ outcome: 'FLAG' });
    expect(ring?.hard).toBeUndefined();
    expect(ring?.detail).toMatch(
      /3 bidders \(s1, s2, s3\) meet on 4 lots.*each bids on 100 percent of its 4 lots.*comes back bids on 25 percent.*less than one of a million; 100 percent of their lots in common, 0 won/,
    );
  });

  it('cannot tell a shill from a bidder who always bids here and never enough, and says so with its six ratings', () => {
    const shilled = HONEST.map((l) => ({
      ...l,
      bids: [...l.bids, { bidder: 's', minute: 20, amount: null }],
    }));
    const common = book({ history: history(shilled) });
    for (const depth of DEPTHS)
      expect(judge(evidence(common, {}, depth)).verdict, depth).toBe('INCONCLUSIVE');
    expect(unjudged(common)).toEqual(['loyal-loser']);
    expect(judge(evidence(common, {})).panel.votes.map((v) => v.vote)).toEqual([
      'INCONCLUSIVE',
      'INCONCLUSIVE',
    ]);
    const { detail } = judge(evidence(common, {})).checks.find((c) => c.id === 'loyal-loser')!;
    expect(detail).toMatch(/s \d\.\d of 10 \(lots 5 of 5, won 0; participation 1\.00.*small raises unknown/);
    // The same behaviour on lots of the whole market is that of a losing bidder, not of a shill.
    const everywhere = book({ history: { ...history(shilled), lotsOf: { s: 40 } } });
    expect(unjudged(everywhere)).toEqual([]);
  });

  it('cannot tell agreed prices from a shop with few customers when prices hardly vary', () => {
    const sales = (winners: number, spread: number) =>
      book({
        history: history(
          Array.from({ length: 10 }, (_, n) =>
            lot(n, [`w${n % winners}`, `x${n}`, `y${n}`], {
              winner: `w${n % winners}`,
              priceToAsk: 0.9 + spread * (n % 2),
            }),
          ),
        ),
      });
    expect(unjudged(sales(3, 0.001))).toEqual(['flat-prices']);
    expect(judge(evidence(sales(3, 0.001), {}, 'superconsensus')).verdict).toBe('INCONCLUSIVE');
    expect(unjudged(sales(3, 0.1))).toEqual([]);
    expect(unjudged(sales(10, 0.001))).toEqual([]);
  });

  it('cannot tell a ring from low bidders when there is hardly another seller', () => {
    for (const market of [4, 8, 15]) {
      const common = book({ history: history(RING, { market }) });
      for (const depth of DEPTHS)
        expect(judge(evidence(common, {}, depth)).verdict, depth).toBe('INCONCLUSIVE');
      const { detail } = judge(evidence(common, {})).checks.find((c) => c.id === 'bid-ring')!;
      expect(detail).toMatch(
        /of the lots that the market bids on, so that whoever bids at all comes back here/,
      );
    }
    expect(judge(evidence(book({ history: history(RING, { market: 400 }) }), {})).verdict).toBe('FLAGGED');
  });

  it('cannot tell a ring from low bidders when as many others come back to the seller and win', () => {
    const visited = (customers: number) =>
      RING.map((l, n) => ({
        ...l,
        bids: [
          ...l.bids,
          ...Array.from({ length: customers }, (_, c) => ({
            bidder: `customer-${c}`,
            minute: 500,
            amount: null,
          })),
        ],
        winner: customers === 0 ? l.winner : `customer-${n % customers}`,
      }));
    const told = (customers: number) => judge(evidence(book({ history: history(visited(customers)) }), {}));
    expect(told(3).verdict).toBe('INCONCLUSIVE');
    expect(told(3).checks.find((c) => c.id === 'bid-ring')?.detail).toMatch(
      /3 others come back here as they do, and win/,
    );
    expect(told(2).verdict).toBe('FLAGGED');
  });

  it('takes no money for proof that nobody is tied to the seller where none was seen, or only of late', () => {
    const few = history(RING, { market: 4 });
    const honest = RING.map((_, n) => `honest${n + 1}`);
    const seen = (bidder: string, more: Partial<BidderMoney> = {}): BidderMoney => ({
      ...{ bidder, fromSeller: 0, shared: 0, toSeller: 0, group: null, ...more },
    });
    const told = (unseen: readonly string[], more: Partial<MoneyTrails> = {}) => {
      const bidders = ['s1', 's2', 's3', ...honest].map((name) =>
        seen(name, unseen.includes(name) ? { unseen: true } : {}),
      );
      const common = book({ history: few, money: { ...{ hops: 3, bidders, fault: null }, ...more } });
      return DEPTHS.map((depth) => judge(evidence(common, {}, depth)));
    };
    const verdicts = (...asked: Parameters<typeof told>) => new Set(told(...asked).map((j) => j.verdict));
    expect(verdicts([])).toEqual(new Set(['CLEAN']));
    // Who came once is nobody's shill.
    expect(verdicts(honest)).toEqual(new Set(['CLEAN']));
    for (const unseen of [['s1', 's2', 's3'], ['s2']])
      expect(verdicts(unseen)).toEqual(new Set(['INCONCLUSIVE']));
    expect(verdicts([], { from: '70' })).toEqual(new Set(['INCONCLUSIVE']));
    const [{ checks }] = told([], { from: '70' }) as [ReturnType<typeof judge>];
    expect(checks.find((c) => c.id === 'bidders-money')).toMatchObject({
      outcome: 'PASS',
      sources: [{ limit: expect.stringContaining('dollars outside of deals from block 70 on') }],
    });
  });

  it.each<[string, Partial<LotBook>, string[]]>([
    ['the history is short', { history: history(HONEST.slice(0, 3)) }, ['bid-ring', 'loyal-loser']],
    [
      'the history is cut off',
      { history: history(HONEST, { complete: false }) },
      ['seller-side-bids', 'bid-ring', 'loyal-loser'],
    ],
    ['another listed it', { sellerListed: false }, ['seller-of-lot']],
  ])('is INCONCLUSIVE by every seat when %s', (_, over, which) => {
    for (const depth of DEPTHS) {
      const { verdict, checks, panel } = judge(evidence(book(over), {}, depth));
      expect(verdict).toBe('INCONCLUSIVE');
      expect(checks.filter((c) => c.outcome === 'INCONCLUSIVE').map((c) => c.id)).toEqual(which);
      expect(panel.votes.every((v) => v.vote === 'INCONCLUSIVE')).toBe(true);
    }
  });

  it('is INCONCLUSIVE when the lot is unknown here, and when its evidence is from before books were read', () => {
    const bare = { scope: 'lot', lotRef: 'x', seller: 'y' } as const;
    for (const depth of DEPTHS) {
      expect(judge(evidence({ ...bare, book: null }, {}, depth)).verdict).toBe('INCONCLUSIVE');
      expect(judge(evidence(bare, {}, depth)).verdict).toBe('INCONCLUSIVE');
    }
    expect(judge(evidence(bare, {})).checks.map((c) => c.id)).toEqual(['bidding-pattern']);
  });
});

describe('the determination of a deal', () => {
  const trade = (n: number, seller: string, buyer: string, of = `lot${n}`) => ({
    dealId: `deal_${n}`,
    lot: of,
    seller,
    buyer,
  });
  /** The same with its place among the deals. */
  const placed = (n: number, seller: string, buyer: string, of = 'lot') => ({
    ...trade(n, seller, buyer, of),
    place: n,
  });
  const past = (over: Partial<DealHistory> = {}): DealHistory => ({
    days: 180,
    lot: 'lot',
    seller: '0xs',
    buyer: '0xb',
    trades: [],
    deals: { seller: 0, buyer: 0 },
    sellerSideBids: 0,
    complete: true,
    ...over,
  });
  const common = (over: Partial<DealHistory> = {}): ShillCommon => ({
    scope: 'deal',
    dealId: 'deal_0',
    chain: 'eip155:1002',
    parties: [
      { role: 'buyer', handle: 'buyer', account: '0x1', sessionKey: '0x11' },
      { role: 'seller', handle: 'seller', account: '0x2', sessionKey: '0x22' },
    ],
    history: past(over),
  });
  const facts = (funding?: Funding | null): ShillFacts => ({
    owners: [
      { handle: 'buyer', owners: ['0xb'], fault: null },
      { handle: 'seller', owners: ['0xs'], fault: null },
    ],
    sharedKey: false,
    ...(funding === undefined ? {} : { funding }),
    fault: null,
  });
  const quiet: Funding = { blocks: 9, returned: [], sharedFunders: [] };

  it('is CLEAN at every depth between two owners who never met', () => {
    for (const depth of DEPTHS) expect(judge(evidence(common(), facts(quiet), depth)).verdict).toBe('CLEAN');
  });

  it('tells a ring that bids on what the seller sells, as it does of a lot, and is not stopped by a short history', () => {
    const deal = (bids: BidHistory | null): ShillCommon => ({ ...common(), bids }) as ShillCommon;
    const first = history(RING.slice(0, 1));
    for (const depth of DEPTHS) {
      const told = (of: BidHistory | null) => judge(evidence(deal(of), facts(quiet), depth)).verdict;
      expect([told(history(RING)), told(history(HONEST)), told(first), told(null)]).toEqual([
        ...['FLAGGED', 'CLEAN', 'CLEAN', 'INCONCLUSIVE'],
      ]);
      expect(told({ ...first, complete: false })).toBe('INCONCLUSIVE');
    }
    const { checks } = judge(evidence(deal(history(RING)), facts(quiet)));
    expect(checks.filter((c) => c.outcome === 'FLAG').map((c) => [c.id, c.hard === true])).toEqual([
      ['bid-ring', false],
    ]);
    expect(judge(evidence(common(), facts(quiet))).checks.map((c) => c.id)).not.toContain('bid-ring');
  });

  it('is CLEAN between owners who deal with each other sometimes, and also with others', () => {
    const trades = [trade(1, '0xs', '0xb'), trade(2, '0xs', '0xb'), trade(3, '0xb', '0xs')];
    expect(judge(evidence(common({ trades, deals: { seller: 9, buyer: 5 } }), facts(quiet))).verdict).toBe(
      'CLEAN',
    );
  });

  it.each<[string, Partial<DealHistory>, Funding, string]>([
    [
      'the lot goes there and back, and there again',
      { trades: [trade(1, '0xs', '0xb', 'lot'), trade(2, '0xb', '0xs', 'lot')] },
      quiet,
      'asset-returns',
    ],
    [
      'the lot goes round among three, and round again',
      {
        trades: [trade(1, '0xs', '0xb', 'lot'), trade(2, '0xb', '0xc', 'lot'), trade(3, '0xc', '0xs', 'lot')],
      },
      quiet,
      'asset-returns',
    ],
    [
      'a second lot goes round among the same three',
      {
        trades: [
          trade(1, '0xb', '0xc', 'lot'),
          trade(2, '0xc', '0xs', 'lot'),
          trade(3, '0xb', '0xc', 'other'),
          trade(4, '0xc', '0xs', 'other'),
          trade(5, '0xs', '0xb', 'other'),
        ],
      },
      quiet,
      'asset-returns',
    ],
    [
      'a third lot goes back and forth between the same two',
      {
        trades: [1, 3, 5].flatMap((n) => [
          trade(n, '0xb', '0xs', n === 5 ? 'lot' : `lot${n}`),
          ...(n === 5 ? [] : [trade(n + 1, '0xs', '0xb', `lot${n}`)]),
        ]),
      },
      quiet,
      'asset-returns',
    ],
    [
      'the lot comes back outside of deals, and goes the same way again and again',
      {
        trades: [1, 2, 3, 4, 5, 6, 7].map((n) => placed(n, '0xs', '0xb')),
        deals: { seller: 7, buyer: 7 },
      },
      quiet,
      'asset-returns',
    ],
    [
      'who bought the lot hands it to another who sells it back, again and again',
      {
        trades: [1, 3].flatMap((n) => [placed(n, '0xs', '0xb'), placed(n + 1, '0xc', '0xs')]),
        deals: { seller: 4, buyer: 2 },
      },
      quiet,
      'asset-returns',
    ],
    ["the seller's side bids", { sellerSideBids: 1 }, quiet, 'seller-side-bids'],
    [
      'money went back',
      {},
      { ...quiet, returned: [{ tx: '0x7', amount: '5000000' }] },
      'money-between-sides',
    ],
    [
      'one funder stands near both',
      {},
      { ...quiet, sharedFunders: [{ funder: '0xf', others: 0 }] },
      'money-between-sides',
    ],
  ])('is a hard flag of both methods when %s', (_, over, funding, id) => {
    const { checks, panel } = judge(evidence(common(over), facts(funding)));
    expect(checks.filter((c) => c.outcome === 'FLAG')).toMatchObject([{ id, hard: true }]);
    expect(panel.votes.map((v) => v.vote)).toEqual(['FLAGGED', 'FLAGGED']);
  });

  const money = (bidders: readonly Partial<BidderMoney>[], fault: string | null = null): MoneyTrails => ({
    ...{ hops: 3, fault },
    bidders: bidders.map((b, i) => ({
      ...{
        bidder: i === 0 ? 'buyer' : `bidder-${i}`,
        fromSeller: 0,
        shared: 0,
        toSeller: 0,
        group: null,
        lots: 1,
      },
      ...b,
    })),
  });
  const dealing = (trails: MoneyTrails) => ({ ...common(), money: trails }) as ShillCommon;

  it.each<[string, MoneyTrails, string]>([
    ['half of the buyer’s money is the seller’s, over others', money([{ fromSeller: 0.5 }]), 'FLAGGED'],
    ['the buyer and the seller live on one purse', money([{ shared: 0.9 }]), 'FLAGGED'],
    ['the seller lives on the buyer’s money', money([{ toSeller: 0.7 }]), 'FLAGGED'],
    [
      'two who bid before live on the seller’s money',
      money([{}, { fromSeller: 1 }, { shared: 1 }]),
      'FLAGGED',
    ],
    ['one who bid before does', money([{}, { fromSeller: 1 }]), 'INCONCLUSIVE'],
    ['a third of the buyer’s money is the seller’s', money([{ fromSeller: 0.3 }]), 'INCONCLUSIVE'],
    ['the transfers could not be followed', money([{}], 'the index is behind'), 'INCONCLUSIVE'],
    ['nothing joins their money', money([{ fromSeller: 0.15 }, {}]), 'CLEAN'],
  ])('is judged by the money of those who bid, as a lot is, where %s', (_, trails, verdict) => {
    for (const depth of DEPTHS)
      expect([depth, judge(evidence(dealing(trails), facts(quiet), depth)).verdict]).toEqual([
        depth,
        verdict,
      ]);
    if (verdict !== 'FLAGGED') return;
    const { checks } = judge(evidence(dealing(trails), facts(quiet)));
    expect(checks.filter((c) => c.outcome === 'FLAG').map((c) => c.id)).toEqual(['bidders-money']);
  });

  it.each<[string, Partial<Funding>, string]>([
    ['half of it', { sent: '50000000', returned: [{ tx: '0x7', amount: '50000000' }] }, 'FLAGGED'],
    ['all of it in pieces of cents', { sent: '100000000' }, 'FLAGGED'],
    ['less than half of it', { sent: '49999999' }, 'INCONCLUSIVE'],
    ['a fifth of it', { sent: '20000000', returned: [{ tx: '0x7', amount: '20000000' }] }, 'INCONCLUSIVE'],
    ['a dollar of it', { sent: '1000000', returned: [{ tx: '0x7', amount: '1000000' }] }, 'CLEAN'],
    ['nothing of it', { sent: '0' }, 'CLEAN'],
  ])('holds what the seller’s side sent the buyer’s against the price: %s', (_, over, verdict) => {
    const priced = { ...common(), price: '100000000' } as ShillCommon;
    for (const depth of DEPTHS) {
      const found = judge(evidence(priced, facts({ ...quiet, least: 25, ...over }), depth));
      expect([depth, found.verdict]).toEqual([depth, verdict]);
      expect(new Set(found.panel.votes.map((v) => v.vote))).toEqual(new Set([verdict]));
      const told = found.checks.find((c) => c.id === 'money-between-sides')!;
      expect([told.hard === true, told.outcome === 'PASS']).toEqual([
        verdict === 'FLAGGED',
        verdict === 'CLEAN',
      ]);
      const dollars = Number(over.sent) / 1e6;
      if (dollars > 0) expect(told.detail).toContain(`sent ${dollars} dollars to the buyer's`);
    }
  });

  it('does not take a faucet or an exchange for a link', () => {
    const funding = { ...quiet, sharedFunders: [{ funder: '0xf', others: 6 }] };
    expect(judge(evidence(common(), facts(funding))).verdict).toBe('CLEAN');
  });

  it('asks of the funder of both whether it has customers, and tells whom else it paid', () => {
    const told = (customers: Customers, depth: Depth) => {
      const funding = { ...quiet, least: 25, sharedFunders: [{ funder: '0xf', others: 12, customers }] };
      return judge(evidence(common(), facts(funding), depth));
    };
    for (const depth of DEPTHS)
      expect((['few', 'open', 'many'] as const).map((c) => told(c, depth).verdict)).toEqual([
        ...['FLAGGED', 'INCONCLUSIVE', 'CLEAN'],
      ]);
    const text = 'at least 25 percent of all money into both sides, and less into 12 others';
    for (const customers of ['few', 'open'] as const)
      expect(JSON.stringify(told(customers, '2-of-2').checks)).toContain(text);
  });

  it('accuses nobody for a funder of less than half of what one side has, which any stranger may be', () => {
    const told = (share: number, depth: Depth) => {
      const sharedFunders = [{ funder: '0xf', others: 1, customers: 'few' as const, share }];
      return judge(evidence(common(), facts({ ...quiet, least: 25, sharedFunders }), depth));
    };
    for (const depth of DEPTHS)
      expect([25, 49, 50, 100].map((share) => told(share, depth).verdict)).toEqual([
        ...['INCONCLUSIVE', 'INCONCLUSIVE', 'FLAGGED', 'FLAGGED'],
      ]);
    expect(JSON.stringify(told(25, '2-of-2').checks)).toContain("25 percent of one side's");
  });

  it('leaves open what only gave back what the buyer had paid the seller before, and never passes it', () => {
    const deal = { ...common(), price: '100000000' } as ShillCommon;
    const told = (sent: number, setOff: number | null, depth: Depth) => {
      const funding = { ...quiet, sent: `${sent}`, ...(setOff === null ? {} : { setOff: `${setOff}` }) };
      return judge(evidence(deal, facts(funding), depth));
    };
    for (const depth of DEPTHS) {
      const of = (sent: number, setOff: number | null) =>
        told(sent * 1e6, setOff === null ? null : setOff * 1e6, depth);
      expect([of(500, 500), of(500, 451), of(30, 30), of(10, 10)].map(({ verdict }) => verdict)).toEqual([
        ...['INCONCLUSIVE', 'INCONCLUSIVE', 'INCONCLUSIVE', 'CLEAN'],
      ]);
      expect([of(500, 450), of(500, null)].map(({ verdict }) => verdict)).toEqual(['FLAGGED', 'FLAGGED']);
    }
    expect(JSON.stringify(told(500e6, 500e6, '2-of-2').checks)).toContain(
      'back of what had gone the other way',
    );
  });

  it.each<[string, Partial<DealHistory>, string]>([
    [
      'the lot goes back to who sold it, for the first time',
      { trades: [trade(1, '0xb', '0xs', 'lot')] },
      'asset-returns',
    ],
    [
      'the lot came back outside of deals once, and goes the same way again',
      { trades: [placed(1, '0xs', '0xb')], deals: { seller: 1, buyer: 1 } },
      'asset-returns',
    ],
    [
      'the lot came back outside of deals, and goes to another',
      { trades: [placed(1, '0xs', '0xc'), placed(2, '0xc', '0xd')] },
      'asset-returns',
    ],
    [
      'among all that dealers sell, one lot came back outside of deals several times',
      { trades: [1, 2, 3].map((n) => placed(n, '0xs', '0xb')), deals: { seller: 40, buyer: 30 } },
      'asset-returns',
    ],
    [
      'the lot comes round among three, for the first time',
      { trades: [trade(1, '0xb', '0xc', 'lot'), trade(2, '0xc', '0xs', 'lot')] },
      'asset-returns',
    ],
    [
      'among all that dealers sell on, one lot goes the same way again',
      {
        trades: [trade(1, '0xs', '0xb', 'lot'), trade(2, '0xb', '0xs', 'lot')],
        deals: { seller: 40, buyer: 8 },
      },
      'asset-returns',
    ],
    [
      'a second lot goes back and forth between two',
      { trades: [trade(1, '0xb', '0xs', 'lot'), trade(2, '0xb', '0xs', 'x'), trade(3, '0xs', '0xb', 'x')] },
      'asset-returns',
    ],
    [
      'two dealers sell to each other three times each way',
      { trades: [1, 2, 3, 4, 5].map((n) => (n < 4 ? trade(n, '0xb', '0xs') : trade(n, '0xs', '0xb'))) },
      'pair-trade',
    ],
    [
      'a steady customer and its seller deal with hardly anybody else',
      {
        trades: [1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => trade(n, '0xs', '0xb')),
        deals: { seller: 9, buyer: 10 },
      },
      'pair-trade',
    ],
  ])('is INCONCLUSIVE by every seat, because honest pairs do it too, when %s', (_, over, id) => {
    for (const depth of DEPTHS) {
      const { verdict, checks, panel } = judge(evidence(common(over), facts(quiet), depth));
      expect([depth, verdict]).toEqual([depth, 'INCONCLUSIVE']);
      expect(checks.filter((c) => c.outcome !== 'PASS').map((c) => [c.id, c.outcome])).toEqual([
        [id, 'INCONCLUSIVE'],
      ]);
      expect(panel.votes.every((v) => v.vote === 'INCONCLUSIVE')).toBe(true);
    }
  });

  it.each<[string, Partial<DealHistory>]>([
    ['its seller bought back openly', { trades: [placed(1, '0xs', '0xc'), placed(2, '0xc', '0xs')] }],
    ['its seller bought from others', { trades: [placed(1, '0xa', '0xc'), placed(2, '0xc', '0xs')] }],
    [
      'was sold by one who had it from a buyer outside of deals',
      { trades: [placed(1, '0xa', '0xc'), placed(2, '0xd', '0xs')] },
    ],
    [
      'is an edition of which there are several',
      {
        lot: 'serial:isbn:9780306406157',
        trades: [1, 2].map((n) => placed(n, '0xs', '0xb', 'serial:isbn:9780306406157')),
      },
    ],
  ])('takes no lot for one that goes round that %s', (_, over) => {
    expect(judge(evidence(common(over), facts(quiet))).verdict).toBe('CLEAN');
  });

  it('is FLAGGED by the money between the owners, whatever their habits leave unjudged', () => {
    const steady = common({
      trades: [1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => trade(n, '0xs', '0xb')),
      deals: { seller: 9, buyer: 9 },
    });
    const funded = { ...quiet, sharedFunders: [{ funder: '0xf', others: 1 }] };
    expect(judge(evidence(steady, facts(funded))).verdict).toBe('FLAGGED');
  });

  it('is CLEAN between dealers whose trade with each other is a small part of all their trade', () => {
    const trades = Array.from({ length: 12 }, (_, n) =>
      n % 2 === 0 ? trade(n, '0xb', '0xs') : trade(n, '0xs', '0xb'),
    );
    expect(judge(evidence(common({ trades, deals: { seller: 40, buyer: 37 } }), facts(quiet))).verdict).toBe(
      'CLEAN',
    );
  });

  it('is INCONCLUSIVE by every seat while history or transfers are not completely read', () => {
    for (const depth of DEPTHS) {
      expect(judge(evidence(common({ complete: false }), facts(quiet), depth)).verdict).toBe('INCONCLUSIVE');
    }
    expect(judge(evidence(common(), facts(null))).panel.votes.map((v) => v.vote)).toEqual([
      'INCONCLUSIVE',
      'INCONCLUSIVE',
    ]);
  });
});

describe('the parts', () => {
  it('finds strongly connected components whatever order the edges come in', () => {
    const edges = [
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'a'],
      ['c', 'd'],
      ['d', 'e'],
      ['e', 'd'],
      ['x', 'a'],
    ] as const;
    const found = [['a', 'b', 'c'], ['d', 'e'], ['x']];
    expect(components(graphOf(edges))).toEqual(found);
    expect(components(graphOf([...edges].reverse()))).toEqual(found);
  });

  it('walks a chain of thirty thousand nodes without running out of stack', () => {
    const chain = Array.from({ length: 30_000 }, (_, i) => [`n${i}`, `n${i + 1}`] as const);
    expect(components(graphOf(chain))).toHaveLength(30_001);
  });

  it('takes neither two bidders for a ring nor bidders who bid all over the market', () => {
    const pair = RING.map((l) => ({ ...l, bids: l.bids.filter((b) => b.bidder !== 's3') }));
    expect([...ringsByPresence(history(pair)), ...ringsByChance(history(pair))]).toEqual([]);
    const busy = history(RING, { lotsOf: { s1: 30, s2: 30, s3: 30 } });
    expect([...ringsByPresence(busy), ...ringsByChance(busy)]).toEqual([]);
  });

  it('rates a shill above all others by the six ratings', () => {
    const bids = (n: number) => [
      { bidder: `h${n}`, minute: 100, amount: '10000000' },
      { bidder: 'shill', minute: 101, amount: '10500000' },
      { bidder: `g${n}`, minute: 700, amount: '30000000' },
      { bidder: 'shill', minute: 702, amount: '30500000' },
      { bidder: `h${n}`, minute: 990, amount: '50000000' },
    ];
    const scores = shillScores(history([1, 2, 3].map((n) => lot(n, [], { bids: bids(n), winner: `h${n}` }))));
    expect(scores[0]).toMatchObject({ bidder: 'shill', lots: 3, won: 0, participation: 1, losses: 1 });
    expect(scores[0]?.score).toBeCloseTo(
      (10 * (9 + 2 * (2 / 3) + 5 + 2 * (1 - 1.5 / 599) + 2 * (1 - 0.5 / 20) + 2 * (1 - 101 / 1000))) / 22,
      2,
    );
    expect(scores[1]!.score).toBeLessThan(5);
  });
});
