import { titleOf } from '../../../agents/determinations/panel/titles.ts';
import { reasonWords } from '../../determinations/check-names.ts';
import {
  type Column,
  emptyState,
  facts,
  hex,
  label,
  lotName,
  money,
  table,
  when,
} from '../../html/components.ts';
import { hiddenFields } from '../../html/fields.ts';
import { type Html, html, segment } from '../../html/html.ts';
import { WORDS } from '../../words/every-page.ts';

/** A deal as its owner is shown it. */
export interface DealShown {
  readonly dealId: string;
  readonly lot: string;
  /** The seller's own words. */
  readonly description?: string;
  readonly role: string;
  readonly priceUsd: number;
  /** Taken from what the seller gets. */
  readonly feeUsd: number;
  readonly state: string;
  readonly deadline: string | null;
  readonly findings: readonly {
    readonly determination?: string;
    readonly verdict?: string;
    /** What it caused under the owner's choices. */
    readonly effect?: string;
    readonly reasons?: readonly string[];
  }[];
  readonly reason: string | null;
  readonly tx: string | null;
  /** ISO 8601. */
  readonly updatedAt: string;
}

/** An order as its owner is shown it. */
export interface OrderShown {
  readonly orderId: string;
  readonly side: string;
  readonly lot: string;
  readonly limitUsd: number;
  readonly status: string;
  readonly needUsd?: number;
  readonly haveUsd?: number;
  readonly createdAt: string;
  readonly expiresAt: string;
}

interface Funds {
  readonly asOfBlock: string;
  readonly balanceUsd: number;
  readonly inFlightUsd: number;
  readonly spendableUsd: number;
}

/** A table of an owner's deals. A deal that waits has a link to its decision. */
export function dealTable(handle: string, deals: readonly DealShown[]): Html {
  const columns: readonly Column<DealShown>[] = [
    {
      head: 'Lot',
      cell: (d) => html`${d.description !== undefined && html`${d.description}<br>`}${lotName(d.lot)}`,
    },
    { head: 'State', cell: (d) => state(handle, d) },
    { head: 'You are', short: true, cell: (d) => d.role },
    { head: 'Price', numeric: true, cell: (d) => money(d.priceUsd) },
    { head: 'What was found', wide: true, cell: found },
    { head: 'Deal', cell: (d) => hex(d.dealId) },
    { head: 'Transaction', cell: (d) => (d.tx === null ? '' : hex(d.tx)) },
  ];
  const waiting = deals.filter((d) => d.state === 'awaiting-owner');
  return html`${waiting.map((deal) => waitingDeal(handle, deal))}
${table(`Deals of ${handle}`, columns, deals, emptyState(WORDS.empty.ownDeals))}`;
}

/** A deal that waits: the findings, and buttons for both decisions. A decision counts only once it is signed. */
function waitingDeal(handle: string, deal: DealShown): Html {
  const choice = (decision: 'proceed' | 'stop', words: string) =>
    html`<form action="/desk/decision" method="post">${hiddenFields({ handle, dealId: deal.dealId, decision })}<button class="${decision === 'stop' ? '' : 'second'}">${words}<span class="hidden">: deal ${deal.dealId}</span></button></form>`;
  return html`<section class="card attention"><h2>A deal waits for you${deal.deadline !== null && html` until ${when(deal.deadline)}`}</h2>
${facts([
  ['You are', `the ${deal.role}`],
  ['What', html`${deal.description !== undefined && html`${deal.description}<br>`}${lotName(deal.lot)}`],
  ['Price', money(deal.priceUsd)],
  ['What was found', found(deal)],
])}
<div class="acts">${choice('stop', 'Stop it: nothing moves')}${choice('proceed', 'Proceed: let it settle')}</div>
<p class="soft">Nothing is decided yet: the next page shows what you sign.</p></section>`;
}

function state(handle: string, deal: DealShown): Html {
  if (deal.state !== 'awaiting-owner') return label(deal.state);
  const to = `/desk/decision?handle=${segment(handle)}&dealId=${segment(deal.dealId)}`;
  return html`${label('waits for you', 'waiting')} <a href="${to}">Decide</a>${deal.deadline !== null && html` until ${when(deal.deadline)}`}`;
}

function found(deal: DealShown): Html {
  const lines = foundAgainst(deal).flatMap((f) => [
    `${titleOf(f.determination ?? '')} ${f.verdict}${f.effect === 'proceed' ? ', and gone on without, as you chose' : ''}:`,
    ...(f.reasons ?? []).map(reasonWords),
  ]);
  // Why it stopped or waits comes first, in a sentence.
  const all = deal.reason === null ? lines : [`${sentence(deal.reason)}`, ...lines];
  return all.length > 0 ? html`${all.map((line) => html`${line}<br>`)}` : html`nothing`;
}

/** What is not CLEAN of a deal, for this side of it. */
export function foundAgainst(deal: DealShown): DealShown['findings'] {
  return deal.findings.filter((f) => f.verdict !== undefined && f.verdict !== 'CLEAN');
}

function sentence(words: string): string {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`;
}

/** A table of an owner's orders, with the account's money. What rests or is unfunded can be taken back. */
export function orderTable(handle: string, orders: readonly OrderShown[], funds?: Funds): Html {
  const columns: readonly Column<OrderShown>[] = [
    { head: 'Lot', cell: (o) => lotName(o.lot) },
    {
      head: 'State',
      wide: true,
      cell: (o) =>
        o.status === 'resting' || o.status === 'unfunded'
          ? html`${label(o.status)} ${lacking(o)} <a href="/desk/cancel?handle=${segment(handle)}&orderId=${segment(o.orderId)}">Take it back</a>`
          : label(o.status),
    },
    { head: 'Side', short: true, cell: (o) => o.side },
    { head: 'Limit', numeric: true, cell: (o) => money(o.limitUsd) },
    { head: 'Order', cell: (o) => hex(o.orderId) },
    { head: 'Placed', cell: (o) => when(o.createdAt) },
    { head: 'Ends', cell: (o) => when(o.expiresAt) },
  ];
  return html`${funds !== undefined && account(funds)}
${table(`Orders of ${handle}`, columns, orders, emptyState(WORDS.empty.ownOrders))}`;
}

function account({ asOfBlock, balanceUsd, inFlightUsd, spendableUsd }: Funds): Html {
  return facts([
    ['In the account', html`${money(balanceUsd)} <span class="soft">at block ${asOfBlock}</span>`],
    [
      'In flight',
      html`${money(inFlightUsd)} <span class="soft">in resting orders and deals under way</span>`,
    ],
    ['Spendable now', html`${money(spendableUsd)} <span class="soft">by its limits and by its money</span>`],
  ]);
}

function lacking({ status, needUsd, haveUsd }: OrderShown): Html | false {
  if (status !== 'unfunded') return false;
  if (needUsd === undefined || haveUsd === undefined) return html`not on the book.`;
  return html`not on the book: the account has ${money(haveUsd)} for it, and needs ${money(needUsd)}.`;
}
