import { AppError } from '../../agents/errors.ts';
import { lockLot } from '../../store/market/lots.ts';
import { findOrder } from '../../store/market/orders.ts';
import { cancelOrder } from '../../store/market/withdrawals.ts';
import { runningAuction } from '../../store/names/auctions.ts';
import type { LastCall, Services } from '../services.ts';

/**
 * Takes a resting order back, for the owner it was placed for. In an auction nobody does: neither the seller's name leaves it, nor a bid.
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
