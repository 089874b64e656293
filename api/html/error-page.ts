import { ERRORS, type ErrorCode } from '../../agents/errors.ts';
import { ERROR_CODE, PROBLEM } from '../words/service.ts';
import { type Column, chainName, document, facts, hex, label, money, table, waysOn } from './components.ts';
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
${Object.keys(more).length > 0 && html`<details><summary>${PROBLEM.told}</summary>${document(more, PROBLEM.members)}</details>`}
${facts([
  [PROBLEM.facts.code, html`<a href="/errors/${problem.code}"><code>${problem.code}</code></a>`],
  [PROBLEM.facts.status, problem.status],
  [PROBLEM.facts.request, html`<code>${problem.requestId}</code>`],
])}
${problem.status === 404 ? waysOn(...PROBLEM.waysOn) : html`<p><a href="/">${PROBLEM.back}</a></p>`}`;
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
  { head: PROBLEM.columns.network, cell: (o) => chainName(o.network ?? '') },
  { head: PROBLEM.columns.price, numeric: true, cell: (o) => money(Number(o.amount) / 1e6) },
  { head: PROBLEM.columns.token, cell: (o) => html`${o.extra?.name ?? ''} ${hex(o.asset ?? '')}` },
  { head: PROBLEM.columns.to, cell: (o) => hex(o.payTo ?? '') },
];

function paying(accepts: unknown, resource: unknown): Html {
  const offers = Array.isArray(accepts) ? (accepts as Offer[]) : [];
  const form = payForm((resource as { url?: unknown } | undefined)?.url);
  return html`${form !== null && html`<p class="acts"><a class="button" href="${form}">${PROBLEM.pay}</a></p>`}
${offers.length > 0 && table(PROBLEM.ways, OFFERS, offers, '')}
<section class="card"><h2>${PROBLEM.how}</h2>
<p>${PROBLEM.paid}</p></section>`;
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
  readonly also: readonly { readonly status: number; readonly when: string }[];
  readonly title: string;
  readonly retry: boolean;
  readonly remedy: string;
}

/** The documentation page of one error code. */
export function errorDocPage(doc: ErrorDocument): Html {
  const body = html`<h1>${doc.title}</h1>
<p class="lead"><code>${doc.code}</code> ${label(ERROR_CODE.status(doc.status))}</p>
<h2>${ERROR_CODE.remedy}</h2>
<p>${sentence(doc.remedy)}</p>
${facts([
  [ERROR_CODE.retry, doc.retry ? ERROR_CODE.yes : ERROR_CODE.no],
  ...doc.also.map(({ status, when }) => [ERROR_CODE.status(status), when] as const),
])}
<h2>${ERROR_CODE.looks}</h2>
<p>${ERROR_CODE.body}</p>
${document({ type: `/errors/${doc.code}`, title: doc.title, status: doc.status, detail: '…', instance: 'urn:request:…', code: doc.code }, ERROR_CODE.example)}
<h2>${ERROR_CODE.others}</h2>
<ul>${(Object.keys(ERRORS) as ErrorCode[]).map((c) => html`<li><a href="/errors/${c}"><code>${c}</code></a>: ${ERRORS[c].title}</li>`)}</ul>`;
  return page(doc.title, body);
}
