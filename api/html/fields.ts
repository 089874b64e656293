import { type Html, html, raw } from './html.ts';

/** Properties of every form field. `problem` is shown at the field and read out by a screen reader. */
interface Common {
  readonly name: string;
  readonly label: string;
  readonly hint?: Html | string | undefined;
  readonly value: string;
  readonly problem?: string | undefined;
  readonly required?: boolean | undefined;
}

/** A text field of one line, or of several when `rows` is given. */
export function textField(
  field: Common & {
    readonly rows?: number | undefined;
    readonly maxLength?: number;
    /** For codes and addresses: the keyboard makes no corrections. */
    readonly code?: boolean | undefined;
    readonly inputMode?: 'decimal' | 'numeric' | undefined;
    /** A date, chosen with the browser's own control. */
    readonly day?: boolean | undefined;
    /** Where another form of the page has a field of this name; the name when left out. */
    readonly id?: string;
    /** What the page can fill in by itself where a wallet is connected. */
    readonly know?: 'wallet' | 'agent' | undefined;
  },
): Html {
  const id = field.id ?? field.name;
  const common = html`id="${id}" name="${field.name}"${field.required && raw(' required')}${described(field)}${field.code && raw(' autocomplete="off" autocapitalize="none" spellcheck="false" class="code"')}${field.inputMode && html` inputmode="${field.inputMode}"`}${field.maxLength && html` maxlength="${field.maxLength}"`}${field.know && html` data-know="${field.know}"`}`;
  const control =
    field.rows === undefined
      ? html`<input${field.day && raw(' type="date"')} ${common} value="${field.value}">`
      : html`<textarea ${common} rows="${field.rows}">${'\n'}${field.value}</textarea>`;
  return html`<div class="field"><label for="${id}">${field.label}</label>${notes(field)}${control}</div>`;
}

/**
 * A choice of one from a few values. What was asked for and is none of them stays, as an option of its own: the browser
 * would choose the first instead, and another thing would be asked than was said.
 */
export function choiceField(
  field: Common & { readonly options: readonly (readonly [value: string, words: string])[] },
): Html {
  const known = field.value === '' || field.options.some(([value]) => value === field.value);
  const offered = known ? field.options : [...field.options, [field.value, field.value] as const];
  const options = offered.map(
    ([value, words]) =>
      html`<option value="${value}"${value === field.value && raw(' selected')}>${words}</option>`,
  );
  return html`<div class="field"><label for="${field.name}">${field.label}</label>${notes(field)}<select id="${field.name}" name="${field.name}"${described(field)}>${options}</select></div>`;
}

/** A choice of one from a few, with a sentence for each. */
export function radioField(
  field: Common & {
    readonly options: readonly { readonly value: string; readonly title: Html; readonly words: string }[];
  },
): Html {
  const options = field.options.map(({ value, title, words }) => {
    const id = `${field.name}-${value}`;
    return html`<div class="option"><input type="radio" id="${id}" name="${field.name}" value="${value}" aria-describedby="${id}-words" required${value === field.value && raw(' checked')}><div><label for="${id}">${title}</label><p id="${id}-words">${words}</p></div></div>`;
  });
  return html`<fieldset class="field" id="${field.name}"${described(field)}><legend>${field.label}</legend>${notes(field)}<div class="options">${options}</div></fieldset>`;
}

/** The name under which one choice of a `severalField` is sent. */
export const severalName = (name: string, value: string): string => `${name}:${value}`;

/** A choice of several from a few. `value` names the chosen ones, separated by spaces. */
export function severalField(
  field: Common & { readonly options: readonly (readonly [value: string, words: string])[] },
): Html {
  const chosen = new Set(field.value.split(' '));
  const options = field.options.map(([value, words]) => {
    const name = severalName(field.name, value);
    return html`<div class="one"><input type="checkbox" id="${name}" name="${name}"${chosen.has(value) && raw(' checked')}><label for="${name}">${words}</label></div>`;
  });
  return html`<fieldset class="field" id="${field.name}" tabindex="-1"${described(field)}><legend>${field.label}</legend>${notes(field)}${options}</fieldset>`;
}

/** Hidden fields that are sent along. */
export function hiddenFields(values: Readonly<Record<string, string>>): Html {
  return html`${Object.entries(values).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`;
}

/** A summary of errors above the form, each linked to its field. */
export function problemSummary(title: string, problems: readonly { path: string; message: string }[]): Html {
  const lines = problems.map(({ path, message }) =>
    path === '' ? html`<li>${message}</li>` : html`<li><a href="#${path}">${message}</a></li>`,
  );
  return html`<div class="card problem" role="alert"><h2>${title}</h2>${lines.length > 0 && html`<ul>${lines}</ul>`}</div>`;
}

function notes(field: Common): Html {
  return html`${field.hint !== undefined && html`<p class="hint" id="${field.name}-hint">${field.hint}</p>`}${field.problem !== undefined && html`<p class="wrong" id="${field.name}-problem">${field.problem}</p>`}`;
}

function described(field: Common): Html {
  const ids = [
    field.hint !== undefined && `${field.name}-hint`,
    field.problem !== undefined && `${field.name}-problem`,
  ].filter((id) => id !== false);
  return html`${ids.length > 0 && html` aria-describedby="${ids.join(' ')}"`}${field.problem !== undefined && raw(' aria-invalid="true"')}`;
}
