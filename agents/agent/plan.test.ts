import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CATEGORIES } from '../categories.ts';
import type { Mandate } from '../mandate/terms/schema.ts';
import type { Comparable, Similarity } from '../market/pricing/comparables.ts';
import { type Valued, type Worth, worthOf } from '../market/pricing/worth.ts';
import { type Micro, minMicro, parseUsd } from '../money.ts';
import type { Decision } from './decision.ts';
import type { LotSeen, Observation, OfferSeen, OwnOrder } from './observation.ts';
import { evaluationOrderId } from './order-id.ts';
import { plan } from './plan.ts';

const AT = '2026-09-06T12:00:00.000Z';
const NOW = Date.parse(AT);
const UNCAPPED = 2n ** 256n - 1n;
const usd = (amount: number): Micro => parseUsd(amount.toFixed(2), 'amount');
const ago = (ms: number): string => new Date(NOW - ms).toISOString();
const HOUR = 3_600_000;

function worth(median: number, n = 10, similarity: Similarity = 'same-kind'): Worth {
  const comparables = Array.from(
    { length: n },
    (_, i): Comparable => ({
      id: `s${i}`,
      source: 'test',
      soldAt: ago(HOUR),
      priceUsd: median.toFixed(2),
      similarity,
      dropped: null,
    }),
  );
  return worthOf({ attributes: null, comparables, category: 'digital-products', at: AT });
}
const UNKNOWN: Worth = { unjudged: 'no comparable sale was found' };

/** What attributes lead to expect, with an interval as wide as real cars have it. */
const byAttributes = (value: number, low: number, high: number): Valued => ({
  ...{
    value: usd(value),
    low: usd(low),
    high: usd(high),
    by: 'attributes',
    sales: 250,
    says: 'a model says so',
  },
  firm: high <= 2 * value && 2 * low >= value,
});

const MANDATE: Mandate = {
  side: 'both',
  currency: 'USDC',
  cap_per_deal: '500',
  cap_per_day: '800',
  expires_at: '2027-01-31T23:59:59Z',
};

const lot = (ref: string, more: Partial<LotSeen> = {}): LotSeen => ({
  listingRef: ref,
  lot: `lot-${ref}`,
  category: 'digital-products',
  chainId: 1002,
  ask: usd(100),
  negotiable: true,
  seller: { handle: 'seller', account: `0x${'5'.repeat(40)}`, owner: `0x${'6'.repeat(40)}` },
  ours: false,
  siblingSince: null,
  stopped: false,
  worth: worth(100),
  faceValue: null,
  ...more,
});

const own = (ref: string, limit: number, more: Partial<OwnOrder> = {}): OwnOrder => ({
  orderId: evaluationOrderId('before', ref),
  listingRef: ref,
  lot: `lot-${ref}`,
  limit: usd(limit),
  unfunded: false,
  createdAt: ago(HOUR),
  expiresAt: new Date(NOW + 12 * HOUR).toISOString(),
  byItself: true,
  ...more,
});

const offer = (more: Partial<OfferSeen> = {}): OfferSeen => ({
  listingRef: 'mine',
  lot: 'lot-mine',
  category: 'digital-products',
  chainId: 1002,
  ask: usd(120),
  negotiable: true,
  listedAt: AT,
  ownerLimit: usd(80),
  order: own('mine', 80, { orderId: 'ord_0', byItself: false, createdAt: ago(2 * HOUR) }),
  worth: worth(110),
  ...more,
});

const seen = (more: Partial<Observation> = {}): Observation => ({
  at: AT,
  handle: 'desk',
  tier: 'AGENT',
  status: 'active',
  mandate: MANDATE,
  remaining: {
    perDeal: usd(500),
    day: usd(800),
    week: UNCAPPED,
    month: UNCAPPED,
    total: UNCAPPED,
    spendable: usd(500),
  },
  funds: usd(1_000),
  held: { amount: 0n, unfunded: 0n, resting: 0, deals: 0, dealsToday: 0 },
  sold: { day: 0n, week: 0n, month: 0n, total: 0n },
  lots: [],
  buys: [],
  offers: [],
  ...more,
});

