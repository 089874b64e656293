import { titleOf } from '../../agents/determinations/panel/titles.ts';
import type { Method } from '../../agents/determinations/panel/types.ts';
import { type Column, chainInSentence, table, verdict, when } from '../html/components.ts';
import { type Html, html, raw, segment } from '../html/html.ts';
import { asObject, list, objects, text } from '../html/open-json.ts';
import { CHECKS } from '../words/checks.ts';
import { DETERMINATION as SAID } from '../words/determination.ts';
import { reviewer } from '../words/record-sentences.ts';
import { checkName, GROUPS } from './check-names.ts';
import { checkAnchor, passedOf } from './checks-summary.ts';
import { evidenceGraph } from './evidence-graph.ts';
import { pricePlot } from './price-plot.ts';
import { inPlainWords, namedChecks, plainReason } from './record-sentence.ts';

/** Shows determinations to people, as answers and records hold them. */

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
interface StepView {
  readonly step: string;
  readonly seat: string;
  readonly claim: string;
  readonly rule: string;
  readonly input: string;
  readonly outcome: string;
}
export interface DeterminationView {
  readonly id: string;
  readonly verdict: string | null;
  readonly confidence: number | null;
  readonly reasons: readonly string[];
  readonly checks: readonly CheckView[];
  readonly votes: readonly VoteView[];
  readonly dissent: readonly string[];
  /** How far it looked, in a sentence; empty where a record does not say. */
  readonly asFarAs: string;
  /** The votes of the seats, the blocks read and the time it took; empty when there is no panel. */
  readonly panel: string;
  readonly trace: readonly StepView[];
}

const VOTES: readonly Column<VoteView>[] = [
  { head: SAID.voteColumns.seat, cell: (v) => reviewer(v.seat) },
  { head: SAID.voteColumns.vote, cell: (v) => verdict(v.vote) },
  { head: SAID.voteColumns.method, cell: (v) => SAID.methods[v.method as Method] ?? v.method },
  { head: SAID.voteColumns.source, cell: (v) => chainInSentence(v.source) },
  { head: SAID.voteColumns.reasons, wide: true, cell: (v) => v.reasons.map(plainReason).join(' ') },
];

const STEPS: readonly Column<StepView>[] = [
  { head: SAID.stepColumns.step, cell: (s) => s.step },
  { head: SAID.stepColumns.seat, cell: (s) => reviewer(s.seat) },
  { head: SAID.stepColumns.claim, wide: true, cell: (s) => inPlainWords(s.claim) },
  { head: SAID.stepColumns.rule, wide: true, cell: (s) => ruleName(s.rule) },
  { head: SAID.stepColumns.input, wide: true, cell: (s) => inPlainWords(s.input) },
  { head: SAID.stepColumns.outcome, cell: (s) => s.outcome },
];

interface Shown {
  /** Where it is the only one, and what passed is told already. */
  readonly alone?: boolean;
  /** Where its verdict counts no more: it stands folded, so that nobody reads it in passing as it was. */
  readonly withdrawn?: boolean;
}

/** One determination: its verdict, its checks with their sources, the seats, and in tier 3 the reasoning of each seat. */
export function determinationView(
  d: DeterminationView,
  evidence: unknown,
  { alone = false, withdrawn = false }: Shown = {},
): Html {
  const title = titleOf(d.id);
  const found = findings(d, evidence, alone);
  return html`<section aria-label="${title}"><h2 id="${partOf(d.id)}">${title} ${!withdrawn && d.verdict !== null && verdict(d.verdict)}</h2>
${withdrawn ? html`<details><summary>${SAID.withdrawn}</summary>${found}</details>` : found}
</section>`;
}

function findings(d: DeterminationView, evidence: unknown, alone: boolean): Html {
  return html`${!alone && html`<p class="soft">${passedOf([d])}</p>`}
${d.verdict === 'INCONCLUSIVE' && html`<p>${SAID.inconclusive}</p>`}
${reasonList(d)}
${d.confidence !== null && html`<p class="soft">${SAID.confidence(d.confidence)}</p>`}
${d.asFarAs !== '' && html`<details${d.verdict === 'CLEAN' && raw(' open')}><summary>${SAID.coverage}</summary><p>${d.verdict === 'CLEAN' ? SAID.cleanAsFarAs(inPlainWords(d.asFarAs)) : SAID.lookedAt(inPlainWords(d.asFarAs))}</p></details>`}
${d.id === 'price-intelligence' && pricePlot(evidence)}
${d.id === 'wallet' && evidenceGraph(evidence)}
${checkGroups(d)}
${
  d.votes.length > 0 &&
  html`<p class="soft">${d.panel}</p>
<details><summary>${SAID.votes}</summary>${table(SAID.votesOf(titleOf(d.id)), VOTES, d.votes, '')}</details>`
}
${d.dissent.length > 0 && html`<p>${SAID.dissent(d.dissent.map(plainReason).join(' '))}</p>`}
${d.trace.length > 0 && html`<details><summary>${SAID.reasoning}</summary>${table(SAID.reasoningOf(titleOf(d.id)), STEPS, d.trace, '')}</details>`}`;
}

