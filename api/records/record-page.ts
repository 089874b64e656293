import { judge } from '../../agents/determinations/panel/judge.ts';
import { titleOf } from '../../agents/determinations/panel/titles.ts';
import type { RecordEvidence } from '../../agents/determinations/panel/types.ts';
import { checksSummary } from '../determinations/checks-summary.ts';
import {
  type DeterminationView,
  determinationsOf,
  determinationView,
} from '../determinations/determination-page.ts';
import {
  categoryName,
  document,
  facts,
  handleLink,
  hex,
  label,
  lotName,
  money,
  recordLink,
  shortened,
  toneOf,
  verdict,
  when,
} from '../html/components.ts';
import { type ExplorerSite, onChain } from '../html/explorers.ts';
import { type Html, html, segment } from '../html/html.ts';
import { page } from '../html/layout.ts';
import { asObject, list, text } from '../html/open-json.ts';
import type { RecordDocument } from '../shapes.ts';

/**
 * The page of a public record: what was decided, on what evidence, by whom, and how to verify it oneself.
 * @param site where people look at the chain on which records are anchored
 */
export function recordPage(doc: RecordDocument, site: ExplorerSite = null): Html {
  const record = doc.record as Record<string, unknown>;
  const content = determinedIn(asObject(record.content));
  const word = text(content.verdict);
  const determinations = determinationsOf(withWords(content, doc.evidence));
  const body = html`<h1>${shortened(text(record.summary)) || `Record ${doc.recordId}`}</h1>
${glance(word, determinations, doc, site)}
${facts([
  ['Record', html`<code>${doc.recordId}</code>`],
  ['Subject', lotName(text(record.subject))],
  ['Agents', handles(list(record.parties).map(text))],
  ['Issued', when(text(record.issuedAt))],
  ...effectFacts(content),
  ...(doc.retracted === undefined
    ? []
    : [['Retracted', html`${when(doc.retracted.at)}, by the operator: ${doc.retracted.reason}`] as const]),
  ...appealFacts(doc),
  ...outcomeFacts(doc),
])}
${doc.withheld !== undefined && html`<p>${doc.withheld}</p>`}
${determinations.map((d) => determinationView(d, doc.evidence))}
${record.kind !== 'determination' && happened(content)}
${word === 'FLAGGED' && doc.appeal === null && html`<p><a href="/desk/appeal?recordId=${segment(doc.recordId)}">Contest it</a>, if it is about you: it is determined again, and both records stay.</p>`}
${record.kind === 'dispute-decision' && doc.appeal === null && doc.appealOf === null && html`<p>It can be contested once, within seven days, by a side of the dispute: <a href="/desk/appeal?recordId=${segment(doc.recordId)}">contest it</a>.</p>`}
<h2>Proof</h2>
<p>The hash is keccak-256 over the canonical JSON of the record below. The service signed it, and once anchored it stands under a root that the ledger contract holds. <a href="${doc.spec}">How to check it</a> without trusting this service; the command does all of it, and so does this page, by your browser’s own reckoning:</p>
<record-proof record="${doc.recordId}"></record-proof>
<pre tabindex="0" role="region" aria-label="Command that checks this record"><code>npm run -s handshake -- record verify ${doc.recordId}</code></pre>
${facts([
  ['Hash', hex(doc.hash)],
  ['Signed by', hex(doc.signature.signer)],
  ['Signature', hex(doc.signature.value)],
  ...proofFacts(doc, site),
])}
<details><summary>The record, exactly as it is hashed</summary>${document(doc.record, 'Record')}</details>
${doc.evidence !== null && html`<details><summary>The evidence it was judged on</summary>${document(doc.evidence, 'Evidence')}</details>`}`;
  const description = shortened(text(record.summary)) || undefined;
  const picture = `${doc.recordUrl}/share.png`;
  return page(`Record ${doc.recordId}`, body, '', { picture, ...(description && { description }) });
}

const MEANS: Readonly<Record<string, string>> = {
  CLEAN: 'Every check that applies was passed.',
  FLAGGED: 'Something was found, or could not be established. Nothing should move before you have read it.',
  INCONCLUSIVE: 'It could not be established either way. That is not a pass.',
};

/** The answer at one glance: the verdict, what it means, how its checks came out, and how far the record has come. */
function glance(
  word: string,
  determinations: readonly DeterminationView[],
  { record, state, ledger }: RecordDocument,
  site: ExplorerSite,
): Html {
  const kind = text(asObject(record).kind).replaceAll('-', ' ');
  const anchored = state === 'anchored';
  const steps = html`<li class="done">inscribed</li><li class="${anchored ? 'done' : 'now'}">${anchored ? html`stands on the chain ${ledger !== null && onChain(site, 'tx', ledger.tx)}` : 'the next batch takes it to the chain'}</li>`;
  return html`${word !== '' && html`<div class="glance tone-${toneOf(word)}"><strong>${verdict(word, 'big')}</strong><p>${MEANS[word] ?? ''}</p>${checksSummary(determinations)}</div>`}
<p>${label(kind)} ${label(state)}</p>
<step-timeline><ol aria-label="State of the record">${steps}</ol></step-timeline>`;
}

