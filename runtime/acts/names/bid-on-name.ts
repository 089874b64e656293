import { AppError, badField } from '../../../agents/errors.ts';
import { type Micro, parseUsd } from '../../../agents/money.ts';
import { type Name, nameKey, readName } from '../../../agents/names/name.ts';
import type { Trx } from '../../../store/database.ts';
import type { Match } from '../../../store/matches.ts';
import { type Bidden, bidOnName, buyName, type NameBid } from '../../../store/name-bids.ts';
import { dropLot } from '../../../store/withdrawals.ts';
import { deliver } from '../../actors/mailbox.ts';
import type { LastCall, Services } from '../../services.ts';
import { judgeOrder } from '../judge-order.ts';
import { beneficialOwner, type LiveAgent } from '../live-agent.ts';
import { recordRefusal } from '../place-order.ts';
import { AssetLeft } from '../prove-control.ts';
import { pairHolds } from '../prove-pair.ts';
import { startDeal } from '../start-deal.ts';

/** The most that a name may cost, both fees aside. */
export interface NameBidTerms {
  readonly name: Name;
  readonly limit: Micro;
}

/** @throws AppError bad-request naming the field */
export function readNameBid(name: string, usd: number | string, path: 'bidUsd' | 'priceUsd'): NameBidTerms {
  const limit = parseUsd(usd, path, 2);
  if (limit === 0n) throw badField(path, 'must be more than nothing');
  return { name: readName(name), limit };
}

/** What was bought at once: by its ask, or by a falling price. */
export type Bought = Match & { readonly orderId: string };

/**
 * Bids in an auction, inside the agent's mandate and live caps with the fee and all that is in flight counted.
 * @throws AppError as `bidOnName` of the store; mandate-exceeded, unavailable
 */
export async function bidInAuction(
  services: Services,
  live: LiveAgent,
  terms: NameBidTerms,
  lastCall: LastCall,
): Promise<Bidden & { readonly orderId: string }> {
  return await asBuyer(services, live, terms, lastCall, async (trx, bid) => {
    const placed = await bidOnName(trx, bid);
    const { auction, extendedTo, match } = placed;
    const event =
      match !== null
        ? { type: 'WON', dealId: match.dealId }
        : extendedTo !== null
          ? { type: 'EXTENDED', waitMs: extendedTo.getTime() - bid.now.getTime() }
          : null;
    const actorId = `auction:${auction.auction_id}`;
    if (event !== null) {
      await deliver(trx, { actorId, eventId: `bid:${bid.orderId}`, event, now: bid.now });
    }
    return { done: { ...placed, orderId: bid.orderId }, match, ring: event === null ? [] : [actorId] };
  });
}

/**
 * Buys a name at its ask.
 * @throws AppError as `buyName` of the store; mandate-exceeded, unavailable
 */
export async function buyAtAsk(
  services: Services,
  live: LiveAgent,
  terms: NameBidTerms,
  lastCall: LastCall,
): Promise<Bought> {
  return await asBuyer(services, live, terms, lastCall, async (trx, bid) => {
    const match = await buyName(trx, bid);
    return { done: { ...match, orderId: bid.orderId }, match, ring: [] };
  });
}

/** One transaction: the bid, the match it may make, and the deal's actor. */
async function asBuyer<T>(
  services: Services,
  live: LiveAgent,
  terms: NameBidTerms,
  lastCall: LastCall,
  act: (trx: Trx, bid: NameBid) => Promise<{ done: T; match: Match | null; ring: readonly string[] }>,
): Promise<T> {
  const { agent } = live;
  const now = services.now();
  const orderId = services.newId('ord');
  const assetKey = nameKey(terms.name);
  const owner = await beneficialOwner(services, live);
  try {
    const { done, match, ring } = await services.db.transaction().execute(async (trx) => {
      const result = await act(trx, {
        orderId,
        assetKey,
        handle: agent.handle,
        owner,
        limit: terms.limit,
        now,
        ids: { matchId: services.newId('mat'), dealId: services.newId('deal') },
        judge: (held, listing, pays) =>
          judgeOrder(services, trx, agent, { side: 'buy', limit: pays, listing, held, now }),
        allows: pairHolds(services, trx, now),
      });
      if (result.match) await startDeal(services, trx, result.match, now);
      lastCall();
      return result;
    });
    for (const actorId of ring) services.bell.actor(actorId);
    if (match) services.bell.actor(`deal:${match.dealId}`);
    return done;
  } catch (error) {
    if (error instanceof AssetLeft) {
      await services.db.transaction().execute((trx) => dropLot(trx, error.lot, services.now()));
      throw new AppError('not-listed', error.message);
    }
    if (error instanceof AppError && error.code === 'mandate-exceeded') {
      await recordRefusal(services, { handle: agent.handle, orderId, lot: assetKey, error, now });
    }
    throw error;
  }
}
