import { badField } from '../../agents/errors.ts';
import { requireMinimum } from '../../agents/market/listing-minimum.ts';
import { type Micro, parseUsd } from '../../agents/money.ts';
import { type Name, nameKey, readName } from '../../agents/names/name.ts';
import { heldBy } from '../../store/agent/reservations.ts';
import type { Trx } from '../../store/database.ts';
import { listedAsk } from '../../store/market/listings.ts';
import { type AuctionRow, openAuction } from '../../store/names/auctions.ts';
import { beneficialOwner, type LiveAgent, lookAtSpending, type SpendingLook } from '../agent/public.ts';
import { spawnActor } from '../durable/actors/spawn.ts';
import { auctionActor } from '../machines.ts';
import { judgeOrder, lookThenWrite } from '../market/public.ts';
import type { LastCall, Services } from '../services.ts';

/** How many seconds an auction may run; at most a month. */
export const AUCTION_SECONDS = { least: 1, most: 2_592_000 } as const;

export interface AuctionRequest {
  readonly format: 'dutch' | 'ascending';
  readonly reserveUsd: number | string;
  readonly startUsd?: number | string;
  readonly durationSeconds: number;
}

export interface AuctionTerms {
  readonly name: Name;
  readonly format: 'dutch' | 'ascending';
  readonly reserve: Micro;
  /** For a Dutch auction only; null starts at the ask. */
  readonly start: Micro | null;
  readonly durationMs: number;
}

/** @throws AppError bad-request that names the field */
export function readAuction(name: string, request: AuctionRequest): AuctionTerms {
  const { format } = request;
  const reserve = parseUsd(request.reserveUsd, 'reserveUsd', 2);
  if (reserve === 0n) throw badField('reserveUsd', 'must be more than nothing');
  const start = request.startUsd === undefined ? null : parseUsd(request.startUsd, 'startUsd', 2);
  if (start !== null && format === 'ascending') {
    throw badField('startUsd', 'belongs to a Dutch auction: bids begin at the reserve');
  }
  if (start !== null && start <= reserve) throw badField('startUsd', 'must be above reserveUsd');
  return { name: readName(name), format, reserve, start, durationMs: request.durationSeconds * 1000 };
}

/**
 * Starts the auction of a listed name for its seller, and the actor that waits for its end.
 * @throws AppError not-listed, conflict, agent-not-active, mandate-exceeded, bad-request, unavailable
 */
export async function startAuction(
  services: Services,
  live: LiveAgent,
  terms: AuctionTerms,
  lastCall: LastCall,
): Promise<AuctionRow> {
  const { agent } = live;
  const owner = await beneficialOwner(services, live);
  const auction = await lookThenWrite(async () => {
    const look = await lookAtSpending(services, agent);
    return await services.db.transaction().execute(async (trx) => {
      const row = await openOne(services, trx, { agent, owner, terms, look });
      await spawnActor(trx, auctionActor, {
        key: row.auction_id,
        input: { auctionId: row.auction_id, durationMs: terms.durationMs },
        now: row.starts_at,
      });
      lastCall();
      return row;
    });
  });
  services.notifier.actor(`auction:${auction.auction_id}`);
  return auction;
}

async function openOne(
  services: Services,
  trx: Trx,
  {
    agent,
    owner,
    terms,
    look,
  }: Pick<LiveAgent, 'agent'> & { owner: string; terms: AuctionTerms; look: SpendingLook },
): Promise<AuctionRow> {
  const now = services.now();
  const extensionMs = services.config.auctionExtensionSeconds * 1000;
  return await openAuction(trx, {
    auctionId: services.newId('auc'),
    assetKey: nameKey(terms.name),
    handle: agent.handle,
    format: terms.format,
    start: terms.start,
    reserve: terms.reserve,
    durationMs: terms.durationMs,
    windowMs: extensionMs,
    extensionMs,
    now,
    judge: async (listing) => {
      requireMinimum(listedAsk(listing), terms.reserve, 'reserveUsd');
      const held = await heldBy(trx, { handle: agent.handle, owner }, now);
      // The seller's order for this name rests already, so it must not count as another deal.
      const others = { ...held, resting: held.resting - 1 };
      const order = { side: 'sell' as const, owner, limit: terms.reserve, listing, held: others, now };
      await judgeOrder(trx, agent, order, look);
    },
  });
}
