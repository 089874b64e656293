import { facts, label, money, when } from '../html/components.ts';
import { type Html, html, segment } from '../html/html.ts';
import { page } from '../html/layout.ts';

/** A checkout as the page shows it to its payer. */
export interface CheckoutView {
  readonly checkoutId: string;
  readonly kind: 'agent' | 'membership' | 'listing';
  readonly what: string;
  readonly status: 'awaiting-payment' | 'paid' | 'minting' | 'minted' | 'failed' | 'expired';
  readonly amountUsd: number;
  readonly expiresAt: string;
  /** The card processor's page, while the checkout can still be paid there. */
  readonly payUrl: string | null;
  readonly handle: string | null;
  /** The path of this page. */
  readonly path: string;
}

const HEADS: Readonly<Record<CheckoutView['status'], string>> = {
  'awaiting-payment': 'Not paid yet',
  paid: 'Paid: it is being made',
  minting: 'Paid: it is being minted',
  minted: 'It is minted',
  failed: 'It could not be made',
  expired: 'The time to pay is over',
};

function headOf({ kind, status, handle }: CheckoutView): string {
  if (handle !== null && status === 'minted') return `${handle} is minted`;
  // Memberships and placements are not minted, so they hold as soon as they are paid.
  return kind !== 'agent' && status === 'paid' ? 'Paid: it holds' : HEADS[status];
}

/** The page on which each kind of checkout begins. */
const AGAIN: Readonly<Record<CheckoutView['kind'], string>> = {
  agent: '/agents/new',
  membership: '/desk/membership',
  listing: '/desk/feature',
};

/** The page that shows how far a checkout has come, and what to do now. */
export function checkoutPage(view: CheckoutView): Html {
  const head = headOf(view);
  const events = view.handle === null ? '' : `only=activity&handle=${view.handle}`;
  const body = html`<div data-live="the checkout" id="checkout" data-events="${events}"><h1>${head}</h1>
<p class="lead">${view.what}, ${money(view.amountUsd)} ${label(view.status)}</p>
${next(view)}
${facts([
  ['Checkout', html`<code>${view.checkoutId}</code>`],
  ...(view.status === 'awaiting-payment' ? [['Held for you until', when(view.expiresAt)] as const] : []),
])}</div>`;
  return page(head, body);
}

function next(view: CheckoutView): Html {
  const again = html`<p class="acts"><a class="button" href="${AGAIN[view.kind]}">Begin again</a></p>`;
  if (view.status === 'paid' && view.kind !== 'agent') {
    return view.kind === 'membership'
      ? html`<p>It covers the wallet for a year from now, or from the end of the year before it.</p>
<p class="acts"><a class="button" href="/desk/standing">See whether it covers a wallet</a> <a class="button second" href="/desk">Owner’s desk</a></p>`
      : html`<p>The listing stands first in the catalogue while it is for sale.</p>
<p class="acts"><a class="button" href="/catalogue">See the catalogue</a> <a class="button second" href="/desk">Owner’s desk</a></p>`;
  }
  switch (view.status) {
    case 'awaiting-payment':
      return html`<p class="acts">${view.payUrl !== null && html`<a class="button" href="${view.payUrl}">Pay ${money(view.amountUsd)} by card</a>`}
<a class="button second" href="${view.path}?paid=yes">I have paid: look again</a></p>`;
    case 'paid':
    case 'minting':
      return html`<p>This takes a moment. What was paid for is made once, also if this page is closed.</p>
<p class="acts"><a class="button" href="${view.path}">Look again</a></p>`;
    case 'minted':
      return view.handle === null
        ? html``
        : html`<p>The token, its account, the mandate and its limits stand on chain, in one transaction.</p>
<p class="acts"><a class="button" href="/agent/${segment(view.handle)}">See ${view.handle}</a>
<a class="button second" href="/desk?handle=${segment(view.handle)}">Act for it</a></p>`;
    case 'failed':
      return html`<p>Money that bought nothing goes back by itself.</p>${again}`;
    case 'expired':
      return html`<p>Nothing was charged${view.kind === 'agent' && ', and the handle is free again'}.</p>${again}`;
  }
}
