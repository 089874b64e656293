import { AppError } from '../../agents/errors.ts';
import { findDeal } from '../../store/deals.ts';
import { deliver } from '../actors/mailbox.ts';
import type { LastCall, Services } from '../services.ts';

/**
 * Takes an owner's decision on a deal that waits for it.
 * @throws AppError not-found (also for an agent that has no part in the deal), conflict when nothing waits
 */
export async function decideDeal(
  services: Services,
  decision: { dealId: string; handle: string; decision: 'proceed' | 'stop' },
  lastCall: LastCall,
): Promise<void> {
  const { dealId, handle } = decision;
  const now = services.now();
  await services.db.transaction().execute(async (trx) => {
    const deal = await findDeal(trx, dealId);
    const side = deal?.buyer === handle ? 'buyer' : deal?.seller === handle ? 'seller' : null;
    if (!deal || side === null) throw new AppError('not-found', `"${handle}" has no deal "${dealId}".`);
    if (deal.state !== 'awaiting-owner') {
      throw new AppError('conflict', `The deal is ${deal.state}: it does not wait for a decision.`);
    }
    await deliver(trx, {
      actorId: `deal:${dealId}`,
      // By what was decided: an owner may still stop after agreeing, as long as the deal waits for the other side.
      eventId: `decided:${side}:${decision.decision}`,
      event: { type: 'DECIDED', side, decision: decision.decision },
      now,
    });
    lastCall();
  });
  services.bell.actor(`deal:${dealId}`);
}
