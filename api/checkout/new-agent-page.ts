import type { FieldError } from '../../agents/errors.ts';
import { sentences } from '../../agents/mandate/terms/describe.ts';
import type { OpenChoice } from '../../agents/mandate/terms/open-choice.ts';
import type { Mandate, Question } from '../../agents/mandate/terms/schema.ts';
import { openEnded } from '../../agents/mandate/terms/stolen-key.ts';
import { choiceBox } from '../agent/choice-box.ts';
import { facts, hex, money, shortened, when } from '../html/components.ts';
import { choiceField, hiddenFields, problemSummary, radioField, textField } from '../html/fields.ts';
import { type Html, html } from '../html/html.ts';
import { page } from '../html/layout.ts';
import { NEW_AGENT, REVIEW } from '../words/checkout.ts';
import { DEPTHS } from '../words/desk/fields.ts';

/** What an owner typed into the form, unchanged. */
export interface AgentDraft {
  readonly mandate: string;
  readonly handle: string;
  readonly owner: string;
  readonly tier: string;
  readonly depth: string;
}

/** Why a draft was refused. */
export interface DraftProblem {
  readonly fields: readonly FieldError[];
  /** The questions that the grammar asks about the mandate. */
  readonly questions: readonly Question[];
  /** A wording that a language model proposes, checked clause by clause. */
  readonly suggestion: string | null;
  readonly detail: string;
}

interface Prices {
  readonly agentUsd: number;
  readonly executorUsd: number;
}

export const EMPTY_DRAFT: AgentDraft = { mandate: '', handle: '', owner: '', tier: 'AGENT', depth: '2-of-2' };

const LABELS: Readonly<Record<string, string>> = NEW_AGENT.labels;

/** The page on which an owner writes what a new agent may do. */
export function newAgentPage(draft: AgentDraft, prices: Prices, problem: DraftProblem | null = null): Html {
  const wrong = (name: string) => problem?.fields.find((f) => f.path === name)?.message;
  const asked = problem?.questions ?? [];
  const title = problem === null ? NEW_AGENT.heading : NEW_AGENT.wrong;
  const body = html`<h1>${NEW_AGENT.heading}</h1>
<p class="lead">${NEW_AGENT.lead}</p>
${problem && problemBox(problem)}
<form class="sheet" action="/agents/new" method="post">
${textField({
  name: 'mandate',
  label: NEW_AGENT.labels.mandate,
  hint: NEW_AGENT.hints.mandate,
  value: draft.mandate,
  problem: asked.length > 0 ? NEW_AGENT.answerHere : wrong('mandate'),
  rows: 4,
  maxLength: 4000,
  required: true,
})}
${textField({
  name: 'handle',
  label: NEW_AGENT.labels.handle,
  hint: NEW_AGENT.hints.handle,
  value: draft.handle,
  problem: wrong('handle'),
  maxLength: 64,
  code: true,
  required: true,
})}
${textField({
  name: 'owner',
  label: NEW_AGENT.labels.owner,
  hint: NEW_AGENT.hints.owner,
  value: draft.owner,
  problem: wrong('owner'),
  maxLength: 64,
  code: true,
  required: true,
  know: 'wallet',
})}
${radioField({
  name: 'tier',
  label: NEW_AGENT.labels.tier,
  value: draft.tier,
  problem: wrong('tier'),
  options: [
    {
      value: 'AGENT',
      title: html`AGENT, ${money(prices.agentUsd)}`,
      words: NEW_AGENT.tiers.AGENT,
    },
    {
      value: 'EXECUTOR',
      title: html`EXECUTOR, ${money(prices.executorUsd)}`,
      words: NEW_AGENT.tiers.EXECUTOR,
    },
  ],
})}
${choiceField({
  name: 'depth',
  label: NEW_AGENT.labels.depth,
  hint: NEW_AGENT.hints.depth,
  value: draft.depth,
  problem: wrong('depth'),
  options: Object.entries(DEPTHS),
})}
<button name="step" value="review">${NEW_AGENT.review}</button>
</form>`;
  return page(title, body, '/agents/directory');
}

function problemBox({ fields, questions, suggestion, detail }: DraftProblem): Html {
  const asked = questions.map((q) => ({ path: 'mandate', message: q.question }));
  const title = questions.length > 0 ? NEW_AGENT.asked : NEW_AGENT.refused;
  const named = fields.map(({ path, message }) => ({ path, message: `${LABELS[path] ?? path}: ${message}` }));
  const lines = [...asked, ...named];
  return html`${problemSummary(title, lines.length > 0 ? lines : [{ path: '', message: detail }])}
${suggestion !== null && html`<p class="card">${NEW_AGENT.suggestion(suggestion)}</p>`}`;
}

/** The page that shows how the mandate was read, before anything is paid. */
export function reviewPage(
  draft: AgentDraft,
  reading: {
    readonly mandate: Mandate;
    readonly hash: string;
    /** ISO 8601. What counts from now in the mandate counts from here, also when it is paid for. */
    readonly readAt: string;
    readonly priceUsd: number;
    readonly open: OpenChoice | null;
  },
): Html {
  const { mandate, hash, readAt, priceUsd, open } = reading;
  const unbounded = openEnded(mandate);
  const body = html`<h1>${REVIEW.heading(draft.handle)}</h1>
<p class="lead">${REVIEW.lead}</p>
<ul class="card plain">${sentences(mandate).map((sentence) => html`<li>${shortened(sentence)}</li>`)}</ul>
${unbounded === null ? '' : html`<p class="card">${REVIEW.unbounded(unbounded.warning, unbounded.offer)}</p>`}
${choiceBox(open)}
<h2>${REVIEW.youWrote}</h2>
<blockquote><p>${draft.mandate}</p></blockquote>
${facts([
  [REVIEW.facts.handle, html`<code>${draft.handle}</code>`],
  [REVIEW.facts.owner, hex(draft.owner)],
  [REVIEW.facts.kind, draft.tier],
  [REVIEW.facts.depth, draft.tier === 'AGENT' ? draft.depth : REVIEW.facts.noDepth],
  [REVIEW.facts.ends, when(mandate.expires_at)],
  [REVIEW.facts.hash, html`<code class="hex">${hash}</code>`],
])}
<form class="acts" action="/agents/new" method="post">
${hiddenFields({ ...draft, readAt })}
<button name="step" value="pay">${REVIEW.pay(money(priceUsd))}</button>
<button class="second" formaction="/desk/new-agent">${REVIEW.payFromWallet}</button>
<button class="second" name="step" value="change">${REVIEW.change}</button>
</form>
<p class="soft">${REVIEW.ways}</p>`;
  return page(REVIEW.title(draft.handle), body, '/agents/directory');
}
