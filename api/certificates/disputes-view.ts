import { code, facts, hex, label, when } from '../html/components.ts';
import { type Html, html, segment } from '../html/html.ts';
import type { DisputeDocument } from './dispute-document.ts';

/** The disputes of a certificate on its page. What was said stands as a quotation; no piece of evidence is a link. */
export function disputesView({
  tokenId,
  disputes,
}: {
  readonly tokenId: string;
  readonly disputes: readonly DisputeDocument[];
}): Html {
  if (disputes.length === 0) return html`<p class="card">Nobody has disputed it.</p>`;
  return html`<p>What is quoted are the words of the parties. The service has not checked them, nor what the addresses lead to.</p>
${disputes.map((dispute) => disputeView(dispute, tokenId))}`;
}

function disputeView(dispute: DisputeDocument, tokenId: string): Html {
  const { grounds, evidence, reply, cause, heldUntil, decision, appeal, secondDecision } = dispute;
  return html`<h3>${label(dispute.state)} ${code(dispute.disputeId)}</h3>
${facts([
  ['Disputed by', html`${hex(dispute.wallet)}, ${when(dispute.filedAt)}`],
  ['Evidence', evidence.length === 0 ? 'none' : html`${evidence.map((piece) => html`${code(piece)}<br>`)}`],
  [
    'Reply',
    reply === null
      ? html`none; possible until ${when(dispute.replyUntil)}. ${replyLink(dispute, tokenId)}`
      : when(reply.repliedAt),
  ],
  ...(heldUntil === null ? [] : [['Held until', when(heldUntil)] as const]),
  ...decided('Decision', decision),
  ...decided('Decision on appeal', secondDecision),
])}
${quotation('Grounds', grounds)}
${reply !== null && quotation('Reply of the holder', reply.text)}
${cause !== null && quotation('Why the operator held it', cause)}
${decision !== null && quotation('Why it was decided so', decision.reason)}
${appeal !== null && quotation('Appeal', appeal.grounds ?? 'no words')}
${secondDecision !== null && quotation('Why it was decided so on appeal', secondDecision.reason)}`;
}

function replyLink({ disputeId }: DisputeDocument, tokenId: string): Html {
  return html`<a href="/desk/dispute-reply?tokenId=${segment(tokenId)}&disputeId=${segment(disputeId)}">Reply<span class="hidden"> to ${disputeId}</span></a>`;
}

function decided(name: string, decision: DisputeDocument['decision']): (readonly [string, Html])[] {
  if (decision === null) return [];
  const { recordUrl, decidedAt } = decision;
  const record = recordUrl !== null && html`, <a href="${recordUrl}">its record</a>`;
  return [[name, html`${decision.decision}, ${when(decidedAt)}${record}`]];
}

/** The direction of a text stays its own. */
function quotation(who: string, text: string): Html {
  return html`<p>${who}:</p>
<blockquote><p dir="auto"><bdi>${text}</bdi></p></blockquote>`;
}
