import { checkName, GROUPS } from '../determinations/check-names.ts';
import { emptyState, label, money, recordLink, type Titles, when } from '../html/components.ts';
import { hiddenFields } from '../html/fields.ts';
import { type Html, html, raw, segment } from '../html/html.ts';
import { page } from '../html/layout.ts';
import { lotCards } from '../market/catalogue-page.ts';
import type { CatalogueRow, MatchRow } from '../shapes.ts';
import { CHECKS } from '../words/checks.ts';
import { WORDS } from '../words/every-page.ts';
import { CHAINS, HOME } from '../words/home.ts';

/** What the home page shows. */
export interface HomeView {
  readonly baseUrl: string;
  /** The ids of the chains that can be asked about. */
  readonly chains: readonly number[];
  readonly listings: readonly CatalogueRow[];
  readonly matches: readonly MatchRow[];
  /** What people call the lots of the matches. */
  readonly titles?: Titles;
  /** A record of what an agent did, never of what a stranger asked about. */
  readonly latestRecord: { readonly recordId: string; readonly summary: string } | null;
}

/** What is looked at about a wallet, told before anybody pays. */
const LOOKED_AT = [
  'address-form',
  'principals',
  'list-sanctions',
  'list-known-scam',
  'issuer-freeze',
  'transfers',
  'standing-grants',
  'contract-code',
  'eip7702-delegation',
  'platform-history',
  'behaviour',
];

/** The home page: a check of a wallet in place, what happens now, and where to go on. */
export function homePage(view: HomeView, asked = ''): Html {
  const body = html`<h1>${HOME.heading}</h1>
<p class="lead">${HOME.lead}</p>
<section class="card" id="check" aria-label="${HOME.check.section}" data-in-place>
<form class="ask" action="/desk/check" method="post">
<div><label for="address">${HOME.check.address}</label>
<input id="address" name="address" class="code" required autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="64" placeholder="${HOME.check.example}" value="${asked}"></div>
<div class="short"><label for="chainId">${HOME.check.chain}</label>
<select id="chainId" name="chainId">${view.chains.map((id) => html`<option value="${String(id)}"${id === view.chains[0] && raw(' selected')}>${chainName(id)}</option>`)}</select></div>
<input type="hidden" name="wallet" value="" data-know="wallet">
${hiddenFields({ network: 'eip155:1002' })}
<button>${HOME.check.button(money(0.01))}</button>
</form>
<p class="soft">${HOME.check.charged}</p>
<details><summary>${HOME.check.lookedAt}</summary><div class="groups">${GROUPS.map((group) => {
    const own = LOOKED_AT.map(checkName).filter((c) => c.group === group);
    return (
      own.length > 0 &&
      html`<section><h2>${CHECKS.groups[group]}</h2><ul>${own.map(({ name }) => html`<li>${name}</li>`)}</ul></section>`
    );
  })}</div></details>
</section>
<h2>${HOME.deals}</h2>
<div class="card" data-live="${HOME.dealsTold}" id="ticker" data-events="only=match,listing">${ticker(view)}</div>
<h2>${HOME.sale}</h2>
<div data-live="${HOME.saleTold}" id="for-sale">${lotCards(view.listings)}</div>
<p><a href="/catalogue">${HOME.allSale}</a></p>
<h2>${HOME.more}</h2>
<ul class="grid">
<li class="card"><h3>${HOME.agent.heading}</h3>
<p>${HOME.agent.words}</p>
<p><a class="button" href="/agents/new">${HOME.agent.button}</a></p></li>
<li class="card"><h3>${HOME.record.heading}</h3>
<p>${
    view.latestRecord
      ? HOME.record.newest(recordLink(view.latestRecord.recordId, view.latestRecord.summary, view.titles))
      : HOME.record.none
  }</p>
<p>${HOME.record.how}</p></li>
<li class="card"><h3>${HOME.program.heading}</h3>
<p>${HOME.program.words}</p>
<pre tabindex="0" role="region" aria-label="${HOME.program.command}"><code>curl -i "${view.baseUrl}/determination?address=0x…&chainId=1002"</code></pre>
<p><a href="/developers">${HOME.program.more}</a></p></li>
</ul>`;
  return page(HOME.title, body, '/', { picture: `${view.baseUrl}/share.png` });
}

function chainName(id: number): string {
  return CHAINS.names[id] ?? CHAINS.unnamed(id);
}

function ticker({ matches, titles }: HomeView): Html {
  if (matches.length === 0) return html`<p class="empty">${emptyState(WORDS.empty.deals)}</p>`;
  return html`<ul class="ticker">${matches.map((m) => {
    const known = titles?.get(m.lot);
    const what = known?.description ?? HOME.lot;
    const to = known?.listingRef;
    const named = to ? html`<a href="/lots/${segment(to)}">${what}</a>` : what;
    return html`<li><span>${m.clearingPriceUsd === undefined ? named : HOME.sold(named, money(m.clearingPriceUsd))}</span> <span>${label(HOME.states[m.state], m.state === 'settled' ? 'clean' : m.state === 'stopped' ? 'flagged' : 'waiting')} <span class="soft">${when(m.settledAt ?? m.matchedAt)}</span></span></li>`;
  })}</ul>`;
}
