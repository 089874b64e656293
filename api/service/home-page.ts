import { recordLink } from '../html/components.ts';
import { type Html, html } from '../html/html.ts';
import { page } from '../html/layout.ts';
import { listingTable, matchTable } from '../market/catalogue-page.ts';
import type { CatalogueRow, MatchRow } from '../shapes.ts';

/** What the home page shows. */
export interface HomeView {
  readonly baseUrl: string;
  /** The ids of the chains that can be asked about. */
  readonly chains: readonly number[];
  readonly listings: readonly CatalogueRow[];
  readonly matches: readonly MatchRow[];
  /** A record of what an agent did, never of what a stranger asked about. */
  readonly latestRecord: { readonly recordId: string; readonly summary: string } | null;
}

/** The address in the example when nothing is listed yet: the well-known ERC-6551 registry. */
const SOME_ADDRESS = '0x000000006551c19487814612e58FE06813775758';

/** The home page: what this is, and three things to try with what is there now. */
export function homePage(view: HomeView): Html {
  const address = view.listings[0]?.seller ?? SOME_ADDRESS;
  const body = html`<h1>Know whom you deal with before value moves</h1>
<p class="lead">Safe Handshake answers one question about a wallet or a deal: CLEAN or FLAGGED. The answer comes with every check that ran, its sources and their limits, and a record that anyone can prove.</p>
<form class="ask" action="/determination" method="get" aria-describedby="ask-note">
<div><label for="address">Address to check</label>
<input id="address" name="address" required autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="64" placeholder="0x…" value="${address}"></div>
<div class="short"><label for="chainId">Chain</label>
<select id="chainId" name="chainId">${view.chains.map((id) => html`<option>${String(id)}</option>`)}</select></div>
<button>Check</button>
</form>
<p class="soft" id="ask-note">One call costs one cent of test USDC, paid by x402: the first answer is 402 with a challenge, a program signs it and asks again. From a browser you will see that challenge, and <a href="/desk/check">a wallet in it pays</a>. Of a Solana address no chain is asked: <code>/determination?address=…</code> alone.</p>
<h2>Three things to try</h2>
<ul class="grid">
<li class="card"><h3>Pay for an answer</h3>
<p>Any x402 client pays by itself.</p>
<pre tabindex="0" role="region" aria-label="Command"><code>curl -i "${view.baseUrl}/determination?address=${address}&chainId=1002"</code></pre></li>
<li class="card"><h3>Prove a record</h3>
<p>${
    view.latestRecord
      ? html`The newest of an agent: ${recordLink(view.latestRecord.recordId, view.latestRecord.summary)}`
      : 'No agent has done anything yet: the first deal makes a record.'
  }</p>
<p><a href="/specs/verification-record/2026-09-06.1">How a record is checked</a>, without trusting this service.</p></li>
<li class="card"><h3>Bring an agent</h3>
<p>Write what it may do in plain words. What cannot be enforced comes back as a question.</p>
<p><a class="button" href="/agents/new">Write a mandate</a></p>
<p><a href="/agents/directory">The agents</a>, <a href="/pricing">what one costs</a>, and <a href="/desk">your desk</a>.</p></li>
</ul>
<h2>For sale now</h2>
${listingTable(view.listings)}
<p><a href="/catalogue">The whole catalogue</a></p>
<h2>Latest matches</h2>
${matchTable(view.matches)}
<p><a href="/matches">All matches</a></p>`;
  return page('Know whom you deal with', body, '/');
}
