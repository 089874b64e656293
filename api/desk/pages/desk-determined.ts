import { titleOf } from '../../../agents/determinations/panel/titles.ts';
import { checksSummary } from '../../determinations/checks-summary.ts';
import { determinationsOf, determinationView } from '../../determinations/determination-page.ts';
import { categoryName, code, facts, money, recordLink, verdict } from '../../html/components.ts';
import { type Html, html } from '../../html/html.ts';
import { asObject } from '../../html/open-json.ts';
import { EVALUATED } from '../../words/desk/answers.ts';
import { FACTS, FORETOLD } from '../../words/desk/evaluation.ts';
import type { TierDetermination } from '../evaluation-facts.ts';

interface Recorded {
  readonly recordId?: string;
  readonly reason?: string;
}

interface Determined {
  readonly verdict: string;
  readonly address: string;
  readonly reasons: readonly string[];
  readonly evidence: object;
  readonly recorded: Recorded;
}

function record({ recordId, reason }: Recorded): Html | string {
  return recordId === undefined ? EVALUATED.noRecord(reason ?? '') : recordLink(recordId, recordId);
}

/** The result of checking a counterparty, with each of its checks. */
export function determined(answer: Determined): Html {
  const determinations = determinationsOf(asObject(answer));
  return html`<p>${verdict(answer.verdict, 'big')} <code class="hex">${answer.address}</code></p>
${checksSummary(determinations)}
${facts([[EVALUATED.record, record(answer.recorded)]])}
${determinations.map((d) => determinationView(d, null, { alone: true }))}`;
}

interface Evaluated {
  readonly tier: string;
  readonly category: string;
  readonly priceUsd?: number;
  readonly verdict: string;
  readonly flagged: readonly string[];
  readonly inconclusive: readonly string[];
  readonly determinations: readonly object[];
  readonly determinationsNotRun: readonly string[];
  readonly note?: string;
  readonly recorded: Recorded;
}

/** The result of evaluating a deal: the verdict, and each determination it rests on. */
export function evaluated(answer: Evaluated): Html {
  const { flagged, inconclusive, determinationsNotRun: notRun, note } = answer;
  const evidence = { determinations: answer.determinations.map((d) => asObject(d).evidence) };
  const tier = answer.tier === 'tier3' ? EVALUATED.tiers.tier3 : EVALUATED.tiers.tier2;
  const determinations = determinationsOf(asObject(answer));
  return html`<p>${verdict(answer.verdict, 'big')}</p>
<p>${sumUp(answer)}</p>
${checksSummary(determinations)}
${facts([
  [EVALUATED.evaluated, EVALUATED.of(tier, categoryName(answer.category))],
  [EVALUATED.found, flagged.length === 0 ? EVALUATED.nothing : flagged.map(titleOf).join('; ')],
  [EVALUATED.open, inconclusive.length === 0 ? EVALUATED.nothing : lines(inconclusive.map(inWords))],
  [EVALUATED.notLooked, notRun.length === 0 ? EVALUATED.nothing : lines(notRun.map(unasked))],
  ...(answer.priceUsd === undefined ? [] : [[EVALUATED.charged, money(answer.priceUsd)] as const]),
  [EVALUATED.record, record(answer.recorded)],
])}
${note !== undefined && html`<p class="soft">${note}</p>`}
${determinations.map((d) => determinationView(d, evidence, { alone: determinations.length === 1 }))}`;
}

function sumUp({ verdict: word, flagged, inconclusive }: Evaluated): string {
  if (word === 'CLEAN') return EVALUATED.clean;
  if (flagged.length > 0) return EVALUATED.flagged;
  return inconclusive.length > 0 ? EVALUATED.inconclusive : EVALUATED.notClean;
}

const lines = (all: readonly (Html | string)[]): Html => html`${all.map((line) => html`${line}<br>`)}`;

/** Shows `double-pledge/control` in words: a determination, or one check of it. */
function inWords(what: string): Html | string {
  const [id = '', check] = what.split('/');
  return check === undefined ? titleOf(id) : html`${titleOf(id)}: ${code(check)}`;
}

function unasked(id: string): string {
  const needs = FACTS[id as TierDetermination];
  return needs === undefined ? titleOf(id) : FORETOLD.needs(titleOf(id), needs);
}
