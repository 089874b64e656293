import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../agents/errors.ts';
import { toUsd } from '../../agents/money.ts';
import type { Services } from '../../runtime/services.ts';
import { type CheckoutRow, findCheckout } from '../../store/checkout/checkouts.ts';
import type { Reply, Request } from '../http/app.ts';
import { prefersHtml, replyPage } from '../http/negotiate.ts';
import { CHECKOUT } from '../words/checkout.ts';
import { checkoutPage } from './checkout-page.ts';

/**
 * How often and how long the page waits for the result, so that a person who has just paid sees it without a script
 * that polls.
 */
const ROUNDS = 40;
const ROUND_MS = 200;

/** Finds a checkout of this kind. @throws AppError not-found */
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
 * Answers a person with the page of a checkout; returns null for a program. Somebody who comes back from paying
 * (`?paid=yes`) waits a moment for the card processor's webhook, and whoever paid for an agent, for its mint.
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
      pay: checkout.pay,
      what: WHAT[checkout.kind](checkout),
      status: checkout.status as Parameters<typeof checkoutPage>[0]['status'],
      amountUsd: toUsd(checkout.amount),
      expiresAt: checkout.expires_at.toISOString(),
      payUrl: checkout.status === 'awaiting-payment' ? checkout.checkout_url : null,
      handle: checkout.handle,
      featured: checkout.details.featured === true,
      path: request.url.split('?')[0] ?? '/',
    }),
  );
}

const WHAT: Readonly<Record<CheckoutRow['kind'], (row: CheckoutRow) => string>> = {
  agent: (row) => `${row.tier} ${row.handle}`,
  membership: () => 'One year of membership',
  listing: ({ details }) => (details.featured === true ? CHECKOUT.placement : CHECKOUT.listingFee),
};

/** True while a result can be expected soon. A membership and a placement hold once paid; an agent is minted first. */
function underWay({ kind, status }: CheckoutRow, hasPaid: boolean): boolean {
  if (status === 'awaiting-payment') return hasPaid;
  return kind === 'agent' && (status === 'paid' || status === 'minting');
}
