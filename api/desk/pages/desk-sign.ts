import { facts, hex, when } from '../../html/components.ts';
import { hiddenFields, problemSummary } from '../../html/fields.ts';
import { type Html, html } from '../../html/html.ts';
import { page } from '../../html/layout.ts';
import type { Form } from '../../http/forms.ts';
import { ACT, SIGN } from '../../words/acts.ts';
import { codesOf, type DeskCommand, type DeskField } from '../command.ts';
import { chainsById, type WalletChain } from '../wallet-chains.ts';

/** One text to sign: words (EIP-191), or a document that a contract checks (EIP-712). */
export interface ToSign {
  readonly field: string;
  readonly label: string;
  readonly message?: string;
  readonly typed?: object;
}

export interface SignAsk {
  readonly wallet: string;
  readonly until: string;
  /** Fields that are sent back with the signature. */
  readonly carried: Readonly<Record<string, string>>;
  readonly texts: readonly ToSign[];
  /** Shown at the top: what is done already, or what was wrong with the last signature. */
  readonly said: string | null;
  readonly wrong: boolean;
  /** What is signed, in the sentences of the text itself; null when the API gave none. */
  readonly says?: string | null;
  /** What the wallet shows, and what comes then; as the command says, or as of every sentence, when left out. */
  readonly next?: string;
  /** Shown above the text to sign, such as the present terms beside the new ones. */
  readonly before?: Html | null;
  /** The chains of the documents, in the form in which a wallet adds them. */
  readonly chains?: readonly WalletChain[];
}

/** The page that shows the exact text to be signed, by the wallet in the browser or elsewhere. */
export function signPage(command: DeskCommand, ask: SignAsk): Html {
  const title = SIGN.title(command.title);
  const foretold = (command.foretold?.(ask.carried) ?? []).flatMap(([what, lines]) =>
    lines.length === 0 ? [] : [[what, html`${lines.map((line) => html`${line}<br>`)}`] as const],
  );
  const body = html`<p class="way"><a href="/dashboard">${ACT.dashboard}</a></p>
<h1>${title}</h1>
${ask.said !== null && (ask.wrong ? problemSummary(ask.said, []) : html`<p class="card good" role="status">${ask.said}</p>`)}
${ask.says && html`<section class="card says"><h2>${SIGN.what}</h2>${ask.says.split('\n').map((said) => html`<p>${said}</p>`)}</section>`}
${ask.before ?? ''}
<sign-form data-wallet="${ask.wallet}" data-chains="${chainsById(ask.chains ?? [])}" data-waiting="${command.waiting ?? SIGN.signed}">
<form class="sheet wide" action="/desk/${command.id}" method="post">
${hiddenFields(ask.carried)}
<div class="acts"><button type="button" class="sign" hidden>${SIGN.here}</button></div>
<p class="said" role="status"></p>
<progress aria-label="${SIGN.waiting}" hidden></progress>
<p class="soft">${SIGN.until(nextOf(command, ask), when(ask.until))}</p>
${facts([
  [SIGN.by, hex(ask.wallet)],
  ...command.fields.flatMap((field) =>
    ask.carried[field.name] ? [[called(field), shownAs(field, ask.carried)] as const] : [],
  ),
  ...foretold,
])}
${ask.texts.map(exactly)}
<details class="elsewhere"><summary>${SIGN.elsewhere}</summary>
${ask.texts.map(pasted)}
<button class="second">${SIGN.send}</button></details>
</form></sign-form>
${ask.carried.confirm === undefined && changeForm(command, ask.carried)}`;
  return page(title, body, '/dashboard');
}

function nextOf(command: DeskCommand, { carried, next }: SignAsk): string {
  return carried.confirm === undefined ? (next ?? command.next ?? SIGN.next) : SIGN.confirm;
}

/** Leads back to what was asked, such as for another chain to pay on. Nothing of it is done yet. */
function changeForm({ id, fields }: DeskCommand, carried: Form): Html {
  const typed = Object.fromEntries(fields.map(({ name }) => [name, carried[name] ?? '']));
  return html`<form class="acts" action="/desk/${id}" method="post">${hiddenFields(typed)}<button class="second" name="step" value="change">${SIGN.change}</button></form>`;
}

/** Takes a signature that was made elsewhere; the wallet in this browser fills it in by itself. */
function pasted(text: ToSign): Html {
  return html`<div class="field"><label for="${text.field}">${SIGN.signature(text.label)}</label>
<p class="hint" id="${text.field}-hint">${text.message === undefined ? SIGN.hint.document : SIGN.hint.words}</p>
<textarea id="${text.field}" name="${text.field}" rows="3" class="code" required spellcheck="false" autocomplete="off" aria-describedby="${text.field}-hint"${text.message === undefined ? html` data-typed="${JSON.stringify(text.typed)}"` : html` data-message="${text.message}"`}></textarea></div>`;
}

/** The exact text, folded: the sentence above says what it says. */
function exactly({ label, message, typed }: ToSign): Html {
  const shown = message ?? JSON.stringify(typed, null, 2);
  const what = message === undefined ? SIGN.exact.document : SIGN.exact.words;
  return html`<h2>${label}</h2><details><summary>${what}</summary><pre tabindex="0" role="region" aria-label="${label}"><code>${shown}</code></pre></details>`;
}

/** The value of a field, in the words of the form. */
function shownAs({ name, options, kind }: DeskField, typed: Form): Html | string {
  const value = typed[name] ?? '';
  const wordsOf = (chosen: string) => options?.find(([option]) => option === chosen)?.[1] ?? chosen;
  if (kind === 'several') return html`${codesOf(value).map((one) => html`${wordsOf(one)}<br>`)}`;
  if (kind === 'codes')
    return html`${codesOf(value).map((one) => html`<code class="hex">${one}</code><br>`)}`;
  return kind === 'code' ? hex(wordsOf(value)) : wordsOf(value);
}

/** The label without "(optional)", which no longer matters once the field is filled in or required. */
export function called({ label }: DeskField): string {
  return label.replace(/ \(optional\)$/, '');
}
