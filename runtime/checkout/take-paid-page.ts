import { nameSessionKey, type UnpaidPage } from '../../store/checkout/restored.ts';
import type { Services } from '../services.ts';
import { servePayment } from './take-card-event.ts';

/**
 * - `unpaid`: nothing was paid on it.
 * - `away`: it was, and the money was given back or is disputed: nothing is booked.
 * - `due`: it was, and is to be booked.
 * - `taken`: it is booked.
 */
export type PaidPage = 'unpaid' | 'away' | 'due' | 'taken';

/**
 * Books what the card processor says was paid on a page, as its webhook does: for a database that was restored to a moment
 * before that webhook, which does not come again. Done twice, it changes nothing.
 * @param keyIndex of the session key with which the agent is minted already; null: it is not, as far as is known
 * @param dryRun asks, and books nothing
 * @throws AppError unavailable when the processor does not say
 */
export async function takePaidPage(
  services: Pick<Services, 'db' | 'sessionKeys' | 'now'> & {
    readonly card: Pick<Services['card'], 'findPayment'>;
    readonly log: Pick<Services['log'], 'warn' | 'error'>;
  },
  page: UnpaidPage,
  { keyIndex, dryRun }: { readonly keyIndex: bigint | null; readonly dryRun: boolean },
): Promise<PaidPage> {
  const payment = await services.card.findPayment(page.session);
  if (payment === null || payment.paymentStatus !== 'paid' || payment.checkoutId !== page.id) return 'unpaid';
  if (payment.isAway) return 'away';
  if (dryRun) return 'due';
  const now = services.now();
  await services.db.transaction().execute(async (trx) => {
    if (keyIndex !== null) await nameSessionKey(trx, page.id, keyIndex);
    await servePayment(services, trx, { ...payment, eventId: `restored:${page.session}` }, now);
  });
  return 'taken';
}
