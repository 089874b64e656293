import type { DeskAct, DeskField } from '../desk/act.ts';
import { DESK_ACTS } from '../desk/acts.ts';
import type { Form } from '../plugins/forms.ts';
import { document, facts, when } from './components.ts';
import { SIGN_SCRIPT } from './desk-script.ts';
import { choiceField, hiddenFields, problemSummary, textField } from './fields.ts';
import { type Html, html, raw, segment } from './html.ts';
import { page } from './layout.ts';

/** Why an act was not taken: the interface's own words. */
export interface DeskProblem {
  readonly title: string;
  readonly fields: readonly { readonly path: string; readonly message: string }[];
}

const PLACE = '/desk';

/** What an owner can do here. */
export function deskPage(handle: string): Html {
  const query = handle === '' ? '' : `?handle=${segment(handle)}`;
  const body = html`<h1>Owner’s desk${handle !== '' && html`: ${handle}`}</h1>
<p class="lead">What binds an agent needs its owner’s signature: you fill in a form, read the exact words, and sign them with your wallet. No account, no password; each signature counts once, for ten minutes.</p>
<ul class="grid">${DESK_ACTS.map(
    (act) =>
      html`<li class="card"><h2><a href="/desk/${act.id}${query}">${act.title}</a></h2><p>${act.lead}</p></li>`,
  )}</ul>
<p class="acts"><a class="button" href="/agents/new">Bring a new agent</a></p>
<p class="soft">A program does the same by the <a href="/openapi.json">interface</a>: each page here sends one request of it.</p>`;
  return page('Owner’s desk', body, PLACE);
}

/** The form of an act. */
export function actPage(act: DeskAct, typed: Form, problem: DeskProblem | null = null): Html {
  const body = html`<p class="way"><a href="/desk${typed.handle ? `?handle=${segment(typed.handle)}` : ''}">Owner’s desk</a></p>
<h1>${act.title}</h1>
<p class="lead">${act.lead}</p>
${problem && problemSummary(problem.title, problem.fields)}
<form class="sheet" action="/desk/${act.id}" method="post">
${act.fields.map((field) => control(field, typed, problem))}
<button>${act.button}</button>
</form>
<p class="soft">Nothing is done yet: the next page shows what you sign.</p>`;
  return page(problem === null ? act.title : `Error: ${act.title}`, body, PLACE);
}

function control(field: DeskField, typed: Form, problem: DeskProblem | null): Html {
  const { name, label, hint, kind, options } = field;
  const value = typed[name] ?? '';
  const common = { name, label, hint, value, problem: problem?.fields.find((f) => f.path === name)?.message };
  if (options !== undefined) return choiceField({ ...common, options });
  return textField({
    ...common,
    rows: kind === 'area' ? 4 : undefined,
    code: kind === 'code',
    inputMode: kind === 'money' ? 'decimal' : undefined,
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
  const body = html`<p class="way"><a href="/desk">Owner’s desk</a></p>
<h1>${title}</h1>
${ask.said !== null && (ask.wrong ? problemSummary(ask.said, []) : html`<p class="card good" role="status">${ask.said}</p>`)}
<p class="lead">Read it, then sign it with the wallet below. It counts once, until ${when(ask.until)}.</p>
${facts([
  ['Signed by', html`<code class="hex">${ask.wallet}</code>`],
  ...act.fields.flatMap((field) =>
    ask.carried[field.name] ? [[field.label, shownAs(field, ask.carried)] as const] : [],
  ),
])}
<form class="sheet wide" id="sign" action="/desk/${act.id}" method="post" data-wallet="${ask.wallet}">
${hiddenFields(ask.carried)}
${texts}
<div class="acts"><button type="button" id="wallet" hidden>Sign with the wallet in this browser</button>
<button class="second">Send the signature</button></div>
<p id="said" role="status"></p>
</form>
<script>${raw(SIGN_SCRIPT)}</script>`;
  return page(title, body, PLACE);
}

/** What was typed, as the form called it. */
function shownAs({ name, options, kind }: DeskField, typed: Form): Html | string {
  const value = typed[name] ?? '';
  const words = options?.find(([option]) => option === value)?.[1] ?? value;
  return kind === 'code' ? html`<code class="hex">${words}</code>` : words;
}

/** What came of a signed act. */
export function donePage(act: DeskAct, typed: Form, answer: unknown, shown: Html | null): Html {
  const back = typed.handle ? `?handle=${segment(typed.handle)}` : '';
  const body = html`<p class="way"><a href="/desk${back}">Owner’s desk</a></p>
<h1>${shown === null ? 'Done' : act.title}</h1>
<p class="lead" role="status">${act.done}</p>
${shown ?? document(answer, 'The answer')}
<p class="acts"><a class="button" href="/desk${back}">Back to the desk</a>${typed.handle && html` <a class="button second" href="/agent/${segment(typed.handle)}">See ${typed.handle}</a>`}</p>`;
  return page(shown === null ? `Done: ${act.title}` : act.title, body, PLACE);
}
