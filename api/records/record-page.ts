import { judge } from '../../agents/determinations/panel/judge.ts';
import { titleOf } from '../../agents/determinations/panel/titles.ts';
import type { RecordEvidence } from '../../agents/determinations/panel/types.ts';
import { type Withdrawal, withdrawalOf } from '../../agents/records/withdrawal.ts';
import { checksSummary } from '../determinations/checks-summary.ts';
import {
  type DeterminationView,
  determinationsOf,
  determinationView,
  partOf,
} from '../determinations/determination-page.ts';
import {
  categoryName,
  document,
  facts,
  handleLink,
  hex,
  holderName,
  label,
  money,
  recordLink,
  shortened,
  type Titles,
  titledLot,
  toneOf,
  verdict,
  when,
} from '../html/components.ts';
import { type ExplorerSite, onChain } from '../html/explorers.ts';
import { type Html, html, segment } from '../html/html.ts';
import { page, partsNav } from '../html/layout.ts';
import { asObject, list, text } from '../html/open-json.ts';
import type { RecordDocument } from '../shapes.ts';
import { RECORD } from '../words/record.ts';

/** What people call the lot of a record, and whose accounts it names, by account. */
export interface RecordNames {
  readonly titles: Titles;
  readonly handles: ReadonlyMap<string, string>;
}
const NO_NAMES: RecordNames = { titles: new Map(), handles: new Map() };

/**
 * The page of a public record: what was decided, on what evidence, by whom, and how to verify it oneself.
 * @param site where people look at the chain on which records are anchored
 */
export function recordPage(
  doc: RecordDocument,
  site: ExplorerSite = null,
  names: RecordNames = NO_NAMES,
): Html {
  const record = doc.record as Record<string, unknown>;
  const content = determinedIn(asObject(record.content));
  const word = text(content.verdict);
  const appealLink = `/desk/appeal?recordId=${segment(doc.recordId)}`;
  const determinations = determinationsOf(withWords(content, doc.evidence));
  const withdrawn = withdrawalOf(doc);
  const said = shortened(text(record.summary), names.titles);
  const summary = withdrawn === null || said === '' ? said : RECORD.withdrawnSummary(withdrawn, said);
  const alone = determinations.length === 1;
  const body = html`<h1>${summary || RECORD.title(doc.recordId)}</h1>
${glance(word, determinations, doc, site)}
${partsNav([
  ...determinations.map(({ id }) => [partOf(id), titleOf(id)] as const),
  ['proof', RECORD.proof.heading],
])}
${facts([
  [RECORD.facts.record, html`<code>${doc.recordId}</code>`],
  [RECORD.facts.subject, subjectName(text(record.subject), names)],
  [RECORD.facts.agents, handles(list(record.parties).map(text))],
  [RECORD.facts.issued, when(text(record.issuedAt))],
  ...effectFacts(content),
  ...(doc.retracted === undefined
    ? []
    : [
        [
          RECORD.facts.retracted,
          RECORD.facts.retractedBy(when(doc.retracted.at), doc.retracted.reason),
        ] as const,
      ]),
  ...appealFacts(doc),
  ...outcomeFacts(doc),
])}
${doc.withheld !== undefined && html`<p>${doc.withheld}</p>`}
${determinations.map((d) => determinationView(d, doc.evidence, { alone, withdrawn: withdrawn !== null }))}
${record.kind !== 'determination' && happened(content, names)}
${word === 'FLAGGED' && withdrawn === null && doc.appeal === null && html`<p>${RECORD.contest(appealLink)}</p>`}
${record.kind === 'dispute-decision' && doc.appeal === null && doc.appealOf === null && html`<p>${RECORD.contestDecision(appealLink)}</p>`}
<h2 id="proof">${RECORD.proof.heading}</h2>
<p>${RECORD.proof.words(doc.spec)}</p>
<record-proof record="${doc.recordId}"></record-proof>
<pre tabindex="0" role="region" aria-label="${RECORD.proof.command}"><code>npm run -s handshake -- record verify ${doc.recordId}</code></pre>
${facts([
  [RECORD.proof.hash, hex(doc.hash)],
  [RECORD.proof.signer, hex(doc.signature.signer)],
  [RECORD.proof.signature, hex(doc.signature.value)],
  ...proofFacts(doc, site),
])}
<details><summary>${RECORD.asHashed}</summary>${document(doc.record, RECORD.documents.record)}</details>
${doc.evidence !== null && html`<details><summary>${RECORD.evidence}</summary>${document(doc.evidence, RECORD.documents.evidence)}</details>`}`;
  const picture = `${doc.recordUrl}/share.png`;
  return page(RECORD.title(doc.recordId), body, '', { picture, ...(summary && { description: summary }) });
}

/** The answer at one glance: the verdict where it still counts, what it means, how its checks came out, and how far the record has come. */
function glance(
  word: string,
  determinations: readonly DeterminationView[],
  doc: RecordDocument,
  site: ExplorerSite,
): Html {
  const { record, state, ledger } = doc;
  const kind = text(asObject(record).kind).replaceAll('-', ' ');
  const anchored = state === 'anchored';
  const steps = html`<li class="done">${RECORD.inscribed}</li><li class="${anchored ? 'done' : 'now'}">${anchored ? RECORD.onChain(ledger === null ? html`` : onChain(site, 'tx', ledger.tx)) : RECORD.nextBatch}</li>`;
  return html`${answer(word, determinations, withdrawalOf(doc))}
<p>${label(kind)} ${label(state)}</p>
<step-timeline><ol aria-label="${RECORD.state}">${steps}</ol></step-timeline>`;
}

