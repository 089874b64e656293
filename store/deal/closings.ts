import { returningOrderId } from '../../agents/agent/order-id.ts';
import type { StopCause } from '../../agents/deal/stop-causes.ts';
import { Refusal } from '../../agents/errors.ts';
import { isNameLot } from '../../agents/names/name.ts';
import { endReservations, heldBeside } from '../agent/reservations.ts';
import { run, type Statement, type Trx } from '../database.ts';
import { paymentsOf } from '../market/listing-payments.ts';
import { findListing, type ListingRow } from '../market/listings.ts';
import { lockLot, type OrderRow, refreshLot } from '../market/lots.ts';
import { type Allows, fireMatch, type Match, type MatchIds } from '../market/matches.ts';
import type { MayRest } from '../market/order-reviews.ts';
import { findOrder } from '../market/orders.ts';
import { rememberStops } from '../market/stops.ts';
import { CLOSING, closeListing, closing, expireOverdue } from '../market/withdrawals.ts';
import { refreshAuction } from '../names/auction-price.ts';
import { awardNext, type PassedOn } from '../names/auctions.ts';
import { parsed } from '../parsed.ts';

/** The two ways in which a deal ends. Both may run again for the same deal; the second run changes nothing. */

interface OpenDeal {
  readonly sell: OrderRow;
  readonly buy: OrderRow;
  readonly listing: ListingRow;
  readonly settledAt: Date | null;
}

/** Takes the lot's lock and reads the deal under it. */
async function openDeal(trx: Trx, dealId: string): Promise<OpenDeal> {
  const match = await trx
    .selectFrom('matches')
    .select(['asset_key', 'sell_order', 'buy_order'])
    .where('deal_id', '=', dealId)
    .executeTakeFirst();
  if (!match) throw new Refusal('not-found', `There is no deal "${dealId}".`);
  await lockLot(trx, match.asset_key);
  const { settled_at } = await trx
    .selectFrom('matches')
    .select('settled_at')
    .where('deal_id', '=', dealId)
    .executeTakeFirstOrThrow();
  const sell = (await findOrder(trx, match.sell_order)) as OrderRow;
  const buy = (await findOrder(trx, match.buy_order)) as OrderRow;
  const listing = (await findListing(trx, sell.listing_ref)) as ListingRow;
  return { sell, buy, listing, settledAt: settled_at };
}

const LOCK: Statement = {
  name: 'lock-lot-of-deal',
  text: 'select 1 from lots where asset_key = (select asset_key from matches where deal_id = $1) for update',
};

const UNBOOKED: Statement = {
  name: 'unbooked-deal',
  text: `
    select m.settled_at, b.status, m.sell_order, m.buy_order, l.listing_ref, l.asset_key, l.handle, l.asset
    from matches m join orders b on b.order_id = m.buy_order join orders s on s.order_id = m.sell_order
      join listings l on l.listing_ref = s.listing_ref
    where m.deal_id = $1`,
};

type Unbooked = Pick<ListingRow, 'listing_ref' | 'asset_key' | 'handle' | 'asset'> &
  Pick<OrderRow, 'status'> & {
    readonly settled_at: Date | null;
    readonly sell_order: string;
    readonly buy_order: string;
  };

const SETTLE: Statement = {
  name: 'mark-settled',
  text: `
    with ${CLOSING}, filled as (
      update orders set status = 'filled' where order_id in ($10, $11)
    ), spent as (
      update reservations set state = 'spent', updated_at = $6 where order_id = $11 and state = 'held'
    ), booked as (
      update matches set settled_at = $6, tx = $8 where deal_id = $9
    )
    select 1 as done`,
};

/**
 * Books what a settled deal settles: spends the reservation, fills the orders, marks the listing as sold, ends the pledge and
 * completes the match's public row. The other buyers' orders leave with the lot.
 * @param tx the settlement's transaction hash
 * @returns false when it was already booked
 * @throws Error when the deal was unwound: a settlement after that needs a person; Refusal not-found
 */
export async function markSettled(
  trx: Trx,
  settled: { dealId: string; tx: string; now: Date },
): Promise<boolean> {
  const { dealId, tx, now } = settled;
  await run(trx, LOCK, [dealId]);
  const [deal] = await run<Unbooked>(trx, UNBOOKED, [dealId]);
  if (deal === undefined) throw new Refusal('not-found', `There is no deal "${dealId}".`);
  if (deal.settled_at !== null) return false;
  if (deal.status !== 'matched') throw new Error(`deal ${dealId} settled after it was unwound, in ${tx}`);
  const orders = [deal.sell_order, deal.buy_order];
  await run(trx, SETTLE, [...closing(parsed('listings', deal), 'sold', now), tx, dealId, ...orders]);
  if (isNameLot(deal.asset_key)) await refreshAuction(trx, deal.asset_key);
  return true;
}

