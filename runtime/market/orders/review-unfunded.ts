import { Refusal } from '../../../agents/errors.ts';
import { findAgent } from '../../../store/agent/agents.ts';
import { lockActiveAgent } from '../../../store/agent/reservations.ts';
import type { Trx } from '../../../store/database.ts';
import { moneyInFlight, restFunded, unfundedAgents, unfundedOrders } from '../../../store/market/funding.ts';
import { standingListingOf } from '../../../store/market/listings.ts';
import { lockLot, type OrderRow, refreshLot } from '../../../store/market/lots.ts';
import { fireMatch, type Match, restingSell } from '../../../store/market/matches.ts';
import { findOrder } from '../../../store/market/orders.ts';
import { dropLot } from '../../../store/market/withdrawals.ts';
import { startDeal, wakeStartedDeal } from '../../deal/public.ts';
import { eachIsolated } from '../../durable/isolation/each-isolated.ts';
import type { Services } from '../../services.ts';
import { AssetLeft } from '../listings/prove-control.ts';
import { type PairProofs, withProofs } from '../matching/prove-pair.ts';
import { type BalanceLook, lookAtBalance, shortFor } from './buyer-funds.ts';

/** How many agents are looked at in one run: the others have their turn in the next. */
const MOST = 100;
/** How many orders of one agent that its money covers are tried in one run. */
const MOST_OF_AGENT = 8;

/** One that failed is looked at again this soon: its owner has sent the money and waits. */
const MOST_PAUSE_MS = 60_000;

/**
 * Looks after the orders that their accounts could not cover: where the money has come, or is promised no more, the order
 * rests and may match. Agents take turns, and the account of each is read once for all of its orders: however many orders
 * somebody places without money, those of others wait no longer. One that fails stops no other.
 * @returns the task, which says how many came to rest
 */
export function unfundedReviewed(services: Services): () => Promise<number> {
  let after = '';
  /** Of agents with more covered orders than one run tries, the last that was tried. */
  const tried = new Map<string, bigint>();
  const isolation = {
    atOnce: 4,
    mostPauseMs: MOST_PAUSE_MS,
    alive: () => services.home.readers.viem.head(),
  };
  return async () => {
    const handles = await unfundedAgents(services.db, { after, limit: MOST });
    after = handles.length < MOST ? '' : handles.at(-1)!;
    const agents = handles.map((id) => ({ id }));
    const { done: covered } = await eachIsolated(
      services.quarantine,
      'unfunded-agents',
      agents,
      async ({ id }) => await coveredOrders(services, id, tried),
      { ...isolation },
    );
    const looks = new Map(covered.flat().map(({ orderId, look }) => [orderId, look]));
    const { done } = await eachIsolated(
      services.quarantine,
      'unfunded-orders',
      [...looks.keys()].map((id) => ({ id })),
      ({ id }) => restIfFunded(services, id, looks.get(id)),
      { ...isolation },
    );
    return done.filter((rested) => rested).length;
  };
}

/** The orders of an agent that the money in its account covers, each by itself, with the reading that shows it. */
async function coveredOrders(
  services: Services,
  handle: string,
  tried: Map<string, bigint>,
): Promise<readonly { readonly orderId: string; readonly look: BalanceLook }[]> {
  const agent = await findAgent(services.db, handle);
  if (agent?.status !== 'active') return [];
  const look = await lookAtBalance(services, agent);
  const most = look.balance - (await moneyInFlight(services.db, handle));
  const after = tried.get(handle) ?? 0n;
  const orders = await unfundedOrders(services.db, { handle, most, after, limit: MOST_OF_AGENT });
  if (orders.length < MOST_OF_AGENT) tried.delete(handle);
  else tried.set(handle, orders.at(-1)!.seq);
  return orders.map(({ order_id: orderId }) => ({ orderId, look }));
}

/**
 * Puts an unfunded order on the book where its account covers it now, and starts the match that it makes.
 * @param known how its account was just read
 * @returns whether it came to rest
 */
export async function restIfFunded(
  services: Services,
  orderId: string,
  known?: BalanceLook,
): Promise<boolean> {
  let fresh = known;
  try {
    const { rested, match } = await withProofs(services, async (proofs) => {
      const order = await findOrder(services.db, orderId);
      const agent = order?.status === 'unfunded' ? await findAgent(services.db, order.handle) : null;
      if (order === null || agent?.status !== 'active') return NOTHING;
      const look = fresh ?? (await lookAtBalance(services, agent));
      // When it proves too old, it is read again.
      fresh = undefined;
      const asked = { handle: order.handle, lot: order.asset_key, limit: order.limit_price };
      if ((await shortFor(services.db, asked, look)) !== null) return NOTHING;
      return await services.db
        .transaction()
        .execute((trx) => rest(services, trx, order, { look, proofs, now: services.now() }));
    });
    if (match) wakeStartedDeal(services);
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
  if (listing === null || (await restFunded(trx, { orderId, accountHolds: look.balance, now })) === null)
    return NOTHING;
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
