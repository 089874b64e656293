import type { RecordDocument } from '../shapes.ts';
import {
  type Column,
  document,
  facts,
  handleLink,
  hex,
  label,
  money,
  recordLink,
  table,
  verdict,
  when,
} from './components.ts';
import { type Html, html, segment } from './html.ts';
import { page } from './layout.ts';
import { pricePlot } from './price-plot.ts';

interface SourceView {
  readonly name: string;
  readonly asOf: string;
  readonly limit: string;
}
interface CheckView {
  readonly id: string;
  readonly outcome: string;
  readonly detail: string;
  readonly sources: readonly SourceView[];
}
interface VoteView {
  readonly seat: string;
  readonly method: string;
  readonly source: string;
  readonly vote: string;
  readonly reasons: readonly string[];
}
interface DeterminationView {
  readonly id: string;
  readonly verdict: string | null;
  readonly confidence: number | null;
  readonly reasons: readonly string[];
  readonly checks: readonly CheckView[];
  readonly votes: readonly VoteView[];
  readonly dissent: readonly string[];
  /** Depth, seats and quorum, the blocks read and how long it took, in one sentence; empty where there is no panel. */
  readonly panel: string;
}

/** A public record: what was decided, on what, by whom, and how to check all of it oneself. */
export function recordPage(doc: RecordDocument): Html {
  const record = doc.record as Record<string, unknown>;
  const content = determinedIn(asObject(record.content));
  const word = text(content.verdict);
  const body = html`<h1>${shortened(text(record.summary)) || `Record ${doc.recordId}`}</h1>
<p class="lead">${word !== '' && verdict(word, 'big')} ${label(text(record.kind))} ${label(doc.state)}</p>
${facts([
  ['Record', html`<code>${doc.recordId}</code>`],
  ['Subject', html`<code class="hex">${text(record.subject)}</code>`],
  ['Agents', handles(list(record.parties).map(text))],
  ['Issued', when(text(record.issuedAt))],
  ...appealFacts(doc),
])}
${determinationsOf(content).map((d) => determinationView(d, doc.evidence))}
${record.kind !== 'determination' && happened(content)}
${word === 'FLAGGED' && doc.appeal === null && html`<p><a href="/desk/appeal?recordId=${segment(doc.recordId)}">Contest it</a>, if it is about you: it is determined again, and both records stay.</p>`}
<h2>Proof</h2>
<p>The hash is keccak-256 over the canonical JSON of the record below. The service signed it, and once anchored it stands under a root that the ledger contract holds. <a href="${doc.spec}">How to check it</a> without trusting this service; this does all of it:</p>
<pre tabindex="0" role="region" aria-label="Command that checks this record"><code>npm run -s handshake -- record verify ${doc.recordId}</code></pre>
${facts([
  ['Hash', html`<code class="hex">${doc.hash}</code>`],
  ['Signed by', html`<code class="hex">${doc.signature.signer}</code>`],
  ['Signature', html`<code class="hex">${doc.signature.value}</code>`],
  ...proofFacts(doc),
])}
<details><summary>The record, exactly as it is hashed</summary>${document(doc.record, 'Record')}</details>
${doc.evidence !== null && html`<details><summary>The evidence it was judged on</summary>${document(doc.evidence, 'Evidence')}</details>`}`;
  return page(`Record ${doc.recordId}`, body);
}

/** A heading is read, not compared: the subject stands below it whole. */
function shortened(words: string): string {
  return words.replace(/0x[0-9a-fA-F]{16,}/g, (long) => `${long.slice(0, 8)}…${long.slice(-6)}`);
}

function handles(names: readonly string[]): Html | string {
  if (names.length === 0) return 'none';
  return html`${names.map((name, i) => html`${i > 0 && ', '}${handleLink(name)}`)}`;
}

/** What each member of a record's content is called; what is not named here stays in the document below. */
const MEMBERS: Readonly<Record<string, string>> = {
  priceUsd: 'Price',
  feeUsd: 'Fee',
  amountUsd: 'Paid',
  buyer: 'Buyer',
  seller: 'Seller',
  from: 'From',
  to: 'To',
  owner: 'Owner',
  account: 'Account',
  decision: 'Decision',
  reason: 'Reason',
  category: 'Category',
  dealId: 'Deal',
  mandateHash: 'Hash of the mandate',
  determinations: 'Determinations',
  tx: 'Transaction',
};

/** What a record tells that is no determination: a deal, a purchase, a decision, a new owner. */
function happened(content: Record<string, unknown>): Html | false {
  const told = Object.entries(MEMBERS).flatMap(([member, name]) => {
    const shown = member in content ? memberView(member, content[member]) : null;
    return shown === null ? [] : [[name, shown] as const];
  });
  return told.length > 0 && html`<h2>What happened</h2>${facts(told)}`;
}

function memberView(member: string, value: unknown): Html | string | null {
  if (member.endsWith('Usd') && typeof value === 'number') return money(value);
  const records = list(value).map(text);
  if (records.length > 0) return html`${records.map((id) => html`${recordLink(id, id)}<br>`)}`;
  const words = text(value);
  if (words === '') return null;
  return words.startsWith('0x') ? hex(words) : words;
}

