import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Bid, clearingPrice, type Offer, overlapping, priceToBeat } from '../../agents/market/book.ts';
import { dealMoney } from '../../agents/market/pricing/fees.ts';
import '../fixtures/seeded.ts';

const CENT = 10_000n;
const OWNERS = ['0xa', '0xb', '0xc', '0xd'];

/** Few distinct prices and owners, so that ties and overlaps are common. */
const cents = fc.oneof(fc.bigInt(1n, 30n), fc.bigInt(1n, 10_000_000n)).map((c) => c * CENT);
const bids = fc
  .array(fc.record({ limit: cents, opening: fc.nat(100), owner: fc.constantFrom(...OWNERS) }), {
    maxLength: 8,
  })
  .chain((rows) =>
    fc.shuffledSubarray(
      rows.map(
        (r, i): Bid => ({
          orderId: `o${i}`,
          seq: BigInt(i),
          owner: r.owner,
          limit: r.limit,
          openingBid:
            ((r.limit / CENT) * BigInt(r.opening)) / 100n < 1n
              ? CENT
              : (((r.limit / CENT) * BigInt(r.opening)) / 100n) * CENT,
        }),
      ),
      { minLength: rows.length },
    ),
  );
const offer = fc.record({ orderId: fc.constant('s'), owner: fc.constantFrom(...OWNERS), limit: cents });

/** The best bid found by comparing every pair, without sorting. */
function naiveBest(all: readonly Bid[]): Bid | undefined {
  return all.find((a) =>
    all.every((b) => b === a || a.limit > b.limit || (a.limit === b.limit && a.seq < b.seq)),
  );
}

/** Of a lot whose seller's owner bids nowhere. */
const publicPrice = (ask: bigint, all: readonly Bid[]): bigint => priceToBeat(ask, all, '0xelse');

describe('the price to beat, over random books', () => {
  it('agrees with the rule read off word by word', () => {
    fc.assert(
      fc.property(bids, cents, fc.option(fc.constantFrom(...OWNERS)), (all, ask, seller) => {
        const others = all.filter((b) => b.owner !== seller);
        const best = naiveBest(others);
        const second = naiveBest(others.filter((b) => b.owner !== best?.owner));
        let expected: bigint;
        if (best === undefined) expected = ask;
        else if (second === undefined) expected = best.openingBid;
        else {
          const oneTickOver = second.limit + CENT < best.limit ? second.limit + CENT : best.limit;
          expected = best.openingBid > oneTickOver ? best.openingBid : oneTickOver;
        }
        expect(priceToBeat(ask, all, seller)).toBe(expected);
      }),
      { numRuns: 2_000 },
    );
  });

  it('does not move with anything that the seller’s own owner bids', () => {
    fc.assert(
      fc.property(bids, bids, cents, (all, some, ask) => {
        const own = some.map((b) => ({ ...b, seq: b.seq + 100n, owner: '0xS' }));
        const price = priceToBeat(ask, all, '0xs');
        expect(priceToBeat(ask, [...own, ...all], '0xs')).toBe(price);
        expect(price).toBe(publicPrice(ask, all));
      }),
    );
  });

  it('does not move with what an owner bids beside its best, above or below others', () => {
    fc.assert(
      fc.property(bids, bids, cents, fc.constantFrom(...OWNERS), (all, some, ask, owner) => {
        const best = naiveBest(all.filter((b) => b.owner === owner));
        fc.pre(best !== undefined);
        const beside = some
          .filter((b) => b.limit <= best!.limit)
          .map((b) => ({ ...b, seq: b.seq + 100n, owner: owner.toUpperCase().replace('X', 'x') }));
        expect(publicPrice(ask, [...beside, ...all])).toBe(publicPrice(ask, all));
      }),
    );
  });

  it('is never above the best limit, and is on the tick', () => {
    fc.assert(
      fc.property(bids, cents, (all, ask) => {
        const price = publicPrice(ask, all);
        const best = naiveBest(all);
        expect(price % CENT).toBe(0n);
        expect(price > 0n).toBe(true);
        if (best) expect(price <= best.limit).toBe(true);
      }),
    );
  });

  it('does not move with how far the best limit lies above it', () => {
    fc.assert(
      fc.property(bids, cents, cents, (some, ask, more) => {
        // One order an owner: the best of each alone makes prices.
        const all = some.filter((b) => b === naiveBest(some.filter(({ owner }) => owner === b.owner)));
        const best = naiveBest(all);
        fc.pre(best !== undefined);
        const price = publicPrice(ask, all);
        fc.pre(best!.limit > price);
        const raised = all.map((b) => (b === best ? { ...b, limit: b.limit + more } : b));
        const lowered = all.map((b) => (b === best ? { ...b, limit: price + CENT } : b));
        expect(publicPrice(ask, raised)).toBe(price);
        expect(publicPrice(ask, lowered)).toBe(price);
      }),
    );
  });

  it('can be a limit or a last bid, whatever it is: two books that differ in that show the same', () => {
    fc.assert(
      fc.property(bids, cents, cents, (all, ask, more) => {
        fc.pre(all.length > 0);
        const price = publicPrice(ask, all);
        const one = { orderId: 'w', seq: 0n, owner: '0xw', openingBid: price };
        expect(publicPrice(ask, [{ ...one, limit: price }])).toBe(price);
        expect(publicPrice(ask, [{ ...one, limit: price + more }])).toBe(price);
      }),
    );
  });

  it('says nothing of the order in which rows are read', () => {
    fc.assert(
      fc.property(bids, cents, (all, ask) => {
        expect(publicPrice(ask, [...all].reverse())).toBe(publicPrice(ask, all));
      }),
    );
  });
});

