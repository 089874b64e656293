import { code, facts, hex, label, when } from '../html/components.ts';
import { type Html, html, segment } from '../html/html.ts';
import { DISPUTES } from '../words/names.ts';
import type { DisputeDocument } from './dispute-document.ts';

/** The disputes of a certificate on its page. What was said stands as a quotation; no piece of evidence is a link. */
export function disputesView({
  tokenId,
  disputes,
}: {
  readonly tokenId: string;
  readonly disputes: readonly DisputeDocument[];
}): Html {
  if (disputes.length === 0) return html`<p class="card">${DISPUTES.none}</p>`;
  return html`<p>${DISPUTES.quoted}</p>
${disputes.map((dispute) => disputeView(dispute, tokenId))}`;
}

function disputeView(dispute: DisputeDocument, tokenId: string): Html {
  const { grounds, evidence, reply, cause, heldUntil, decision, appeal, secondDecision } = dispute;
  return html`<h3>${label(dispute.state)} ${code(dispute.disputeId)}</h3>
${facts([
  [DISPUTES.by, DISPUTES.byAt(hex(dispute.wallet), when(dispute.filedAt))],
  [
    DISPUTES.evidence,
    evidence.length === 0
      ? DISPUTES.noEvidence
      : html`${evidence.map((piece) => html`${piece.startsWith('0x') ? hex(piece) : code(piece)}<br>`)}`,
  ],
  [
    DISPUTES.reply,
    reply === null
      ? DISPUTES.noReply(when(dispute.replyUntil), replyLink(dispute, tokenId))
      : when(reply.repliedAt),
  ],
  ...(heldUntil === null ? [] : [[DISPUTES.heldUntil, when(heldUntil)] as const]),
  ...decided(DISPUTES.decision, decision),
  ...decided(DISPUTES.onAppeal, secondDecision),
])}
${quotation(DISPUTES.quotes.grounds, grounds)}
${reply !== null && quotation(DISPUTES.quotes.reply, reply.text)}
${cause !== null && quotation(DISPUTES.quotes.held, cause)}
${decision !== null && quotation(DISPUTES.quotes.decided, decision.reason)}
${appeal !== null && quotation(DISPUTES.quotes.appeal, appeal.grounds ?? DISPUTES.quotes.noWords)}
${secondDecision !== null && quotation(DISPUTES.quotes.onAppeal, secondDecision.reason)}`;
}

function replyLink({ disputeId }: DisputeDocument, tokenId: string): Html {
  return html`<a href="/desk/dispute-reply?tokenId=${segment(tokenId)}&disputeId=${segment(disputeId)}">${DISPUTES.replyTo(disputeId)}</a>`;
}

function decided(name: string, decision: DisputeDocument['decision']): (readonly [string, Html])[] {
  if (decision === null) return [];
  const { recordUrl, decidedAt } = decision;
  const record = recordUrl !== null && html`, <a href="${recordUrl}">${DISPUTES.record}</a>`;
  return [[name, html`${DISPUTES.decided(decision.decision, when(decidedAt))}${record}`]];
}

/** The direction of a text stays its own. */
function quotation(who: string, text: string): Html {
  return html`<p>${who}:</p>
<blockquote><p dir="auto"><bdi>${text}</bdi></p></blockquote>`;
}