/** Both records of an appeal stand, each with a way to the other. */
function appealFacts({ appeal, appealOf }: RecordDocument): readonly (readonly [string, Html])[] {
  const way = (link: NonNullable<typeof appeal>): Html =>
    html`<a href="${link.recordUrl}"><code>${link.recordId}</code></a>, ${when(link.filedAt)}`;
  return [
    ...(appeal === null
      ? []
      : [['Appealed against', html`Determined again on fresh evidence: ${way(appeal)}`] as const]),
    ...(appealOf === null ? [] : [['Appeal against', way(appealOf)] as const]),
  ];
}

function proofFacts(doc: RecordDocument): readonly (readonly [string, Html | string])[] {
  if (!doc.proof || !doc.ledger) return [['Anchored', 'not yet: the next batch takes it along']];
  return [
    ['Root', html`<code class="hex">${doc.proof.root}</code>`],
    ['Leaf', html`${doc.proof.index} of ${doc.proof.size}: <code class="hex">${doc.proof.leaf}</code>`],
    [
      'Siblings',
      doc.proof.siblings.length === 0
        ? 'none'
        : html`${doc.proof.siblings.map((s) => html`<code class="hex">${s}</code><br>`)}`,
    ],
    ['Anchored in', html`<code class="hex">${doc.ledger.tx}</code> on eip155:${doc.ledger.chainId}`],
    ['Ledger', html`<code class="hex">${doc.ledger.contract}</code>, batch ${doc.ledger.batch}`],
  ];
}

const CHECKS: readonly Column<CheckView>[] = [
  { head: 'Check', cell: (c) => c.id },
  { head: 'Outcome', cell: (c) => verdict(c.outcome) },
  { head: 'Found', wide: true, cell: (c) => c.detail },
  {
    head: 'Sources and their limits',
    wide: true,
    cell: (c) => html`${c.sources.map((s) => html`${s.name}, as of ${when(s.asOf)}: ${s.limit}<br>`)}`,
  },
];

const VOTES: readonly Column<VoteView>[] = [
  { head: 'Seat', cell: (v) => v.seat },
  { head: 'Vote', cell: (v) => verdict(v.vote) },
  { head: 'Method', cell: (v) => v.method },
  { head: 'Read through', cell: (v) => v.source },
  { head: 'Reasons', wide: true, cell: (v) => v.reasons.join(' ') },
];

function determinationView(d: DeterminationView, evidence: unknown): Html {
  return html`<section aria-label="${d.id}"><h2>${d.id} ${d.verdict !== null && verdict(d.verdict)}</h2>
${d.confidence !== null && html`<p class="soft">Confidence ${d.confidence} of 100</p>`}
${d.reasons.length > 0 && html`<ul>${d.reasons.map((r) => html`<li>${r}</li>`)}</ul>`}
${d.id === 'price-intelligence' && pricePlot(evidence)}
${d.checks.length > 0 && table(`Checks of ${d.id}`, CHECKS, d.checks, '')}
${d.votes.length > 0 && html`<h3>The panel</h3><p class="soft">${d.panel}</p>${table(`Seats and votes on ${d.id}`, VOTES, d.votes, '')}`}
${d.dissent.length > 0 && html`<p><strong>Dissent:</strong> ${d.dissent.join(' ')}</p>`}
</section>`;
}

/** A record's content is open JSON: what looks like determinations is shown as such, the rest stays in the document. */
function determinationsOf(content: Record<string, unknown>): DeterminationView[] {
  const found = list(content.determinations).map(asObject);
  if (found.length > 0) return found.map((d) => view(d, d, asObject(d.panel)));
  const evidence = asObject(content.evidence);
  const checks = list(evidence.checks);
  return checks.length > 0 ? [view({ ...content, id: 'wallet' }, evidence, asObject(evidence.panel))] : [];
}

function view(
  source: Record<string, unknown>,
  withChecks: Record<string, unknown>,
  panel: Record<string, unknown>,
): DeterminationView {
  return {
    id: text(source.id),
    verdict: text(source.verdict) || null,
    confidence: typeof source.confidence === 'number' ? source.confidence : null,
    reasons: list(source.reasons).map(text),
    checks: list(withChecks.checks)
      .map(asObject)
      .map((c) => ({
        id: text(c.id),
        outcome: text(c.outcome),
        detail: text(c.detail),
        sources: list(c.sources)
          .map(asObject)
          .map((s) => ({ name: text(s.name), asOf: text(s.asOf), limit: text(s.limit) })),
      })),
    votes: list(panel.votes)
      .map(asObject)
      .map((v) => ({
        seat: text(v.seat),
        method: text(v.method),
        source: text(v.source),
        vote: text(v.vote),
        reasons: list(v.reasons).map(text),
      })),
    dissent: list(panel.dissent).map(text),
    panel: panelSentence(panel),
  };
}

function panelSentence(panel: Record<string, unknown>): string {
  const depth = text(panel.depth) || 'Deterministic checks';
  const blocks = Object.entries(asObject(panel.block)).map(
    ([chain, block]) => `${chain} at block ${text(asObject(block).number)}`,
  );
  const read = blocks.length > 0 ? `; read ${blocks.join(' and ')}` : '';
  return `${depth}: ${text(panel.quorum)} of ${text(panel.seats)} seats make it CLEAN${read}; ${text(panel.latencyMs)} ms`;
}

/** A determination's record keeps what was determined one level down, beside its hard flags. */
function determinedIn(content: Record<string, unknown>): Record<string, unknown> {
  return content.record === undefined ? content : asObject(content.record);
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}
