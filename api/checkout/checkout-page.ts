import { facts, label, money, when } from '../html/components.ts';
import { type Html, html, segment } from '../html/html.ts';
import { page } from '../html/layout.ts';
import { CHECKOUT } from '../words/checkout.ts';
import { WORDS } from '../words/every-page.ts';

/** A checkout as the page shows it to its payer. */
export interface CheckoutView {
  readonly checkoutId: string;
  readonly kind: 'agent' | 'membership' | 'listing';
  readonly pay: 'card' | 'usdc';
  readonly what: string;
  readonly status: 'awaiting-payment' | 'paid' | 'minting' | 'minted' | 'failed' | 'expired';
  readonly amountUsd: number;
  readonly expiresAt: string;
  /** The card processor's page, while the checkout can still be paid there. */
  readonly payUrl: string | null;
  /** Whether a card is charged real dollars there. */
  readonly cards: 'real' | 'test';
  readonly handle: string | null;
  /** The wallet that owns what is bought. */
  readonly owner: string;
  /** The money was taken back, or is in dispute: what was paid for does not hold. */
  readonly takenBack: boolean;
  /** Why the payment bought nothing. */
  readonly reason?: string | null;
  /** Of a listing: it is for featured placement, and not for the fee without which it does not show. */
  readonly featured?: boolean;
  /** The path of this page. */
  readonly path: string;
}

function headOf({ kind, status, handle, takenBack }: CheckoutView): string {
  if (takenBack) return CHECKOUT.takenBack;
  if (handle !== null && status === 'minted') return CHECKOUT.minted(handle);
  // Memberships and placements are not minted, so they hold as soon as they are paid.
  return kind !== 'agent' && status === 'paid' ? CHECKOUT.holds : CHECKOUT.heads[status];
}

/** The page on which each kind of checkout begins. */
const AGAIN: Readonly<Record<CheckoutView['kind'], (view: CheckoutView) => string>> = {
  agent: () => '/agents/new',
  membership: () => '/desk/membership',
  listing: ({ featured }) => (featured === true ? '/desk/feature' : '/desk/listing-fee'),
};

/** The page that shows how far a checkout has come, and what to do now. */
export function checkoutPage(view: CheckoutView): Html {
  const head = headOf(view);
  const events = view.handle === null ? '' : `only=activity&handle=${view.handle}`;
  const body = html`<div data-live="${CHECKOUT.told}" id="checkout" data-events="${events}"><h1>${head}</h1>
<p class="lead">${view.what}, ${money(view.amountUsd)} ${label(view.status.replaceAll('-', ' '))}</p>
${next(view)}
${facts([
  [CHECKOUT.checkout, html`<code>${view.checkoutId}</code>`],
  ...(view.status === 'awaiting-payment' ? [[CHECKOUT.heldUntil, when(view.expiresAt)] as const] : []),
])}</div>`;
  return page(head, body);
}

function next(view: CheckoutView): Html {
  const again = html`<p class="acts"><a class="button" href="${AGAIN[view.kind](view)}">${CHECKOUT.again}</a></p>`;
  if (view.takenBack) return html`<p>${CHECKOUT.notHolding[view.kind]}</p>`;
  if (view.status === 'paid' && view.kind !== 'agent') {
    return view.kind === 'membership'
      ? html`<p>${CHECKOUT.membership}</p>
<p class="acts"><a class="button" href="/desk/standing">${CHECKOUT.standing}</a> <a class="button second" href="/dashboard">${CHECKOUT.desk}</a></p>`
      : html`<p>${view.featured === true ? CHECKOUT.featured : CHECKOUT.shown}</p>
<p class="acts"><a class="button" href="/catalogue">${CHECKOUT.catalogue}</a> <a class="button second" href="/dashboard">${CHECKOUT.desk}</a></p>`;
  }
  switch (view.status) {
    case 'awaiting-payment':
      return html`${view.payUrl !== null && html`<p>${WORDS.cards[view.cards]}</p>`}
<p class="acts">${view.payUrl !== null && html`<a class="button" href="${view.payUrl}">${CHECKOUT.byCard(money(view.amountUsd))}</a>`}
<a class="button second" href="${view.path}?paid=yes">${CHECKOUT.havePaid}</a></p>`;
    case 'paid':
    case 'minting':
      return html`<p>${CHECKOUT.moment}</p>
<p class="acts"><a class="button" href="${view.path}">${CHECKOUT.lookAgain}</a></p>`;
    case 'minted':
      return view.handle === null
        ? html``
        : html`<p>${CHECKOUT.onChain}</p>
<p class="acts"><a class="button" href="/agent/${segment(view.handle)}">${CHECKOUT.see(view.handle)}</a>
<a class="button second" href="/dashboard?wallet=${view.owner}">${CHECKOUT.act}</a></p>`;
    case 'failed':
      return html`${typeof view.reason === 'string' && html`<p>${CHECKOUT.reason(view.reason)}</p>`}<p>${CHECKOUT.failed[view.pay]}</p>${again}`;
    case 'expired':
      return html`<p>${view.kind === 'agent' ? CHECKOUT.expiredAgent : CHECKOUT.expired}</p>${again}`;
  }
}
