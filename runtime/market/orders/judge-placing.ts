import type { Category } from '../../../agents/categories.ts';
import { AppError, badField } from '../../../agents/errors.ts';
import { type Bid, overlapping, priceToBeat } from '../../../agents/market/book.ts';
import { MOST_UNFUNDED, type Short, shortOf } from '../../../agents/market/funds.ts';
import { requireMinimum } from '../../../agents/market/listing-minimum.ts';
import { heldDown, LEAST_REST_MS } from '../../../agents/market/probing.ts';
import { formatUsd, type Micro, toUsd } from '../../../agents/money.ts';
import type { AgentRow } from '../../../store/agent/agents.ts';
import { requireMandate } from '../../../store/agent/agents.ts';
import { requireActive } from '../../../store/agent/reservations.ts';
import { type ListingRow, listedAsk } from '../../../store/market/listings.ts';
import type { OrderSnapshot, RestingBid } from '../../../store/market/order-context.ts';
import {
  type AskedOrder,
  isOverdue,
  type JudgedOrder,
  openingOf,
} from '../../../store/market/place-order.ts';
import type { SpendingLook } from '../../agent/public.ts';
import { holdToMandate } from './judge-order.ts';

/**
 * Judges an order by everything that was read, and returns what must be written. Pure. @throws AppError to refuse it
 */
export function judgePlacing(
  look: OrderSnapshot,
  order: AskedOrder & { readonly category: Category },
  agent: Pick<AgentRow, 'handle' | 'epoch'>,
  { spending, balance }: SpendingLook & { readonly balance: Micro },
): JudgedOrder {
  const onBook = judgeOnBook(look, order, lacking(look, order, balance));
  const judged = { ...onBook, accountHolds: order.side === 'buy' ? balance : null };
  requireCategory(judged.listing, order.category);
  // The chain does not sell a listing for less, and the listing may be sold at the limit of the seller's order.
  if (order.side === 'sell') requireMinimum(listedAsk(look.before.listing!), order.limit, 'limitUsd');
  const { held, sold, mandate, own } = look.before;
  const inForce = requireMandate(agent.handle, mandate).structured;
  const { side, limit } = order;
  // The order that it replaces does not count beside it.
  const others =
    judged.replaces === null
      ? held
      : {
          ...held,
          resting: held.resting - 1,
          amount: side === 'buy' && own !== null ? held.amount - own.holds : held.amount,
        };
  const asked = { side, limit, listing: judged.listing, held: others, now: look.asked.now };
  holdToMandate(agent, asked, { mandate: inForce, sold, spending });
  return judged;
}

/** What the account lacks for an order. The order that it replaces no longer needs any money. */
function lacking({ lot, before }: OrderSnapshot, order: AskedOrder, balance: Micro): Short | null {
  if (order.side === 'sell') return null;
  const { held, own } = before;
  const replaced = own === null || own.unfunded ? 0n : own.holds;
  const inFlight = held.amount - held.unfunded - replaced;
  return shortOf({ lot, limit: order.limit }, { balance, inFlight });
}

/**
 * As {@link judgePlacing}, but by the book alone, without mandate and caps. Pure.
 * @param short what its account lacks; null when it lacks nothing, or was not read
 */
export function judgeOnBook(look: OrderSnapshot, order: AskedOrder, short: Short | null = null): JudgedOrder {
  const { before } = look;
  requireOpening(order);
  const found = requirePlaceable(look, order.side);
  const { sell, own } = before;
  const listing = order.side === 'sell' ? repriced(found, order.limit) : found;
  if (short !== null) requireRoomToWait(look, short);
  const replaced = order.side === 'sell' ? sell : own;
  if (replaced !== null) requireRested(replaced.since, look.asked.now);
  const replaces = replaced?.orderId ?? null;
  return {
    look,
    order,
    listing,
    replaces,
    short,
    accountHolds: null,
    // A new order may lift a stop on the lot, and then other orders set the price. A better bid that waits matches with any.
    priceToBeat:
      before.stops || (short === null && reaches(look, order))
        ? null
        : priceWith(look, listing, short === null ? order : null),
  };
}

/**
 * Whether a match may follow: a seller's order reaches some bid, a buyer's order is its owner's best and reaches the
 * seller's, or another bid does already. That one does not depend on the new order's limit, so that nothing shows
 * whether it reaches.
 */
function reaches({ before, asked }: OrderSnapshot, { orderId, side, limit }: AskedOrder): boolean {
  const { sell, best, sibling } = before;
  if (side === 'sell') return best !== null && best.limit >= limit;
  if (isOverdue(before)) return true;
  const { owner } = asked;
  const bids = [
    ...(sibling === null ? [] : [{ ...sibling, orderId: '', owner, seq: 0n }]),
    { orderId, owner, seq: 1n, limit, openingBid: limit },
  ];
  return sell !== null && overlapping(sell, bids).some((bid) => bid.orderId === orderId);
}

/**
 * Replacing an order is also a cancellation, so nobody can find out a limit by moving an order. @throws AppError
 * conflict
 */
