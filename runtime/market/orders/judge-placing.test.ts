import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../agents/errors.ts';
import { MOST_UNFUNDED } from '../../../agents/market/funds.ts';
import type { LiveLimits } from '../../../chain/clients/agents.ts';
import type { ListingRow } from '../../../store/market/listings.ts';
import type { OrderContext, OrderSnapshot } from '../../../store/market/order-context.ts';
import { isInForce } from './judge-order.ts';
import { judgePlacing } from './judge-placing.ts';

const NOW = new Date('2026-06-01T12:00:00Z');
const USD = 1_000_000n;
const limits: LiveLimits = {
  ...{ perDeal: 50n * USD, day: 100n * USD, week: 100n * USD, month: 100n * USD, total: 100n * USD },
  spendable: 50n * USD,
};
const mandate: NonNullable<OrderContext['mandate']> = {
  version: 1,
  structured: {
    side: 'both',
    currency: 'USDC',
    cap_per_deal: '50',
    cap_per_day: '100',
    categories_allow: ['digital-products'],
    expires_at: '2027-03-31T23:59:59Z',
  },
};
const listing: ListingRow = {
  ...{
    listing_ref: 'lst',
    seq: 1n,
    handle: 'seller',
    asset_key: 'lot',
    description: 'A lot',
    attributes: null,
  },
  asset: { kind: 'token', chainId: 1002, contract: '0xc', tokenId: '1' },
  ...{
    category: 'digital-products',
    chain: 'eip155:1002',
    status: 'live',
    gate: 'deposit',
    proven: true,
    featured: false,
  },
  ...{ ask: 40n * USD, listed_ask: null, floor: null, negotiable: true, quoted_state: null, listed_at: NOW },
};
const before: OrderContext = {
  ...{ listing, agentStatus: 'active', agentEpoch: 1, probed: [] },
  held: { amount: 0n, unfunded: 0n, resting: 0, deals: 0, dealsToday: 0 },
  waiting: 0,
  sold: { day: 0n, week: 0n, month: 0n, total: 0n },
  ...{ bookedBlock: 10n, mandate, best: null, secondLimit: null, sibling: null, own: null },
  sell: { orderId: 'sell', handle: 'seller', owner: '0xs', limit: 40n * USD, since: new Date(0) },
  stops: false,
};
const asked = { handle: 'buyer', owner: '0xo', now: NOW, probes: 20 };
const look: OrderSnapshot = { lot: 'lot', listingRef: 'lst', seen: 's', digest: 'd', before, asked };
const known = { balance: 200n * USD, spending: { block: 10n, limits, epoch: 1 }, inForce: 1 };
const order = {
  orderId: 'o',
  side: 'buy' as 'buy' | 'sell',
  category: 'digital-products' as const,
  limit: 20n * USD,
  openingBid: null,
  expiresAt: new Date(NOW.getTime() + 1_000),
};

interface Other {
  readonly context?: Partial<OrderContext>;
  readonly terms?: Partial<Omit<typeof order, 'category' | 'openingBid'>> & {
    readonly category?: 'digital-products' | 'real-world-assets';
    readonly openingBid?: bigint;
  };
  readonly handle?: string;
  readonly limits?: Partial<LiveLimits>;
  readonly balance?: bigint;
}

function judged({ context, terms, handle = 'buyer', ...other }: Other = {}) {
  const seen = { ...look, before: { ...before, ...context }, asked: { ...asked, handle } };
  const spending = { ...known.spending, limits: { ...limits, ...other.limits } };
  const { balance = known.balance } = other;
  return judgePlacing(seen, { ...order, ...terms }, { handle, epoch: 1 }, { ...known, spending, balance });
}

