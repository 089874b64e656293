import type { PriceItem, Pricing } from '../../agents/market/pricing/prices.ts';
import { type Column, money, table } from '../html/components.ts';
import { type Html, html } from '../html/html.ts';
import { page } from '../html/layout.ts';
import { WORDS } from '../words/every-page.ts';
import { PRICING } from '../words/service.ts';

const PRICES: readonly Column<PriceItem>[] = [
  { head: PRICING.columns.what, cell: (p) => p.name },
  {
    head: PRICING.columns.charged,
    numeric: true,
    cell: (p) => (p.basisPoints === undefined ? money(p.amountUsd) : percent(p)),
  },
  {
    head: PRICING.columns.listed,
    numeric: true,
    cell: (p) => (p.listedUsd === 0 && p.basisPoints !== undefined ? percent(p) : money(p.listedUsd)),
  },
  { head: PRICING.columns.per, cell: (p) => p.unit },
  { head: PRICING.columns.id, cell: (p) => html`<code>${p.id}</code>` },
];

const ASKED: readonly Column<PriceItem>[] = [
  { head: PRICING.columns.what, cell: (p) => p.name },
  { head: PRICING.columns.asked, numeric: true, cell: (p) => money(p.amountUsd) },
  { head: PRICING.columns.id, cell: (p) => html`<code>${p.id}</code>` },
];

function percent(price: PriceItem): Html {
  const share = `${(price.basisPoints ?? 0) / 100}%`;
  return price.amountUsd > 0 ? PRICING.atLeast(share, money(price.amountUsd)) : html`${share}`;
}

/** The page of prices, from the one table that every charge is read from. */
export function pricingPage(list: Pricing, cards: keyof typeof WORDS.cards): Html {
  const charged = list.items.filter((p) => p.charged);
  const asked = list.items.filter((p) => !p.charged);
  const body = html`<h1>${PRICING.heading}</h1>
<p class="lead">${PRICING.lead(list.currency)} ${WORDS.cards[cards]}</p>
${table(PRICING.caption(list.version), PRICES, charged, PRICING.nothing)}
${table(PRICING.asked, ASKED, asked, PRICING.nothingAsked)}
<p class="acts"><a class="button second" href="/desk/membership">${PRICING.membership}</a> <a class="button second" href="/desk/feature">${PRICING.feature}</a></p>
<p class="soft">${PRICING.perCall}</p>`;
  return page(PRICING.heading, body);
}
