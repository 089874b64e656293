import { nameMoney } from '../../agents/market/pricing/fees.ts';
import { parseUsd } from '../../agents/money.ts';
import { type Column, emptyState, holderName, label, money, pager, table, when } from '../html/components.ts';
import { type Html, html } from '../html/html.ts';
import { marketTabs, page } from '../html/layout.ts';
import type { List } from '../schemas.ts';
import { WORDS } from '../words/every-page.ts';
import { NAMES_FOR_SALE as SAID } from '../words/names.ts';
import type { NameListingRow } from './name-shapes.ts';

const columns = (sellers: ReadonlyMap<string, string>): readonly Column<NameListingRow>[] => [
  {
    head: SAID.columns.name,
    cell: (r) => html`<bdi>${r.name}</bdi>${r.control !== 'proven' && html` ${label(r.control)}`}`,
  },
  { head: SAID.columns.format, cell: (r) => SAID.formats[r.format] },
  { head: SAID.columns.price, numeric: true, cell: (r) => money(priceNow(r)) },
  { head: SAID.columns.pays, numeric: true, cell: (r) => money(pays(priceNow(r))) },
  { head: SAID.columns.state, cell: (r) => html`${state(r)} ${deskLink(r)}` },
  { head: SAID.columns.ends, cell: (r) => (r.endsAt === undefined ? '' : when(r.endsAt)) },
  { head: SAID.columns.seller, cell: (r) => holderName(r.seller, sellers) },
  { head: SAID.columns.listed, cell: (r) => when(r.listedAt) },
];

/** The price to get the name now, or to lead its auction. */
function priceNow(row: NameListingRow): number {
  return row.priceToBeatUsd ?? row.askUsd;
}

function pays(usd: number): number {
  // Of a part of a cent the whole is told: never less than what is paid.
  return Math.ceil(Number(nameMoney(parseUsd(usd, 'price')).buyerPays) / 10_000) / 100;
}

function state(row: NameListingRow): Html | string {
  if (row.openingBidUsd === undefined || row.reserveUsd === undefined) return SAID.states.atAsk;
  if (row.format === 'dutch') {
    return SAID.states.falls(money(row.openingBidUsd), money(row.reserveUsd));
  }
  if (row.priceToBeatUsd === row.openingBidUsd) return SAID.states.opens(money(row.openingBidUsd));
  return SAID.states.opened(money(row.openingBidUsd));
}

function deskLink(row: NameListingRow): Html {
  const bids = row.format === 'ascending';
  const act = bids || row.format === 'dutch' ? 'name-bid' : 'name-buy';
  const asked = new URLSearchParams({
    name: row.name,
    ...(act === 'name-buy' ? { priceUsd: String(row.askUsd) } : {}),
  });
  return html`<a href="/desk/${act}?${asked.toString()}">${bids ? SAID.bid : SAID.buy}<span class="hidden"> ${row.name}</span></a>`;
}

/** The page of names for sale, with the state of each auction. @param sellers the handle of each seller's account */
export function namesPage(
  list: List<NameListingRow>,
  filters: { name?: string; tld?: string; cursor?: string | undefined } = {},
  sellers: ReadonlyMap<string, string> = new Map(),
): Html {
  const chosen = filters.name !== undefined || filters.tld !== undefined;
  const body = html`${marketTabs('/names')}<h1>${SAID.heading}</h1>
<p class="lead">${SAID.lead}</p>
<form class="ask" action="/names" method="get">
<div class="wide"><label for="name">${SAID.name}</label>
<input id="name" name="name" value="${filters.name ?? ''}" placeholder="${SAID.example}" autocomplete="off" autocapitalize="none" spellcheck="false" required></div>
<button>${SAID.find}</button>
${chosen && html`<a href="/names">${SAID.all}</a>`}
</form>
${table(SAID.caption, columns(sellers), list.items, emptyState(chosen ? WORDS.empty.name : WORDS.empty.names))}
${pager('/names', filters, list)}
<h2>${SAID.how}</h2>
<p>${SAID.fees(money(300), money(292.5), money(307.5))}</p>
<p>${SAID.held}</p>`;
  return page(SAID.heading, body, '/catalogue');
}
