import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Bid, clearingPrice, type Offer, overlapping, priceToBeat } from './book.ts';
import { type Fill, LotBook } from './lot-book.ts';

const CENT = 10_000n;
const OWNERS = ['0xa', '0xB', '0xb', '0xc'];
const cents = fc.oneof(fc.bigInt(1n, 12n), fc.bigInt(1n, 1_000n)).map((c) => c * CENT);
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('bid' as const),
      limit: cents,
      share: fc.nat(100),
      owner: fc.constantFrom(...OWNERS),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('offer' as const),
      limit: cents,
      owner: fc.constantFrom(...OWNERS),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cancel' as const), which: fc.nat(15) }) },
);

/** A plain list of bids that scans all of them for every question, by the rules of `book.ts`. */
class NaiveBook {
  bids: Bid[] = [];
  offering: Offer | null = null;
  ask: bigint;
  readonly negotiable: boolean;
  constructor(ask: bigint, negotiable: boolean) {
    this.ask = ask;
    this.negotiable = negotiable;
  }
  match(only?: string): Fill | null {
    const { offering: offer, ask, negotiable } = this;
    if (offer === null) return null;
    const [bid] = overlapping(offer, this.bids).filter((b) => only === undefined || b.orderId === only);
    if (!bid) return null;
    this.bids = this.bids.filter((b) => b !== bid);
    this.offering = null;
    return { offer, bid, price: clearingPrice({ ask, negotiable }, offer, bid) };
  }
}

it('a sorted book agrees with a book that scans every bid, over any history', () => {
  fc.assert(
    fc.property(cents, fc.boolean(), fc.array(step, { maxLength: 60 }), (ask, negotiable, steps) => {
      const [book, naive] = [new LotBook({ ask, negotiable }), new NaiveBook(ask, negotiable)];
      for (const [n, s] of steps.entries()) {
        const orderId = `o${n}`;
        if (s.do === 'cancel') {
          const id = naive.bids[s.which]?.orderId ?? 'nobody';
          expect(book.cancel(id)).toBe(naive.bids.some((b) => b.orderId === id));
          naive.bids = naive.bids.filter((b) => b.orderId !== id);
        } else if (s.do === 'bid') {
          const part = ((s.limit / CENT) * BigInt(s.share)) / 100n;
          const openingBid = (part < 1n ? 1n : part) * CENT;
          const bid = { orderId, seq: BigInt(n), owner: s.owner, limit: s.limit, openingBid };
          naive.bids.push(bid);
          expect(book.bid(bid)).toEqual(naive.match(orderId));
        } else {
          const offer = { orderId, owner: s.owner, limit: s.limit };
          naive.offering = offer;
          if (!negotiable || s.limit > naive.ask) naive.ask = s.limit;
          expect(book.offer(offer)).toEqual(naive.match());
        }
        const seller = naive.offering?.owner ?? null;
        expect(book.priceToBeat()).toBe(priceToBeat(naive.ask, naive.bids, seller));
        expect(book.size).toBe(naive.bids.length);
      }
    }),
    { numRuns: 2_000 },
  );
});
