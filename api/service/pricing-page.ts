import type { PriceItem, Pricing } from '../../agents/market/pricing/prices.ts';
import { type Column, money, table } from '../html/components.ts';
import { type Html, html } from '../html/html.ts';
import { page } from '../html/layout.ts';

const PRICES: readonly Column<PriceItem>[] = [
  { head: 'What', cell: (p) => p.name },
  {
    head: 'Charged',
    numeric: true,
    cell: (p) => (p.basisPoints === undefined ? money(p.amountUsd) : percent(p)),
  },
  { head: 'Listed', numeric: true, cell: (p) => money(p.listedUsd) },
  { head: 'Per', cell: (p) => p.unit },
  { head: 'Id', cell: (p) => html`<code>${p.id}</code>` },
];

const ASKED: readonly Column<PriceItem>[] = [
  { head: 'What', cell: (p) => p.name },
  { head: 'Asked', numeric: true, cell: (p) => money(p.amountUsd) },
  { head: 'Id', cell: (p) => html`<code>${p.id}</code>` },
];

function percent(price: PriceItem): Html {
  const share = `${(price.basisPoints ?? 0) / 100}%`;
  return price.amountUsd > 0 ? html`${share}, at least ${money(price.amountUsd)}` : html`${share}`;
}

/** The page of prices, from the one table that every charge is read from. */
export function pricingPage(list: Pricing): Html {
  const charged = list.items.filter((p) => p.charged);
  const asked = list.items.filter((p) => !p.charged);
  const body = html`<h1>Prices</h1>
<p class="lead">Every charge of the service is read from this table, in ${list.currency}.${list.testnet && ' These are test networks: no real money moves.'}</p>
${table(`Prices, version ${list.version}`, PRICES, charged, 'Nothing is charged.')}
${table('What providers ask for names: a reference for asks, charged nowhere here', ASKED, asked, 'Nothing is known.')}
<p class="acts"><a class="button second" href="/desk/membership">Buy a membership</a> <a class="button second" href="/desk/feature">Feature a listing</a></p>
<p class="soft">A check that is charged per call is paid by a program, over x402: the answer to a call without payment says how, and <a href="/.well-known/x402">every price of it</a> stands in one list.</p>`;
  return page('Prices', body);
}
