import { NOBODY } from '../../agents/ids.ts';
import type { CustodyStep, LotCustody } from '../../runtime/market/custody/lot-custody.ts';
import { handleLink, money, when } from '../html/components.ts';
import { type ExplorerSite, onChain } from '../html/explorers.ts';
import { type Html, html } from '../html/html.ts';
import type { MatchRow } from '../shapes.ts';
import { CUSTODY } from '../words/lot.ts';

/**
 * Who had a lot, the newest first: its deals here, and its holders by the chain.
 * @param custody null where the holders are not read
 */
export function custodyTimeline(
  lot: { readonly handle: string; readonly listedAt: string },
  deals: readonly MatchRow[],
  custody: LotCustody | null,
  site: ExplorerSite = null,
): Html {
  const steps = custody?.moves ?? [];
  const shown = new Set(steps.map(({ tx }) => tx.toLowerCase()));
  // A sale that the chain tells stands where the chain has it.
  const apart = deals.filter(({ tx }) => tx === undefined || !shown.has(tx.toLowerCase()));
  return html`<step-timeline><ol><li class="now">${CUSTODY.sale(handleLink(lot.handle), when(lot.listedAt))}</li>${apart.map((d) => deal(d, site))}${steps.map((step) => moved(step, deals, site))}</ol></step-timeline>
<p class="soft">${limits(custody)}</p>`;
}

function deal({ state, clearingPriceUsd, settledAt, matchedAt, tx }: MatchRow, site: ExplorerSite): Html {
  const price = clearingPriceUsd === undefined ? '' : CUSTODY.price(money(clearingPriceUsd));
  const how = state === 'settled' ? CUSTODY.sold : state === 'stopped' ? CUSTODY.stopped : CUSTODY.settling;
  return html`<li class="${state === 'settled' ? 'done' : 'now'}"><strong>${how}</strong>${price}, ${when(settledAt ?? matchedAt)} ${tx !== undefined && onChain(site, 'tx', tx)}</li>`;
}

function moved(
  { from, to, handle, tx, block }: CustodyStep,
  deals: readonly MatchRow[],
  site: ExplorerSite,
): Html {
  const sale = deals.find((d) => d.tx?.toLowerCase() === tx.toLowerCase());
  const how =
    sale !== undefined
      ? CUSTODY.sold
      : from === NOBODY
        ? CUSTODY.made
        : to === NOBODY
          ? CUSTODY.destroyed
          : CUSTODY.handedOver;
  const price = sale?.clearingPriceUsd !== undefined && CUSTODY.price(money(sale.clearingPriceUsd));
  const holder = handle === null ? onChain(site, 'address', to) : handleLink(handle);
  const whom = to !== NOBODY && (from === NOBODY ? CUSTODY.madeFor(holder) : CUSTODY.handedTo(holder));
  return html`<li class="done"><strong>${how}</strong>${price}${whom} <span class="soft">${CUSTODY.block(block, onChain(site, 'tx', tx))}</span></li>`;
}

function limits(custody: LotCustody | null): string {
  if (custody === null) return CUSTODY.dealsAlone;
  return custody.more ? CUSTODY.notAll : CUSTODY.all;
}
