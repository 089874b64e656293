import { type Column, facts, handleLink, hex, label, table } from '../html/components.ts';
import { type Html, html, segment } from '../html/html.ts';
import { page } from '../html/layout.ts';
import type { CertificateDocument } from '../shapes.ts';
import { disputesView } from './disputes-view.ts';

type Event = CertificateDocument['history'][number];

const HISTORY: readonly Column<Event>[] = [
  { head: 'What', cell: (e) => label(e.kind) },
  { head: 'From', cell: (e) => (e.from === null ? 'nobody' : hex(e.from)) },
  { head: 'To', cell: (e) => (e.to === null ? 'nobody' : hex(e.to)) },
  { head: 'Reason', cell: (e) => e.reason ?? '' },
  { head: 'Block', numeric: true, cell: (e) => e.block },
  { head: 'Transaction', cell: (e) => hex(e.tx) },
];

/** The page of a certificate: what it stands for, what it is worth, who holds it, and its history. */
export function certificatePage(certificate: CertificateDocument): Html {
  const { holder, handle, listingRef } = certificate;
  const body = html`<h1>${certificate.name}</h1>
<p class="lead">${label(certificate.state)} <code>${certificate.serial}</code></p>
<p class="card">${certificate.limit}</p>
<p><img src="${certificate.image}" alt="${certificate.name}" width="400" height="250"></p>
${facts([
  ['Serial', html`<code>${certificate.number}</code> (${certificate.serialKind})`],
  ['Token', html`<code class="hex">${certificate.tokenId}</code>`],
  ['Contract', html`${hex(certificate.contract)} on eip155:${certificate.chainId}`],
  ['Held by', holder === null ? 'nobody' : html`${hex(holder)} ${handle !== null && handleLink(handle)}`],
  ['Controlled by', certificate.controller === null ? 'nobody' : hex(certificate.controller)],
  ['Listed as', listingRef === null ? 'not listed' : html`<code>${listingRef}</code>`],
  ['Read at block', certificate.asOfBlock],
])}
${
  certificate.state === 'live' &&
  html`<p class="acts"><a class="button second" href="/desk/certificate-transfer?tokenId=${segment(certificate.tokenId)}">Transfer it</a>
<a class="button second" href="/desk/pledge?serial=${segment(certificate.number)}&serialKind=${segment(certificate.serialKind)}">Pledge it</a>
<a class="button second" href="/desk/dispute?tokenId=${segment(certificate.tokenId)}">Dispute it</a></p>`
}
<h2>History</h2>
${!certificate.historyComplete && html`<p>Earlier events lie further back than was looked.</p>`}
${table('What happened to it, newest first', HISTORY, certificate.history, 'Nothing was found.')}
<h2>Disputes</h2>
${disputesView(certificate)}`;
  return page(certificate.name, body);
}
