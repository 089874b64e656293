import { Refusal } from '../../../agents/errors.ts';
import { findAgent } from '../../../store/agent/agents.ts';
import { lockActiveAgent } from '../../../store/agent/reservations.ts';
import type { Trx } from '../../../store/database.ts';
import { restFunded, unfundedOrders } from '../../../store/market/funding.ts';
import { standingListingOf } from '../../../store/market/listings.ts';
import { lockLot, type OrderRow, refreshLot } from '../../../store/market/lots.ts';
import { fireMatch, type Match, restingSell } from '../../../store/market/matches.ts';
import { findOrder } from '../../../store/market/orders.ts';
import { dropLot } from '../../../store/market/withdrawals.ts';
import { startDeal } from '../../deal/public.ts';
import { eachIsolated } from '../../durable/isolation/each-isolated.ts';
import type { Services } from '../../services.ts';
import { AssetLeft } from '../listings/prove-control.ts';
import { type PairProofs, withProofs } from '../matching/prove-pair.ts';
import { type BalanceLook, lookAtBalance, shortFor } from './buyer-funds.ts';

/** How many orders are looked at in one run: the others have their turn in the next. */
const MOST = 100;

/** One that failed is looked at again this soon: its owner has sent the money and waits. */
const MOST_PAUSE_MS = 60_000;

/**
 * Looks after the orders that their accounts could not cover: where the money has come, or is promised no more, the order
 * rests and may match. However many there are, a run looks at a bounded number, and one that fails stops no other.
 * @returns the task, which says how many came to rest
 */
export function unfundedReviewed(services: Services): () => Promise<number> {
  let after = 0n;
  return async () => {
    const orders = await unfundedOrders(services.db, { after, limit: MOST });
    after = orders.length < MOST ? 0n : orders.at(-1)!.seq;
    const { done } = await eachIsolated(
      services.quarantine,
      'unfunded-orders',
      orders.map(({ order_id: id }) => ({ id })),
      ({ id }) => restIfFunded(services, id),
      { atOnce: 4, mostPauseMs: MOST_PAUSE_MS, alive: () => services.home.readers.viem.head() },
    );
    return done.filter((rested) => rested).length;
  };
}

/**
 * Puts an unfunded order on the book where its account covers it now, and starts the match that it makes.
 * @returns whether it came to rest
 */
export async function restIfFunded(services: Services, orderId: string): Promise<boolean> {
  try {
    const { rested, match } = await withProofs(services, async (proofs) => {
      const order = await findOrder(services.db, orderId);
      const agent = order?.status === 'unfunded' ? await findAgent(services.db, order.handle) : null;
      if (order === null || agent?.status !== 'active') return NOTHING;
      const look = await lookAtBalance(services, agent);
      const asked = { handle: order.handle, lot: order.asset_key, limit: order.limit_price };
      if ((await shortFor(services.db, asked, look)) !== null) return NOTHING;
      return await services.db
        .transaction()
        .execute((trx) => rest(services, trx, order, { look, proofs, now: services.now() }));
    });
    if (match) services.notifier.actor(`deal:${match.dealId}`);
    return rested;
  } catch (error) {
    if (error instanceof AssetLeft) {
      await services.db.transaction().execute((trx) => dropLot(trx, error.lot, services.now()));
      return false;
    }
    // Its orders leave with it.
    if (error instanceof Refusal && error.code === 'agent-not-active') return false;
    throw error;
  }
}

const NOTHING = { rested: false, match: null } as const;

/** @throws LookAgain when a payment of the agent was booked since its account was read, or a pair was not proved yet */
async function rest(
  services: Services,
  trx: Trx,
  { order_id: orderId, handle, asset_key: lot, limit_price: limit }: OrderRow,
  by: { readonly look: BalanceLook; readonly proofs: PairProofs; readonly now: Date },
): Promise<{ readonly rested: boolean; readonly match: Match | null }> {
  const { look, proofs, now } = by;
  await lockLot(trx, lot);
  await lockActiveAgent(trx, handle);
  if ((await shortFor(trx, { handle, lot, limit }, look)) !== null) return NOTHING;
  const listing = await standingListingOf(trx, lot);
  if (listing === null || (await restFunded(trx, orderId, now)) === null) return NOTHING;
  const sell = await restingSell(trx, listing.listing_ref);
  const isLive = listing.status === 'live';
  let match: Match | null = null;
  if (isLive && sell !== null && sell.expires_at > now && limit >= sell.limit_price) {
    const ids = { matchId: services.newId('mat'), dealId: services.newId('deal') };
    match = await fireMatch(trx, listing, { ids, allows: proofs.allows(trx, now), now });
    if (match) await startDeal(services, trx, match, now);
  }
  const open = isLive && match === null;
  await refreshLot(trx, { assetKey: lot, ask: listing.ask, seller: sell?.owner ?? null, open }, now);
  return { rested: true, match };
}
