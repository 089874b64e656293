import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import { AppError } from '../../agents/errors.ts';
import { toUsd } from '../../agents/money.ts';
import { cardsOf } from '../../runtime/config/rules.ts';
import type { Services } from '../../runtime/services.ts';
import { type CheckoutRow, findCheckout } from '../../store/checkout/checkouts.ts';
import { isRefunded } from '../../store/checkout/unserved.ts';
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
/** The checkouts whose pages wait, each once. A page that waits has a place among the requests under way. */
const waiting = new Set<string>();
const MOST_WAITING = 8;
const REFRESH_SECONDS = 3;

/** What a failed checkout says beside its status. */
export const failureFields = {
  reason: Type.Optional(Type.String({ description: 'of one that failed: why its payment bought nothing' })),
  refunded: Type.Optional(
    Type.Boolean({
      description:
        'of one that failed: the money is back, refunded by the card processor or by a dispute that its payer won; USDC is returned by hand, which is not seen here',
    }),
  ),
};

export async function failureOf({ db }: Pick<Services, 'db'>, checkout: CheckoutRow) {
  if (checkout.status !== 'failed') return {};
  const refunded = await isRefunded(db, checkout.payment_intent);
  return { reason: checkout.details.unserved ?? CHECKOUT.unmade, refunded };
}

const DELIVERED: ReadonlySet<string> = new Set(['paid', 'minting', 'minted']);

/** True where what was paid for rests. A checkout that failed delivered nothing, and its refund takes nothing away. */
export function isTakenBack({ status, suspended_at }: CheckoutRow): boolean {
  return suspended_at !== null && DELIVERED.has(status);
}

/** Finds a checkout of this kind. @throws AppError not-found */
export async function requireCheckout(
  services: Pick<Services, 'db'>,
  kind: CheckoutRow['kind'],
  checkoutId: string,
): Promise<CheckoutRow> {
  const checkout = await findCheckout(services.db, checkoutId);
  if (checkout?.kind !== kind) throw new AppError('not-found', `There is no checkout "${checkoutId}".`);
  return checkout;
}

/**
 * Answers a person with the page of a checkout; returns null for a program. Somebody who comes back from paying
 * (`?paid=yes`) waits a moment for the card processor's webhook, and whoever paid for an agent, for its mint. Where too many
 * wait already, the page comes at once and asks again by itself.
 */
export async function replyCheckoutPage(
  request: Request,
  reply: Reply,
  services: Pick<Services, 'db' | 'config'>,
  found: CheckoutRow,
): Promise<Reply | null> {
  reply.header('vary', 'Accept');
  if (!prefersHtml(request)) return null;
  const hasPaid = (request.query as { paid?: unknown }).paid === 'yes';
  let checkout = found;
  if (underWay(found, hasPaid)) {
    if (waiting.has(found.id) || waiting.size >= MOST_WAITING) reply.header('refresh', REFRESH_SECONDS);
    else {
      waiting.add(found.id);
      checkout = await result(reply, services, found, hasPaid).finally(() => waiting.delete(found.id));
    }
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
      cards: cardsOf(services.config),
      handle: checkout.handle,
      owner: checkout.owner,
      takenBack: isTakenBack(checkout),
      reason: checkout.details.unserved ?? null,
      featured: checkout.details.featured === true,
      path: request.url.split('?')[0] ?? '/',
    }),
  );
}

/** Waits for the result, and not longer than the caller does. */
async function result(
  reply: Reply,
  { db }: Pick<Services, 'db'>,
  found: CheckoutRow,
  hasPaid: boolean,
): Promise<CheckoutRow> {
  let checkout = found;
  for (let round = 0; round < ROUNDS && underWay(checkout, hasPaid); round++) {
    await sleep(ROUND_MS);
    if (reply.raw.destroyed) break;
    checkout = (await findCheckout(db, checkout.id)) ?? checkout;
  }
  return checkout;
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
