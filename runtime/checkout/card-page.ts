import { AppError, Refusal } from '../../agents/errors.ts';
import type { Micro } from '../../agents/money.ts';
import { attachSession, createCheckout, type NewCheckout } from '../../store/checkout/checkouts.ts';
import { spawnActor } from '../durable/actors/spawn.ts';
import { checkoutActor } from '../machines.ts';
import type { LastCall, Services } from '../services.ts';
import { tellCheckout } from './book-payment.ts';

/** The processor keeps a session open for at least half an hour, so a checkout must last longer than that. */
export const CHECKOUT_MS = 60 * 60_000;

/** The query that the processor adds when it sends back a payer who has paid. Who cancels comes back without it. */
const PAID = 'paid=yes';

export interface OpenedPage {
  readonly checkoutId: string;
  readonly amount: Micro;
  readonly checkoutUrl: string;
  readonly expiresAt: Date;
}

/**
 * Opens a checkout and its card payment page. The checkout expires when nobody pays.
 * @param productName the name that the payer reads
 * @param page the path of the page that shows the checkout's state
 * @throws AppError conflict when the handle is taken, unavailable when the card processor cannot be reached (then the
 *   checkout is withdrawn)
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
  services.notifier.actor(`checkout:${checkoutId}`);
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
    // A caller who was told that the time is up must not keep the handle: when this throws, the checkout is withdrawn
    // below.
    lastCall();
    await attachSession(services.db, checkoutId, session);
    return { checkoutId, amount: checkout.amount, checkoutUrl: session.url, expiresAt };
  } catch (error) {
    await withdraw(services, checkoutId);
    if (error instanceof Refusal) throw error;
    throw new AppError('unavailable', 'The card processor cannot be reached: nothing was charged.', {
      cause: error,
    });
  }
}

/** Ends a checkout whose payment page could not be opened. */
async function withdraw({ db, now }: Services, checkoutId: string): Promise<void> {
  const told = { eventId: 'withdrawn', event: { type: 'WITHDRAWN' }, now: now() };
  await db.transaction().execute((trx) => tellCheckout(trx, checkoutId, told));
}
