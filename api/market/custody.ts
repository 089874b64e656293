import { NOBODY } from '../../agents/ids.ts';
import type { CustodyStep, LotCustody } from '../../runtime/market/custody/lot-custody.ts';
import { handleLink, hex, money, when } from '../html/components.ts';
import { type Html, html } from '../html/html.ts';
import type { MatchRow } from '../shapes.ts';

/**
 * Who had a lot, the newest first: its deals here, and its holders by the chain.
 * @param custody null where the holders are not read
 */
export function custodyTimeline(
  lot: { readonly seller: string; readonly listedAt: string },
  deals: readonly MatchRow[],
  custody: LotCustody | null,
): Html {
  const steps = custody?.moves ?? [];
  const shown = new Set(steps.map(({ tx }) => tx.toLowerCase()));
  // A sale that the chain tells stands where the chain has it.
  const apart = deals.filter(({ tx }) => tx === undefined || !shown.has(tx.toLowerCase()));
  return html`<step-timeline><ol><li class="now"><strong>For sale</strong> by ${hex(lot.seller)} ${when(lot.listedAt)}</li>${apart.map(deal)}${steps.map((step) => moved(step, deals))}</ol></step-timeline>
<p class="soft">${limits(custody)}</p>`;
}

function deal({ state, clearingPriceUsd, settledAt, matchedAt, tx }: MatchRow): Html {
  const price = clearingPriceUsd === undefined ? '' : html` for ${money(clearingPriceUsd)}`;
  const how = state === 'settled' ? 'Sold' : state === 'stopped' ? 'A deal was stopped' : 'Being settled';
  return html`<li class="${state === 'settled' ? 'done' : 'now'}"><strong>${how}</strong>${price}, ${when(settledAt ?? matchedAt)} ${tx !== undefined && hex(tx)}</li>`;
}

function moved({ from, to, handle, tx, block }: CustodyStep, deals: readonly MatchRow[]): Html {
  const sale = deals.find((d) => d.tx?.toLowerCase() === tx.toLowerCase());
  const how =
    sale !== undefined ? 'Sold' : from === NOBODY ? 'Made' : to === NOBODY ? 'Destroyed' : 'Handed over';
  const price = sale?.clearingPriceUsd !== undefined && html` for ${money(sale.clearingPriceUsd)}`;
  const whom =
    to !== NOBODY &&
    html`${from === NOBODY ? ' for ' : ' to '}${handle === null ? hex(to) : handleLink(handle)}`;
  return html`<li class="done"><strong>${how}</strong>${price}${whom} <span class="soft">block ${block}, ${hex(tx)}</span></li>`;
}

function limits(custody: LotCustody | null): string {
  if (custody === null)
    return 'Its deals on this platform. Who held it before is looked up when the lot is checked.';
  return custody.more
    ? 'Holders by the chain, as two independent readers tell them; earlier ones are looked up when the lot is checked.'
    : 'Every holder since it was made, as two independent readers of the chain tell them.';
}
