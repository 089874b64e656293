import { ERRORS, type ErrorCode } from '../../agents/errors.ts';
import { type Column, document, facts, hex, label, money, table } from './components.ts';
import { type Html, html, sentence } from './html.ts';
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

/** The page that tells a person what went wrong with a request, and what to do about it. */
export function errorPage(problem: ProblemView): Html {
  const more = Object.fromEntries(Object.entries(problem).filter(([name]) => !KNOWN.has(name)));
  const body = html`<h1>${problem.title}</h1>
<p class="lead">${sentence(problem.detail)}</p>
<p>${sentence(ERRORS[problem.code].remedy)}</p>
${problem.status === 402 && paying(problem.accepts, problem.resource)}
${Object.keys(more).length > 0 && html`<details><summary>What a program is told with it</summary>${document(more, 'Members of the answer')}</details>`}
${facts([
  ['Code', html`<a href="/errors/${problem.code}"><code>${problem.code}</code></a>`],
  ['Status', problem.status],
  ['Request', html`<code>${problem.requestId}</code>`],
])}
<p><a href="/">Back to the start</a></p>`;
  return page(problem.title, body);
}

/** One way to pay, as an x402 challenge offers it. */
interface Offer {
  readonly network?: string;
  readonly amount?: string;
  readonly asset?: string;
  readonly payTo?: string;
  readonly extra?: { readonly name?: string };
}

const OFFERS: readonly Column<Offer>[] = [
  { head: 'Network', cell: (o) => html`<code>${o.network ?? ''}</code>` },
  { head: 'Price', numeric: true, cell: (o) => money(Number(o.amount) / 1e6) },
  { head: 'Token', cell: (o) => html`${o.extra?.name ?? ''} ${hex(o.asset ?? '')}` },
  { head: 'Paid to', cell: (o) => hex(o.payTo ?? '') },
];

function paying(accepts: unknown, resource: unknown): Html {
  const offers = Array.isArray(accepts) ? (accepts as Offer[]) : [];
  const form = payForm((resource as { url?: unknown } | undefined)?.url);
  return html`${form !== null && html`<p class="acts"><a class="button" href="${form}">Pay from a wallet in this browser</a></p>`}
${offers.length > 0 && table('Ways to pay, one of them', OFFERS, offers, '')}
<section class="card"><h2>How a payment goes</h2>
<p>This answer is paid per call by x402: a program reads the challenge in <code>PAYMENT-REQUIRED</code>, signs a transfer of test USDC, and asks again with <code>PAYMENT-SIGNATURE</code>. Any x402 client does it by itself. Nothing is charged unless the answer is delivered.</p></section>`;
}

/** The page on which a person can pay for this address, if there is one. */
function payForm(asked: unknown): string | null {
  if (typeof asked !== 'string' || !URL.canParse(asked)) return null;
  const { pathname, searchParams } = new URL(asked);
  const [, tier, category] = /^\/determinations\/(tier[23])\/([a-z-]+)$/.exec(pathname) ?? [];
  if (tier !== undefined && category !== undefined) return `/desk/evaluate?tier=${tier}&category=${category}`;
  return pathname === '/determination' ? `/desk/check?${searchParams}` : null;
}

/** What a client needs to know about one error code. */
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
<p>${sentence(doc.remedy)}</p>
${facts([['The same request may succeed later', doc.retry ? 'yes' : 'no: change it first']])}
<h2>What it looks like</h2>
<p>Every error is a problem body (RFC 9457). <code>detail</code> says what was wrong with this one request, and <code>errors</code> names the fields.</p>
${document({ type: `/errors/${doc.code}`, title: doc.title, status: doc.status, detail: '…', instance: 'urn:request:…', code: doc.code }, 'Example')}
<h2>Other codes</h2>
<ul>${(Object.keys(ERRORS) as ErrorCode[]).map((c) => html`<li><a href="/errors/${c}"><code>${c}</code></a>: ${ERRORS[c].title}</li>`)}</ul>`;
  return page(doc.title, body);
}
