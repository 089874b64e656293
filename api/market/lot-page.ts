import { beforehandWords, thingOf } from '../../agents/deal/effect-words.ts';
import type { LotCustody } from '../../runtime/market/custody/lot-custody.ts';
import { openDisputesBox } from '../certificates/open-disputes.ts';
import {
  categoryName,
  chainName,
  facts,
  handleLink,
  hex,
  label,
  lotName,
  money,
  when,
} from '../html/components.ts';
import type { ExplorerSite } from '../html/explorers.ts';
import { hiddenFields, textField } from '../html/fields.ts';
import { type Html, html, segment } from '../html/html.ts';
import { page } from '../html/layout.ts';
import type { MatchRow } from '../shapes.ts';
import { LOT } from '../words/lot.ts';
import { evaluateLink } from './catalogue-page.ts';
import { custodyTimeline } from './custody.ts';
import type { LotDocument } from './lot-shapes.ts';
import { salesPlot } from './sales-plot.ts';

/** What a lot's page shows beside the lot itself. */
export interface LotPast {
  /** The agent that sells it. */
  readonly seller: string;
  /** Of the chain that its token is on. */
  readonly explorer: ExplorerSite;
  readonly baseUrl: string;
  /** What stands on the book; null where the lot is not on the book. */
  readonly priceToBeatUsd: number | null;
  /** Its own deals, newest first. */
  readonly deals: readonly MatchRow[];
  /** Who held it by the chain; null where that is not read. */
  readonly custody: LotCustody | null;
  /** Settled deals of its category, newest first. */
  readonly sales: readonly MatchRow[];
}

/** One lot: what it is, what is known of it and what is not, and the place to offer. @param handle for whose agent it is told */
export function lotPage(lot: LotDocument, handle: string | null, past: LotPast): Html {
  const body = html`<div class="two"><img class="lot-picture" src="/lots/${segment(lot.listingRef)}/picture" alt="${LOT.picture(lot.description)}" width="800" height="600">
<aside><h1>${lot.description}</h1>
${offerPanel(lot, handle, past)}
<section class="card">${facts([
    [LOT.facts.lot, lotLink(lot)],
    [LOT.facts.category, categoryName(lot.category)],
    ...Object.entries(lot.attributes ?? {}).map(([name, value]) => [attributeLabel(name), value] as const),
    [LOT.facts.chain, lot.chain === null ? LOT.facts.noChain : chainName(lot.chain)],
    [LOT.facts.seller, html`${handleLink(past.seller)} ${hex(lot.seller)}`],
    [LOT.facts.listed, when(lot.listedAt)],
    ...(handle === null ? [] : [[LOT.facts.toldFor, html`<code>${handle}</code>`] as const]),
  ])}</section></aside><div>
<h2>${LOT.known}</h2>
${known(lot)}
<h2>${LOT.sales}</h2>
${salesPlot(lot.lot, past.sales, past.deals, past.priceToBeatUsd ?? lot.askUsd)}
<h2>${LOT.custody}</h2>
${custodyTimeline({ ...lot, handle: past.seller }, past.deals, past.custody, past.explorer)}
</div></div>`;
  const description = LOT.description(lot.askUsd, lot.description);
  const picture = `${past.baseUrl}/lots/${segment(lot.listingRef)}/share.png`;
  return page(lot.description, body, '/catalogue', { description, picture });
}

/** `faceValueSource` as "Face value source": the seller's word for it. */
function attributeLabel(name: string): string {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
  return LOT.facts.told(`${words.slice(0, 1).toUpperCase()}${words.slice(1)}`);
}

function lotLink({ lot, tokenId }: LotDocument): Html {
  if (!lot.startsWith('serial:') || tokenId === null) return lotName(lot);
  return html`<a href="/certificates/${segment(tokenId)}">${lotName(lot)}</a>`;
}

function known(lot: LotDocument): Html {
  const proven = lot.control === 'proven';
  return html`<ul class="chips"><li>${label(proven ? LOT.proven : lot.control, proven ? 'clean' : '')}</li>${lot.willNotBeJudged.map((id) => html`<li>${label(LOT.notJudged(thingOf(id)), 'unverified')}</li>`)}</ul>
${unjudgedBox(lot) || html`<p class="card">${LOT.allJudged}</p>`}
<p class="acts">${evaluateLink(lot)} <a class="button second" href="/desk/settings">${LOT.choose}</a></p>`;
}

/** The limit is typed here; the agent is chosen among the visitor's own. */
function offerPanel(lot: LotDocument, handle: string | null, { priceToBeatUsd }: LotPast): Html {
  const carried = { side: 'buy', listingRef: lot.listingRef, category: lot.category };
  return html`<section class="card" data-live="${LOT.offer.told}" id="offer" data-events="only=order-book,listing,match">
<ul class="figures"><li><strong>${money(lot.askUsd)}</strong><span>${lot.negotiable ? LOT.offer.asked : LOT.offer.fixed}</span></li>
${priceToBeatUsd !== null && lot.negotiable && html`<li><strong>${money(priceToBeatUsd)}</strong><span>${LOT.offer.toBeat}</span></li>`}</ul>
${openDisputesBox(lot.openDisputes)}
<form action="/desk/order" method="post">
${hiddenFields(carried)}
${textField({ name: 'limitUsd', label: LOT.offer.limit, hint: lot.negotiable ? LOT.offer.limitHint : LOT.offer.fixedHint, value: lot.negotiable ? '' : String(lot.askUsd), inputMode: 'decimal', required: true })}
${textField({ name: 'handle', label: LOT.offer.agent, value: handle ?? '', code: true, required: true, know: 'agent' })}
<button>${lot.negotiable ? LOT.offer.makeOffer : LOT.offer.buy}</button>
</form>
<p class="soft">${LOT.offer.after}</p></section>`;
}

/** What is told before an order is signed: that the thing is disputed, and what could not be judged. */
export function beforehandBox(said: SaidShown): Html | '' {
  const boxes = [openDisputesBox(said.openDisputes), unjudgedBox(said)].filter((box) => box !== '');
  return boxes.length === 0 ? '' : html`${boxes}`;
}

export type SaidShown = Pick<LotDocument, 'willNotBeJudged' | 'yourSettingsThen' | 'openDisputes'>;

/** Nothing where everything can be judged. */
function unjudgedBox(said: Pick<LotDocument, 'willNotBeJudged' | 'yourSettingsThen'>): Html | '' {
  if (said.willNotBeJudged.length === 0) return '';
  return html`<p class="card">${beforehandWords(said.willNotBeJudged, said.yourSettingsThen)}</p>`;
}