const one = (observation: Partial<Observation>): Decision => {
  const decisions = plan(seen(observation));
  expect(decisions).toHaveLength(1);
  return decisions[0] as Decision;
};
const told = (d: Decision) => [d.action, d.reason, d.order?.limit ?? null];

describe('an agent that buys', () => {
  it.each([
    ['bids five percent below what many sales say', {}, ['rest', 'worth', usd(95)]],
    ['bids fifteen percent below what few sales say', { worth: worth(100, 6) }, ['rest', 'worth', usd(85)]],
    ['bids no more than the ask', { ask: usd(70) }, ['rest', 'worth', usd(70)]],
    ['takes a fixed price below its worth', { ask: usd(90), negotiable: false }, ['rest', 'worth', usd(90)]],
    ['leaves a fixed price above its worth', { negotiable: false }, ['leave', 'too-dear', null]],
    ['leaves an ask that is far off', { ask: usd(200) }, ['leave', 'too-dear', null]],
    ['buys nothing that it cannot value', { worth: worth(100, 4) }, ['leave', 'no-valuation', null]],
    ['buys nothing that was never sold', { worth: UNKNOWN }, ['leave', 'no-valuation', null]],
    [
      'buys nothing by the sales of other goods',
      { worth: worth(100, 12, 'same-category') },
      ['leave', 'no-valuation', null],
    ],
    [
      'bids five percent below what its attributes lead to expect',
      { worth: byAttributes(90, 60, 140) },
      ['rest', 'worth', usd(85.5)],
    ],
    [
      'bids fifteen percent below where such things differ widely in price',
      { worth: byAttributes(90, 30, 250) },
      ['rest', 'worth', usd(76.5)],
    ],
    [
      'leaves a price that would be flagged as too low for such a thing',
      { worth: byAttributes(300, 150, 500) },
      ['leave', 'suspect-price', null],
    ],
    ['never buys from its owner', { ours: true }, ['leave', 'own-lot', null]],
    ['never bids again where a deal was stopped', { stopped: true }, ['leave', 'stopped', null]],
    ['never bids against its owner', { siblingSince: ago(HOUR) }, ['leave', 'sibling-bids', null]],
  ] as const)('%s', (_name, terms, expected) => {
    expect(told(one({ lots: [lot('a', terms)] }))).toEqual(expected);
  });

  it.each([
    [
      'its mandate is out of goods',
      { ...MANDATE, categories_deny: ['digital-products' as const] },
      'mandate',
    ],
    ['its mandate denies the seller', { ...MANDATE, counterparties_deny: ['seller'] }, 'mandate'],
    ['its mandate denies a name', { ...MANDATE, counterparties_deny: ['bob.eth'] }, 'mandate'],
    ['its mandate allows a name alone', { ...MANDATE, counterparties_allow: ['alice.eth'] }, 'mandate'],
    [
      'its mandate allows the seller and denies a name',
      { ...MANDATE, counterparties_allow: ['seller'], counterparties_deny: ['bob.eth'] },
      'mandate',
    ],
    ['the face value matters and is not known', { ...MANDATE, max_pct_of_face: '90' }, 'mandate'],
  ])('leaves a lot alone when %s', (_name, mandate, reason) => {
    expect(told(one({ mandate, lots: [lot('a')] }))).toEqual(['leave', reason, null]);
  });

  it('bids where its mandate lists the seller beside a name, and takes back what it bid elsewhere', () => {
    const mandate = { ...MANDATE, counterparties_allow: ['alice.eth', 'seller'] };
    expect(told(one({ mandate, lots: [lot('a')] }))).toEqual(['rest', 'worth', usd(95)]);
    const stranger = lot('a', { seller: { ...lot('a').seller, handle: 'stranger' } });
    expect(told(one({ mandate, lots: [stranger], buys: [own('a', 95)] }))).toEqual([
      'cancel',
      'mandate',
      null,
    ]);
  });

  it('keeps to a share of the market price when its mandate says so', () => {
    expect(one({ mandate: { ...MANDATE, max_pct_of_market: '80' }, lots: [lot('a')] }).order?.limit).toBe(
      usd(80),
    );
  });

  it('keeps to a share of the face value that the listing states, and buys nothing that states none', () => {
    const mandate = { ...MANDATE, max_pct_of_face: '90' };
    const at = (faceValue: Micro | null) => told(one({ mandate, lots: [lot('a', { faceValue })] }));
    expect(at(usd(80))).toEqual(['rest', 'worth', usd(72)]);
    expect(at(usd(1_000))).toEqual(['rest', 'worth', usd(95)]);
    expect(at(usd(60))).toEqual(['leave', 'too-dear', null]);
    expect(at(null)).toEqual(['leave', 'mandate', null]);
  });

  it('buys nothing when the chain was not read, and nothing beyond its money', () => {
    expect(told(one({ remaining: null, lots: [lot('a')] }))).toEqual(['leave', 'unread', null]);
    expect(told(one({ funds: usd(40), lots: [lot('a')] }))).toEqual(['leave', 'too-dear', null]);
  });

  it('counts what is in flight against its money, and an order that its account does not cover against its caps alone', () => {
    const held = { amount: usd(95), unfunded: 0n, resting: 1, deals: 0, dealsToday: 0 };
    const at = (unfunded: bigint, remaining = seen({}).remaining) =>
      told(one({ funds: usd(100), held: { ...held, unfunded }, remaining, lots: [lot('a')] }));
    expect(at(0n)).toEqual(['leave', 'too-dear', null]);
    expect(at(usd(95))).toEqual(['rest', 'worth', usd(95)]);
    expect(at(usd(95), { ...seen({}).remaining!, day: usd(100) })).toEqual(['leave', 'too-dear', null]);
  });

  it('lowers its own order to what its account covers', () => {
    const held = { amount: usd(95), unfunded: usd(95), resting: 1, deals: 0, dealsToday: 0 };
    const buys = [own('a', 95, { unfunded: true })];
    expect(told(one({ funds: usd(70), held, lots: [lot('a')], buys }))).toEqual([
      'reprice',
      'lower',
      usd(70),
    ]);
  });

  it('counts the deals that its mandate allows with every order that rests', () => {
    const mandate = { ...MANDATE, max_deals_total: 3 };
    const held = { amount: 0n, unfunded: 0n, resting: 1, deals: 1, dealsToday: 1 };
    const actions = plan(seen({ mandate, held, lots: [lot('a'), lot('b')] })).map((d) => d.reason);
    expect(actions).toEqual(['worth', 'deals-used']);
  });

  it('keeps ten bids of its own at most, however much it sells or its owner orders beside them', () => {
    const at = (byItself: number, byOwner: number, resting: number) => {
      const bids = Array.from({ length: byItself + byOwner }, (_, i) =>
        own(`bid-${i}`, 1, i < byItself ? {} : { byItself: false, orderId: `ord_${i}` }),
      );
      const held = { amount: 0n, unfunded: 0n, resting, deals: 0, dealsToday: 0 };
      return told(one({ held, buys: bids, lots: [lot('a')] }));
    };
    expect(at(0, 0, 10)).toEqual(['rest', 'worth', usd(95)]);
    expect(at(9, 10, 30)).toEqual(['rest', 'worth', usd(95)]);
    expect(at(10, 0, 10)).toEqual(['leave', 'enough-orders', null]);
    const many = Array.from({ length: 12 }, (_, i) => lot(`l${i}`, { ask: usd(20), worth: worth(20) }));
    const reasons = plan(seen({ lots: many })).map(({ reason }) => reason);
    expect(reasons).toEqual([...Array(10).fill('worth'), 'enough-orders', 'enough-orders']);
  });

  it('lets an order stand near its worth, moves it down past three percent and up past five', () => {
    const held = { amount: usd(95), unfunded: 0n, resting: 1, deals: 0, dealsToday: 0 };
    const at = (limit: number, more: Partial<OwnOrder> = {}) =>
      told(one({ held, lots: [lot('a')], buys: [own('a', limit, more)] }));
    expect(at(95)).toEqual(['leave', 'in-band', null]);
    expect(at(97)).toEqual(['leave', 'in-band', null]);
    expect(at(99)).toEqual(['reprice', 'lower', usd(95)]);
    expect(at(92)).toEqual(['leave', 'in-band', null]);
    expect(at(90)).toEqual(['reprice', 'higher', usd(95)]);
    expect(at(90, { createdAt: ago(60_000) })).toEqual(['leave', 'in-band', null]);
    expect(at(99, { createdAt: ago(1_000) })).toEqual(['leave', 'too-young', null]);
    expect(at(95, { expiresAt: ago(-HOUR / 2) })).toEqual(['reprice', 'renew', usd(95)]);
    expect(at(99, { byItself: false })).toEqual(['leave', 'owner-order', null]);
  });

  it('leaves its order as it is beside a younger one of its owner, and takes it back where it must go lower', () => {
    const held = { amount: usd(95), unfunded: 0n, resting: 1, deals: 0, dealsToday: 0 };
    const lots = [lot('a', { siblingSince: ago(HOUR / 2) })];
    const at = (limit: number, more: Partial<OwnOrder> = {}) =>
      told(one({ held, lots, buys: [own('a', limit, more)] }));
    expect(at(99)).toEqual(['cancel', 'sibling-bids', null]);
    expect(at(95)).toEqual(['leave', 'in-band', null]);
    expect(at(90)).toEqual(['leave', 'sibling-bids', null]);
    expect(at(95, { expiresAt: ago(-HOUR / 2) })).toEqual(['leave', 'sibling-bids', null]);
    expect(at(99, { createdAt: ago(HOUR / 4) })).toEqual(['cancel', 'sibling-bids', null]);
    const young = [lot('a', { siblingSince: AT })];
    const buys = [own('a', 99, { createdAt: ago(1_000) })];
    expect(told(one({ held, lots: young, buys }))).toEqual(['leave', 'too-young', null]);
    // What it no longer holds, another order may.
    const day = { ...seen({}).remaining!, day: usd(99) };
    const both = plan(seen({ held, remaining: day, lots: [...lots, lot('b')], buys: [own('a', 99)] }));
    expect(both.map(told)).toEqual([
      ['cancel', 'sibling-bids', null],
      ['rest', 'worth', usd(95)],
    ]);
  });

  it('renews no order that ends with its mandate', () => {
    const held = { amount: usd(95), unfunded: 0n, resting: 1, deals: 0, dealsToday: 0 };
    const mandate = { ...MANDATE, expires_at: ago(-HOUR / 2) };
    const at = (expiresAt: string) =>
      told(one({ held, mandate, lots: [lot('a')], buys: [own('a', 95, { expiresAt })] }));
    expect(at(ago(-HOUR / 3))).toEqual(['reprice', 'renew', usd(95)]);
    expect(at(mandate.expires_at)).toEqual(['leave', 'in-band', null]);
  });

  it('cancels an order that it can no longer value, or lets it expire if it ends soon', () => {
    const lots = [lot('a', { worth: UNKNOWN })];
    expect(told(one({ lots, buys: [own('a', 95)] }))).toEqual(['cancel', 'no-valuation', null]);
    expect(told(one({ lots, buys: [own('a', 95, { expiresAt: ago(-60_000) })] }))).toEqual([
      'expire',
      'no-valuation',
      null,
    ]);
  });
});