function handles(names: readonly string[]): Html | string {
  if (names.length === 0) return 'none';
  return html`${names.map((name, i) => html`${i > 0 && ', '}${handleLink(name)}`)}`;
}

/** The label of each member of a record's content. Other members are shown only in the JSON below. */
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
  disputeId: 'Dispute',
  wallet: 'Disputed by',
  grounds: 'Grounds',
  reply: 'Reply',
  cause: 'Cause of the hold',
  category: 'Category',
  dealId: 'Deal',
  mandateHash: 'Hash of the mandate',
  determinations: 'Determinations',
  tx: 'Transaction',
};

const EFFECTS: Readonly<Record<string, string>> = {
  stop: 'the deal stops',
  ask: 'its owner is asked',
  proceed: 'the deal goes on',
};

/** What the verdict caused in its deal, and whose words let it go on without what could not be judged. */
function effectFacts(content: Record<string, unknown>): readonly (readonly [string, Html | string])[] {
  const effect = EFFECTS[text(content.effect)];
  if (effect === undefined) return [];
  const waived = list(content.waivedBy).map((waiver) => {
    const { determination, by, wallet, version } = asObject(waiver);
    const whose =
      by === 'mandate'
        ? html`the mandate, version ${Number(version)}`
        : html`the settings of ${hex(text(wallet))}`;
    return html`${titleOf(text(determination))}, by ${whose}<br>`;
  });
  return [
    ['What it caused', effect],
    ...(waived.length > 0 ? [['Gone on without', html`${waived}`] as const] : []),
  ];
}

/** Shows what a record tells besides determinations: a deal, a purchase, a decision, a new owner. */
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
  if (member === 'category') return categoryName(words);
  return words.startsWith('0x') ? hex(words) : words;
}

/** Links the two records of an appeal to each other. */
function appealFacts({ record, appeal, appealOf }: RecordDocument): readonly (readonly [string, Html])[] {
  const way = (link: NonNullable<typeof appeal>): Html =>
    html`<a href="${link.recordUrl}"><code>${link.recordId}</code></a>, ${when(link.filedAt)}`;
  const again =
    asObject(record).kind === 'dispute-decision'
      ? 'Decided a second time'
      : 'Determined again on fresh evidence';
  return [
    ...(appeal === null ? [] : [['Appealed against', html`${again}: ${way(appeal)}`] as const]),
    ...(appealOf === null ? [] : [['Appeal against', way(appealOf)] as const]),
  ];
}

/** What turned out, as those say who should know. */
function outcomeFacts({ outcomes = [] }: RecordDocument): readonly (readonly [string, Html])[] {
  return outcomes.map(({ by, outcome, kind, evidence, filedAt }) => {
    const who = by === 'operator' ? 'the operator' : hex(by);
    const what = kind === undefined ? outcome : `${outcome} (${kind.replaceAll('-', ' ')})`;
    const shown = evidence.map((piece) => html`<br><code>${piece}</code>`);
    return ['Turned out', html`${what}, says ${who}, ${when(filedAt)}${shown}`] as const;
  });
}

function proofFacts(doc: RecordDocument, site: ExplorerSite): readonly (readonly [string, Html | string])[] {
  if (!doc.proof || !doc.ledger) return [['Anchored', 'not yet: the next batch takes it along']];
  return [
    ['Root', hex(doc.proof.root)],
    ['Leaf', html`${doc.proof.index} of ${doc.proof.size}: ${hex(doc.proof.leaf)}`],
    [
      'Siblings',
      doc.proof.siblings.length === 0 ? 'none' : html`${doc.proof.siblings.map((s) => html`${hex(s)}<br>`)}`,
    ],
    ['Anchored in', html`${onChain(site, 'tx', doc.ledger.tx)} on eip155:${doc.ledger.chainId}`],
    ['Ledger', html`${onChain(site, 'address', doc.ledger.contract)} batch ${doc.ledger.batch}`],
  ];
}

/** The record of a deal leaves out what tells its price: where the evidence is served, that is judged again and said. */
function withWords(content: Record<string, unknown>, evidence: unknown): Record<string, unknown> {
  if (content.tier !== 'deal' || evidence === null) return content;
  const { determinations } = evidence as RecordEvidence;
  return { ...content, determinations: determinations.map((e) => judge(e)) };
}

/**
 * Finds the determination in a record's content. A determination's record keeps it one level down, beside its hard
 * flags.
 */
function determinedIn(content: Record<string, unknown>): Record<string, unknown> {
  return content.record === undefined ? content : asObject(content.record);
}
