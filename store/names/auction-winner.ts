import type { Selectable } from 'kysely';
import { standing } from '../../agents/market/auction.ts';
import type { Trx } from '../database.ts';
import type { ListingRow } from '../market/listings.ts';
import type { OrderRow } from '../market/lots.ts';
import { type Allows, type RestingPair, restingSell } from '../market/matches.ts';
import { leaveBook } from '../market/withdrawals.ts';
import type { Tables } from '../tables.ts';
import { type Auctioned, asAuctionBid, bidsOf } from './auction-price.ts';
import { stillBinds } from './binding-orders.ts';

/** The seller's order where it still binds. */
export async function bindingSell(trx: Trx, listing: Auctioned): Promise<OrderRow | null> {
  const sell = await restingSell(trx, listing.listing_ref);
  return sell !== null && (await stillBinds(trx, sell)) ? sell : null;
}

/**
 * The best bid that may buy, at the price set by the next best that may. Bids that may not are passed over: they leave.
 */
export async function winnerOf(
  trx: Trx,
  input: {
    listing: ListingRow;
    auction: Pick<Selectable<Tables['auctions']>, 'reserve'>;
    sell: OrderRow;
    allows: Allows;
    now: Date;
  },
): Promise<RestingPair | null> {
  const { listing, auction, sell, now } = input;
  const rows = new Map((await bidsOf(trx, listing)).map((row) => [row.order_id, row]));
  const fit = new Set<string>();
  for (;;) {
    const found = standing(auction.reserve, [...rows.values()].map(asAuctionBid));
    if (found === null) return null;
    const { leader, rival, price } = found;
    const unseen = [leader, rival].find((bid) => bid !== null && !fit.has(bid.orderId));
    const buy = rows.get((unseen ?? leader).orderId) as OrderRow;
    if (!unseen) return { sell, buy, price };
    // A rival's mandate is judged at the rival's own bid.
    const pair = { sell, buy, price: unseen === leader ? price : buy.limit_price };
    if ((await stillBinds(trx, buy)) && (await input.allows(pair))) fit.add(buy.order_id);
    else {
      rows.delete(buy.order_id);
      await leaveBook(trx, listing.asset_key, [buy.order_id], 'expired', now);
    }
  }
}
