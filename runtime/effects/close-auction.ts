import { closeAuction } from '../../store/auctions.ts';
import { dropLot } from '../../store/withdrawals.ts';
import { AssetLeft } from '../acts/prove-control.ts';
import { pairHolds } from '../acts/prove-pair.ts';
import { startDeal } from '../acts/start-deal.ts';
import type { Services } from '../services.ts';
import type { EffectRunner } from './effect.ts';

/**
 * Carries out the end of an auction: the winner's deal is started, every other bid is released. The auction's row says
 * what came of it, so that it is done once however often it is run; an end that was moved meanwhile is waited for.
 */
export function closeAuctionEffect(services: Services): EffectRunner {
  const close = (auctionId: string) =>
    services.db.transaction().execute(async (trx) => {
      const now = services.now();
      const closing = await closeAuction(trx, {
        auctionId,
        ids: { matchId: services.newId('mat'), dealId: services.newId('deal') },
        allows: pairHolds(services, trx, now),
        now,
      });
      if (closing.outcome === 'won' && closing.match) await startDeal(services, trx, closing.match, now);
      return closing;
    });
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
      switch (closing.outcome) {
        case 'early':
          return { event: { type: 'EXTENDED', waitMs: closing.waitMs } };
        case 'won':
          return { event: { type: 'WON', dealId: closing.dealId }, ring: [`deal:${closing.dealId}`] };
        case 'unsold':
          return { event: { type: 'UNSOLD' } };
        case 'withdrawn':
          return { event: { type: 'WITHDRAWN' } };
      }
    },
  };
}
