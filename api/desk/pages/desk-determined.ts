import { titleOf } from '../../../agents/determinations/panel/titles.ts';
import { checksSummary } from '../../determinations/checks-summary.ts';
import { determinationsOf, determinationView } from '../../determinations/determination-page.ts';
import { code, facts, money, recordLink, verdict } from '../../html/components.ts';
import { type Html, html } from '../../html/html.ts';
import { asObject } from '../../html/open-json.ts';
import { FACTS_WORDS, type TierDetermination } from '../evaluation-facts.ts';

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
  return recordId === undefined ? `none: ${reason ?? ''}` : recordLink(recordId, recordId);
}

/** The result of checking a counterparty, with each of its checks. */
export function determined(answer: Determined): Html {
  const determinations = determinationsOf(asObject(answer));
  return html`<p>${verdict(answer.verdict, 'big')} <code class="hex">${answer.address}</code></p>
${checksSummary(determinations)}
${facts([['Record', record(answer.recorded)]])}
${determinations.map((d) => determinationView(d, null, true))}`;
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
  const tier = answer.tier === 'tier3' ? 'Tier 3, certified' : 'Tier 2';
  const determinations = determinationsOf(asObject(answer));
  return html`<p>${verdict(answer.verdict, 'big')}</p>
<p>${sumUp(answer)}</p>
${checksSummary(determinations)}
${facts([
  ['Evaluated', `${tier}: ${answer.category}`],
  ['Found against it', flagged.length === 0 ? 'nothing' : flagged.map(titleOf).join('; ')],
  ['Could not be established', inconclusive.length === 0 ? 'nothing' : lines(inconclusive.map(inWords))],
  ['Not looked at', notRun.length === 0 ? 'nothing' : lines(notRun.map(unasked))],
  ...(answer.priceUsd === undefined ? [] : [['Charged', money(answer.priceUsd)] as const]),
  ['Record', record(answer.recorded)],
])}
${note !== undefined && html`<p class="soft">${note}</p>`}
${determinations.map((d) => determinationView(d, evidence, determinations.length === 1))}`;
}

function sumUp({ verdict: word, flagged, inconclusive }: Evaluated): string {
  if (word === 'CLEAN') return 'Every determination that ran is CLEAN.';
  if (flagged.length > 0) return 'Something was found against it.';
  return inconclusive.length > 0
    ? 'Nothing was found against it, but not all could be established. INCONCLUSIVE is no pass, so it is not CLEAN.'
    : 'It is not CLEAN.';
}

const lines = (all: readonly (Html | string)[]): Html => html`${all.map((line) => html`${line}<br>`)}`;

/** Shows `double-pledge/control` in words: a determination, or one check of it. */
function inWords(what: string): Html | string {
  const [id = '', check] = what.split('/');
  return check === undefined ? titleOf(id) : html`${titleOf(id)}: ${code(check)}`;
}

function unasked(id: string): string {
  const needs = FACTS_WORDS[id as TierDetermination];
  return needs === undefined ? titleOf(id) : `${titleOf(id)}: it needs ${needs}`;
}