describe('an agent that sells', () => {
  it.each([
    ['asks for the market while the listing is fresh', {}, ['reprice', 'market', usd(110)]],
    ['comes half the way down in half a week', { listedAt: ago(84 * HOUR) }, ['reprice', 'market', usd(95)]],
    ["is back at its owner's limit after a week", { listedAt: ago(200 * HOUR) }, ['leave', 'in-band', null]],
    ['never asks for more than the ask', { worth: worth(500) }, ['reprice', 'market', usd(120)]],
    ['never takes less than its owner would', { worth: worth(10) }, ['leave', 'in-band', null]],
    ['leaves a fixed price alone', { negotiable: false }, ['leave', 'fixed-price', null]],
    ['stays where the market is silent', { worth: UNKNOWN }, ['leave', 'no-valuation', null]],
    [
      'goes back where the market fell silent',
      { worth: UNKNOWN, order: own('mine', 110), ownerLimit: usd(80) },
      ['leave', 'recent', null],
    ],
    [
      'goes back an hour after the market fell silent',
      { worth: UNKNOWN, order: own('mine', 110, { createdAt: ago(2 * HOUR) }) },
      ['reprice', 'owner-limit', usd(80)],
    ],
  ] as const)('%s', (name, terms, expected) => {
    const more = name.startsWith('goes back where')
      ? { order: own('mine', 110, { createdAt: ago(HOUR / 2) }) }
      : {};
    expect(told(one({ offers: [offer({ ...terms, ...more })] }))).toEqual(expected);
  });

  it('keeps to the floor of its mandate, and sells nothing that the mandate forbids', () => {
    const mandate = { ...MANDATE, min_price: '100' };
    expect(told(one({ mandate, offers: [offer({ listedAt: ago(200 * HOUR) })] }))).toEqual([
      'reprice',
      'market',
      usd(100),
    ]);
    const capped = { ...MANDATE, cap_per_deal: '90' };
    expect(told(one({ mandate: capped, offers: [offer()] }))).toEqual(['leave', 'mandate', null]);
  });

  it('counts its own order as no deal beside the one that the order may become', () => {
    const offers = ['x', 'y', 'z'].map((ref) =>
      offer({ listingRef: ref, order: { ...offer().order, orderId: `ord_${ref}`, listingRef: ref } }),
    );
    for (const limit of ['max_deals_total', 'max_deals_per_day'] as const) {
      const at = (most: number, count: number, deals = 0) =>
        plan(
          seen({
            mandate: { ...MANDATE, [limit]: most },
            held: { amount: 0n, unfunded: 0n, resting: count, deals, dealsToday: deals },
            offers: offers.slice(0, count),
          }),
        ).map(told);
      const moved = ['reprice', 'market', usd(110)];
      expect(at(1, 1)).toEqual([moved]);
      expect(at(3, 3)).toEqual([moved, moved, moved]);
      expect(at(2, 1, 1)).toEqual([moved]);
      const kept = ['leave', 'mandate', null];
      expect(at(1, 1, 1)).toEqual([kept]);
      expect(at(2, 3)).toEqual([kept, kept, kept]);
    }
  });
});

