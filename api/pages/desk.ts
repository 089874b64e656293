import type { Pricing } from '../../agents/market/prices.ts';
import { codesOf, type DeskAct, type DeskField } from '../desk/act.ts';
import { DESK_GROUPS } from '../desk/acts.ts';
import type { Form } from '../plugins/forms.ts';
import { document, facts, when } from './components.ts';
import { tierPrices } from './desk-prices.ts';
import { SIGN_SCRIPT } from './desk-script.ts';
import { choiceField, hiddenFields, problemSummary, severalField, textField } from './fields.ts';
import { type Html, html, raw, segment } from './html.ts';
import { page } from './layout.ts';

/** Why an act was not taken: the interface's own words. */
export interface DeskProblem {
  readonly title: string;
  readonly fields: readonly { readonly path: string; readonly message: string }[];
}

const PLACE = '/desk';

/** What an owner can do here. */
export function deskPage(typed: Form): Html {
  const { handle = '' } = typed;
  const query = backQuery(typed);
  const body = html`<h1>Owner’s desk${handle !== '' && html`: ${handle}`}</h1>
<p class="lead">What binds an agent needs its owner’s signature: you fill in a form, read the exact words, and sign them with your wallet. No account, no password; each signature counts once, for ten minutes.</p>
<p class="acts"><a class="button" href="/agents/new">Bring a new agent</a></p>
<div class="groups">${DESK_GROUPS.map(
    ({ title, acts }) => html`<section class="card"><h2>${title}</h2>
<ul>${acts.map((act) => html`<li><a href="/desk/${act.id}${query}">${act.title}</a><p>${firstSentence(act.lead)}</p></li>`)}</ul></section>`,
  )}</div>
<p class="soft">A program does the same by the <a href="/openapi.json">interface</a>: each page here sends one request of it.</p>`;
  return page('Owner’s desk', body, PLACE);
}

function firstSentence(text: string): string {
  return text.split(/(?<=\.) /)[0] ?? text;
}

/** For whom somebody acts, carried from page to page. */
function backQuery(typed: Form): string {
  const kept = ['handle', 'wallet'].flatMap((name) => (typed[name] ? [[name, typed[name]]] : []));
  return kept.length === 0 ? '' : `?${new URLSearchParams(kept)}`;
}

const NEXT: Readonly<Record<'signature' | NonNullable<DeskAct['by']>, string>> = {
  signature: 'Nothing is done yet: the next page shows what you sign.',
  card: 'Nothing is paid yet: the next page says the price, and leads to the card processor.',
  usdc: 'Nothing is paid yet: the next page shows the transfer that your wallet signs.',
  nothing: 'Nothing is signed: everybody may ask this.',
};

/** The form of an act. @param prices what it may cost stands below, where the act says so */
export function actPage(
  act: DeskAct,
  typed: Form,
  problem: DeskProblem | null = null,
  prices: Pricing | null = null,
): Html {
  const labels = new Map(act.fields.map((f) => [f.name, called(f)]));
  const lines = problem?.fields.map(({ path, message }) => {
    const named = labels.get(path);
    return { path, message: named === undefined ? message : `${named}: ${message}` };
  });
  const body = html`<p class="way"><a href="/desk${backQuery(typed)}">Owner’s desk</a></p>
<h1>${act.title}</h1>
<p class="lead">${act.lead}</p>
${problem && problemSummary(problem.title, lines ?? [])}
<form class="sheet" action="/desk/${act.id}" method="post">
${parted(act.fields).map((fields) => part(fields, typed, problem))}
<button>${act.button}</button>
</form>
<p class="soft">${NEXT[act.by ?? 'signature']}</p>
${act.priced && prices && tierPrices(prices)}`;
  return page(problem === null ? act.title : `Error: ${act.title}`, body, PLACE);
}

/** Once it is filled in, or is asked for, it is no matter that it may be left out. */
function called({ label }: DeskField): string {
  return label.replace(/ \(optional\)$/, '');
}

/** Neighbours of one part, together. */
function parted(fields: readonly DeskField[]): readonly (readonly DeskField[])[] {
  const parts: DeskField[][] = [];
  for (const field of fields) {
    const last = parts.at(-1);
    if (last !== undefined && field.part !== undefined && last[0]?.part === field.part) last.push(field);
    else parts.push([field]);
  }
  return parts;
}

function part(fields: readonly DeskField[], typed: Form, problem: DeskProblem | null): Html {
  const controls = html`${fields.map((field) => control(field, typed, problem))}`;
  const [first] = fields;
  if (first?.part === undefined) return controls;
  const { title, hint } = first.part;
  return html`<fieldset class="part" aria-describedby="with-${first.name}"><legend>${title}</legend><p class="hint" id="with-${first.name}">${hint}</p>
${controls}</fieldset>`;
}

function control(field: DeskField, typed: Form, problem: DeskProblem | null): Html {
  const { name, label, hint, kind, options } = field;
  const value = typed[name] ?? '';
  const common = { name, label, hint, value, problem: problem?.fields.find((f) => f.path === name)?.message };
  if (options !== undefined)
    return kind === 'several' ? severalField({ ...common, options }) : choiceField({ ...common, options });
  return textField({
    ...common,
    rows: kind === 'area' || kind === 'codes' ? 4 : undefined,
    code: kind === 'code' || kind === 'codes',
    inputMode: kind === 'money' ? 'decimal' : undefined,
    day: kind === 'day',
    required: !field.optional,
  });
}

/** One text to sign: words (EIP-191), or a document that a contract checks (EIP-712). */
export interface ToSign {
  readonly field: string;
  readonly label: string;
  readonly message?: string;
  readonly typed?: object;
}

