import { checkName, GROUPS } from '../determinations/check-names.ts';
import { emptyState, label, money, recordLink, when } from '../html/components.ts';
import { hiddenFields } from '../html/fields.ts';
import { type Html, html, raw, segment } from '../html/html.ts';
import { page } from '../html/layout.ts';
import { lotCards, type Titles } from '../market/catalogue-page.ts';
import type { CatalogueRow, MatchRow } from '../shapes.ts';

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
  const body = html`<h1>Know whom you deal with before value moves</h1>
<p class="lead">Ask about a wallet and get one answer: CLEAN or FLAGGED, with every check that ran, its sources and their limits, and a record that anyone can prove.</p>
<section class="card" id="check" aria-label="Check a wallet" data-in-place>
<form class="ask" action="/desk/check" method="post">
<div><label for="address">Wallet or contract to check</label>
<input id="address" name="address" class="code" required autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="64" placeholder="0x… or a Solana address" value="${asked}"></div>
<div class="short"><label for="chainId">Chain</label>
<select id="chainId" name="chainId">${view.chains.map((id) => html`<option value="${String(id)}"${id === view.chains[0] && raw(' selected')}>${chainName(id)}</option>`)}</select></div>
<input type="hidden" name="wallet" value="" data-know="wallet">
${hiddenFields({ network: 'eip155:1002' })}
<button>Check for ${money(0.01)}</button>
</form>
<p class="soft">Your wallet signs a transfer of one cent in test USDC. Nothing is charged unless the answer is delivered, here on this page.</p>
<details><summary>What will be looked at</summary><div class="groups">${GROUPS.map((group) => {
    const own = LOOKED_AT.map(checkName).filter((c) => c.group === group);
    return (
      own.length > 0 &&
      html`<section><h3>${group}</h3><ul>${own.map(({ name }) => html`<li>${name}</li>`)}</ul></section>`
    );
  })}</div></details>
</section>
<h2>Deals as they happen</h2>
<div class="card" data-live="deals" id="ticker" data-events="only=match,listing">${ticker(view)}</div>
<h2>For sale now</h2>
<div data-live="what is for sale" id="for-sale">${lotCards(view.listings)}</div>
<p><a href="/catalogue">Everything for sale</a></p>
<h2>More to do here</h2>
<ul class="grid">
<li class="card"><h3>Make an agent</h3>
<p>Write what it may do in plain words. The chain holds it to that, whoever holds its key.</p>
<p><a class="button" href="/agents/new">Write a mandate</a></p></li>
<li class="card"><h3>Prove a record</h3>
<p>${
    view.latestRecord
      ? html`The newest of an agent: ${recordLink(view.latestRecord.recordId, view.latestRecord.summary)}`
      : 'The first deal makes a record.'
  }</p>
<p><a href="/specs/verification-record/2026-09-06.1">How a record is checked</a>, without trusting this service.</p></li>
<li class="card"><h3>Let a program pay</h3>
<p>Any x402 client pays the cent by itself.</p>
<pre tabindex="0" role="region" aria-label="Command"><code>curl -i "${view.baseUrl}/determination?address=0x…&chainId=1002"</code></pre>
<p><a href="/developers">For developers</a></p></li>
</ul>`;
  return page('Know whom you deal with', body, '/', { picture: `${view.baseUrl}/share.png` });
}

const CHAINS: Readonly<Record<number, string>> = { 1002: 'Safe Handshake test chain', 84532: 'Base Sepolia' };

function chainName(id: number): string {
  return CHAINS[id] === undefined ? `Chain ${id}` : `${CHAINS[id]} (${id})`;
}

function ticker({ matches, titles }: HomeView): Html {
  if (matches.length === 0)
    return html`<p class="empty">${emptyState('No deal has been made yet.', ['/catalogue', 'See what is for sale'])}</p>`;
  return html`<ul class="ticker">${matches.map((m) => {
    const known = titles?.get(m.lot);
    const what = known?.description ?? 'A lot';
    const to = known?.listingRef;
    return html`<li><span>${to ? html`<a href="/lots/${segment(to)}">${what}</a>` : what}${m.clearingPriceUsd !== undefined && html` for ${money(m.clearingPriceUsd)}`}</span> <span>${label(STATES[m.state], m.state === 'settled' ? 'clean' : m.state === 'stopped' ? 'flagged' : 'waiting')} <span class="soft">${when(m.settledAt ?? m.matchedAt)}</span></span></li>`;
  })}</ul>`;
}

const STATES = { settled: 'settled', settling: 'being settled', stopped: 'stopped' } as const;