describe('an agent that may not act', () => {
  it.each([
    ['an EXECUTOR', { tier: 'EXECUTOR' as const }, 'executor'],
    ['a paused one', { status: 'paused' }, 'not-active'],
    ['one without a mandate', { mandate: null }, 'no-mandate'],
    [
      'one whose mandate is over',
      { mandate: { ...MANDATE, expires_at: '2026-09-06T11:59:59Z' } },
      'mandate-over',
    ],
  ])('does nothing, and says why: %s', (_name, more, reason) => {
    expect(told(one({ ...more, lots: [lot('a')], offers: [offer()] }))).toEqual(['leave', reason, null]);
  });
});

/** Most lots can be bid for, so that plans are more than refusals. */
const seldom = fc.integer({ min: 0, max: 9 }).map((n) => n === 0);
const anyMarket = fc.record({
  percent: fc.integer({ min: 60, max: 250 }),
  n: fc.integer({ min: 3, max: 20 }),
  s: fc.constantFrom('same-asset', 'same-kind', 'same-kind', 'same-category'),
});
const anyLots = fc.uniqueArray(
  fc.record({
    ref: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    ask: fc.integer({ min: 1, max: 400 }),
    negotiable: fc.boolean(),
    ours: seldom,
    sibling: seldom,
    category: fc.constantFrom(...CATEGORIES),
    market: anyMarket,
    order: fc.option(
      fc.record({
        limit: fc.integer({ min: 1, max: 400 }),
        age: fc.integer({ min: 0, max: 3 * HOUR }),
        left: fc.integer({ min: 1, max: 24 * HOUR }),
        byItself: seldom.map((s) => !s),
      }),
    ),
  }),
  { selector: (l) => l.ref, maxLength: 6 },
);
const cap = fc.option(fc.integer({ min: 1, max: 3_000 }).map(String), { nil: undefined });
const anySeen = fc
  .record({
    lots: anyLots,
    side: fc.constantFrom('buy', 'both', 'both', 'sell'),
    caps: fc.record({
      cap_per_deal: cap,
      cap_per_day: cap,
      cap_total: cap,
      max_pct_of_market: fc.option(fc.integer({ min: 1, max: 150 }).map(String), { nil: undefined }),
    }),
    spendable: fc.integer({ min: 0, max: 4_000 }),
    day: fc.integer({ min: 0, max: 4_000 }),
    funds: fc.integer({ min: 0, max: 4_000 }),
    deals: fc.integer({ min: 0, max: 300 }),
    maxDeals: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined }),
  })
  .map((r): Observation => {
    const buys = r.lots.flatMap((l) =>
      l.order === null
        ? []
        : [
            own(l.ref, l.order.limit, {
              createdAt: ago(l.order.age),
              expiresAt: ago(-l.order.left),
              byItself: l.order.byItself,
              ...(l.order.byItself ? {} : { orderId: 'ord_0' }),
            }),
          ],
    );
    const defined = Object.fromEntries(Object.entries(r.caps).filter(([, v]) => v !== undefined));
    return seen({
      mandate: {
        ...MANDATE,
        cap_per_deal: '700',
        cap_per_day: '2000',
        ...defined,
        side: r.side as 'buy',
        ...(r.maxDeals === undefined ? {} : { max_deals_total: r.maxDeals }),
      },
      remaining: {
        perDeal: usd(500),
        day: usd(r.day),
        week: UNCAPPED,
        month: UNCAPPED,
        total: UNCAPPED,
        spendable: usd(r.spendable),
      },
      funds: usd(r.funds),
      held: {
        amount: buys.reduce((sum, b) => sum + b.limit, usd(r.deals)),
        unfunded: 0n,
        resting: buys.length,
        deals: 1,
        dealsToday: 1,
      },
      buys,
      lots: r.lots.map((l) =>
        lot(l.ref, {
          ask: usd(l.ask),
          negotiable: l.negotiable,
          ours: l.ours,
          siblingSince: l.sibling ? ago(2 * HOUR) : null,
          category: l.category,
          worth: worth((l.ask * l.market.percent) / 100, l.market.n, l.market.s as Similarity),
        }),
      ),
    });
  });

