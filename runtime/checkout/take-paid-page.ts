import { nameSessionKey, type UnpaidPage } from '../../store/checkout/restored.ts';
import { noteReversal } from '../../store/checkout/reversals.ts';
import type { Services } from '../services.ts';
import { isAway } from './card-reversals.ts';
import { type ServedPayment, servePayment } from './take-card-event.ts';

/**
 * What is known of a page, or became of its payment.
 * - `unpaid`: nothing was paid on it.
 * - `away`: it was, and the money was given back, or is in a dispute that is not won: nothing is booked.
 * - `due`: it was, and is to be booked.
 */
export type PaidPage = { readonly became: 'unpaid' | 'away' | 'due' } | ServedPayment;

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
  if (payment === null || payment.paymentStatus !== 'paid' || payment.checkoutId !== page.id)
    return { became: 'unpaid' };
  if (payment.reversals.some(isAway)) return { became: 'away' };
  if (dryRun) return { became: 'due' };
  const now = services.now();
  return await services.db.transaction().execute(async (trx) => {
    // A dispute that is won already: its beginning may still be told, and takes nothing away.
    for (const reversal of payment.reversals) await noteReversal(trx, reversal, now);
    if (keyIndex !== null) await nameSessionKey(trx, page.id, keyIndex);
    const event = { ...payment, checkoutId: page.id, eventId: `restored:${page.session}` };
    return (await servePayment(services, trx, event, now)).served;
  });
}
