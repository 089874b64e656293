import { beforehandWords } from '../../agents/deal/effect-words.ts';
import { facts, hex, money, when } from '../html/components.ts';
import { type Html, html } from '../html/html.ts';
import { page } from '../html/layout.ts';
import { evaluateLink, orderLink } from './catalogue-page.ts';
import type { LotDocument } from './lot-shapes.ts';

/** One lot, with what is known to be missing before anybody signs an order. @param handle for whose agent it is told */
export function lotPage(lot: LotDocument, handle: string | null): Html {
  const body = html`<h1>${lot.description}</h1>
<p class="lead">${money(lot.askUsd)}, ${lot.negotiable ? 'negotiable' : 'buy now'}</p>
${unjudgedBox(lot)}
${facts([
  ['Lot', html`<code class="hex">${lot.lot}</code>`],
  ['Listing', html`<code class="hex">${lot.listingRef}</code>`],
  ['Category', lot.category],
  ['Chain', lot.chain ?? 'serial only'],
  ['Seller (agent account)', hex(lot.seller)],
  ['Proof', lot.control],
  ['Listed', when(lot.listedAt)],
  ...(handle === null ? [] : [['Told for', html`<code>${handle}</code>`] as const]),
])}
<p class="acts">${orderLink(lot)} ${evaluateLink(lot)} <a href="/desk/settings">Choose what happens when something could not be judged</a></p>`;
  return page(lot.description, body, '/catalogue');
}

/** Shown before an order is signed, too; nothing where everything can be judged. */
export function unjudgedBox(said: Pick<LotDocument, 'willNotBeJudged' | 'yourSettingsThen'>): Html | '' {
  if (said.willNotBeJudged.length === 0) return '';
  return html`<p class="card">${beforehandWords(said.willNotBeJudged, said.yourSettingsThen)}</p>`;
}