/** The reasons, but for those that only say again how a check below was passed. */
function reasonList({ reasons, checks }: DeterminationView): Html | false {
  const passed = new Set(checks.filter((c) => c.outcome === 'PASS').map((c) => `${c.id}: ${c.detail}`));
  const told = reasons.filter((reason) => !passed.has(reason));
  return told.length > 0 && html`<ul>${told.map((r) => html`<li>${plainReason(r)}</li>`)}</ul>`;
}

/** The id of a determination's heading. */
export function partOf(determination: string): string {
  return `of-${segment(determination)}`;
}

const WORST: Readonly<Record<string, number>> = { FLAG: 0, INCONCLUSIVE: 1, PASS: 2 };

/** The checks in their groups, what is wrong first; the sources of each are folded. */
function checkGroups({ id, checks }: DeterminationView): Html {
  const worst = (c: CheckView) => WORST[c.outcome] ?? 1;
  const groups = GROUPS.flatMap((group) => {
    const own = checks.filter((c) => checkName(c.id).group === group);
    return own.length === 0 ? [] : [{ group, own: own.toSorted((a, b) => worst(a) - worst(b)) }];
  });
  return html`<div class="columns">${groups.map(
    ({ group, own }) =>
      html`<section class="card"><h3>${CHECKS.groups[group]}</h3><ul class="checks">${own.map((c) => checkItem(id, c))}</ul></section>`,
  )}</div>`;
}

function checkItem(determination: string, { id, outcome, detail, sources }: CheckView): Html {
  const { name } = checkName(id);
  return html`<li id="${checkAnchor(determination, id)}"><div class="row">${verdict(outcome)}<strong>${name}</strong></div>
<p>${inPlainWords(detail)}</p>
${sources.length > 0 && html`<details><summary>${SAID.sources(name)}</summary><p class="soft">${SAID.check(id)}</p>${sources.map((s) => html`<p class="soft">${SAID.source(inPlainWords(s.name), when(s.asOf), inPlainWords(s.limit))}</p>`)}</details>`}</li>`;
}

/** Finds determinations in open JSON, such as a record's content or the answer to a paid call. */
export function determinationsOf(content: Record<string, unknown>): DeterminationView[] {
  const found = objects(content.determinations).filter((d) => text(d.id) !== '');
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
    asFarAs: text(asObject(source.coverage).asFarAs),
    checks: objects(withChecks.checks).map((c) => ({
      id: text(c.id),
      outcome: text(c.outcome),
      detail: text(c.detail),
      sources: objects(c.sources).map((s) => ({
        name: text(s.name),
        asOf: text(s.asOf),
        limit: text(s.limit),
      })),
    })),
    votes: objects(panel.votes).map((v) => ({
      seat: text(v.seat),
      method: text(v.method),
      source: text(v.source),
      vote: text(v.vote),
      reasons: list(v.reasons).map(text),
    })),
    dissent: list(panel.dissent).map(text),
    panel: panelSentence(panel, objects(withChecks.checks)),
    trace: objects(source.trace).map((s) => ({
      step: text(s.step),
      seat: text(s.seat),
      claim: text(s.claim),
      rule: text(s.rule),
      input: text(s.input),
      outcome: text(s.outcome),
    })),
  };
}

/** The check that a step follows by its name; a rule of points says itself. */
function ruleName(rule: string): string {
  return /^[a-z0-9-]+$/.test(rule) ? checkName(rule).name : rule;
}

/** The votes in a sentence: "2 of 2 reviewers found a flag: Lists of known scams". */
function panelSentence(panel: Record<string, unknown>, checks: readonly Record<string, unknown>[]): string {
  const votes = objects(panel.votes).map((v) => text(v.vote));
  const flags = checks.filter((c) => text(c.outcome) === 'FLAG').map((c) => text(c.id));
  // A seat that gave no vote still counts as a reviewer.
  const seats = Math.max(votes.length, Number(text(panel.seats)) || 0);
  const said = Object.entries(SAID.panel.voted).flatMap(([vote, words]) => {
    const count = votes.filter((v) => v === vote).length;
    const which = vote === 'FLAGGED' && flags.length > 0 ? `: ${namedChecks(flags)}` : '';
    return count === 0 ? [] : [`${SAID.panel.votes(count, seats, words)}${which}`];
  });
  const depth = text(panel.depth) || SAID.panel.byChecks;
  const quorum =
    votes.length === seats && votes.every((vote) => vote === 'CLEAN')
      ? ''
      : SAID.panel.quorum(text(panel.quorum));
  const blocks = Object.entries(asObject(panel.block)).map(([chain, block]) =>
    SAID.panel.block(chainInSentence(chain), text(asObject(block).number)),
  );
  const read = blocks.length > 0 ? SAID.panel.read(blocks) : '';
  return SAID.panel.sentence(depth, said, `${quorum}${read}`, text(panel.latencyMs));
}
