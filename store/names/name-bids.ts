import { Refusal } from '../../agents/errors.ts';
import { movesEnd, standing } from '../../agents/market/auction.ts';
import { moneyOf } from '../../agents/market/pricing/fees.ts';
import { formatUsd, type Micro, toUsd } from '../../agents/money.ts';
import {
  endReservations,
  type Held,
  heldBy,
  holdReservation,
  lockActiveAgent,
} from '../agent/reservations.ts';
import type { Trx } from '../database.ts';
import type { ListingRow } from '../market/listings.ts';
import { lockLot, type OrderRow } from '../market/lots.ts';
import {
  type Allows,
  areActive,
  type Match,
  type MatchIds,
  restingSell,
  writeMatch,
} from '../market/matches.ts';
import { liftStops } from '../market/stops.ts';
import { asAuctionBid, bidsOf, standingOf } from './auction-price.ts';
import { type AuctionRow, figureOf, requireName, runningAuction, withSlack } from './auctions.ts';
import { wasPassedOver } from './passed-over.ts';

export interface NameBid {
  readonly orderId: string;
  readonly assetKey: string;
  readonly handle: string;
  /** The agent's present beneficial owner, lower case. */
  readonly owner: string;
  /** The most that the bidder pays for the name, without the fees of both sides. */
  readonly limit: Micro;
  readonly now: Date;
  /** The ids of the match and its deal, in case there is one. */
  readonly ids: MatchIds;
  /**
   * Judges what the agent's account would pay, with the buyer's fee, by its mandate and caps, together with what it
   * holds already. The agent stays locked meanwhile. Throws to refuse.
   */
  readonly judge: (held: Held, listing: ListingRow, pays: Micro) => Promise<void>;
  readonly allows: Allows;
}

export interface Bidden {
  readonly auction: AuctionRow;
  readonly status: 'leading' | 'outbid' | 'won';
  /** What a better offer must clear after this bid; for a name that was sold, its price. */
  readonly figure: Micro;
  readonly match: Match | null;
  /** The new end, if the bid moved it; otherwise null. */
  readonly extendedTo: Date | null;
}

/**
 * Bids in the auction of a name; the caller tells its actor what came of it. In a Dutch auction the first bid that covers the falling price buys at that price. In
 * an ascending auction a bid remains until the end, and a higher bid of the same agent replaces its earlier one.
 * @throws Refusal not-listed, conflict (no auction, its end has come, passed over at an end before, below the figure,
 *   the seller's own owner, a mandate that refuses the other side), agent-not-active, and whatever `judge` throws
 */
