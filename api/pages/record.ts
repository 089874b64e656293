import type { RecordDocument } from '../shapes.ts';
import { document, facts, handleLink, hex, label, money, recordLink, verdict, when } from './components.ts';
import { determinationsOf, determinationView } from './determination.ts';
import { type Html, html, segment } from './html.ts';
import { page } from './layout.ts';
import { asObject, list, text } from './open-json.ts';

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

/** A determination's record keeps what was determined one level down, beside its hard flags. */
function determinedIn(content: Record<string, unknown>): Record<string, unknown> {
  return content.record === undefined ? content : asObject(content.record);
}
