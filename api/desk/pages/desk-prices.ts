import type { PriceItem, Pricing } from '../../../agents/market/pricing/prices.ts';
import { type Column, categoryName, money, table } from '../../html/components.ts';
import { type Html, html } from '../../html/html.ts';
import { TIER_PRICES } from '../../words/desk/answers.ts';

/** The prices of an evaluation by category and tier, from the one table of prices. */
export function tierPrices({ items }: Pricing): Html {
  const at = (tier: 2 | 3, { category }: PriceItem) =>
    items.find(({ id }) => id === `tier${tier}-${category}`)?.amountUsd ?? 0;
  const columns: readonly Column<PriceItem>[] = [
    { head: TIER_PRICES.columns.category, cell: (p) => categoryName(p.category ?? '') },
    { head: TIER_PRICES.columns.tier2, numeric: true, cell: (p) => money(at(2, p)) },
    { head: TIER_PRICES.columns.tier3, numeric: true, cell: (p) => money(at(3, p)) },
  ];
  const rows = items.filter(({ id }) => id.startsWith('tier2-'));
  return html`<section class="costs"><h2>${TIER_PRICES.heading}</h2>
${table(TIER_PRICES.caption, columns, rows, '')}</section>`;
}
