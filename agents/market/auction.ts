import { sameAddress } from '../ids.ts';
import { CENT, type Micro, maxMicro, minMicro } from '../money.ts';
import { TICK } from './book.ts';

/** The rules of auctions. All amounts are micro-dollars, all times milliseconds since the epoch. */

/** Each step of an ascending auction is at least this share of the price. */
export const INCREMENT_BASIS_POINTS = 500n;

/**
 * As soon as the ends of one auction have passed over the bids of this many agents, an end that passes over more sells
 * nothing. An auction is put off no oftener than this, since an agent bids no more once it was passed over.
 */
export const MOST_PASSED_OVER = 8;

/** How a Dutch price falls. */
export interface Schedule {
  readonly start: Micro;
  readonly reserve: Micro;
  readonly startsAt: number;
  readonly endsAt: number;
}

/**
 * A bid in an ascending auction. The bidder pays at most `limit`; the other bids decide how much. `seq` orders bids in
 * time.
 */
export interface AuctionBid {
  readonly orderId: string;
  readonly seq: bigint;
  /** The agent's beneficial owner. Bids of one owner never raise each other. */
  readonly owner: string;
  readonly limit: Micro;
}

/** The state of an ascending auction. */
export interface Standing {
  readonly leader: AuctionBid;
  /** The best bid of another owner, which sets the price; null: the reserve sets it. */
  readonly rival: AuctionBid | null;
  /** What the leader would pay. */
  readonly price: Micro;
}

/** The price of a Dutch auction: the straight line from start to reserve, rounded up to the tick. */
export function dutchPrice({ start, reserve, startsAt, endsAt }: Schedule, at: number): Micro {
  if (at <= startsAt) return start;
  if (at >= endsAt) return reserve;
  const fallen = ((start - reserve) * BigInt(at - startsAt)) / BigInt(endsAt - startsAt);
  return ((start - fallen + TICK - 1n) / TICK) * TICK;
}

/** Five percent, rounded up to the tick. */
export function increment(price: Micro): Micro {
  const share = (price * INCREMENT_BASIS_POINTS + 9_999n) / 10_000n;
  return maxMicro(TICK, ((share + CENT - 1n) / CENT) * CENT);
}

/**
 * Proxy bidding: the highest bid leads, and of two equal bids the earlier. The leader would pay one increment more than
 * the best bid of another owner, but never more than its own limit and never less than the reserve. Null without a bid.
 */
export function standing(reserve: Micro, bids: readonly AuctionBid[]): Standing | null {
  const ranked = bids.filter((bid) => bid.limit >= reserve).sort(byRank);
  const [leader] = ranked;
  if (!leader) return null;
  const rival = ranked.find((bid) => !sameAddress(bid.owner, leader.owner));
  if (!rival) return { leader, rival: null, price: reserve };
  return { leader, rival, price: minMicro(leader.limit, rival.limit + increment(rival.limit)) };
}

/** The best first. */
export function byRank(a: AuctionBid, b: AuctionBid): number {
  if (a.limit !== b.limit) return a.limit > b.limit ? -1 : 1;
  return a.seq < b.seq ? -1 : a.seq > b.seq ? 1 : 0;
}

/** The lowest limit that a new bid may have; the one public figure of an ascending auction. */
export function leastBid(reserve: Micro, price: Micro | null): Micro {
  return price === null ? reserve : price + increment(price);
}

/**
 * Whether a bid extends the auction: it came within the window before the end, from an owner who was not leading. Each
 * such bid raised the price by an increment. A leader cannot buy time by raising its own limit, which nobody sees.
 */
export function movesEnd(
  when: { readonly at: number; readonly endsAt: number; readonly windowMs: number },
  before: Standing | null,
  bidder: string,
): boolean {
  if (when.at < when.endsAt - when.windowMs || when.at >= when.endsAt) return false;
  return before === null || !sameAddress(before.leader.owner, bidder);
}

/**
 * What an ascending auction does at an end that has passed over bids. Where these had made the price, they have kept
 * others from bidding: whoever leads without them must not buy at what it would pay without those others. The auction
 * goes on, so that they may bid. Where that has happened too often, it sells nothing: passing over must never pay.
 * @param bids.stand the bids that are left
 * @param bids.passedOver those that this end has passed over
 * @param before how many agents the earlier ends of this auction have passed over
 */
export function afterPassingOver(
  reserve: Micro,
  bids: { readonly stand: readonly AuctionBid[]; readonly passedOver: readonly AuctionBid[] },
  before: number,
): 'award' | 'go-on' | 'sell-nothing' {
  const price = (all: readonly AuctionBid[]): Micro => standing(reserve, all)?.price ?? reserve;
  if (price([...bids.stand, ...bids.passedOver]) === price(bids.stand)) return 'award';
  return before < MOST_PASSED_OVER ? 'go-on' : 'sell-nothing';
}
