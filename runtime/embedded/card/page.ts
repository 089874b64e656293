import { createHash } from 'node:crypto';
import type { Session } from './sessions.ts';
import { DECLINING_CARD, DISPUTING_CARD, PAYING_CARD } from './test-cards.ts';

const STYLE = `
:root{color-scheme:light dark;--ink:#1a1d24;--soft:#565d6b;--paper:#f4f5f7;--card:#fff;--line:#8b93a1;--act:#1f5fd6;--act-ink:#fff;--bad:#b3261e;--bad-soft:#fdecea;--note:#eef3fd}
@media (prefers-color-scheme:dark){:root{--ink:#eceef2;--soft:#aab1bf;--paper:#14161b;--card:#1d2027;--line:#6d7585;--act:#8db4ff;--act-ink:#0d1420;--bad:#ff9d94;--bad-soft:#3a1f1d;--note:#1c2638}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
main{max-width:27rem;margin:0 auto;padding:2.5rem 1.25rem 4rem}
.panel{background:var(--card);border-radius:.75rem;padding:1.75rem;box-shadow:0 1px 3px #0003}
h1{font-size:1rem;font-weight:600;margin:0;color:var(--soft)}
.amount{font-size:2.25rem;font-weight:700;line-height:1.2;margin:.25rem 0 1.25rem;font-variant-numeric:tabular-nums}
.note,.problem{border-radius:.5rem;padding:.75rem 1rem;margin:0 0 1.25rem;font-size:.925rem}
.note{background:var(--note)}
.problem{background:var(--bad-soft);border-left:.25rem solid var(--bad)}
code{font:600 .95em ui-monospace,monospace;white-space:nowrap}
label{display:block;font-weight:600;font-size:.925rem;margin:0 0 .25rem;padding:0}
.field{margin:0 0 1rem}
.row{display:grid;grid-template-columns:1fr 1fr 1fr;gap:.75rem;align-items:end}
input{width:100%;font:inherit;color:inherit;background:transparent;border:1px solid var(--line);border-radius:.4rem;padding:.6rem .7rem}
input[aria-invalid=true]{border-color:var(--bad);border-width:2px}
button{width:100%;font:inherit;font-weight:700;border:0;border-radius:.5rem;padding:.8rem;background:var(--act);color:var(--act-ink);cursor:pointer;margin-top:.5rem}
a{color:var(--act)}
:focus-visible{outline:3px solid var(--act);outline-offset:2px}
.after{text-align:center;margin:1.25rem 0 0;font-size:.925rem}
`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const text = (value: string): string => value.replace(/[&<>"']/g, (c) => ENTITIES[c] as string);

/**
 * The content security policy of every page here: no script, only this style sheet. The return URLs are listed because
 * browsers apply `form-action` to the redirect after the form, too.
 */
export function pagePolicy(session: Session | null): string {
  const targets = [session?.successUrl, session?.cancelUrl].filter((u) => typeof u === 'string');
  const origins = new Set(targets.map((u) => new URL(u).origin));
  return [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    `form-action 'self' ${[...origins].join(' ')}`.trim(),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${text(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<div class="panel">
${body}
</div>
</main>
</body>
</html>
`;
}

/** Formats cents as dollars. */
export function dollars(cents: number): string {
  const whole = Math.floor(cents / 100).toLocaleString('en-US');
  return `$${whole}.${String(cents % 100).padStart(2, '0')}`;
}

export interface FormState {
  /** What the payer typed and may be shown again; never the card number or the security code. */
  readonly name?: string;
  readonly expMonth?: string;
  readonly expYear?: string;
  readonly problem?: { readonly message: string; readonly field: string | undefined };
}

interface Field {
  readonly name: string;
  readonly label: string;
  readonly autocomplete: string;
  readonly value?: string | undefined;
  readonly numeric?: boolean;
  readonly required?: boolean;
}

function field(f: Field, problem: FormState['problem']): string {
  const wrong = problem?.field === f.name;
  return `<div class="field">
<label for="${f.name}">${f.label}</label>
<input id="${f.name}" name="${f.name}" type="text" autocomplete="${f.autocomplete}"${f.numeric ? ' inputmode="numeric"' : ''}${
    f.required ? ' required' : ''
  } value="${text(f.value ?? '')}"${wrong ? ' aria-invalid="true" aria-describedby="problem" autofocus' : ''}>
</div>`;
}

/** The payment page. */
export function payPage(session: Session, state: FormState = {}): string {
  const { problem } = state;
  const amount = dollars(session.amountTotal);
  const title = `Pay ${amount} for ${session.product} (test)`;
  return page(
    problem ? `Error: ${title}` : title,
    `<h1>${text(session.product)}</h1>
<p class="amount">${amount}</p>
<p class="note">This is a local test processor: no money moves. Pay with card <code>${PAYING_CARD}</code>, any date
to come and any three digits; <code>${DECLINING_CARD}</code> is declined, and
<code>${DISPUTING_CARD}</code> pays and is disputed at once. Never enter a real card here.</p>
${problem ? `<p class="problem" role="alert" id="problem">${text(problem.message)}</p>` : ''}
<form method="post" action="/pay/${session.id}">
${field({ name: 'number', label: 'Card number', autocomplete: 'cc-number', numeric: true, required: true }, problem)}
<div class="row">
${field({ name: 'exp_month', label: 'Month', autocomplete: 'cc-exp-month', numeric: true, required: true, value: state.expMonth }, problem)}
${field({ name: 'exp_year', label: 'Year', autocomplete: 'cc-exp-year', numeric: true, required: true, value: state.expYear }, problem)}
${field({ name: 'cvc', label: 'CVC', autocomplete: 'cc-csc', numeric: true, required: true }, problem)}
</div>
${field({ name: 'name', label: 'Name on card (optional)', autocomplete: 'cc-name', value: state.name }, problem)}
<button type="submit">Pay ${amount}</button>
</form>
${session.cancelUrl === null ? '' : `<p class="after"><a href="${text(session.cancelUrl)}">Cancel and go back</a></p>`}`,
  );
}

/** The page of a session that can no longer be paid. */
export function endedPage(session: Session): string {
  if (session.status === 'complete') {
    return page(
      'Paid (test)',
      `<h1>${text(session.product)}</h1>
<p class="amount">Paid ${dollars(session.amountTotal)}</p>
<p class="after"><a href="${text(successUrl(session))}">Continue</a></p>`,
    );
  }
  return noticePage('This payment page has expired', 'Nothing was charged. Begin again where you came from.');
}

export function noticePage(title: string, message: string): string {
  return page(title, `<h1>${text(title)}</h1>\n<p>${text(message)}</p>`);
}

/** Where the payer goes after paying, with the session's id in place of `{CHECKOUT_SESSION_ID}`. */
export function successUrl(session: Session): string {
  return session.successUrl.replaceAll('{CHECKOUT_SESSION_ID}', session.id);
}