/** What is to be signed, in its exact words; signed by the wallet in the browser, or elsewhere. */
export function signPage(
  act: DeskAct,
  ask: {
    readonly wallet: string;
    readonly until: string;
    /** Sent back with the signature. */
    readonly carried: Readonly<Record<string, string>>;
    readonly texts: readonly ToSign[];
    /** Said above: what is done already, or what was wrong with the last signature. */
    readonly said: string | null;
    readonly wrong: boolean;
  },
): Html {
  const title = `Sign: ${act.title}`;
  const texts = ask.texts.map((text) => {
    const shown = text.message ?? JSON.stringify(text.typed, null, 2);
    return html`<h2>${text.label}</h2>
<pre tabindex="0" role="region" aria-label="${text.label}"><code>${shown}</code></pre>
<div class="field"><label for="${text.field}">Signature</label>
<p class="hint" id="${text.field}-hint">Filled in by the wallet in this browser. Or sign the text elsewhere (${text.message === undefined ? 'EIP-712' : 'EIP-191, personal_sign'}) and paste the signature.</p>
<textarea id="${text.field}" name="${text.field}" rows="3" class="code" required spellcheck="false" autocomplete="off" aria-describedby="${text.field}-hint"${text.message === undefined ? html` data-typed="${JSON.stringify(text.typed)}"` : html` data-message="${text.message}"`}></textarea></div>`;
  });
  const foretold = (act.foretold?.(ask.carried) ?? []).flatMap(([what, lines]) =>
    lines.length === 0 ? [] : [[what, html`${lines.map((line) => html`${line}<br>`)}`] as const],
  );
  const body = html`<p class="way"><a href="/desk">Owner’s desk</a></p>
<h1>${title}</h1>
${ask.said !== null && (ask.wrong ? problemSummary(ask.said, []) : html`<p class="card good" role="status">${ask.said}</p>`)}
<p class="lead">Read it, then sign it with the wallet below. It counts once, until ${when(ask.until)}.</p>
${facts([
  ['Signed by', html`<code class="hex">${ask.wallet}</code>`],
  ...act.fields.flatMap((field) =>
    ask.carried[field.name] ? [[called(field), shownAs(field, ask.carried)] as const] : [],
  ),
  ...foretold,
])}
<form class="sheet wide" id="sign" action="/desk/${act.id}" method="post" data-wallet="${ask.wallet}" data-waiting="${act.waiting ?? 'Signed.'}">
${hiddenFields(ask.carried)}
${texts}
<div class="acts"><button type="button" id="wallet" hidden>Sign with the wallet in this browser</button>
<button class="second">Send the signature</button></div>
<p id="said" role="status"></p>
<progress id="busy" aria-label="Waiting for the answer" hidden></progress>
</form>
<script>${raw(SIGN_SCRIPT)}</script>`;
  return page(title, body, PLACE);
}

/** The ways to the other pages of a list that is signed for. */
function pagesOf(act: DeskAct, { cursor, ...typed }: Form, answer: unknown): Html {
  const { next } = answer as { readonly next?: string };
  const to = (place: Form, words: string) =>
    html`<form action="/desk/${act.id}" method="post">${hiddenFields({ ...typed, ...place })}<button class="second">${words}</button></form>`;
  if (cursor === undefined && next === undefined) return html``;
  return html`<nav class="pager" aria-label="Pages">${cursor !== undefined && to({}, '← Newest')}${next !== undefined && to({ cursor: next }, 'Older →')}</nav>
<p class="soft">Each page is signed for by itself.</p>`;
}

/** What is paid for is not there yet. @param why it was held up; null: it is still worked on */
export function againPage(act: DeskAct, carried: Readonly<Record<string, string>>, why: string | null): Html {
  const title = why === null ? 'Still at work' : 'Not answered yet';
  const body = html`<p class="way"><a href="/desk">Owner’s desk</a></p>
<h1>${title}</h1>
<p class="lead" role="status">${why ?? 'It takes longer than usual. Nothing is charged unless the answer is delivered.'}</p>
<form class="sheet" action="/desk/${act.id}" method="post">
${hiddenFields(carried)}
<button>Look again</button>
</form>
<p class="soft">The transfer that you signed goes along once more. It is one and the same: it is charged once, however often you look.</p>`;
  return page(`${title}: ${act.title}`, body, PLACE);
}

/** What was typed, as the form called it. */
function shownAs({ name, options, kind }: DeskField, typed: Form): Html | string {
  const value = typed[name] ?? '';
  const wordsOf = (chosen: string) => options?.find(([option]) => option === chosen)?.[1] ?? chosen;
  if (kind === 'several') return html`${codesOf(value).map((one) => html`${wordsOf(one)}<br>`)}`;
  if (kind === 'codes')
    return html`${codesOf(value).map((one) => html`<code class="hex">${one}</code><br>`)}`;
  return kind === 'code' ? html`<code class="hex">${wordsOf(value)}</code>` : wordsOf(value);
}

/** What came of an act. @param shown in place of the bare answer */
export function donePage(act: DeskAct, typed: Form, answer: unknown, shown: Html | null): Html {
  const back = backQuery(typed);
  // What is paid for here is to be read, too.
  const isRead = act.by === 'usdc' || act.request(typed).method === 'GET';
  const body = html`<p class="way"><a href="/desk${back}">Owner’s desk</a></p>
<h1>${isRead ? act.title : 'Done'}</h1>
<p class="lead" role="status">${act.done}</p>
${shown ?? document(answer, 'The answer')}
${act.paged && pagesOf(act, typed, answer)}
<p class="acts"><a class="button" href="/desk${back}">Back to the desk</a>${typed.handle && html` <a class="button second" href="/agent/${segment(typed.handle)}">See ${typed.handle}</a>`}</p>`;
  return page(isRead ? act.title : `Done: ${act.title}`, body, PLACE);
}
