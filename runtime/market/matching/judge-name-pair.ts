import { moneyOf } from '../../../agents/market/pricing/fees.ts';
import { type AgentRow, findAgent } from '../../../store/agent/agents.ts';
import { heldBeside } from '../../../store/agent/reservations.ts';
import type { Trx } from '../../../store/database.ts';
import { findListing, type ListingRow } from '../../../store/market/listings.ts';
import { lockLot } from '../../../store/market/lots.ts';
import type { Pair } from '../../../store/market/matches.ts';
import { findOrder } from '../../../store/market/orders.ts';
import { leaveBook } from '../../../store/market/withdrawals.ts';
import { lookAtSpending, type SpendingLook } from '../../agent/public.ts';
import type { Services } from '../../services.ts';
import { LookAgain } from '../orders/look-again.ts';
import { mayStand } from '../orders/may-stand.ts';

/** What two agents may spend and sell, read before the transaction that writes their match. */
export interface PairSpending {
  readonly seller: SpendingLook;
  readonly buyer: SpendingLook;
}

/** @throws AppError unavailable */
export async function lookAtPair(
  services: Services,
  { seller, buyer }: { readonly seller: AgentRow; readonly buyer: AgentRow },
): Promise<PairSpending> {
  const [sells, buys] = await Promise.all([
    lookAtSpending(services, seller),
    lookAtSpending(services, buyer),
  ]);
  return { seller: sells, buyer: buys };
}

/**
 * Whether both mandates and their caps allow a name to be sold at this price, with the fee and beside everything else
 * that the two agents hold. Orders in an auction stay when a mandate shrinks, so the close judges them as if they were
 * placed now.
 * @throws LookAgain when what was read is outdated; AppError unavailable
 */
export async function capsAllow(
  trx: Trx,
  { sell, buy, price }: Pair,
  by: {
    readonly seller: AgentRow;
    readonly buyer: AgentRow;
    readonly spending: PairSpending;
    readonly now: Date;
  },
): Promise<boolean> {
  const listing = await findListing(trx, sell.listing_ref);
  if (listing === null) return false;
  const { now, spending } = by;
  const allows = async (side: 'buy' | 'sell', agent: AgentRow, order: Pair['buy'], look: SpendingLook) => {
    const held = await heldBeside(trx, order, now);
    const limit = side === 'buy' ? moneyOf(listing.asset_key, price).buyerPays : price;
    return await mayStand(trx, agent, { side, owner: order.owner, limit, listing, held, now }, look);
  };
  return (
    (await allows('sell', by.seller, sell, spending.seller)) &&
    (await allows('buy', by.buyer, buy, spending.buyer))
  );
}

/**
 * Takes a bid off the book that was found unfit when its auction ended, in a transaction of its own: however many there
 * are, each attempt to close the auction has fewer before it. Nobody's bid while it is placed, which rests not yet.
 */
export async function dropUnfitBid(
  services: Services,
  { sell, buy, price }: Pair,
  found: { readonly listing: ListingRow; readonly fit: boolean; readonly spending: PairSpending },
): Promise<void> {
  const lot = found.listing.asset_key;
  const now = services.now();
  const dropped = await services.db.transaction().execute(async (trx) => {
    await lockLot(trx, lot);
    if ((await findOrder(trx, buy.order_id))?.status !== 'resting') return false;
    if (found.fit && (await stillAllowed(trx, { sell, buy, price }, found.spending, now))) return false;
    await leaveBook(trx, lot, [buy.order_id], 'expired', now);
    return true;
  });
  if (dropped) services.log.info({ orderId: buy.order_id, lot }, 'a bid was passed over: it may not buy now');
}

async function stillAllowed(trx: Trx, pair: Pair, spending: PairSpending, now: Date): Promise<boolean> {
  const seller = await findAgent(trx, pair.sell.handle);
  const buyer = await findAgent(trx, pair.buy.handle);
  if (seller === null || buyer === null) return false;
  try {
    return await capsAllow(trx, pair, { seller, buyer, spending, now });
  } catch (error) {
    // It is read again when it decides.
    if (error instanceof LookAgain) return true;
    throw error;
  }
}