export async function bidOnName(trx: Trx, bid: NameBid): Promise<Bidden> {
  const { now, limit } = bid;
  const { listing, sell } = await lockedName(trx, bid);
  const auction = await runningAuction(trx, listing.listing_ref);
  if (!auction) throw new Refusal('conflict', 'No auction of this name is under way: buy it at its ask.');
  if (auction.ends_at <= now) throw new Refusal('conflict', 'The auction of this name is over.');
  if (await wasPassedOver(trx, listing, auction, bid)) throw passedOverBefore();
  const figure = figureOf(auction, now);
  if (limit < figure) throw tooLow(figure);
  if (auction.format === 'dutch') {
    const match = await take(trx, bid, { listing, sell, price: figure, expiresAt: auction.ends_at });
    return { auction, status: 'won', figure, match, extendedTo: null };
  }
  const standingBids = await bidsOf(trx, listing);
  const own = standingBids.find((b) => b.handle === bid.handle) ?? null;
  // It may not be replaced either: nobody takes a bid back by handing its agent on.
  if (own && own.owner !== bid.owner) {
    throw new Refusal(
      'conflict',
      'An earlier owner of this agent has bid here, and bids stand until the end: bid with another agent.',
    );
  }
  if (own && limit <= own.limit_price) {
    throw new Refusal('conflict', 'Your agent has bid as much already: bid more, or wait.');
  }
  if (own) await replace(trx, own, now);
  const order = await rest(trx, bid, listing, {
    opening: auction.reserve,
    expiresAt: withSlack(auction.ends_at),
  });
  if (!(await bid.allows({ sell, buy: order, price: figure }))) throw refusedPair();
  const before = standing(auction.reserve, standingBids.map(asAuctionBid));
  const after = await standingOf(trx, listing, auction.reserve);
  const when = { at: now.getTime(), endsAt: auction.ends_at.getTime(), windowMs: auction.window_ms };
  const extends_ = movesEnd(when, before, bid.owner);
  const moved = await trx
    .updateTable('auctions')
    .set((eb) => ({
      price: after?.price ?? null,
      ends_at: extends_ ? new Date(when.endsAt + auction.extension_ms) : auction.ends_at,
      extensions: extends_ ? eb('extensions', '+', 1) : auction.extensions,
    }))
    .where('auction_id', '=', auction.auction_id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return {
    auction: moved,
    status: after?.leader.orderId === order.order_id ? 'leading' : 'outbid',
    figure: figureOf(moved, now),
    match: null,
    extendedTo: extends_ ? moved.ends_at : null,
  };
}

/**
 * Buys a listed name at its ask. `limit` is the ask that the buyer was shown.
 * @throws Refusal not-listed, conflict (an auction runs, the ask is above `limit`, the seller's own owner, a mandate
 *   that refuses the other side), agent-not-active, and whatever `judge` throws
 */
export async function buyName(trx: Trx, bid: NameBid): Promise<Match> {
  const { listing, sell } = await lockedName(trx, bid);
  if (await runningAuction(trx, listing.listing_ref)) {
    throw new Refusal('conflict', 'An auction of this name is under way: bid in it.');
  }
  if (bid.limit < listing.ask) throw tooLow(listing.ask);
  return await take(trx, bid, { listing, sell, price: listing.ask, expiresAt: sell.expires_at });
}

async function lockedName(trx: Trx, bid: NameBid): Promise<{ listing: ListingRow; sell: OrderRow }> {
  await lockLot(trx, bid.assetKey);
  const listing = await requireName(trx, bid.assetKey);
  await lockActiveAgent(trx, bid.handle);
  await liftStops(trx, bid);
  const sell = await restingSell(trx, listing.listing_ref);
  if (!sell || sell.expires_at <= bid.now)
    throw new Refusal('not-listed', `${bid.assetKey} is not listed any more.`);
  return { listing, sell };
}

async function take(
  trx: Trx,
  bid: NameBid,
  at: { listing: ListingRow; sell: OrderRow; price: Micro; expiresAt: Date },
): Promise<Match> {
  const { listing, sell, price, expiresAt } = at;
  // In an auction a stopped seller's order stays, and it sells nothing meanwhile.
  if (!(await areActive(trx, [sell.handle]))) {
    throw new Refusal('conflict', 'The seller of this name may not trade now.');
  }
  const buy = await rest(trx, bid, listing, { opening: price, expiresAt });
  if (!(await bid.allows({ sell, buy, price }))) throw refusedPair();
  return await writeMatch(trx, listing, { sell, buy, price }, bid.ids, bid.now);
}

/** Places a bid as a buy order, and reserves all that it may cost against its agent's caps. */
async function rest(
  trx: Trx,
  bid: NameBid,
  listing: ListingRow,
  at: { opening: Micro; expiresAt: Date },
): Promise<OrderRow> {
  const { buyerPays } = moneyOf(listing.asset_key, bid.limit);
  await bid.judge(await heldBy(trx, bid, bid.now), listing, buyerPays);
  const order = await trx
    .insertInto('orders')
    .values({
      order_id: bid.orderId,
      handle: bid.handle,
      owner: bid.owner,
      side: 'buy',
      asset_key: listing.asset_key,
      listing_ref: listing.listing_ref,
      category: listing.category,
      limit_price: bid.limit,
      opening_bid: at.opening,
      status: 'resting',
      created_at: bid.now,
      rested_at: bid.now,
      expires_at: at.expiresAt,
      left_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await holdReservation(trx, {
    orderId: order.order_id,
    handle: order.handle,
    amount: buyerPays,
    now: bid.now,
  });
  return order;
}

async function replace(trx: Trx, own: OrderRow, now: Date): Promise<void> {
  await trx
    .updateTable('orders')
    .set({ status: 'cancelled', left_at: now })
    .where('order_id', '=', own.order_id)
    .execute();
  await endReservations(trx, [own.order_id], 'released', now);
}

function tooLow(figure: Micro): Refusal {
  return new Refusal('conflict', `The price to beat is ${formatUsd(figure)} USD now.`, {
    extra: { priceToBeatUsd: toUsd(figure) },
  });
}

function passedOverBefore(): Refusal {
  return new Refusal(
    'conflict',
    'A bid of this agent, or of its owner, could not buy when this auction was to end, or has won it and did not settle: it takes no more of theirs. If the name is not sold, bid in its next auction.',
  );
}

function refusedPair(): Refusal {
  return new Refusal(
    'conflict',
    'These two agents may not deal: a mandate refuses the other side, one owner stands behind both, or a deal of theirs over it was stopped for what has not changed.',
  );
}
