import type { LotTitle } from '../../store/market/lot-names.ts';
import {
  type Column,
  categoryName,
  emptyState,
  hex,
  label,
  lotName,
  money,
  pager,
  table,
  when,
} from '../html/components.ts';
import {
  categoryFilter,
  chainChoice,
  type FilterChoice,
  type Filters,
  filterForm,
  isNarrowed,
} from '../html/filters.ts';
import { type Html, html, segment } from '../html/html.ts';
import { marketTabs, page } from '../html/layout.ts';
import { WORDS } from '../html/words.ts';
import type { List } from '../schemas.ts';
import type { CatalogueRow, CloseCallRow, MatchRow, OrderBookRow } from '../shapes.ts';

export type Titles = ReadonlyMap<string, LotTitle>;

/** A lot by its name and a link, where it was ever listed; by its token otherwise. */
function lotCell(lot: string, titles: Titles): Html {
  const known = titles.get(lot);
  if (known === undefined) return lotName(lot);
  const { description, listingRef } = known;
  return listingRef === null
    ? html`${description}<br><span class="soft">${lotName(lot)}</span>`
    : html`<a href="/lots/${segment(listingRef)}">${description}</a>`;
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
  return html`<a class="button second" href="/desk/evaluate?${query.toString()}">Have it checked</a>`;
}

/** The page of what is for sale. Each lot was listed after control was proved on chain. */
export function cataloguePage(list: List<CatalogueRow>, filters: Filters = {}): Html {
  const narrowed = isNarrowed(filters);
  const body = html`${marketTabs('/catalogue')}<h1>For sale</h1>
<p class="lead">Every token here was proved, on chain, to be in its seller's hands before it was listed. A thing of the real world is listed by a certificate, which stands on its first holder's signed word.</p>
${filterForm('/catalogue', filters, [PRICING, ...chainChoice(list.items, filters)], { shown: searched(filters), names: ['q', 'maxUsd'] })}
${categoryFilter('/catalogue', filters)}
<div data-live="what is for sale" id="for-sale" data-events="only=listing">${lotCards(list.items, narrowed)}</div>
${pager('/catalogue', filters, list)}`;
  return page('For sale', body, '/catalogue');
}

const PRICING: FilterChoice = {
  name: 'negotiable',
  label: 'Price',
  options: [
    ['true', 'open to offers'],
    ['false', 'buy now'],
  ],
};

function searched({ q, maxUsd }: Filters): Html {
  return html`<div class="wide"><label for="q">Words of the description</label>
<input id="q" name="q" type="search" maxlength="200" value="${String(q ?? '')}"></div>
<div class="short"><label for="maxUsd">At most, in dollars</label>
<input id="maxUsd" name="maxUsd" inputmode="decimal" maxlength="32" value="${String(maxUsd ?? '')}"></div>`;
}

/** Lots as cards, each with its picture. */
export function lotCards(rows: readonly CatalogueRow[], narrowed = false): Html {
  if (rows.length === 0)
    return html`<div class="card empty"><p>${narrowed ? emptyState(WORDS.empty.narrowed) : emptyState(WORDS.empty.sale)}</p></div>`;
  return html`<ul class="grid lots">${rows.map(lotCard)}</ul>`;
}

function lotCard(row: CatalogueRow): Html {
  const ref = segment(row.listingRef);
  return html`<li class="card"><img class="lot-picture" src="/lots/${ref}/picture" alt="" width="320" height="240" loading="lazy">
<h2><a href="/lots/${ref}">${row.description}</a></h2>
<p><strong>${money(row.askUsd)}</strong> <span class="soft">${row.negotiable ? 'or an offer' : 'buy now'}</span></p>
<p class="soft">${categoryName(row.category)}${row.featured && html` ${label('featured')}`}${row.control !== 'proven' && html` ${label(row.control)}`}</p></li>`;
}

/** The chains to choose from, where the rows are of several. */
function byChain(
  path: string,
  rows: readonly { readonly chain: string | null }[],
  filters: Filters,
): Html | false {
  const choices = chainChoice(rows, filters);
  return choices.length > 0 && filterForm(path, filters, choices);
}

const lotColumns = (titles: Titles): readonly Column<OrderBookRow>[] => [
  { head: 'Lot', cell: (r) => lotCell(r.lot, titles) },
  { head: 'Price to beat', numeric: true, cell: (r) => money(r.priceToBeatUsd) },
  { head: 'Category', cell: (r) => categoryName(r.category) },
  { head: 'Chain', cell: (r) => r.chain },
  { head: 'Updated', cell: (r) => when(r.updatedAt) },
];

/** The page of the order book, with one number a row. */
export function ordersPage(
  list: List<OrderBookRow>,
  filters: Filters = {},
  titles: Titles = new Map(),
): Html {
  const body = html`${marketTabs('/orders')}<h1>Prices to beat</h1>
<p class="lead">One number a lot: what the next offer must exceed. Whether it is a limit or a last bid, nobody can tell.</p>
${categoryFilter('/orders', filters)}
${byChain('/orders', list.items, filters)}
<div data-live="prices to beat" id="book" data-events="only=order-book">${table('Lots with a standing price', lotColumns(titles), list.items, emptyState(WORDS.empty.book))}</div>
${pager('/orders', filters, list)}`;
  return page('Prices to beat', body, '/catalogue');
}

const matchColumns = (titles: Titles): readonly Column<MatchRow>[] => [
  { head: 'Lot', cell: (r) => lotCell(r.lot, titles) },
  {
    head: 'Clearing price',
    numeric: true,
    cell: (r) =>
      r.clearingPriceUsd === undefined ? html`<span class="soft">none</span>` : money(r.clearingPriceUsd),
  },
  { head: 'Category', cell: (r) => categoryName(r.category) },
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
export function matchesPage(list: List<MatchRow>, filters: Filters = {}, titles: Titles = new Map()): Html {
  const body = html`${marketTabs('/matches')}<h1>Deals</h1>
<p class="lead">A buyer and a seller whose limits overlapped, and the midpoint at which they met. The limits stay private.</p>
${categoryFilter('/matches', filters)}
${byChain('/matches', list.items, filters)}
<div data-live="deals" id="deals" data-events="only=match">${matchTable(list.items, titles)}</div>
${pager('/matches', filters, list)}`;
  return page('Deals', body, '/catalogue');
}

export function matchTable(rows: readonly MatchRow[], titles: Titles = new Map()): Html {
  const empty = emptyState(WORDS.empty.deals);
  return table('Deals, newest first', matchColumns(titles), rows, empty);
}

const closeCallColumns = (titles: Titles): readonly Column<CloseCallRow>[] => [
  { head: 'Lot', cell: (r) => lotCell(r.lot, titles) },
  { head: 'Category', cell: (r) => categoryName(r.category) },
  { head: 'Chain', cell: (r) => r.chain },
  { head: 'In the hour of', cell: (r) => when(r.hour) },
];

/** The page of orders that nearly matched: which lot and which hour, and nothing more. */
export function closeCallsPage(
  list: List<CloseCallRow>,
  filters: Filters = {},
  titles: Titles = new Map(),
): Html {
  const body = html`${marketTabs('/close-calls')}<h1>Near misses</h1>
<p class="lead">Two orders lay within five percent of each other for a minute or more, and both left without meeting. No figure, side or party is shown.</p>
${categoryFilter('/close-calls', filters)}
${byChain('/close-calls', list.items, filters)}
${table('Near misses, newest first', closeCallColumns(titles), list.items, emptyState(WORDS.empty.near))}
${pager('/close-calls', filters, list)}`;
  return page('Near misses', body, '/catalogue');
}
