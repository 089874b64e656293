import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judge } from '../../agents/determinations/panel/judge.ts';
import { panelFor } from '../../agents/determinations/panel/panel.ts';
import { recompute } from '../../agents/determinations/panel/recompute.ts';
import { rollUpTier, rollVerdict } from '../../agents/determinations/panel/rollup.ts';
import type { Depth, DeterminationEvidence } from '../../agents/determinations/panel/types.ts';
import type { BidLot } from '../../agents/determinations/shill/bid-history.ts';
import type {
  DealHistory,
  Funding,
  ShillCommon,
  ShillFacts,
  Trade,
} from '../../agents/determinations/shill/shill-evidence.ts';
import { count, markets } from '../bench/shill/shill-folds.ts';
import { readAuctions } from '../bench/shill/shill-plant.ts';
import { recordHash, reversed } from '../fixtures/record-hash.ts';
import '../fixtures/seeded.ts';

const AT = '2026-11-21T08:00:00.000Z';

interface Shill {
  readonly depth: Depth | null;
  readonly common: ShillCommon;
  readonly facts: ShillFacts;
}

function evidence({ depth, common, facts }: Shill): DeterminationEvidence {
  return {
    id: 'shill-collusion',
    rules: 1,
    at: AT,
    performer: depth === null ? 'EXECUTOR' : 'AGENT',
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

const depth = fc.constantFrom<Depth | null>('1-of-1', '2-of-2', 'superconsensus', null);
const owner = fc.constantFrom('0xs', '0xb', '0xc', '0xd');
const trade: fc.Arbitrary<Trade> = fc.record(
  {
    dealId: fc.uuid(),
    lot: fc.constantFrom('lot', 'lot', 'other'),
    seller: owner,
    buyer: owner,
    place: fc.nat(9),
  },
  { requiredKeys: ['dealId', 'lot', 'seller', 'buyer'] },
);
const facts: fc.Arbitrary<ShillFacts> = fc.record({
  owners: fc
    .tuple(fc.constantFrom(['0xb'], ['0xb'], ['0xs'], null), fc.constant(['0xs']))
    .map(([buyer, seller]) => [
      { handle: 'buyer', owners: buyer, fault: null },
      { handle: 'seller', owners: seller, fault: null },
    ]),
  sharedKey: fc.constantFrom(false, false, false, true, null),
  funding: fc.constantFrom(
    { blocks: 9, returned: [], sharedFunders: [] },
    { blocks: 9, returned: [], sent: '0', sharedFunders: [] },
    { blocks: 9, returned: [], sent: '150000', sharedFunders: [] },
    { blocks: 9, returned: [], sent: '450000', sharedFunders: [] },
    { blocks: 9, returned: [], sharedFunders: [{ funder: '0xf', others: 9 }] },
    { blocks: 9, returned: [], sharedFunders: [{ funder: '0xf', others: 1 }] },
    { blocks: 9, returned: [], sharedFunders: [{ funder: '0xf', others: 9, customers: 'few' as const }] },
    { blocks: 9, returned: [], sharedFunders: [{ funder: '0xf', others: 9, customers: 'open' as const }] },
    null,
  ),
  fault: fc.constant(null),
});
const dealCommon = (trades: readonly Trade[], over: Partial<DealHistory>): ShillCommon => ({
  scope: 'deal',
  dealId: 'deal_0',
  chain: 'eip155:1002',
  price: '1000000',
  parties: [
    { role: 'buyer', handle: 'buyer', account: '0x1', sessionKey: '0x11' },
    { role: 'seller', handle: 'seller', account: '0x2', sessionKey: '0x22' },
  ],
  history: {
    days: 180,
    lot: 'lot',
    seller: '0xs',
    buyer: '0xb',
    trades,
    deals: { seller: 20, buyer: 20 },
    sellerSideBids: 0,
    complete: true,
    ...over,
  },
});
const deal: fc.Arbitrary<Shill> = fc
  .tuple(
    depth,
    fc.array(trade, { maxLength: 5 }),
    facts,
    fc.constantFrom(0, 0, 0, 1),
    fc.constantFrom(true, true, false),
  )
  .map(([at, trades, read, sellerSideBids, complete]) => ({
    depth: at,
    common: dealCommon(trades, { sellerSideBids, complete }),
    facts: read,
  }));

const NO_FACTS = { owners: [], sharedKey: null, fault: null };
const lots: fc.Arbitrary<BidLot[]> = fc
  .array(fc.uniqueArray(fc.constantFrom(...'abcdefghijkl'), { minLength: 1, maxLength: 5 }), {
    minLength: 1,
    maxLength: 7,
  })
  .map((all) =>
    all.map((bidders, n) => ({
      lot: `lst_${n}`,
      minutes: 900,
      bids: bidders.map((bidder, i) => ({ bidder, minute: i * 7, amount: null })),
      winner: bidders.at(-1) ?? null,
      priceToAsk: null,
    })),
  );
const book: fc.Arbitrary<Shill> = fc
  .tuple(depth, lots, fc.constantFrom(true, true, true, false), fc.constantFrom(0, 0, 0, 1), fc.nat(6))
  .map(([at, all, complete, own, elsewhere]) => ({
    depth: at,
    facts: NO_FACTS,
    common: {
      scope: 'lot' as const,
      lotRef: 'lst_0',
      seller: 'alice',
      book: {
        listingRef: 'lst_0',
        sellerListed: true,
        sellerSide: own === 0 ? [] : [{ bidder: 'a', by: 'owner' as const }],
        history: {
          days: 90,
          lots: all,
          lotsOf: Object.fromEntries([...'abcdefghijkl'].map((b) => [b, countOf(all, b) + elsewhere])),
          market: 60,
          complete,
        },
      },
    },
  }));

function countOf(all: readonly BidLot[], bidder: string): number {
  return all.filter((l) => l.bids.some((b) => b.bidder === bidder)).length;
}

/** Each adds one adverse fact and takes nothing away. */
const ADVERSE: readonly ((s: Shill) => Shill)[] = [
  (s) => ({ ...s, facts: { ...s.facts, sharedKey: true } }),
  (s) => ({
    ...s,
    facts: {
      ...s.facts,
      owners: s.facts.owners.map((o) => ({ ...o, owners: [...(o.owners ?? []), '0xjoint'] })),
    },
  }),
  (s) => ({
    ...s,
    facts: { ...s.facts, owners: s.facts.owners.map((o) => ({ ...o, owners: null, fault: 'down' })) },
  }),
  (s) => ({ ...s, facts: { ...s.facts, funding: null } }),
  (s) => withFunding(s, { tx: '0x9', amount: '1' }),
  (s) => withFunding(s, { tx: '0x9', amount: '100000' }),
  (s) => withTrades(s, [{ dealId: 'x', lot: 'lot', seller: '0xb', buyer: '0xs' }]),
  (s) => withTrades(s, [{ dealId: 'x', lot: 'other', seller: '0xb', buyer: '0xs' }]),
  (s) => withTrades(s, [{ dealId: 'x', lot: 'lot', seller: '0xs', buyer: '0xb', place: 10 }]),
  (s) => withTrades(s, [{ dealId: 'x', lot: 'lot', seller: '0xd', buyer: '0xb' }]),
  (s) => withHistory(s, (h) => ({ ...h, sellerSideBids: h.sellerSideBids + 1 })),
  (s) => withHistory(s, (h) => ({ ...h, complete: false })),
  (s) =>
    s.common.scope === 'lot' && s.common.book != null
      ? {
          ...s,
          common: {
            ...s.common,
            book: {
              ...s.common.book,
              sellerSide: [...s.common.book.sellerSide, { bidder: 'b', by: 'session key' }],
            },
          },
        }
      : s,
  (s) =>
    s.common.scope === 'lot' && s.common.book != null
      ? {
          ...s,
          common: {
            ...s.common,
            book: { ...s.common.book, history: { ...s.common.book.history, complete: false } },
          },
        }
      : s,
];

function withFunding(s: Shill, transfer: { tx: string; amount: string }): Shill {
  const held: Funding = s.facts.funding ?? { blocks: 9, returned: [], sharedFunders: [] };
  const sent = held.sent === undefined ? {} : { sent: String(BigInt(held.sent) + BigInt(transfer.amount)) };
  const funding = { ...held, ...sent, returned: [...held.returned, transfer] };
  return { ...s, facts: { ...s.facts, funding } };
}

function withHistory(s: Shill, change: (h: DealHistory) => DealHistory): Shill {
  if (s.common.scope !== 'deal' || s.common.history === undefined) return s;
  return { ...s, common: { ...s.common, history: change(s.common.history) } };
}

function withTrades(s: Shill, more: readonly Trade[]): Shill {
  return withHistory(s, (h) => ({ ...h, trades: [...h.trades, ...more] }));
}

const any = fc.oneof(deal, book);

describe('shill bidding and collusion', () => {
  it('meets all three verdicts on the evidence generated here, in both scopes', () => {
    for (const kind of [deal, book]) {
      const verdicts = fc.sample(kind, { numRuns: 400, seed: 7 }).map((s) => judge(evidence(s)).verdict);
      expect(new Set(verdicts)).toEqual(new Set(['CLEAN', 'FLAGGED', 'INCONCLUSIVE']));
    }
  });

  it('never turns CLEAN by a further adverse fact', () => {
    fc.assert(
      fc.property(any, fc.constantFrom(...ADVERSE.keys()), (s, which) => {
        const [before, after] = [judge(evidence(s)).verdict, judge(evidence(ADVERSE[which]!(s))).verdict];
        return before === 'CLEAN' || after !== 'CLEAN';
      }),
      { numRuns: 2_000 },
    );
  });

  it('stays FLAGGED when a further adverse fact is added that hides nothing', () => {
    const hiding = new Set([2, 3, 9, 11]);
    const adding = [...ADVERSE.keys()].filter((i) => !hiding.has(i));
    fc.assert(
      fc.property(any, fc.constantFrom(...adding), (s, which) => {
        return (
          judge(evidence(s)).verdict !== 'FLAGGED' ||
          judge(evidence(ADVERSE[which]!(s))).verdict === 'FLAGGED'
        );
      }),
      { numRuns: 2_000 },
    );
  });

  it('does not depend on the order of lots, bids, bidders and trades', () => {
    fc.assert(
      fc.property(any, fc.nat(), (s, seed) => {
        const [one, two] = [
          judge(evidence(s)),
          judge(evidence({ ...s, common: mixed(s.common, seed) as ShillCommon })),
        ];
        expect(two.verdict).toBe(one.verdict);
        expect(two.checks).toEqual(one.checks);
        expect(two.panel.votes.map((v) => v.vote)).toEqual(one.panel.votes.map((v) => v.vote));
      }),
      { numRuns: 500 },
    );
  });

  it('gives the same record hash for the same evidence, and the same verdict again from what was stored', () => {
    fc.assert(
      fc.property(any, (s) => {
        const stored = JSON.parse(JSON.stringify(evidence(s))) as DeterminationEvidence;
        expect(recordHash(reversed(stored) as DeterminationEvidence)).toBe(recordHash(evidence(s)));
        expect(recompute({ kind: 'tier2', determinations: [stored] }).verdict).toBe(
          rollVerdict([judge(evidence(s))]),
        );
      }),
      { numRuns: 60 },
    );
  });

  it('never rolls up to CLEAN from INCONCLUSIVE or FLAGGED, nor with a check that did not pass', () => {
    fc.assert(
      fc.property(fc.array(any, { minLength: 1, maxLength: 3 }), (all) => {
        const judged = all.map((s) => judge(evidence(s)));
        const clean = judged.every(
          (d) => d.verdict === 'CLEAN' && d.checks.every((c) => c.outcome === 'PASS'),
        );
        const record = rollUpTier({ tier: 'tier2', category: 'digital-products' }, judged, []);
        return (record.verdict === 'CLEAN') === clean && rollVerdict(judged) === record.verdict;
      }),
      { numRuns: 500 },
    );
  });
});

const DATA = '../shared/data/auction-bids.csv';
const present = existsSync(DATA);
if (!present) process.stdout.write(`${DATA} is absent: nothing is planted in real auctions.\n`);

describe.runIf(present)('rings planted in real auctions', () => {
  it.each(['scattered', 'in a row'] as const)(
    'are found nine times of ten, three who bid on seven lots of ten, and of the active real bidders at most one in a hundred is named, lots dealt %s',
    (dealing) => {
      const auctions = readAuctions(readFileSync(DATA, 'utf8'));
      const { groups, found, active, named } = count(
        markets(auctions, { dealing, size: 3, zeal: 0.7, seeds: 12 }),
      );
      expect(groups).toBeGreaterThan(100);
      expect(found / groups).toBeGreaterThanOrEqual(0.9);
      expect(named / active).toBeLessThanOrEqual(0.01);
    },
  );
});

/** The same document with every list in another order. */
function mixed(value: unknown, seed: number): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => mixed(item, seed));
    return items
      .map((item, i) => ({ item, at: Math.imul(i + 1, seed | 1) >>> 8 }))
      .sort((a, b) => a.at - b.at)
      .map(({ item }) => item);
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, v]) => [key, mixed(v, seed)]));
}
