import type { FieldError } from '../../agents/errors.ts';
import { sentences } from '../../agents/mandate/terms/describe.ts';
import type { OpenChoice } from '../../agents/mandate/terms/open-choice.ts';
import type { Mandate, Question } from '../../agents/mandate/terms/schema.ts';
import { openEnded } from '../../agents/mandate/terms/stolen-key.ts';
import { choiceBox } from '../agent/choice-box.ts';
import { DEPTHS } from '../agent/depths.ts';
import { facts, hex, money, when } from '../html/components.ts';
import { choiceField, hiddenFields, problemSummary, radioField, textField } from '../html/fields.ts';
import { type Html, html } from '../html/html.ts';
import { page } from '../html/layout.ts';

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

const LABELS: Readonly<Record<string, string>> = {
  mandate: 'What it may do',
  handle: 'Its handle',
  owner: 'Your wallet',
  tier: 'What kind',
  depth: 'How deep an AGENT looks',
};

/** The page on which an owner writes what a new agent may do. */
export function newAgentPage(draft: AgentDraft, prices: Prices, problem: DraftProblem | null = null): Html {
  const wrong = (name: string) => problem?.fields.find((f) => f.path === name)?.message;
  const asked = problem?.questions ?? [];
  const title = problem === null ? 'Make an agent' : 'Error: Make an agent';
  const body = html`<h1>Make an agent</h1>
<p class="lead">Write what it may do in plain words. You see what will be enforced before you pay; what cannot be enforced comes back as a question, and is never ignored.</p>
${problem && problemBox(problem)}
<form class="sheet" action="/agents/new" method="post">
${textField({
  name: 'mandate',
  label: LABELS.mandate!,
  hint: html`Say what it deals in, the most it may spend, and until when. For example: <q>Buy digital products, max 150 USDC per deal and 200 USDC per day, until 31 March 2027.</q>`,
  value: draft.mandate,
  problem: asked.length > 0 ? 'Put the answer into this text.' : wrong('mandate'),
  rows: 4,
  maxLength: 4000,
  required: true,
})}
${textField({
  name: 'handle',
  label: LABELS.handle!,
  hint: 'The name that others see: 3 to 32 of a–z, 0–9 and hyphen. It is never given to another.',
  value: draft.handle,
  problem: wrong('handle'),
  maxLength: 64,
  code: true,
  required: true,
})}
${textField({
  name: 'owner',
  label: LABELS.owner!,
  hint: 'An address whose key you hold: it will own the agent, and what binds the agent needs its signature.',
  value: draft.owner,
  problem: wrong('owner'),
  maxLength: 64,
  code: true,
  required: true,
  know: 'wallet',
})}
${radioField({
  name: 'tier',
  label: LABELS.tier!,
  value: draft.tier,
  problem: wrong('tier'),
  options: [
    {
      value: 'AGENT',
      title: html`AGENT, ${money(prices.agentUsd)}`,
      words: 'Works by itself: reads the catalogue, values lots, orders, and determines before each deal.',
    },
    {
      value: 'EXECUTOR',
      title: html`EXECUTOR, ${money(prices.executorUsd)}`,
      words: 'Acts on your orders alone. Its checks are deterministic, its verdicts carry no reasoning.',
    },
  ],
})}
${choiceField({
  name: 'depth',
  label: LABELS.depth!,
  hint: 'At no extra charge; you can change it later. An EXECUTOR has none.',
  value: draft.depth,
  problem: wrong('depth'),
  options: DEPTHS,
})}
<button name="step" value="review">Read it back to me</button>
</form>`;
  return page(title, body, '/agents/directory');
}

function problemBox({ fields, questions, suggestion, detail }: DraftProblem): Html {
  const asked = questions.map((q) => ({ path: 'mandate', message: q.question }));
  const title = questions.length > 0 ? 'A question about the mandate' : 'This cannot be taken yet';
  const named = fields.map(({ path, message }) => ({ path, message: `${LABELS[path] ?? path}: ${message}` }));
  const lines = [...asked, ...named];
  return html`${problemSummary(title, lines.length > 0 ? lines : [{ path: '', message: detail }])}
${suggestion !== null && html`<p class="card">A language model would write it so: <q>${suggestion}</q> It binds nothing unless you send it.</p>`}`;
}

/** The page that shows how the mandate was read, before anything is paid. */
export function reviewPage(
  draft: AgentDraft,
  reading: {
    readonly mandate: Mandate;
    readonly hash: string;
    readonly priceUsd: number;
    readonly open: OpenChoice | null;
  },
): Html {
  const { mandate, hash, priceUsd, open } = reading;
  const unbounded = openEnded(mandate);
  const body = html`<h1>This is what ${draft.handle} may do</h1>
<p class="lead">Every word was understood. This, and nothing else, will stand on chain, and the chain holds the agent to it, whoever holds its key.</p>
<ul class="card plain">${sentences(mandate).map((sentence) => html`<li>${sentence}</li>`)}</ul>
${unbounded === null ? '' : html`<p class="card">${unbounded.warning} To bound it, add: <q>${unbounded.offer}</q></p>`}
${choiceBox(open)}
<h2>You wrote</h2>
<blockquote><p>${draft.mandate}</p></blockquote>
${facts([
  ['Handle', html`<code>${draft.handle}</code>`],
  ['Owner', hex(draft.owner)],
  ['Kind', draft.tier],
  ['Depth', draft.tier === 'AGENT' ? draft.depth : 'none: deterministic checks only'],
  ['Ends', when(mandate.expires_at)],
  ['Hash of the mandate', html`<code class="hex">${hash}</code>`],
])}
<form class="acts" action="/agents/new" method="post">
${hiddenFields({ ...draft })}
<button name="step" value="pay">Go on to pay ${money(priceUsd)}</button>
<button class="second" formaction="/desk/bring">Pay in USDC from your wallet</button>
<button class="second" name="step" value="change">Change it</button>
</form>
<p class="soft">By card on the next page, or in test USDC by a transfer that your wallet signs. A program pays in USDC, too: <code>POST /agent/checkout</code> with <code>"pay": "usdc"</code>.</p>`;
  return page(`What ${draft.handle} may do`, body, '/agents/directory');
}
