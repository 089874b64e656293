import { titleOf } from '../../../agents/determinations/panel/titles.ts';
import type { OpenDisputeShown } from '../../certificates/open-dispute-document.ts';
import { openDisputesBox } from '../../certificates/open-disputes.ts';
import { inPlainWords, plainReason } from '../../determinations/record-sentence.ts';
import {
  type Column,
  emptyState,
  facts,
  handleLink,
  hex,
  label,
  lotName,
  money,
  table,
  verdict,
  when,
} from '../../html/components.ts';
import { hiddenFields } from '../../html/fields.ts';
import { type Html, html, segment } from '../../html/html.ts';
import { LISTS } from '../../words/acts.ts';
import { WORDS } from '../../words/every-page.ts';

/** A deal as its owner is shown it. */
export interface DealShown {
  readonly dealId: string;
  readonly lot: string;
  /** The seller's own words. */
  readonly description?: string;
  readonly role: string;
  readonly priceUsd: number;
  /** What the buyer pays in all, and what the seller gets. */
  readonly paysUsd: number;
  readonly getsUsd: number;
  readonly state: string;
  readonly deadline: string | null;
  /** It waits for this owner; another may wait for the other side's. */
  readonly waitsForYou: boolean;
  readonly findings: readonly {
    readonly determination?: string;
    readonly verdict?: string;
    /** What it caused under the owner's choices. */
    readonly effect?: string;
    readonly reasons?: readonly string[];
  }[];
  /** Of a deal that waits, as they stand now. */
  readonly openDisputes: readonly OpenDisputeShown[];
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
  /** The seller's own words. */
  readonly description?: string;
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

/** The deals that wait, each with its decision, above a table of all. */
export function dealsWithDecisions(handle: string, deals: readonly DealShown[]): Html {
  const waiting = deals.filter((d) => d.waitsForYou);
  return html`${waiting.map((deal) => waitingDeal(handle, deal))}
${dealTable(handle, deals)}`;
}

/** A table of an owner's deals. A deal that waits has a link to its decision. */
export function dealTable(handle: string, deals: readonly DealShown[]): Html {
  const columns: readonly Column<DealShown>[] = [
    {
      head: LISTS.columns.lot,
      cell: (d) => html`${d.description !== undefined && html`${d.description}<br>`}${lotName(d.lot)}`,
    },
    { head: LISTS.columns.state, cell: (d) => state(handle, d) },
    { head: LISTS.columns.role, short: true, cell: (d) => d.role },
    { head: LISTS.columns.price, numeric: true, cell: (d) => money(d.priceUsd) },
    { head: LISTS.columns.found, wide: true, cell: foundInShort },
    { head: LISTS.columns.deal, cell: (d) => hex(d.dealId) },
    { head: LISTS.columns.transaction, cell: (d) => (d.tx === null ? '' : hex(d.tx)) },
  ];
  return table(LISTS.deals(handle), columns, deals, emptyState(WORDS.empty.ownDeals));
}

/**
 * A deal that waits: the findings, and buttons for both decisions. A decision counts only once it is signed.
 * @param among the id of the form that decides on several of them; null where there is none
 */
export function waitingDeal(handle: string, deal: DealShown, among: string | null = null): Html {
  const box = `with-${deal.dealId}`;
  const choice = (decision: 'proceed' | 'stop', words: string) =>
    html`<form action="/desk/decision" method="post">${hiddenFields({ handle, dealId: deal.dealId, decision })}<button class="${decision === 'stop' ? '' : 'second'}">${words}<span class="hidden">${LISTS.ofDeal(deal.dealId)}</span></button></form>`;
  return html`<section class="card attention"><h2>${deal.deadline === null ? LISTS.waits : LISTS.waitsUntil(when(deal.deadline))}</h2>
${facts([
  [LISTS.agent, handleLink(handle)],
  [LISTS.columns.role, LISTS.role(deal.role)],
  [LISTS.what, html`${deal.description !== undefined && html`${deal.description}<br>`}${lotName(deal.lot)}`],
  [LISTS.columns.price, money(deal.priceUsd)],
  deal.role === 'buyer' ? [LISTS.pays, money(deal.paysUsd)] : [LISTS.gets, money(deal.getsUsd)],
  [LISTS.columns.found, found(deal)],
])}
${among !== null && html`<div class="one"><input type="checkbox" id="${box}" form="${among}" name="deals" value="${handle}/${deal.dealId}"><label for="${box}">${LISTS.alike}<span class="hidden">${LISTS.ofDeal(deal.dealId)}</span></label></div>`}
<div class="acts">${choice('stop', LISTS.stop)}${choice('proceed', LISTS.proceed)}</div>
<p class="soft">${LISTS.notYet}</p></section>`;
}

function state(handle: string, deal: DealShown): Html {
  if (deal.state === 'awaiting-owner' && !deal.waitsForYou) return html`${label(LISTS.waitsForOther)}`;
  if (deal.state !== 'awaiting-owner') return label(LISTS.dealStates[deal.state] ?? deal.state);
  const to = `/desk/decision?handle=${segment(handle)}&dealId=${segment(deal.dealId)}`;
  return html`${label(LISTS.waitsForYou, 'waiting')} <a href="${to}">${LISTS.decide}</a>${deal.deadline !== null && LISTS.until(when(deal.deadline))}`;
}

/** Why it stopped or waits, in a sentence, and then each finding with its reasons. */
function found(deal: DealShown): Html {
  const findings = foundAgainst(deal);
  const disputed = openDisputesBox(deal.openDisputes);
  if (findings.length === 0 && deal.reason === null) return disputed || html`${LISTS.nothing}`;
  return html`${disputed}${deal.reason !== null && html`<p>${sentence(deal.reason)}</p>`}${findings.map(
    ({ determination = '', verdict: word = '', effect, reasons = [] }) =>
      html`<div class="finding"><p>${verdict(word)} <strong>${titleOf(determination)}</strong>${effect === 'proceed' && LISTS.goneOn}</p>${reasons.length > 0 && html`<ul>${reasons.map((r) => html`<li>${plainReason(r)}</li>`)}</ul>`}</div>`,
  )}`;
}

/** What was found by name, and its reasons folded. */
function foundInShort(deal: DealShown): Html {
  const findings = foundAgainst(deal);
  if (findings.length === 0) return found(deal);
  return html`${findings.map(({ determination = '', verdict: word = '' }) => html`<p>${verdict(word)} ${titleOf(determination)}</p>`)}<details><summary>${LISTS.why(deal.dealId)}</summary>${found(deal)}</details>`;
}

/** What is not CLEAN of a deal, for this side of it. */
export function foundAgainst(deal: DealShown): DealShown['findings'] {
  return deal.findings.filter((f) => f.verdict !== undefined && f.verdict !== 'CLEAN');
}

function sentence(words: string): string {
  const said = inPlainWords(words);
  return `${said.slice(0, 1).toUpperCase()}${said.slice(1)}.`;
}

/** A table of an owner's orders, with the account's money. What rests or is unfunded can be taken back. */
export function orderTable(handle: string, orders: readonly OrderShown[], funds?: Funds): Html {
  const columns: readonly Column<OrderShown>[] = [
    {
      head: LISTS.columns.lot,
      cell: (o) => html`${o.description !== undefined && html`${o.description}<br>`}${lotName(o.lot)}`,
    },
    {
      head: LISTS.columns.state,
      wide: true,
      cell: (o) =>
        o.status === 'resting' || o.status === 'unfunded'
          ? html`${label(LISTS.orderStates[o.status] ?? o.status)} ${lacking(o)} <a href="/desk/cancel?handle=${segment(handle)}&orderId=${segment(o.orderId)}">${LISTS.takeBack}</a>`
          : label(LISTS.orderStates[o.status] ?? o.status),
    },
    { head: LISTS.columns.side, short: true, cell: (o) => o.side },
    { head: LISTS.columns.limit, numeric: true, cell: (o) => money(o.limitUsd) },
    { head: LISTS.columns.order, cell: (o) => hex(o.orderId) },
    { head: LISTS.columns.placed, cell: (o) => when(o.createdAt) },
    { head: LISTS.columns.ends, cell: (o) => when(o.expiresAt) },
  ];
  return html`${funds !== undefined && account(funds)}
${table(LISTS.orders(handle), columns, orders, emptyState(WORDS.empty.ownOrders))}`;
}

function account({ asOfBlock, balanceUsd, inFlightUsd, spendableUsd }: Funds): Html {
  return facts([
    [LISTS.account, LISTS.atBlock(money(balanceUsd), asOfBlock)],
    [LISTS.inFlight, LISTS.promised(money(inFlightUsd))],
    [LISTS.spendable, LISTS.byLimits(money(spendableUsd))],
  ]);
}

function lacking({ status, needUsd, haveUsd }: OrderShown): Html | false {
  if (status !== 'unfunded') return false;
  if (needUsd === undefined || haveUsd === undefined) return html`${LISTS.notOnBook}`;
  return LISTS.lacking(money(haveUsd), money(needUsd));
}
