import { type Column, hex, label, money, pager, table, when } from '../html/components.ts';
import { categoryFilter, type Filters } from '../html/filters.ts';
import { type Html, html, segment } from '../html/html.ts';
import { page } from '../html/layout.ts';
import type { List } from '../schemas.ts';
import type { CatalogueRow, CloseCallRow, MatchRow, OrderBookRow } from '../shapes.ts';

const LISTINGS: readonly Column<CatalogueRow>[] = [
  {
    head: 'What',
    cell: (r) =>
      html`<a href="/lots/${segment(r.listingRef)}">${r.description}</a>${r.featured && html` ${label('featured')}`}${r.control !== 'proven' && html` ${label(r.control)}`}`,
  },
  { head: 'Ask', numeric: true, cell: (r) => money(r.askUsd) },
  { head: 'Price', cell: (r) => (r.negotiable ? 'negotiable' : 'buy now') },
  { head: 'Category', cell: (r) => r.category },
  { head: 'Seller (agent account)', cell: (r) => hex(r.seller) },
  { head: 'Chain', cell: (r) => r.chain ?? 'serial only' },
  { head: 'Certificate', cell: (r) => certificateLink(r) },
  {
    head: 'Listing',
    cell: (r) => html`<code class="hex">${r.listingRef}</code><br>${orderLink(r)} · ${evaluateLink(r)}`,
  },
  { head: 'Listed', cell: (r) => when(r.listedAt) },
];

/** A lot known by its serial is sold as the certificate that stands for it, so it links there. */
function certificateLink(row: CatalogueRow): Html | string {
  if (!row.lot.startsWith('serial:') || row.tokenId === null) return '';
  return html`<a href="/certificates/${segment(row.tokenId)}">${row.lot}</a>`;
}

export function orderLink({ listingRef, category }: CatalogueRow): Html {
  return html`<a href="/desk/order?side=buy&listingRef=${segment(listingRef)}&category=${segment(category)}">Order<span class="hidden"> ${listingRef}</span></a>`;
}

export function evaluateLink(row: CatalogueRow): Html {
  const { listingRef, category, askUsd, seller, contract, tokenId, chain, lot } = row;
  const [, serialKind, serial] = /^serial:([a-z]+):(.+)$/.exec(lot) ?? [];
  const thing =
    serialKind !== undefined && serial !== undefined
      ? { serial, serialKind }
      : { contract, tokenId, chainId: chain?.split(':')[1] };
  const known = Object.entries({ listingRef, category, seller, priceUsd: String(askUsd), ...thing });
  const query = new URLSearchParams(known.flatMap(([name, value]) => (value ? [[name, value]] : [])));
  return html`<a href="/desk/evaluate?${query.toString()}">Have it evaluated<span class="hidden">: ${listingRef}</span></a>`;
}

/** The page of what is for sale. Each row was listed after control was proved on chain. */
export function cataloguePage(list: List<CatalogueRow>, filters: Filters = {}): Html {
  const body = html`<h1>Catalogue</h1>
<p class="lead">Every token here was proved, on chain, to be in its seller's hands before it was listed. A real-world lot is listed by a certificate, which stands on its first holder's signed word: it is marked as the seller's claim, unproven.</p>
${categoryFilter('/catalogue', filters)}
<form class="ask" action="/catalogue" method="get">
<div class="wide"><label for="q">Words of the description</label>
<input id="q" name="q" required maxlength="200" value="${String(filters.q ?? '')}"></div>
${filters.category !== undefined && html`<input type="hidden" name="category" value="${String(filters.category)}">`}
<button>Search</button>
${filters.q !== undefined && html`<a href="/catalogue">Everything</a>`}
</form>
${listingTable(list.items)}
${pager('/catalogue', filters, list)}`;
  return page('Catalogue', body, '/catalogue');
}

export function listingTable(rows: readonly CatalogueRow[]): Html {
  return table(
    'Assets for sale, featured first, then newest',
    LISTINGS,
    rows,
    'Nothing is listed here at the moment.',
  );
}

const LOTS: readonly Column<OrderBookRow>[] = [
  { head: 'Lot', cell: (r) => html`<code class="hex">${r.lot}</code>` },
  { head: 'Price to beat', numeric: true, cell: (r) => money(r.priceToBeatUsd) },
  { head: 'Category', cell: (r) => r.category },
  { head: 'Chain', cell: (r) => r.chain },
  { head: 'Updated', cell: (r) => when(r.updatedAt) },
];

/** The page of the order book, with one number a row. */
export function ordersPage(list: List<OrderBookRow>, filters: Filters = {}): Html {
  const body = html`<h1>Order book</h1>
<p class="lead">One number a lot: the figure a better offer must clear. Whether it is a limit or a last bid, nobody can tell.</p>
${categoryFilter('/orders', filters)}
${table('Lots with a standing price', LOTS, list.items, 'No order rests on the book at the moment.')}
${pager('/orders', filters, list)}`;
  return page('Order book', body, '/orders');
}

const MATCHES: readonly Column<MatchRow>[] = [
  { head: 'Lot', cell: (r) => html`<code class="hex">${r.lot}</code>` },
  {
    head: 'Clearing price',
    numeric: true,
    cell: (r) =>
      r.clearingPriceUsd === undefined ? html`<span class="soft">none</span>` : money(r.clearingPriceUsd),
  },
  { head: 'Category', cell: (r) => r.category },
  { head: 'Matched', cell: (r) => when(r.matchedAt) },
  {
    head: 'Settled',
    cell: (r) =>
      r.settledAt
        ? when(r.settledAt)
        : html`<span class="soft">${r.state === 'stopped' ? 'stopped' : 'not yet'}</span>`,
  },
  { head: 'Transaction', cell: (r) => (r.tx ? hex(r.tx) : html`<span class="soft">none</span>`) },
];

/** The page of matches, with their clearing prices. */
export function matchesPage(list: List<MatchRow>, filters: Filters = {}): Html {
  const body = html`<h1>Matches</h1>
<p class="lead">Two orders that overlapped, and the midpoint at which they cleared. The limits on either side stay private.</p>
${categoryFilter('/matches', filters)}
${matchTable(list.items)}
${pager('/matches', filters, list)}`;
  return page('Matches', body, '/matches');
}

export function matchTable(rows: readonly MatchRow[]): Html {
  return table('Matches, newest first', MATCHES, rows, 'Nothing has matched yet.');
}

const CLOSE_CALLS: readonly Column<CloseCallRow>[] = [
  { head: 'Lot', cell: (r) => html`<code class="hex">${r.lot}</code>` },
  { head: 'Category', cell: (r) => r.category },
  { head: 'Chain', cell: (r) => r.chain },
  { head: 'In the hour of', cell: (r) => when(r.hour) },
];

/** The page of orders that nearly matched: which lot and which hour, and nothing more. */
export function closeCallsPage(list: List<CloseCallRow>, filters: Filters = {}): Html {
  const body = html`<h1>Close calls</h1>
<p class="lead">Two orders lay within five percent of each other for a minute or more, and both left without meeting. No figure, side or party is shown.</p>
${categoryFilter('/close-calls', filters)}
${table('Close calls, newest first', CLOSE_CALLS, list.items, 'Nothing has nearly met yet.')}
${pager('/close-calls', filters, list)}`;
  return page('Close calls', body, '/close-calls');
}
