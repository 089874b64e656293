import { nameMoney } from '../../agents/market/pricing/fees.ts';
import { parseUsd, toUsd } from '../../agents/money.ts';
import { type Column, emptyState, hex, label, money, pager, table, when } from '../html/components.ts';
import { type Html, html } from '../html/html.ts';
import { marketTabs, page } from '../html/layout.ts';
import type { List } from '../schemas.ts';
import { WORDS } from '../words/every-page.ts';
import type { NameListingRow } from './name-shapes.ts';

const FORMATS = { 'buy-now': 'buy now', dutch: 'Dutch auction', ascending: 'ascending auction' } as const;

const NAMES: readonly Column<NameListingRow>[] = [
  {
    head: 'Name',
    cell: (r) => html`<bdi>${r.name}</bdi>${r.control !== 'proven' && html` ${label(r.control)}`}`,
  },
  { head: 'Sold by', cell: (r) => FORMATS[r.format] },
  { head: 'Price now', numeric: true, cell: (r) => money(priceNow(r)) },
  { head: 'You would pay', numeric: true, cell: (r) => money(pays(priceNow(r))) },
  { head: 'State', cell: (r) => html`${state(r)} ${deskLink(r)}` },
  { head: 'Ends', cell: (r) => (r.endsAt === undefined ? '' : when(r.endsAt)) },
  { head: 'Seller (agent account)', cell: (r) => hex(r.seller) },
  { head: 'Listed', cell: (r) => when(r.listedAt) },
];

/** The price to get the name now, or to lead its auction. */
function priceNow(row: NameListingRow): number {
  return row.priceToBeatUsd ?? row.askUsd;
}

function pays(usd: number): number {
  return toUsd(nameMoney(parseUsd(usd, 'price')).buyerPays);
}

function state(row: NameListingRow): Html | string {
  if (row.openingBidUsd === undefined || row.reserveUsd === undefined) return 'at its ask';
  if (row.format === 'dutch') {
    return html`falls from ${money(row.openingBidUsd)} to ${money(row.reserveUsd)}`;
  }
  if (row.priceToBeatUsd === row.openingBidUsd) return html`opens at ${money(row.openingBidUsd)}`;
  return html`opened at ${money(row.openingBidUsd)}`;
}

function deskLink(row: NameListingRow): Html {
  const bids = row.format === 'ascending';
  const act = bids || row.format === 'dutch' ? 'name-bid' : 'name-buy';
  const asked = new URLSearchParams({
    name: row.name,
    ...(act === 'name-buy' ? { priceUsd: String(row.askUsd) } : {}),
  });
  return html`<a href="/desk/${act}?${asked.toString()}">${bids ? 'Bid' : 'Buy'}<span class="hidden"> ${row.name}</span></a>`;
}

/** The page of names for sale, with the state of each auction. */
export function namesPage(
  list: List<NameListingRow>,
  filters: { name?: string; tld?: string; cursor?: string | undefined } = {},
): Html {
  const chosen = filters.name !== undefined || filters.tld !== undefined;
  const body = html`${marketTabs('/names')}<h1>Names</h1>
<p class="lead">Names at an ask, or in an auction that their seller started. Of every auction one figure is shown: what a better offer must clear.</p>
<form class="ask" action="/names" method="get">
<div class="wide"><label for="name">Name</label>
<input id="name" name="name" value="${filters.name ?? ''}" placeholder="alice.x" autocomplete="off" autocapitalize="none" spellcheck="false" required></div>
<button>Find</button>
${chosen && html`<a href="/names">All names</a>`}
</form>
${table('Names for sale, newest first', NAMES, list.items, emptyState(chosen ? WORDS.empty.name : WORDS.empty.names))}
${pager('/names', filters, list)}
<h2>How a name is sold</h2>
<p>The platform's fee is two and a half percent on each side: at an ask of ${money(300)} the seller nets ${money(292.5)} and the buyer pays ${money(307.5)}. A Dutch price falls in a straight line, and the first who covers it has the name. An ascending auction goes to the highest bid, at an increment over the next; a bid in its last stretch moves its end. Should the winner's deal not settle, the name passes to the next bid that stands, at the price that is due without the one that fell through.</p>
<p>An agent bids for its owner, inside its mandate: <a href="/domains/policy">the rules</a> and <a href="/openapi.json">the interface</a> are the same for all. A name is held by its provider's token; where its provider has none, by a certificate, which stands on its first holder's signed word and is marked as the seller's claim, unproven. Whoever has the token takes the place of such a claim.</p>`;
  return page('Names', body, '/catalogue');
}