/** The verdict with its checks, or in its place that it counts no more: nobody should read it in passing as it was. */
function answer(
  word: string,
  determinations: readonly DeterminationView[],
  withdrawn: Withdrawal | null,
): Html | false {
  if (withdrawn !== null)
    return html`<div class="glance tone-waiting"><strong>${label(withdrawn, 'waiting', 'big')}</strong><p>${RECORD.withdrawn[withdrawn]}</p></div>`;
  return (
    word !== '' &&
    html`<div class="glance tone-${toneOf(word)}"><strong>${verdict(word, 'big')}</strong><p>${RECORD.means[word] ?? ''}</p>${checksSummary(determinations)}</div>`
  );
}

/** The lot by its title, or the account with the agent that it is of. */
function subjectName(subject: string, { titles, handles: known }: RecordNames): Html {
  return known.has(subject.toLowerCase())
    ? html`${holderName(subject, known)} ${hex(subject)}`
    : titledLot(subject, titles);
}

function handles(names: readonly string[]): Html | string {
  if (names.length === 0) return RECORD.facts.noAgents;
  return html`${names.map((name, i) => html`${i > 0 && ', '}${handleLink(name)}`)}`;
}

/** What the verdict caused in its deal, and whose words let it go on without what could not be judged. */
function effectFacts(content: Record<string, unknown>): readonly (readonly [string, Html | string])[] {
  const effect = RECORD.effects[text(content.effect)];
  if (effect === undefined) return [];
  const waived = list(content.waivedBy).map((waiver) => {
    const { determination, by, wallet, version } = asObject(waiver);
    const whose =
      by === 'mandate' ? RECORD.facts.byMandate(Number(version)) : RECORD.facts.bySettings(hex(text(wallet)));
    return html`${RECORD.facts.waived(titleOf(text(determination)), whose)}<br>`;
  });
  return [
    [RECORD.facts.caused, effect],
    ...(waived.length > 0 ? [[RECORD.facts.goneOn, html`${waived}`] as const] : []),
  ];
}

/** Shows what a record tells besides determinations: a deal, a purchase, a decision, a new owner. */
function happened(content: Record<string, unknown>, names: RecordNames): Html | false {
  const told = Object.entries(RECORD.members).flatMap(([member, name]) => {
    const shown = member in content ? memberView(member, content[member], names) : null;
    return shown === null ? [] : [[name, shown] as const];
  });
  return told.length > 0 && html`<h2>${RECORD.happened}</h2>${facts(told)}`;
}

function memberView(member: string, value: unknown, { handles }: RecordNames): Html | string | null {
  if (member.endsWith('Usd') && typeof value === 'number') return money(value);
  const records = list(value).map(text);
  if (records.length > 0) return html`${records.map((id) => html`${recordLink(id, id)}<br>`)}`;
  const words = text(value);
  if (words === '') return null;
  if (member === 'category') return categoryName(words);
  if (!words.startsWith('0x')) return words;
  return handles.has(words.toLowerCase()) ? html`${holderName(words, handles)} ${hex(words)}` : hex(words);
}

/** Links the two records of an appeal to each other. */
function appealFacts({ record, appeal, appealOf }: RecordDocument): readonly (readonly [string, Html])[] {
  const way = (link: NonNullable<typeof appeal>): Html =>
    html`<a href="${link.recordUrl}"><code>${link.recordId}</code></a>, ${when(link.filedAt)}`;
  const again =
    asObject(record).kind === 'dispute-decision' ? RECORD.facts.decidedAgain : RECORD.facts.determinedAgain;
  return [
    ...(appeal === null
      ? []
      : [[RECORD.facts.appealedAgainst, RECORD.facts.again(again, way(appeal))] as const]),
    ...(appealOf === null ? [] : [[RECORD.facts.appealAgainst, way(appealOf)] as const]),
  ];
}

/** What turned out, as those say who should know. */
function outcomeFacts({ outcomes = [] }: RecordDocument): readonly (readonly [string, Html])[] {
  return outcomes.map(({ by, outcome, kind, evidence, filedAt }) => {
    const who = by === 'operator' ? RECORD.facts.operator : hex(by);
    const what = kind === undefined ? outcome : `${outcome} (${kind.replaceAll('-', ' ')})`;
    const shown = evidence.map((piece) => html`<br><code>${piece}</code>`);
    return [RECORD.facts.turnedOut, RECORD.facts.outcome(what, who, when(filedAt), shown)] as const;
  });
}

function proofFacts(doc: RecordDocument, site: ExplorerSite): readonly (readonly [string, Html | string])[] {
  if (!doc.proof || !doc.ledger) return [[RECORD.proof.anchored, RECORD.proof.notYet]];
  return [
    [RECORD.proof.root, hex(doc.proof.root)],
    [RECORD.proof.leaf, RECORD.proof.place(doc.proof.index, doc.proof.size, hex(doc.proof.leaf))],
    [
      RECORD.proof.siblings,
      doc.proof.siblings.length === 0
        ? RECORD.proof.noSiblings
        : html`${doc.proof.siblings.map((s) => html`${hex(s)}<br>`)}`,
    ],
    [RECORD.proof.anchoredIn, RECORD.proof.chain(onChain(site, 'tx', doc.ledger.tx), doc.ledger.chainId)],
    [
      RECORD.proof.ledger,
      RECORD.proof.batch(onChain(site, 'address', doc.ledger.contract), doc.ledger.batch),
    ],
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
