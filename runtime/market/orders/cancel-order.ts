import { AppError } from '../../../agents/errors.ts';
import { lockLot } from '../../../store/market/lots.ts';
import { findOrder } from '../../../store/market/orders.ts';
import { cancelOrder } from '../../../store/market/withdrawals.ts';
import { runningAuction } from '../../../store/names/auctions.ts';
import type { LastCall, Services } from '../../services.ts';

/**
 * Cancels a resting order for the owner for whom it was placed. In an auction neither the seller's order nor a bid can
 * be cancelled.
 * @throws AppError not-found, conflict
 */
export async function takeOrderBack(
  services: Services,
  order: { readonly orderId: string; readonly handle: string; readonly owner: string },
  lastCall: LastCall,
): Promise<void> {
  await services.db.transaction().execute(async (trx) => {
    const row = await findOrder(trx, order.orderId);
    if (row?.handle === order.handle && row.owner === order.owner) {
      await lockLot(trx, row.asset_key);
      if (await runningAuction(trx, row.listing_ref)) {
        throw new AppError(
          'conflict',
          'The name is in an auction: what was offered there stands until its end.',
        );
      }
    }
    await cancelOrder(trx, { ...order, now: services.now() });
    lastCall();
  });
}
