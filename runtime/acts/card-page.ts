import { AppError } from '../../agents/errors.ts';
import type { Micro } from '../../agents/money.ts';
import { attachSession, createCheckout, type NewCheckout, withdrawCheckout } from '../../store/checkouts.ts';
import { spawnActor } from '../actors/spawn.ts';
import { checkoutActor } from '../machines.ts';
import type { LastCall, Services } from '../services.ts';

/** The processor keeps a session open for at least half an hour. */
export const CHECKOUT_MS = 60 * 60_000;

/** How a payer comes back who has paid; who has not comes back without it. */
const PAID = 'paid=yes';

export interface OpenedPage {
  readonly checkoutId: string;
  readonly amount: Micro;
  readonly checkoutUrl: string;
  readonly expiresAt: Date;
}

/**
 * Opens a checkout and the card payment page for it. The checkout ends by itself when nobody pays.
 * @param productName what the payer reads
 * @param page where the checkout's state is read, below the service's address
 * @throws AppError conflict for a handle that is taken, unavailable when the card processor cannot be reached (then
 *   nothing is left open)
 */
export async function openCardPage(
  services: Services,
  checkout: Omit<NewCheckout, 'id' | 'expiresAt' | 'now'>,
  { productName, page, lastCall }: { productName: string; page: string; lastCall: LastCall },
): Promise<OpenedPage> {
  const now = services.now();
  const checkoutId = services.newId('co');
  const expiresAt = new Date(now.getTime() + CHECKOUT_MS);
  await services.db.transaction().execute(async (trx) => {
    await createCheckout(trx, { ...checkout, id: checkoutId, expiresAt, now });
    await spawnActor(trx, checkoutActor, {
      key: checkoutId,
      input: { checkoutId, expiresInMs: CHECKOUT_MS },
      now,
    });
  });
  services.bell.actor(`checkout:${checkoutId}`);
  const state = `${services.config.baseUrl}${page}/${checkoutId}`;
  try {
    const session = await services.card.createCheckoutSession({
      checkoutId,
      amountMicro: checkout.amount,
      productName,
      successUrl: `${state}?${PAID}`,
      cancelUrl: state,
      expiresAt,
    });
    // A caller who was told that the time is up keeps no handle: the checkout is withdrawn below.
    lastCall();
    await attachSession(services.db, checkoutId, session);
    return { checkoutId, amount: checkout.amount, checkoutUrl: session.url, expiresAt };
  } catch (error) {
    await withdrawCheckout(services.db, checkoutId);
    if (error instanceof AppError) throw error;
    throw new AppError('unavailable', 'The card processor cannot be reached: nothing was charged.', {
      cause: error,
    });
  }
}
