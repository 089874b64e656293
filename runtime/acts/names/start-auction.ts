import { badField } from '../../../agents/errors.ts';
import { type Micro, parseUsd } from '../../../agents/money.ts';
import { type Name, nameKey, readName } from '../../../agents/names/name.ts';
import { type AuctionRow, openAuction } from '../../../store/auctions.ts';
import { heldBy } from '../../../store/reservations.ts';
import { spawnActor } from '../../actors/spawn.ts';
import { auctionActor } from '../../machines.ts';
import type { LastCall, Services } from '../../services.ts';
import { judgeOrder } from '../judge-order.ts';
import type { LiveAgent } from '../live-agent.ts';

/** How long a seller may let an auction run, seconds: a month at most. */
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
  /** Dutch only; null: the ask. */
  readonly start: Micro | null;
  readonly durationMs: number;
}

/** @throws AppError bad-request naming the field */
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
 * Starts the auction of a listed name for its seller, and the actor that keeps its time.
 * @throws AppError not-listed, conflict, agent-not-active, mandate-exceeded, bad-request, unavailable
 */
export async function startAuction(
  services: Services,
  { agent }: LiveAgent,
  terms: AuctionTerms,
  lastCall: LastCall,
): Promise<AuctionRow> {
  const now = services.now();
  const extensionMs = services.config.auctionExtensionSeconds * 1000;
  const auction = await services.db.transaction().execute(async (trx) => {
    const row = await openAuction(trx, {
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
        const held = await heldBy(trx, agent.handle, now);
        // The sale stands on the market already: it is not another deal.
        const others = { ...held, resting: held.resting - 1 };
        await judgeOrder(services, trx, agent, {
          side: 'sell',
          limit: terms.reserve,
          listing,
          held: others,
          now,
        });
      },
    });
    await spawnActor(trx, auctionActor, {
      key: row.auction_id,
      input: { auctionId: row.auction_id, durationMs: terms.durationMs },
      now,
    });
    lastCall();
    return row;
  });
  services.bell.actor(`auction:${auction.auction_id}`);
  return auction;
}
