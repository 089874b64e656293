import { dropLot } from '../../store/market/withdrawals.ts';
import { type Closing, closeAuction } from '../../store/names/auctions.ts';
import { startDeal } from '../deal/public.ts';
import { applyEvent } from '../durable/actors/apply-event.ts';
import type { ActorEvent } from '../durable/actors/durable-machine.ts';
import type { EffectRunner } from '../durable/jobs/effect.ts';
import { auctionActor } from '../machines.ts';
import { AssetLeft, withProofs } from '../market/public.ts';
import type { Services } from '../services.ts';

/**
 * Carries out the end of an auction: starts the winner's deal, or releases every bid. The actor takes the result in the
 * same transaction, so repeating it changes nothing. When the end was moved, the actor waits for the new one.
 */
export function closeAuctionEffect(services: Services): EffectRunner {
  const close = (auctionId: string) =>
    withProofs(services, (proofs) =>
      services.db.transaction().execute(async (trx) => {
        const now = services.now();
        const closing = await closeAuction(trx, {
          auctionId,
          ids: { matchId: services.newId('mat'), dealId: services.newId('deal') },
          allows: proofs.allows(trx, now),
          now,
        });
        if (closing.outcome === 'won' && closing.match) await startDeal(services, trx, closing.match, now);
        const event = endOf(closing);
        if (event !== null)
          await applyEvent(trx, auctionActor, { key: auctionId, eventId: endIdOf(closing), event, now });
        return closing;
      }),
    );
  return {
    kind: 'close-auction',
    lane: 'default',
    maxAttempts: 1_000,
    async run({ params }) {
      const auctionId = String(params.auctionId);
      const closing = await close(auctionId).catch(async (error: unknown) => {
        if (!(error instanceof AssetLeft)) throw error;
        await services.db.transaction().execute((trx) => dropLot(trx, error.lot, services.now()));
        return await close(auctionId);
      });
      if (closing.outcome === 'early') return { event: { type: 'EXTENDED', waitMs: closing.waitMs } };
      return { wake: [closing.outcome === 'won' ? `deal:${closing.dealId}` : `auction:${auctionId}`] };
    },
  };
}

/** An auction that goes on after its winner's deal was undone ends again. */
function endIdOf(closing: Closing): string {
  return `ended:${closing.outcome === 'won' ? closing.dealId : closing.outcome}`;
}

/** What the actor is told of its end; null where the end has not come. */
function endOf(closing: Closing): ActorEvent | null {
  switch (closing.outcome) {
    case 'early':
      return null;
    case 'won':
      return { type: 'WON', dealId: closing.dealId };
    case 'unsold':
      return { type: 'UNSOLD' };
    case 'withdrawn':
      return { type: 'WITHDRAWN' };
  }
}
