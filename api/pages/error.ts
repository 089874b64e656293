import { ERRORS, type ErrorCode } from '../../agents/errors.ts';
import { document, facts, label } from './components.ts';
import { type Html, html } from './html.ts';
import { page } from './layout.ts';

interface ProblemView {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: ErrorCode;
  readonly requestId: string;
  readonly [member: string]: unknown;
}

const KNOWN = new Set(['type', 'title', 'status', 'detail', 'instance', 'code', 'requestId', 'errors']);

/** What went wrong with one request, and what to do about it, for people. */
export function errorPage(problem: ProblemView): Html {
  const more = Object.fromEntries(Object.entries(problem).filter(([name]) => !KNOWN.has(name)));
  const body = html`<h1>${problem.title}</h1>
<p class="lead">${problem.detail}</p>
<p>${ERRORS[problem.code].remedy}</p>
${problem.status === 402 && paying()}
${Object.keys(more).length > 0 && html`<h2>What comes with it</h2>${document(more, 'Members of the answer')}`}
${facts([
  ['Code', html`<a href="/errors/${problem.code}"><code>${problem.code}</code></a>`],
  ['Status', problem.status],
  ['Request', html`<code>${problem.requestId}</code>`],
])}
<p><a href="/">Back to the start</a></p>`;
  return page(problem.title, body);
}

function paying(): Html {
  return html`<section class="card"><h2>How a payment goes</h2>
<p>This answer is paid per call by x402: a program reads the challenge in <code>PAYMENT-REQUIRED</code>, signs a transfer of test USDC, and asks again with <code>PAYMENT-SIGNATURE</code>. Any x402 client does it by itself. Nothing is charged unless the answer is delivered.</p></section>`;
}

/** What a client needs to know about one code. */
export interface ErrorDocument {
  readonly code: ErrorCode;
  readonly status: number;
  readonly title: string;
  readonly retry: boolean;
  readonly remedy: string;
}

/** The documentation page of one error code. */
export function errorDocPage(doc: ErrorDocument): Html {
  const body = html`<h1>${doc.title}</h1>
<p class="lead"><code>${doc.code}</code> ${label(`HTTP ${doc.status}`)}</p>
<h2>What to do</h2>
<p>${doc.remedy}</p>
${facts([['The same request may succeed later', doc.retry ? 'yes' : 'no: change it first']])}
<h2>What it looks like</h2>
<p>Every error is a problem body (RFC 9457). <code>detail</code> says what was wrong with this one request, and <code>errors</code> names the fields.</p>
${document({ type: `/errors/${doc.code}`, title: doc.title, status: doc.status, detail: '…', instance: 'urn:request:…', code: doc.code }, 'Example')}
<h2>Other codes</h2>
<ul>${(Object.keys(ERRORS) as ErrorCode[]).map((c) => html`<li><a href="/errors/${c}"><code>${c}</code></a>: ${ERRORS[c].title}</li>`)}</ul>`;
  return page(doc.title, body);
}
