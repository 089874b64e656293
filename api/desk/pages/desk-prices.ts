import type { PriceItem, Pricing } from '../../../agents/market/pricing/prices.ts';
import { type Column, categoryName, money, table } from '../../html/components.ts';
import { type Html, html } from '../../html/html.ts';

/** The prices of an evaluation by category and tier, from the one table of prices. */
export function tierPrices({ items }: Pricing): Html {
  const at = (tier: 2 | 3, { category }: PriceItem) =>
    items.find(({ id }) => id === `tier${tier}-${category}`)?.amountUsd ?? 0;
  const columns: readonly Column<PriceItem>[] = [
    { head: 'Category', cell: (p) => categoryName(p.category ?? '') },
    { head: 'Tier 2', numeric: true, cell: (p) => money(at(2, p)) },
    { head: 'Tier 3', numeric: true, cell: (p) => money(at(3, p)) },
  ];
  const rows = items.filter(({ id }) => id.startsWith('tier2-'));
  return html`<section class="costs"><h2>What it costs</h2>
${table('An evaluation, however deep it looks', columns, rows, '')}</section>`;
}