function refusal(other: Other): string {
  try {
    judged(other);
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
  return 'placed';
}

describe('caps that were read before an order was judged', () => {
  it('count when they were read no earlier than the last block that booked a deal of the agent', () => {
    const at = (block: bigint, bookedBlock: bigint | null) =>
      isInForce({ ...known, spending: { block, limits, epoch: 1 } }, { mandate, bookedBlock }, 'buy');
    expect([at(10n, 9n), at(10n, 10n), at(0n, null)]).toEqual([true, true, true]);
    expect(at(10n, 11n)).toBe(false);
  });

  it('count for a sale at any block, because the chain does not count what may be sold', () => {
    expect(isInForce(known, { mandate, bookedBlock: 11n }, 'sell')).toBe(true);
  });

  it('count only under the mandate that was in force before them', () => {
    const by = (version: number | null) =>
      isInForce(
        known,
        { mandate: version === null ? null : { ...mandate, version }, bookedBlock: null },
        'buy',
      );
    expect([by(1), by(2), by(null)]).toEqual([true, false, false]);
  });
});

describe('an order that is judged by a snapshot', () => {
  it('is placed within its mandate and caps, and sets the price that results', () => {
    expect(judged()).toMatchObject({ replaces: null, priceToBeat: 20n * USD, listing });
  });

  it('may match once it reaches the seller’s limit, unless it is the seller’s own owner’s', () => {
    const terms = { limit: 40n * USD };
    expect(judged({ terms }).priceToBeat).toBeNull();
    const sell = { ...before.sell!, owner: asked.owner };
    expect(judged({ terms, context: { sell } }).priceToBeat).toBe(40n * USD);
  });

  it('may lead to a match at whatever limit where another bid reaches the seller’s limit already', () => {
    const best = { limit: 40n * USD, openingBid: 20n * USD };
    const terms = { limit: 10n * USD };
    expect(judged({ terms, context: { best } }).priceToBeat).toBeNull();
    expect(judged({ terms, context: { best: { ...best, limit: 39n * USD } } }).priceToBeat).not.toBeNull();
    // By its account it is on no book.
    expect(judged({ terms, context: { best }, balance: 0n }).priceToBeat).not.toBeNull();
  });

  it.each<[string, string, Other]>([
    ['mandate-exceeded', 'it is above the cap of a deal', { terms: { limit: 51n * USD } }],
    [
      'mandate-exceeded',
      'it is too much with what is held',
      { context: { held: { ...before.held, amount: 90n * USD } } },
    ],
    ['mandate-exceeded', 'the chain leaves less', { limits: { day: 10n * USD } }],
    ['bad-request', 'the listing is of another category', { terms: { category: 'real-world-assets' } }],
    ['bad-request', 'it opens above its limit', { terms: { openingBid: 21n * USD } }],
    ['agent-not-active', 'its agent is paused', { context: { agentStatus: 'paused' } }],
    ['agent-not-active', 'its agent has no mandate', { context: { mandate: null } }],
    ['not-listed', 'nothing is listed', { context: { listing: null } }],
    [
      'not-listed',
      'another listing stands in place of the one that it names',
      { context: { listing: { ...listing, listing_ref: 'lst_2' } } },
    ],
    [
      'not-listed',
      'that other listing is in a deal',
      { context: { listing: { ...listing, listing_ref: 'lst_2', status: 'dealing' } } },
    ],
    ['not-listed', 'the seller’s order has ended', { context: { sell: null } }],
    ['conflict', 'the lot is in a deal', { context: { listing: { ...listing, status: 'dealing' } } }],
    [
      'rate-limited',
      'its owner has placed many',
      { context: { probed: Array.from({ length: 20 }, () => NOW) } },
    ],
    ['not-listed', 'it sells what is another’s', { terms: { side: 'sell' } }],
    [
      'bad-request',
      'it sells below half the ask',
      { terms: { side: 'sell', limit: 19n * USD }, handle: 'seller' },
    ],
    [
      'bad-request',
      'it would sell above an ask that leaves room, and a higher ask would show the floor',
      { terms: { side: 'sell', limit: 41n * USD }, handle: 'seller' },
    ],
  ])('is refused as %s when %s', (code, _, other) => {
    expect(refusal(other)).toBe(code);
  });

  it('of the seller replaces the seller’s own order, and moves the terms of its listing', () => {
    const sells = (limit: bigint, context: Partial<OrderContext> = {}) =>
      judged({ terms: { side: 'sell', limit }, handle: 'seller', context });
    const lower = sells(30n * USD);
    expect([lower.replaces, lower.listing.ask, lower.listing.floor]).toEqual(['sell', 40n * USD, 30n * USD]);
    // The ask that leaves room is public and stays; of a lot with one price, that price is what moves.
    expect(sells(40n * USD).listing).toMatchObject({ ask: 40n * USD, floor: 40n * USD });
    const fixed = sells(35n * USD, { listing: { ...listing, negotiable: false } });
    expect(fixed.listing).toMatchObject({ ask: 35n * USD, listed_ask: 40n * USD, floor: null });
    const best = { limit: 30n * USD, openingBid: 5n * USD };
    expect(sells(30n * USD, { best }).priceToBeat).toBeNull();
    expect(sells(31n * USD, { best }).priceToBeat).toBe(5n * USD);
  });
});

describe('the price of a lot with one price', () => {
  /** Moves it from limit to limit, from an ask of 40. @returns what became of each */
  const moved = (...limits: bigint[]) => {
    let now: ListingRow = { ...listing, negotiable: false };
    return limits.map((limit) => {
      const other = { terms: { side: 'sell' as const, limit }, handle: 'seller', context: { listing: now } };
      const found = refusal(other);
      if (found === 'placed') now = judged(other).listing;
      return [found, now.ask / USD];
    });
  };

  it('goes down to half of the ask that was listed and no further, by however many orders', () => {
    expect(moved(24n * USD, 12n * USD, 20n * USD, 19n * USD)).toEqual([
      ['placed', 24n],
      ['bad-request', 24n],
      ['placed', 20n],
      ['bad-request', 20n],
    ]);
  });

  it('goes up to the ask that was listed and no further, since half of that is the minimum on chain', () => {
    expect(moved(41n * USD, 30n * USD, 40n * USD, 41n * USD)).toEqual([
      ['bad-request', 40n],
      ['placed', 30n],
      ['placed', 40n],
      ['bad-request', 40n],
    ]);
  });
});

describe('an order that its account cannot cover', () => {
  const reaching = { limit: 40n * USD };

  it('is placed unfunded, matches nobody and leaves the price as it is without it', () => {
    const best = { limit: 30n * USD, openingBid: 5n * USD };
    expect(judged({ terms: reaching, balance: 39n * USD })).toMatchObject({
      short: { need: 40n * USD, have: 39n * USD },
      priceToBeat: 40n * USD,
    });
    expect(judged({ terms: reaching, balance: 0n, context: { best } }).priceToBeat).toBe(5n * USD);
    expect(judged({ terms: reaching, balance: 40n * USD })).toMatchObject({ short: null, priceToBeat: null });
  });

  it('takes the place of the agent’s own, whose money is free for it and whose price is gone', () => {
    const own = { orderId: 'own', since: new Date(0), holds: 20n * USD, unfunded: false };
    const held = { ...before.held, amount: 20n * USD, resting: 1 };
    const at = (balance: bigint) => judged({ terms: { limit: 30n * USD }, balance, context: { own, held } });
    expect(at(30n * USD)).toMatchObject({ replaces: 'own', short: null, priceToBeat: 20n * USD });
    expect(at(29n * USD)).toMatchObject({
      replaces: 'own',
      short: { have: 29n * USD },
      priceToBeat: 40n * USD,
    });
  });

  it('is covered by what is left beside what is in flight, to which unfunded orders do not belong', () => {
    const held = { ...before.held, amount: 30n * USD, resting: 1 };
    const at = (unfunded: bigint, own: OrderContext['own'] = null) =>
      judged({ balance: 45n * USD, context: { held: { ...held, unfunded }, own } }).short;
    expect(at(0n)).toEqual({ need: 20n * USD, have: 15n * USD });
    expect(at(30n * USD)).toBeNull();
    const own = { orderId: 'own', since: new Date(0), holds: 5n * USD, unfunded: true };
    expect(at(5n * USD, own)).toBeNull();
    expect(at(4n * USD, own)?.have).toBe(19n * USD);
  });

  it('is held to its caps all the same, with what is in flight but for the cap of a deal', () => {
    const held = { ...before.held, amount: 90n * USD, unfunded: 90n * USD };
    expect(refusal({ balance: 0n, context: { held } })).toBe('mandate-exceeded');
    const inFlight = { ...before.held, amount: 60n * USD };
    expect(refusal({ terms: { limit: 40n * USD }, context: { held: inFlight } })).toBe('placed');
    expect(refusal({ terms: { limit: 41n * USD }, context: { held: inFlight } })).toBe('mandate-exceeded');
  });

  it('finds as many as may wait waiting already: it is refused, unless it takes the place of one', () => {
    const waits = (waiting: number, unfunded: boolean | null, balance = 0n): string =>
      refusal({
        balance,
        context: {
          waiting,
          own: unfunded === null ? null : { orderId: 'own', since: new Date(0), holds: USD, unfunded },
          held: { ...before.held, amount: USD, unfunded: unfunded === false ? 0n : USD, resting: waiting },
        },
      });
    expect(waits(MOST_UNFUNDED - 1, null)).toBe('placed');
    expect(waits(MOST_UNFUNDED, null)).toBe('conflict');
    expect(waits(MOST_UNFUNDED, true)).toBe('placed');
    expect(waits(MOST_UNFUNDED, false)).toBe('conflict');
    expect(waits(MOST_UNFUNDED, null, 40n * USD)).toBe('placed');
  });

  it('of a seller needs no money', () => {
    const sells = judged({ terms: { side: 'sell', limit: 30n * USD }, handle: 'seller', balance: 0n });
    expect(sells.short).toBeNull();
  });
});