function requireRested(since: Date, now: Date): void {
  if (now.getTime() - since.getTime() >= LEAST_REST_MS) return;
  throw new AppError(
    'conflict',
    'An order rests for at least two seconds before another takes its place: send this one again then.',
  );
}

function requireOpening({ side, openingBid, limit }: AskedOrder): void {
  if (openingBid === null) return;
  if (side === 'sell') throw badField('openingBidUsd', 'belongs to a buy order: leave it out');
  if (openingBid > limit) throw badField('openingBidUsd', 'must not be above limitUsd');
}

/** @throws AppError not-listed, conflict, not-found, agent-not-active, rate-limited */
function requirePlaceable(
  { before, lot, listingRef, asked }: OrderSnapshot,
  side: 'buy' | 'sell',
): ListingRow {
  const { listing, sell } = before;
  // What stands for the thing now may have another price, another description and even another maker than what was signed.
  if (listing !== null && listing.listing_ref !== listingRef)
    throw new AppError(
      'not-listed',
      `The listing "${listingRef}" has ended, and "${listing.listing_ref}" stands in its place: look at that one, and name it if you mean it.`,
    );
  if (listing?.status === 'dealing')
    throw new AppError('conflict', `${lot} is in a deal: it is listed again if the deal does not settle.`);
  // A listing lasts as long as its seller's order.
  if (listing === null || sell === null) throw new AppError('not-listed', `${lot} is not listed.`);
  requireActive(asked.handle, before.agentStatus);
  holdDown(before.probed, asked.now, asked.probes);
  if (side === 'sell' && listing.handle !== asked.handle)
    throw new AppError('not-listed', `${lot} is not listed by "${asked.handle}".`);
  return listing;
}

/**
 * Limits each beneficial owner over all its agents, because each order that is placed and cancelled reveals a little of
 * the book.
 */
function holdDown(probed: readonly Date[], now: Date, most: number): void {
  const waitMs = heldDown(probed, now, most);
  if (waitMs === null) return;
  const retryAfter = Math.ceil(waitMs / 1000);
  throw new AppError(
    'rate-limited',
    `One owner may place ${most} ${most === 1 ? 'order' : 'orders'} on one lot an hour: wait ${retryAfter} seconds.`,
    { extra: { retryAfter } },
  );
}

/**
 * Bounds what an agent without money may leave waiting for it. The order that it replaces makes room. @throws AppError
 * conflict
 */
function requireRoomToWait({ before, asked }: OrderSnapshot, { need, have }: Short): void {
  const others = before.waiting - (before.own?.unfunded ? 1 : 0);
  if (others < MOST_UNFUNDED) return;
  const { handle } = asked;
  throw new AppError(
    'conflict',
    `${others} orders of "${handle}" wait for money, and ${MOST_UNFUNDED} may. This one needs ${formatUsd(need)} USD, and the account has ${formatUsd(have)} USD that nothing else is to pay from: send it the rest, or take another order back.`,
    { extra: { needUsd: toUsd(need), haveUsd: toUsd(have) } },
  );
}

/** @throws AppError bad-request */
function requireCategory(listing: Pick<ListingRow, 'category'>, category: Category): void {
  if (listing.category !== category) {
    throw badField('category', `must be ${listing.category}, the category of this listing`);
  }
}

/**
 * The limit of the seller is the price of a buy-now lot, and the floor of one that leaves room. That lot's ask is public
 * and stays: an ask that followed a higher limit would be the floor itself. Nor does a price go above the ask that was
 * listed: the minimum on chain would stay at half of that one. @throws AppError bad-request
 */
function repriced(listing: ListingRow, limit: Micro): ListingRow {
  const listed = listedAsk(listing);
  if (limit <= listed)
    return listing.negotiable
      ? { ...listing, floor: limit }
      : { ...listing, ask: limit, listed_ask: listed, floor: null };
  throw badField(
    'limitUsd',
    `must not be above the ask of ${formatUsd(listed)} at which it was listed: to ask for more, take this order back and list the lot anew`,
  );
}

/**
 * The lot's price to beat with an order that matches nothing, without the order that it replaces. The rule needs only
 * the best bids of the best two owners that may match, so the other bids cannot change it. Neither can a bid of the
 * seller's own owner.
 * @param order null when it is on no book
 */
function priceWith({ before, asked }: OrderSnapshot, listing: ListingRow, order: AskedOrder | null): Micro {
  const { best, secondLimit, sibling, sell } = before;
  const bid = (seq: bigint, owner: string, of: RestingBid | null): readonly Bid[] =>
    of === null ? [] : [{ ...of, orderId: '', owner, seq }];
  const openingBid = order === null ? null : openingOf(order, listing);
  const bids = [
    // Two owners who are neither the asker's owner nor the seller's.
    ...bid(0n, 'the best', best),
    ...bid(1n, 'the second', secondLimit === null ? null : { limit: secondLimit, openingBid: secondLimit }),
    ...bid(2n, asked.owner, sibling),
    ...bid(
      3n,
      asked.owner,
      order === null || openingBid === null ? null : { limit: order.limit, openingBid },
    ),
  ];
  return priceToBeat(listing.ask, bids, sell?.owner ?? null);
}
