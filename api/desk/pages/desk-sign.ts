import { facts, when } from '../../html/components.ts';
import { hiddenFields, problemSummary } from '../../html/fields.ts';
import { type Html, html, raw } from '../../html/html.ts';
import { page } from '../../html/layout.ts';
import type { Form } from '../../http/forms.ts';
import { codesOf, type DeskCommand, type DeskField } from '../command.ts';
import type { WalletChain } from '../wallet-chains.ts';
import { SIGN_SCRIPT } from './desk-script.ts';

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
  /** Shown above the text to sign, such as the present terms beside the new ones. */
  readonly before?: Html | null;
  /** The chains of the documents, in the form in which a wallet adds them. */
  readonly chains?: readonly WalletChain[];
}

/** The page that shows the exact text to be signed, by the wallet in the browser or elsewhere. */
export function signPage(command: DeskCommand, ask: SignAsk): Html {
  const title = `Sign: ${command.title}`;
  const texts = ask.texts.map((text) => {
    return html`<h2>${text.label}</h2>
${exactly(text)}
<div class="field"><label for="${text.field}">Signature</label>
<p class="hint" id="${text.field}-hint">Filled in by the wallet in this browser. Or sign the text elsewhere (${text.message === undefined ? 'EIP-712' : 'EIP-191, personal_sign'}) and paste the signature.</p>
<textarea id="${text.field}" name="${text.field}" rows="3" class="code" required spellcheck="false" autocomplete="off" aria-describedby="${text.field}-hint"${text.message === undefined ? html` data-typed="${JSON.stringify(text.typed)}"` : html` data-message="${text.message}"`}></textarea></div>`;
  });
  const foretold = (command.foretold?.(ask.carried) ?? []).flatMap(([what, lines]) =>
    lines.length === 0 ? [] : [[what, html`${lines.map((line) => html`${line}<br>`)}`] as const],
  );
  const body = html`<p class="way"><a href="/desk">Owner’s desk</a></p>
<h1>${title}</h1>
${ask.said !== null && (ask.wrong ? problemSummary(ask.said, []) : html`<p class="card good" role="status">${ask.said}</p>`)}
${ask.says && html`<section class="card says"><h2>What you sign</h2><p>${ask.says}</p></section>`}
<p class="lead">Read it, then sign it with the wallet below. It counts once, until ${when(ask.until)}.</p>
${facts([
  ['Signed by', html`<code class="hex">${ask.wallet}</code>`],
  ...command.fields.flatMap((field) =>
    ask.carried[field.name] ? [[called(field), shownAs(field, ask.carried)] as const] : [],
  ),
  ...foretold,
])}
${ask.before ?? ''}
<form class="sheet wide" id="sign" action="/desk/${command.id}" method="post" data-wallet="${ask.wallet}" data-chains="${chainsOf(ask)}" data-waiting="${command.waiting ?? 'Signed.'}">
${hiddenFields(ask.carried)}
${texts}
<div class="acts"><button type="button" id="wallet" hidden>Sign with the wallet in this browser</button>
<button class="second">Send the signature</button></div>
<p id="said" role="status"></p>
<progress id="busy" aria-label="Waiting for the answer" hidden></progress>
</form>
<script>${raw(SIGN_SCRIPT)}</script>`;
  return page(title, body, '/desk');
}

/** A message is shown in full. A document for a contract is long and repeats the message in codes, so it is folded. */
function exactly({ label, message, typed }: ToSign): Html {
  const shown = message ?? JSON.stringify(typed, null, 2);
  const text = html`<pre tabindex="0" role="region" aria-label="${label}"><code>${shown}</code></pre>`;
  return message === undefined
    ? html`<details><summary>The document itself, as the contract checks it</summary>${text}</details>`
    : text;
}

/** The chains by id, so that the script finds the chain of a document. */
function chainsOf({ chains = [] }: SignAsk): string {
  return JSON.stringify(Object.fromEntries(chains.map((chain) => [Number(chain.chainId), chain])));
}

/** The value of a field, in the words of the form. */
function shownAs({ name, options, kind }: DeskField, typed: Form): Html | string {
  const value = typed[name] ?? '';
  const wordsOf = (chosen: string) => options?.find(([option]) => option === chosen)?.[1] ?? chosen;
  if (kind === 'several') return html`${codesOf(value).map((one) => html`${wordsOf(one)}<br>`)}`;
  if (kind === 'codes')
    return html`${codesOf(value).map((one) => html`<code class="hex">${one}</code><br>`)}`;
  return kind === 'code' ? html`<code class="hex">${wordsOf(value)}</code>` : wordsOf(value);
}

/** The label without "(optional)", which no longer matters once the field is filled in or required. */
export function called({ label }: DeskField): string {
  return label.replace(/ \(optional\)$/, '');
}
