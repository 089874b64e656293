import { findAgent } from '../../../store/agent/agents.ts';
import { standingListingOf } from '../../../store/market/listings.ts';
import { restingSell } from '../../../store/market/matches.ts';
import { dropLot } from '../../../store/market/withdrawals.ts';
import type { Auctioned } from '../../../store/names/auction-price.ts';
import { overChain } from '../../determinations/public.ts';
import { HOME_CHAIN, type Services } from '../../services.ts';
import { beneficialOwnerAt } from '../matching/prove-pair.ts';
import { reviewOrdersOf } from '../orders/review-orders.ts';
import { whyNotControlled } from './prove-control.ts';

/**
 * Does to the seller's order of an auction that sold nothing what was not done while it ran: a name leaves the market
 * whose seller has another owner by now or may not sell it any more, or whose mandate does not allow its ask. Where that
 * listing has left, whoever has listed the name since is left alone. Running it again changes nothing.
 * @throws ReaderError, AppError unavailable
 */
export async function reviewAfterAuction(
  services: Services,
  { asset_key: lot, listing_ref: listingRef }: Auctioned,
): Promise<void> {
  const { db, home, log } = services;
  const listing = await standingListingOf(db, lot);
  if (listing?.listing_ref !== listingRef) return;
  const [agent, sell] = [await findAgent(db, listing.handle), await restingSell(db, listingRef)];
  if (agent === null || sell === null) return;
  const isTheirs = await overChain(HOME_CHAIN, async () => {
    const { number: block } = await home.readers.viem.head();
    const owner = await beneficialOwnerAt(services, agent, block);
    // An agent that was handed on and is not known to be is stopped by that soon, and its orders with it.
    if (owner !== null && owner !== sell.owner) return false;
    return (await whyNotControlled(services, listing, agent, block)) === null;
  });
  if (isTheirs) return await reviewOrdersOf(services, agent);
  const dropped = await db.transaction().execute((trx) => dropLot(trx, lot, services.now(), listingRef));
  if (dropped !== null)
    log.info({ lot }, 'a name left the market with its auction: its seller may not sell it any more');
}