export interface Unwound {
  /** False when it was already unwound, so that nothing was done now. */
  readonly unwound: boolean;
  /**
   * False when the seller's order had expired, its agent may no longer trade, the mandate that it has by now forbids the
   * order, or the thing has left; the listing is then dropped.
   */
  readonly listed: boolean;
  /**
   * A match with another buyer whose order had always overlapped the seller's, or with an auction's next bid. The
   * caller must start its deal.
   */
  readonly match: Match | null;
  /** The auction that had sold the name: the caller must tell its actor what becomes of it. */
  readonly passedOn?: PassedOn;
}

interface Undone {
  readonly dealId: string;
  /** A new id for the seller's order, which says besides whether its agent set its limit. */
  readonly orderId: string;
  readonly ids: MatchIds;
  readonly allows: Allows;
  /**
   * Whether the seller's order may rest again by the mandate that it has now: a new one was held to its other orders
   * alone. Not asked of a name that an auction sold, which asks at its end.
   */
  readonly mayRest: MayRest;
  readonly now: Date;
  /** The thing has left its seller, so it is not listed again. */
  readonly left?: boolean;
  /** What stopped the deal, to be remembered for its two owners. */
  readonly causes?: readonly StopCause[];
}

/**
 * Undoes what a deal that will not settle has bound. The buyer's reservation is released and its order leaves. The seller's order
 * returns to the book on the same terms under a new order id, because an order matches once and the database enforces
 * that. A name that an auction sold goes to the next bid, or its auction goes on.
 * @throws Refusal conflict when the deal has settled
 */
export async function unwindDeal(trx: Trx, input: Undone): Promise<Unwound> {
  const { dealId, now } = input;
  const { sell, buy, listing, settledAt } = await openDeal(trx, dealId);
  if (settledAt !== null) throw new Refusal('conflict', `The deal "${dealId}" has settled.`);
  if (buy.status !== 'matched') return { unwound: false, listed: false, match: null };
  await trx
    .updateTable('orders')
    .set({ status: 'unwound' })
    .where('order_id', 'in', [sell.order_id, buy.order_id])
    .execute();
  await endReservations(trx, [buy.order_id], 'released', now);
  await rememberStops(trx, { dealId, sell, buy, causes: input.causes ?? [], now });
  await expireOverdue(trx, listing.asset_key, now);
  const seller = await trx
    .selectFrom('agents')
    .select('status')
    .where('handle', '=', sell.handle)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  if (input.left || seller.status !== 'active' || sell.expires_at <= now) {
    await closeListing(trx, listing, 'dropped', now);
    return { unwound: true, listed: false, match: null };
  }
  return { unwound: true, ...(await listAgain(trx, listing, sell, input)) };
}

async function listAgain(
  trx: Trx,
  listing: ListingRow,
  sell: OrderRow,
  input: Undone,
): Promise<Pick<Unwound, 'listed' | 'match' | 'passedOn'>> {
  const order = await trx
    .insertInto('orders')
    .values({
      order_id: returningOrderId(input.orderId, sell.order_id),
      handle: sell.handle,
      owner: sell.owner,
      side: 'sell',
      asset_key: sell.asset_key,
      listing_ref: sell.listing_ref,
      category: sell.category,
      limit_price: sell.limit_price,
      opening_bid: null,
      status: 'resting',
      created_at: input.now,
      rested_at: input.now,
      expires_at: sell.expires_at,
      left_at: null,
      placed_at: sell.placed_at ?? sell.created_at,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  // Its fee may have been disputed while it was in the deal: then it is for nobody until it is paid again.
  const isOwed = (await paymentsOf(trx, listing.listing_ref)).fee === 'away';
  const status = isOwed ? 'unpaid' : 'live';
  await trx.updateTable('listings').set({ status }).where('listing_ref', '=', listing.listing_ref).execute();
  const { dealId, ids, now } = input;
  const allows: Allows = isOwed ? () => false : input.allows;
  const { asset_key: assetKey, ask } = listing;
  const again = { ...listing, status } as const;
  const passedOn = isNameLot(assetKey)
    ? await awardNext(trx, { dealId, listing: again, ids, allows, now })
    : null;
  if (
    passedOn === null &&
    !(await input.mayRest(trx, { order, listing: again, held: await heldBeside(trx, order, now) }))
  ) {
    await closeListing(trx, again, 'dropped', now);
    return { listed: false, match: null };
  }
  const match = isNameLot(assetKey)
    ? (passedOn?.match ?? null)
    : await fireMatch(trx, listing, { ids, allows, now });
  await refreshLot(trx, { assetKey, ask, seller: sell.owner, open: match === null && !isOwed }, now);
  return { listed: true, match, ...(passedOn ? { passedOn } : {}) };
}
