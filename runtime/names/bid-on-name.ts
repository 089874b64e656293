import { AppError, badField, Refusal } from '../../agents/errors.ts';
import { type Micro, parseUsd } from '../../agents/money.ts';
import { type Name, nameKey, readName } from '../../agents/names/name.ts';
import type { Trx } from '../../store/database.ts';
import type { Match } from '../../store/market/matches.ts';
import { dropLot } from '../../store/market/withdrawals.ts';
import { type Bidden, bidOnName, buyName, type NameBid } from '../../store/names/name-bids.ts';
import { beneficialOwner, type LiveAgent, lookAtSpending } from '../agent/public.ts';
import { startDeal, wakeStartedDeal } from '../deal/public.ts';
import { applyEvent } from '../durable/actors/apply-event.ts';
import { deliver } from '../durable/actors/mailbox.ts';
import { auctionActor } from '../machines.ts';
import {
  AssetLeft,
  judgeOrder,
  lookAtBalance,
  recordRefusal,
  requireCovered,
  withProofs,
} from '../market/public.ts';
import type { LastCall, Services } from '../services.ts';

/** The most that the bidder pays for the name, without the fees of both sides. */
export interface NameBidTerms {
  readonly name: Name;
  readonly limit: Micro;
}

/** @throws AppError bad-request that names the field */
export function readNameBid(name: string, usd: number | string, path: 'bidUsd' | 'priceUsd'): NameBidTerms {
  const limit = parseUsd(usd, path, 2);
  if (limit === 0n) throw badField(path, 'must be more than nothing');
  return { name: readName(name), limit };
}

/** A purchase that was made at once, at the ask or at a falling price. */
export type Bought = Match & { readonly orderId: string };

/**
 * Bids in an auction within the agent's mandate, live caps and money, counting the fee and everything in flight.
 * @throws AppError as `bidOnName` of the store; mandate-exceeded, conflict (its account does not cover it), unavailable
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
    const key = auction.auction_id;
    const actorId = `auction:${key}`;
    const { now } = bid;
    const eventId = `bid:${bid.orderId}`;
    if (match !== null) {
      const event = { type: 'WON', dealId: match.dealId };
      await applyEvent(trx, auctionActor, { key, eventId, event, now });
    } else if (extendedTo !== null) {
      const event = { type: 'EXTENDED', waitMs: extendedTo.getTime() - now.getTime() };
      await deliver(trx, { actorId, eventId, event, now });
    }
    const told = match !== null || extendedTo !== null;
    return { done: { ...placed, orderId: bid.orderId }, match, wake: told ? [actorId] : [] };
  });
}

/**
 * Buys a name at its ask.
 * @throws AppError as `buyName` of the store; mandate-exceeded, conflict (its account does not cover it), unavailable
 */
export async function buyAtAsk(
  services: Services,
  live: LiveAgent,
  terms: NameBidTerms,
  lastCall: LastCall,
): Promise<Bought> {
  return await asBuyer(services, live, terms, lastCall, async (trx, bid) => {
    const match = await buyName(trx, bid);
    return { done: { ...match, orderId: bid.orderId }, match, wake: [] };
  });
}

/** Runs one transaction with the bid, the match it may make, and the deal's actor. */
async function asBuyer<T>(
  services: Services,
  live: LiveAgent,
  terms: NameBidTerms,
  lastCall: LastCall,
  act: (trx: Trx, bid: NameBid) => Promise<{ done: T; match: Match | null; wake: readonly string[] }>,
): Promise<T> {
  const { agent } = live;
  const orderId = services.newId('ord');
  const assetKey = nameKey(terms.name);
  const owner = await beneficialOwner(services, live);
  try {
    const { done, match, wake } = await withProofs(services, async (proofs) => {
      const now = services.now();
      const [look, money] = await Promise.all([
        lookAtSpending(services, agent),
        lookAtBalance(services, agent),
      ]);
      return await services.db.transaction().execute(async (trx) => {
        const result = await act(trx, {
          orderId,
          assetKey,
          handle: agent.handle,
          owner,
          limit: terms.limit,
          now,
          ids: { matchId: services.newId('mat'), dealId: services.newId('deal') },
          judge: async (held, listing, pays) => {
            await judgeOrder(trx, agent, { side: 'buy', owner, limit: pays, listing, held, now }, look);
            await requireCovered(trx, { handle: agent.handle, lot: assetKey, limit: terms.limit }, money);
          },
          allows: proofs.allows(trx, now),
        });
        if (result.match) await startDeal(services, trx, result.match, now);
        lastCall();
        return result;
      });
    });
    for (const actorId of wake) services.notifier.actor(actorId);
    if (match) wakeStartedDeal(services);
    return done;
  } catch (error) {
    if (error instanceof AssetLeft) {
      await services.db.transaction().execute((trx) => dropLot(trx, error.lot, services.now()));
      throw new AppError('not-listed', error.message);
    }
    if (error instanceof Refusal && error.code === 'mandate-exceeded') {
      const now = services.now();
      await recordRefusal(services, { handle: agent.handle, orderId, lot: assetKey, error, now });
    }
    throw error;
  }
}
