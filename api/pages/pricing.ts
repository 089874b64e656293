import type { PriceItem, Pricing } from '../../agents/market/prices.ts';
import { type Column, money, table } from './components.ts';
import { type Html, html } from './html.ts';
import { page } from './layout.ts';

const PRICES: readonly Column<PriceItem>[] = [
  { head: 'What', cell: (p) => p.name },
  {
    head: 'Charged',
    numeric: true,
    cell: (p) => (p.basisPoints === undefined ? money(p.amountUsd) : percent(p)),
  },
  { head: 'Listed', numeric: true, cell: (p) => money(p.listedUsd) },
  { head: 'Per', cell: (p) => p.unit },
  { head: 'Category', cell: (p) => p.category ?? 'all' },
  { head: 'Id', cell: (p) => html`<code>${p.id}</code>` },
];

function percent(price: PriceItem): Html {
  const share = `${(price.basisPoints ?? 0) / 100}%`;
  return price.amountUsd > 0 ? html`${share}, at least ${money(price.amountUsd)}` : html`${share}`;
}

/** The one table every charge is read from. */
export function pricingPage(list: Pricing): Html {
  const body = html`<h1>Prices</h1>
<p class="lead">Every charge of the service is read from this table, in ${list.currency}.${list.testnet && ' These are test networks: no real money moves.'}</p>
${table(`Prices, version ${list.version}`, PRICES, list.items, 'Nothing is charged.')}
<p class="acts"><a class="button second" href="/desk/membership">Buy a membership</a> <a class="button second" href="/desk/feature">Feature a listing</a></p>
<p class="soft">A check that is charged per call is paid by a program, over x402: the answer to a call without payment says how, and <a href="/.well-known/x402">every price of it</a> stands in one list.</p>`;
  return page('Prices', body, '/pricing');
}
