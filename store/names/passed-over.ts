import type { Selectable } from 'kysely';
import { afterPassingOver } from '../../agents/market/auction.ts';
import type { Trx } from '../database.ts';
import type { OrderRow } from '../market/lots.ts';
import type { Tables } from '../tables.ts';
import { type Auctioned, asAuctionBid, bidsOf, buyOrdersOn, standingOf } from './auction-price.ts';

/** What was bid in an auction and bought nothing at its ends. It may go on after that, but not for those who bid it. */

type Auction = Selectable<Tables['auctions']>;

/**
 * The bids that the ends of an auction have passed over, and those that have won at one and whose deals were undone.
 * Nothing else makes a bid expire before its auction is over. What left before it began is of an earlier sale of the
 * listing.
 */
async function passedOver(
  trx: Trx,
  listing: Auctioned,
  { starts_at }: Pick<Auction, 'starts_at'>,
): Promise<OrderRow[]> {
  return await buyOrdersOn(trx, listing)
    .where('status', 'in', ['expired', 'unwound'])
    .where('left_at', '>', starts_at)
    .execute();
}

/** The bids that stood at the last end, and were taken back while the deal of its winner was under way. */
async function takenBack(
  trx: Trx,
  listing: Auctioned,
  { ends_at }: Pick<Auction, 'ends_at'>,
): Promise<OrderRow[]> {
  return await buyOrdersOn(trx, listing)
    .where('status', '=', 'cancelled')
    .where('left_at', '>=', ends_at)
    .execute();
}

/**
 * Whether a bid of this agent or of this owner was passed over at an end of the auction, or won and did not settle. Of
 * the agent too: it may have been handed on, and its money with it.
 */
export async function wasPassedOver(
  trx: Trx,
  listing: Auctioned,
  auction: Auction,
  bidder: { readonly handle: string; readonly owner: string },
): Promise<boolean> {
  const bids = await passedOver(trx, listing, auction);
  return bids.some((bid) => bid.handle === bidder.handle || bid.owner === bidder.owner);
}

/**
 * What an ascending auction does at its end, and after a deal of this end's winner that was undone, by the bids that have
 * left since the end. They may have left in transactions of their own, or in an attempt that ended before it was
 * committed, so they are told by when they left. The caller holds the lot's lock.
 */
export async function afterEnd(
  trx: Trx,
  listing: Auctioned,
  auction: Auction,
): Promise<ReturnType<typeof afterPassingOver>> {
  const gone = await passedOver(trx, listing, auction);
  const isNow = ({ left_at }: OrderRow): boolean => left_at !== null && left_at >= auction.ends_at;
  const before = new Set(gone.filter((bid) => !isNow(bid)).map((bid) => bid.handle));
  const stand = (await bidsOf(trx, listing)).map(asAuctionBid);
  const back = await takenBack(trx, listing, auction);
  return afterPassingOver(
    auction.reserve,
    { stand, passedOver: [...gone.filter(isNow), ...back].map(asAuctionBid) },
    before.size,
  );
}

/**
 * Puts the end of an auction off, at the price that the bids which are left make. The caller holds the lot's lock.
 * @returns how long it goes on, in milliseconds
 */
export async function putOff(trx: Trx, listing: Auctioned, auction: Auction, now: Date): Promise<number> {
  const left = await standingOf(trx, listing, auction.reserve);
  await trx
    .updateTable('auctions')
    .set((eb) => ({
      price: left?.price ?? null,
      ends_at: new Date(now.getTime() + auction.extension_ms),
      extensions: eb('extensions', '+', 1),
    }))
    .where('auction_id', '=', auction.auction_id)
    .execute();
  return auction.extension_ms;
}
