import type { OpenChoice } from '../../../agents/mandate/terms/open-choice.ts';
import { choiceBox } from '../../agent/choice-box.ts';
import { shortened } from '../../html/components.ts';
import { type Html, html } from '../../html/html.ts';
import { SIDES } from '../../words/desk/answers.ts';

/** What is paid for: the terms that will stand, with their end. */
export function mandateToPay(terms: readonly string[]): Html {
  return html`<section class="card"><h2>${SIDES.paidFor}</h2><ul>${terms.map((text) => html`<li>${shortened(text)}</li>`)}</ul></section>`;
}

/** The present and the new terms side by side, sentence by sentence, with removed and added sentences marked. */
export function mandateSides(
  today: readonly string[] | null,
  next: readonly string[],
  open: OpenChoice | null = null,
): Html {
  const old = today ?? [];
  const side = (title: string, lines: readonly string[], line: (text: string) => Html) =>
    html`<section class="card"><h2>${title}</h2>${lines.length === 0 ? html`<p>${SIDES.unread}</p>` : html`<ul>${lines.map((text) => html`<li>${line(text)}</li>`)}</ul>`}</section>`;
  const gone = (text: string) =>
    next.includes(text) ? html`${shortened(text)}` : html`<del>${shortened(text)}</del>`;
  const come = (text: string) =>
    old.includes(text) ? html`${shortened(text)}` : html`<ins>${shortened(text)}</ins>`;
  return html`<div class="sides">${side(SIDES.today, old, gone)}${side(SIDES.next, next, come)}</div>
${choiceBox(open)}`;
}
