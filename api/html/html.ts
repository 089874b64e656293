/** Markup that is safe to send. Only `html` and `raw` make it. */
export interface Html {
  readonly text: string;
}

type Part = Html | string | number | null | undefined | false | readonly Part[];

/**
 * A template for markup. Everything put into it is escaped, in text and in quoted attributes, unless it is markup
 * itself. Treat all text of users as hostile until it went through here.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let text = strings[0] ?? '';
  parts.forEach((part, i) => {
    text += render(part) + (strings[i + 1] ?? '');
  });
  return { text };
}

/** Turns markup of this repository into `Html` without escaping. Never pass a user's text. */
export function raw(text: string): Html {
  return { text };
}

function render(part: Part): string {
  if (part === null || part === undefined || part === false) return '';
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part));
  if ('text' in part) return part.text;
  return part.map(render).join('');
}

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  // Direction controls would let a description reorder the text around it.
  return text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '').replace(/[&<>"']/g, (c) => ESCAPES[c] ?? c);
}

/** A sentence of this service; text between backticks becomes code. */
export function sentence(text: string): Html {
  const parts = text.split('`');
  if (parts.length % 2 === 0) return html`${text}`;
  return html`${parts.map((part, i) => (i % 2 === 0 ? part : html`<code>${part}</code>`))}`;
}

/** Escapes user text for use as one segment of a link's path. */
export function segment(text: string): string {
  return encodeURIComponent(text);
}