/** The agent's orders on the book, by listing, once its plan is carried out. */
function bookAfter(observation: Observation, decisions: readonly Decision[]): Map<string, Micro> {
  const book = new Map(observation.buys.map((b) => [b.listingRef, b.limit]));
  for (const d of decisions) {
    if (d.side !== 'buy' || d.listingRef === null) continue;
    if (d.action === 'cancel') book.delete(d.listingRef);
    if (d.order !== null) book.set(d.listingRef, d.order.limit);
  }
  return book;
}

describe('a plan, whatever is observed', { timeout: 60_000 }, () => {
  it('places no order beyond mandate, caps, money, ask or valuation', () => {
    let rested = 0;
    fc.assert(
      fc.property(anySeen, (observation) => {
        const decisions = plan(observation);
        const { mandate, remaining, funds, held, buys } = observation;
        const placed = decisions.filter((d) => d.order !== null);
        rested += placed.length;
        for (const d of placed) {
          const target = observation.lots.find((l) => l.listingRef === d.listingRef) as LotSeen;
          const limit = d.order?.limit as Micro;
          expect(limit).toBeLessThanOrEqual((target.worth as Valued).value);
          expect(limit).toBeLessThanOrEqual(target.ask);
          expect(limit).toBeLessThanOrEqual(usd(500));
          expect(limit).toBeLessThanOrEqual(remaining?.spendable as Micro);
          expect(limit).toBeLessThanOrEqual(parseUsd(mandate?.cap_per_deal ?? '0', 'cap'));
          expect([target.ours, mandate?.side === 'sell']).toEqual([false, false]);
        }
        if (placed.length === 0) return;
        const book = bookAfter(observation, decisions);
        const resting = [...book.values()].reduce((a, b) => a + b, 0n);
        const inDeals = held.amount - buys.reduce((sum, b) => sum + b.limit, 0n);
        const untouched = buys.every((b) => book.get(b.listingRef) === b.limit);
        const bounds = [
          remaining?.day,
          funds,
          parseUsd(mandate?.cap_per_day ?? '0', 'cap'),
          ...(mandate?.cap_total === undefined ? [] : [parseUsd(mandate.cap_total, 'cap')]),
        ] as Micro[];
        // The orders on the book may already have been too much; the plan adds nothing to them.
        const most = bounds.reduce(minMicro);
        const standing = decisions.filter((d) => d.action === 'reprice').length;
        if (untouched || standing === 0) expect(resting + inDeals).toBeLessThanOrEqual(most);
        else
          expect(resting + inDeals <= most || resting <= buys.reduce((sum, b) => sum + b.limit, 0n)).toBe(
            true,
          );
        if (mandate?.max_deals_total !== undefined && book.size > buys.length)
          expect(held.deals + book.size).toBeLessThanOrEqual(mandate.max_deals_total);
      }),
      { numRuns: 3_000, seed: 5 },
    );
    expect(rested).toBeGreaterThan(300);
  });

  it('does not move an order of its owner, or one that is younger than two seconds', () => {
    fc.assert(
      fc.property(anySeen, (observation) => {
        for (const d of plan(observation)) {
          if (d.action !== 'cancel' && d.action !== 'reprice') continue;
          const order = observation.buys.find((b) => b.orderId === d.orderId);
          expect(order?.byItself).toBe(true);
          expect(NOW - Date.parse(order?.createdAt ?? AT)).toBeGreaterThanOrEqual(2_000);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('is the same for lots in any order', () => {
    fc.assert(
      fc.property(anySeen, (observation) => {
        const turned = {
          ...observation,
          lots: [...observation.lots].reverse(),
          buys: [...observation.buys].reverse(),
        };
        expect(plan(turned)).toEqual(plan(observation));
      }),
      { numRuns: 500 },
    );
  });

  it('settles: a second evaluation of an unchanged market changes nothing', () => {
    fc.assert(
      fc.property(anySeen, (observation) => {
        const decisions = plan(observation);
        const book = bookAfter(observation, decisions);
        const buys = [...book].map(([ref, limit]) => {
          const before = observation.buys.find((b) => b.listingRef === ref);
          return before !== undefined &&
            before.limit === limit &&
            !decisions.some((d) => d.orderId === before.orderId && d.order !== null)
            ? before
            : { ...own(ref, 1), limit, createdAt: AT };
        });
        const settled =
          buys.reduce((sum, b) => sum + b.limit, 0n) +
          observation.held.amount -
          observation.buys.reduce((sum, b) => sum + b.limit, 0n);
        const again = plan({
          ...observation,
          buys,
          held: { ...observation.held, amount: settled, resting: buys.length },
        });
        const placed = new Set(decisions.filter((d) => d.order !== null).map((d) => d.listingRef));
        expect(again.filter((d) => placed.has(d.listingRef) && d.action !== 'leave')).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });
});
