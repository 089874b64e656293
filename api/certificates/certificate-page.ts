import { type Column, facts, handleLink, hex, label, serialName, table } from '../html/components.ts';
import { type Html, html, segment } from '../html/html.ts';
import { page } from '../html/layout.ts';
import type { CertificateDocument } from '../shapes.ts';
import { CERTIFICATE } from '../words/names.ts';
import { disputesView } from './disputes-view.ts';

type Event = CertificateDocument['history'][number];

const HISTORY: readonly Column<Event>[] = [
  { head: CERTIFICATE.columns.what, cell: (e) => label(e.kind) },
  { head: CERTIFICATE.columns.from, cell: (e) => (e.from === null ? CERTIFICATE.nobody : hex(e.from)) },
  { head: CERTIFICATE.columns.to, cell: (e) => (e.to === null ? CERTIFICATE.nobody : hex(e.to)) },
  { head: CERTIFICATE.columns.reason, cell: (e) => e.reason ?? '' },
  { head: CERTIFICATE.columns.block, numeric: true, cell: (e) => e.block },
  { head: CERTIFICATE.columns.transaction, cell: (e) => hex(e.tx) },
];

/** The page of a certificate: what it stands for, what it is worth, who holds it, and its history. */
export function certificatePage(certificate: CertificateDocument): Html {
  const { holder, handle, listingRef } = certificate;
  const body = html`<h1>${certificate.name}</h1>
<p class="lead">${label(certificate.state)}</p>
<p class="card">${certificate.limit}</p>
<p><img src="${certificate.image}" alt="${certificate.name}" width="400" height="250"></p>
${facts([
  [CERTIFICATE.facts.serial, serialName(certificate.serialKind, certificate.number)],
  [CERTIFICATE.facts.token, html`<code class="hex">${certificate.tokenId}</code>`],
  [CERTIFICATE.facts.contract, CERTIFICATE.facts.on(hex(certificate.contract), certificate.chainId)],
  [
    CERTIFICATE.facts.holder,
    holder === null ? CERTIFICATE.nobody : html`${hex(holder)} ${handle !== null && handleLink(handle)}`,
  ],
  [
    CERTIFICATE.facts.controller,
    certificate.controller === null ? CERTIFICATE.nobody : hex(certificate.controller),
  ],
  [
    CERTIFICATE.facts.listed,
    listingRef === null
      ? CERTIFICATE.facts.notListed
      : html`<a href="/lots/${segment(listingRef)}">${CERTIFICATE.facts.forSale}</a>`,
  ],
  [CERTIFICATE.facts.block, certificate.asOfBlock],
])}
${
  certificate.state === 'live' &&
  html`<p class="acts"><a class="button second" href="/desk/certificate-transfer?tokenId=${segment(certificate.tokenId)}">${CERTIFICATE.transfer}</a>
<a class="button second" href="/desk/pledge?serial=${segment(certificate.number)}&serialKind=${segment(certificate.serialKind)}">${CERTIFICATE.pledge}</a>
<a class="button second" href="/desk/dispute?tokenId=${segment(certificate.tokenId)}">${CERTIFICATE.dispute}</a></p>`
}
<h2>${CERTIFICATE.history}</h2>
${!certificate.historyComplete && html`<p>${CERTIFICATE.earlier}</p>`}
${table(CERTIFICATE.caption, HISTORY, certificate.history, CERTIFICATE.none)}
<h2>${CERTIFICATE.disputes}</h2>
${disputesView(certificate)}`;
  return page(certificate.name, body);
}
