import type { OpenChoice } from '../../agents/mandate/terms/open-choice.ts';
import { type Html, html } from '../html/html.ts';

/** Asks an owner what happens when something could not be judged, with the sentences that answer it. */
export function choiceBox(open: OpenChoice | null): Html | '' {
  if (open === null) return '';
  return html`<section class="card"><p>${open.question}</p>
<ul class="plain">${open.offers.map((offer) => html`<li><q>${offer}</q></li>`)}</ul></section>`;
}
