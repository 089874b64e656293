import {
  type Column,
  categoryName,
  chainName,
  emptyState,
  hex,
  label,
  money,
  pager,
  type Titles,
  table,
  titledLot,
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
import type { List } from '../schemas.ts';
import type { CatalogueRow, CloseCallRow, MatchRow, OrderBookRow } from '../shapes.ts';
import { WORDS } from '../words/every-page.ts';
import { LOT } from '../words/lot.ts';
import { MARKET } from '../words/market.ts';

export function evaluateLink(row: CatalogueRow): Html {
  const { listingRef, category, askUsd, seller, contract, tokenId, chain, lot } = row;
  const [, serialKind, serial] = /^serial:([a-z]+):(.+)$/.exec(lot) ?? [];
  const thing =
    serialKind !== undefined && serial !== undefined
      ? { serial, serialKind }
      : { contract, tokenId, chainId: chain?.split(':')[1] };
  const known = Object.entries({ listingRef, category, seller, priceUsd: String(askUsd), ...thing });
  const query = new URLSearchParams(known.flatMap(([name, value]) => (value ? [[name, value]] : [])));
  return html`<a class="button second" href="/desk/evaluate?${query.toString()}">${LOT.check}</a>`;
}

/** The page of what is for sale. Each lot was listed after control was proved on chain. */
export function cataloguePage(list: List<CatalogueRow>, filters: Filters = {}): Html {
  const narrowed = isNarrowed(filters);
  const body = html`${marketTabs('/catalogue')}<h1>${MARKET.sale.heading}</h1>
<p class="lead">${MARKET.sale.lead}</p>
${filterForm('/catalogue', filters, [PRICING, ...chainChoice(list.items, filters)], searched(filters))}
${categoryFilter('/catalogue', filters)}
<div data-live="${MARKET.sale.told}" id="for-sale" data-events="only=listing">${lotCards(list.items, narrowed)}</div>
${pager('/catalogue', filters, list)}`;
  return page(MARKET.sale.heading, body, '/catalogue');
}

const PRICING: FilterChoice = {
  name: 'negotiable',
  label: MARKET.sale.pricing,
  options: [
    ['true', MARKET.sale.negotiable],
    ['false', MARKET.sale.fixed],
  ],
};

function searched({ q, maxUsd }: Filters) {
  return {
    first: html`<div class="wide"><label for="q">${MARKET.sale.words}</label>
<input id="q" name="q" type="search" maxlength="200" value="${String(q ?? '')}"></div>`,
    more: html`<div class="short"><label for="maxUsd">${MARKET.sale.most}</label>
<input id="maxUsd" name="maxUsd" inputmode="decimal" maxlength="32" value="${String(maxUsd ?? '')}"></div>`,
    names: ['q', 'maxUsd'],
  };
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
<p><strong>${money(row.askUsd)}</strong> <span class="soft">${row.negotiable ? MARKET.sale.orOffer : MARKET.sale.fixed}</span></p>
<p class="soft">${categoryName(row.category)}${row.featured && html` ${label(MARKET.sale.featured)}`}${row.control !== 'proven' && html` ${label(row.control)}`}</p></li>`;
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
  { head: MARKET.columns.lot, cell: (r) => titledLot(r.lot, titles) },
  { head: MARKET.columns.toBeat, numeric: true, cell: (r) => money(r.priceToBeatUsd) },
  { head: MARKET.columns.category, cell: (r) => categoryName(r.category) },
  { head: MARKET.columns.chain, cell: (r) => chainName(r.chain) },
  { head: MARKET.columns.updated, cell: (r) => when(r.updatedAt) },
];

/** The page of the order book, with one number a row. */
export function ordersPage(
  list: List<OrderBookRow>,
  filters: Filters = {},
  titles: Titles = new Map(),
): Html {
  const body = html`${marketTabs('/orders')}<h1>${MARKET.book.heading}</h1>
<p class="lead">${MARKET.book.lead}</p>
${categoryFilter('/orders', filters)}
${byChain('/orders', list.items, filters)}
<div data-live="${MARKET.book.told}" id="book" data-events="only=order-book">${table(MARKET.book.caption, lotColumns(titles), list.items, emptyState(WORDS.empty.book))}</div>
${pager('/orders', filters, list)}`;
  return page(MARKET.book.heading, body, '/catalogue');
}

const matchColumns = (titles: Titles): readonly Column<MatchRow>[] => [
  { head: MARKET.columns.lot, cell: (r) => titledLot(r.lot, titles) },
  {
    head: MARKET.columns.price,
    numeric: true,
    cell: (r) =>
      r.clearingPriceUsd === undefined
        ? html`<span class="soft">${MARKET.deals.noPrice}</span>`
        : money(r.clearingPriceUsd),
  },
  { head: MARKET.columns.category, cell: (r) => categoryName(r.category) },
  { head: MARKET.columns.matched, cell: (r) => when(r.matchedAt) },
  {
    head: MARKET.columns.settled,
    cell: (r) =>
      r.settledAt
        ? when(r.settledAt)
        : html`<span class="soft">${r.state === 'stopped' ? MARKET.deals.stopped : MARKET.deals.notYet}</span>`,
  },
  {
    head: MARKET.columns.transaction,
    cell: (r) => (r.tx ? hex(r.tx) : html`<span class="soft">${MARKET.deals.noTransaction}</span>`),
  },
];

/** The page of matches, with their clearing prices. */
export function matchesPage(list: List<MatchRow>, filters: Filters = {}, titles: Titles = new Map()): Html {
  const body = html`${marketTabs('/matches')}<h1>${MARKET.deals.heading}</h1>
<p class="lead">${MARKET.deals.lead}</p>
${categoryFilter('/matches', filters)}
${byChain('/matches', list.items, filters)}
<div data-live="${MARKET.deals.told}" id="deals" data-events="only=match">${matchTable(list.items, titles)}</div>
${pager('/matches', filters, list)}`;
  return page(MARKET.deals.heading, body, '/catalogue');
}

export function matchTable(rows: readonly MatchRow[], titles: Titles = new Map()): Html {
  const empty = emptyState(WORDS.empty.deals);
  return table(MARKET.deals.caption, matchColumns(titles), rows, empty);
}

const closeCallColumns = (titles: Titles): readonly Column<CloseCallRow>[] => [
  { head: MARKET.columns.lot, cell: (r) => titledLot(r.lot, titles) },
  { head: MARKET.columns.category, cell: (r) => categoryName(r.category) },
  { head: MARKET.columns.chain, cell: (r) => chainName(r.chain) },
  { head: MARKET.columns.hour, cell: (r) => when(r.hour) },
];

/** The page of orders that nearly matched: which lot and which hour, and nothing more. */
export function closeCallsPage(
  list: List<CloseCallRow>,
  filters: Filters = {},
  titles: Titles = new Map(),
): Html {
  const body = html`${marketTabs('/close-calls')}<h1>${MARKET.near.heading}</h1>
<p class="lead">${MARKET.near.lead}</p>
${categoryFilter('/close-calls', filters)}
${byChain('/close-calls', list.items, filters)}
${table(MARKET.near.caption, closeCallColumns(titles), list.items, emptyState(WORDS.empty.near))}
${pager('/close-calls', filters, list)}`;
  return page(MARKET.near.heading, body, '/catalogue');
}