describe('matches, over random books', () => {
  const play = (sell: Offer, all: readonly Bid[], negotiable: boolean) => {
    const [first] = overlapping(sell, all);
    return first ? { bid: first, price: clearingPrice({ ask: sell.limit, negotiable }, sell, first) } : null;
  };

  it('take the bid that no other willing bid precedes', () => {
    fc.assert(
      fc.property(bids, offer, (all, sell) => {
        const willing = all.filter((b) => b.limit >= sell.limit && b.owner !== sell.owner);
        expect(play(sell, all, true)?.bid).toBe(naiveBest(willing));
      }),
      { numRuns: 2_000 },
    );
  });

  it('clear between the two limits, to the cent, at the midpoint or at the ask', () => {
    fc.assert(
      fc.property(bids, offer, fc.boolean(), (all, sell, negotiable) => {
        const match = play(sell, all, negotiable);
        if (match === null) return;
        const { bid, price } = match;
        expect(sell.limit <= price && price <= bid.limit).toBe(true);
        expect(price % CENT).toBe(0n);
        if (!negotiable) expect(price).toBe(sell.limit);
        else {
          const twice = 2n * price - (sell.limit + bid.limit);
          expect(twice <= CENT && twice >= -CENT).toBe(true);
          if (twice !== 0n) expect((price / CENT) % 2n).toBe(0n);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('pair no owner with itself', () => {
    fc.assert(
      fc.property(bids, offer, (all, sell) => {
        expect(overlapping(sell, all).every((b) => b.owner !== sell.owner)).toBe(true);
      }),
    );
  });

  it('conserve money: the buyer pays what the seller nets and the fee, out of what was reserved', () => {
    fc.assert(
      fc.property(bids, offer, fc.boolean(), (all, sell, negotiable) => {
        const match = play(sell, all, negotiable);
        if (match === null) return;
        const money = dealMoney(match.price);
        expect(money.sellerNets + money.fee).toBe(money.buyerPays);
        expect(money.buyerPays <= match.bid.limit).toBe(true);
        expect(money.fee * 50n <= match.price && match.price < (money.fee + 1n) * 50n).toBe(true);
      }),
    );
  });
});
