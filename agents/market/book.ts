import { sameAddress } from '../ids.ts';
import { CENT, type Micro, maxMicro, midpoint, minMicro } from '../money.ts';

/**
 * The book of one lot. It has one seller side and any number of buyers; the seller's limit (its floor) and the
 * buyers' limits are private, always. All amounts are micro-dollars on the tick.
 */

/** The smallest step of a price. */
export const TICK: Micro = CENT;

/** A buyer's resting order. `seq` orders the book in time; `openingBid` is never above `limit`. */
export interface Bid {
  readonly orderId: string;
  readonly seq: bigint;
  readonly owner: string;
  readonly limit: Micro;
  readonly openingBid: Micro;
}

/** The seller's resting order. For a buy-now lot its limit is the ask. */
export interface Offer {
  readonly orderId: string;
  readonly owner: string;
  readonly limit: Micro;
}

/** The opening bid of a buyer who named none: half the ask, to the tick (half to even), never above the limit. */
export function defaultOpeningBid(limit: Micro, ask: Micro): Micro {
  return minMicro(limit, maxMicro(TICK, midpoint(0n, ask)));
}

/** Price first, then time. */
export function byPriority(a: Bid, b: Bid): number {
  if (a.limit !== b.limit) return a.limit > b.limit ? -1 : 1;
  return a.seq < b.seq ? -1 : a.seq > b.seq ? 1 : 0;
}

/**
 * The bids that may match an order of this seller: all but those of the seller's own beneficial owner, because two
 * orders of one owner never match.
 * @param seller the owner behind the seller's order; null: the seller has no order on the book
 */
export function rivals(seller: string | null, bids: readonly Bid[]): readonly Bid[] {
  return seller === null ? bids : bids.filter((bid) => !sameAddress(bid.owner, seller));
}

/**
 * The bids that can match and set prices, best first: only the best bid of each owner. Otherwise an owner's second bid
 * would raise the price that the same owner must beat, or reveal its own limit. The other bids stay on the book. See
 * {@link rivals}.
 */
export function contenders(seller: string | null, bids: readonly Bid[]): readonly Bid[] {
  const owners = new Set<string>();
  return [...rivals(seller, bids)].sort(byPriority).filter(({ owner }) => {
    const isFirst = !owners.has(owner.toLowerCase());
    owners.add(owner.toLowerCase());
    return isFirst;
  });
}

/**
 * The one public number of a lot, as in proxy bidding. Without a buyer it is the ask; with one buyer, that buyer's
 * opening bid; with more, the larger of the best order's opening bid and the second owner's best limit plus one tick,
 * which is never above the best limit. The number may come from a limit or from an opening bid, and nobody can tell
 * which. Bids of the seller's own owner do not count: they can never match, and would push up the price of the owner's
 * own lot.
 * @param seller as in {@link rivals}
 */
export function priceToBeat(ask: Micro, bids: readonly Bid[], seller: string | null): Micro {
  const [best, second] = contenders(seller, bids);
  if (!best) return ask;
  if (!second) return best.openingBid;
  return maxMicro(best.openingBid, minMicro(best.limit, second.limit + TICK));
}

/** The bids that overlap the offer, best first, only the best of each owner; see {@link contenders}. */
export function overlapping(offer: Offer, bids: readonly Bid[]): readonly Bid[] {
  return contenders(offer.owner, bids).filter((bid) => bid.limit >= offer.limit);
}

/**
 * The price at which an overlapping pair clears: the midpoint of the two limits, rounded half to even to the cent; for
 * a buy-now lot, its ask. It is never below the offer's limit and never above the bid's.
 */
export function clearingPrice(lot: { ask: Micro; negotiable: boolean }, offer: Offer, bid: Bid): Micro {
  return lot.negotiable ? midpoint(offer.limit, bid.limit) : lot.ask;
}
