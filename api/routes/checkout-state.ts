import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../agents/errors.ts';
import { toUsd } from '../../agents/money.ts';
import type { Services } from '../../runtime/services.ts';
import { type CheckoutRow, findCheckout } from '../../store/checkouts.ts';
import type { Reply, Request } from '../app.ts';
import { checkoutPage } from '../pages/checkout.ts';
import { prefersHtml, replyPage } from '../plugins/negotiate.ts';

/** A person who has just paid sees what came of it, without a script that asks again and again. */
const ROUNDS = 40;
const ROUND_MS = 200;

/**
 * The checkout of this kind, as its payer reads it.
 * @throws AppError not-found
 */
export async function requireCheckout(
  services: Services,
  kind: CheckoutRow['kind'],
  checkoutId: string,
): Promise<CheckoutRow> {
  const checkout = await findCheckout(services.db, checkoutId);
  if (checkout?.kind !== kind) throw new AppError('not-found', `There is no checkout "${checkoutId}".`);
  return checkout;
}

/**
 * Answers a person with the page of a checkout, null for a program. Somebody who comes back from paying
 * (`?paid=yes`) waits a moment for the processor's word; whatever is paid, for what it buys.
 */
export async function replyCheckoutPage(
  request: Request,
  reply: Reply,
  services: Services,
  found: CheckoutRow,
): Promise<Reply | null> {
  reply.header('vary', 'Accept');
  if (!prefersHtml(request)) return null;
  const hasPaid = (request.query as { paid?: unknown }).paid === 'yes';
  let checkout = found;
  for (let round = 0; round < ROUNDS && underWay(checkout, hasPaid); round++) {
    await sleep(ROUND_MS);
    checkout = (await findCheckout(services.db, checkout.id)) ?? checkout;
  }
  reply.header('cache-control', 'no-store');
  return replyPage(
    reply,
    checkoutPage({
      checkoutId: checkout.id,
      kind: checkout.kind,
      what: WHAT[checkout.kind](checkout),
      status: checkout.status as Parameters<typeof checkoutPage>[0]['status'],
      amountUsd: toUsd(checkout.amount),
      expiresAt: checkout.expires_at.toISOString(),
      payUrl: checkout.status === 'awaiting-payment' ? checkout.checkout_url : null,
      handle: checkout.handle,
      path: request.url.split('?')[0] ?? '/',
    }),
  );
}

const WHAT: Readonly<Record<CheckoutRow['kind'], (row: CheckoutRow) => string>> = {
  agent: (row) => `${row.tier} ${row.handle}`,
  membership: () => 'One year of membership',
  listing: () => 'Featured placement',
};

/** A membership and a placement hold as soon as they are paid; an agent is minted first. */
function underWay({ kind, status }: CheckoutRow, hasPaid: boolean): boolean {
  if (status === 'awaiting-payment') return hasPaid;
  return kind === 'agent' && (status === 'paid' || status === 'minting');
}
