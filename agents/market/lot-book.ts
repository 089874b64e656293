import { sameAddress } from '../ids.ts';
import type { Micro } from '../money.ts';
import { type Bid, clearingPrice, contenders, type Offer, priceToBeat } from './book.ts';

/** Two orders on a lot that matched. */
export interface Fill {
  readonly offer: Offer;
  readonly bid: Bid;
  readonly price: Micro;
}

/** The bids at one limit, in order of arrival. */
interface Level {
  readonly limit: Micro;
  readonly bids: Map<string, Bid>;
}

/**
 * The book of one lot, kept sorted in memory by the rules of `book.ts`. The authoritative book is in the database,
 * which keeps the same order by an index; tests, studies and the bench use this one to simulate books. Bids must be
 * added in the order of their `seq`.
 */
export class LotBook {
  readonly #lot: { ask: Micro; readonly negotiable: boolean };
  /** Best first. */
  readonly #levels: Level[] = [];
  readonly #limits = new Map<string, Micro>();
  #offer: Offer | null = null;

  constructor(lot: { readonly ask: Micro; readonly negotiable: boolean }) {
    this.#lot = { ...lot };
  }

  get size(): number {
    return this.#limits.size;
  }

  /** Replaces the seller's order, and matches it with the best bid that overlaps it. */
  offer(offer: Offer): Fill | null {
    this.#offer = offer;
    if (!this.#lot.negotiable || offer.limit > this.#lot.ask) this.#lot.ask = offer.limit;
    for (const { limit, bids } of this.#levels) {
      if (limit < offer.limit) return null;
      for (const bid of bids.values())
        if (!sameAddress(bid.owner, offer.owner)) return this.#fill(offer, bid);
    }
    return null;
  }

  /** Adds a buyer's order, or matches it with the seller's. */
  bid(bid: Bid): Fill | null {
    const offer = this.#offer;
    const at = this.#find(bid.limit);
    const level = this.#levels[at];
    if (level?.limit === bid.limit) level.bids.set(bid.orderId, bid);
    else this.#levels.splice(at, 0, { limit: bid.limit, bids: new Map([[bid.orderId, bid]]) });
    this.#limits.set(bid.orderId, bid.limit);
    if (offer === null || bid.limit < offer.limit || sameAddress(bid.owner, offer.owner)) return null;
    return this.#fill(offer, bid);
  }

  /** Removes a buyer's order. @returns false when it is not on the book */
  cancel(orderId: string): boolean {
    const limit = this.#limits.get(orderId);
    if (limit === undefined) return false;
    const at = this.#find(limit);
    const { bids } = this.#levels[at]!;
    bids.delete(orderId);
    if (bids.size === 0) this.#levels.splice(at, 1);
    return this.#limits.delete(orderId);
  }

  /** The one public number of the lot. The best bids of the two best owners that may match are enough to compute it. */
  priceToBeat(): Micro {
    const seller = this.#offer?.owner ?? null;
    let front: readonly Bid[] = [];
    for (const { bids } of this.#levels) {
      for (const bid of bids.values()) {
        front = contenders(seller, [...front, bid]);
        if (front.length === 2) return priceToBeat(this.#lot.ask, front, seller);
      }
    }
    return priceToBeat(this.#lot.ask, front, seller);
  }

  #fill(offer: Offer, bid: Bid): Fill {
    this.cancel(bid.orderId);
    this.#offer = null;
    return { offer, bid, price: clearingPrice(this.#lot, offer, bid) };
  }

  /** The index of the level of a limit, or the index at which it would be inserted. */
  #find(limit: Micro): number {
    let [low, high] = [0, this.#levels.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#levels[middle]!.limit > limit) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
