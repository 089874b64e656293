import { hex, label, when } from '../html/components.ts';
import { type Html, html, segment } from '../html/html.ts';
import { DISPUTES } from '../words/names.ts';
import type { OpenDisputeShown } from './open-dispute-document.ts';

/** That a thing is disputed, with the way to what is said of it; nothing where it is not. */
export function openDisputesBox(disputes: readonly OpenDisputeShown[]): Html | '' {
  if (disputes.length === 0) return '';
  return html`<div class="card attention"><p>${label(DISPUTES.open.label, 'waiting')} ${DISPUTES.open.words}</p><ul>${disputes.map(
    ({ disputeId, tokenId, wallet, filedAt }) =>
      html`<li>${DISPUTES.open.one(hex(wallet), when(filedAt))} <a href="/certificates/${segment(tokenId)}">${DISPUTES.open.read(disputeId)}</a></li>`,
  )}</ul></div>`;
}
