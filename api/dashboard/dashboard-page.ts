import { DESK_GROUPS } from '../desk/commands.ts';
import type { DealShown, OrderShown, orderTable } from '../desk/pages/desk-lists.ts';
import {
  type Column,
  emptyState,
  handleLink,
  hex,
  label,
  recordLink,
  table,
  when,
} from '../html/components.ts';
import { textField } from '../html/fields.ts';
import { type Html, html, segment } from '../html/html.ts';
import { page } from '../html/layout.ts';
import { WORDS } from '../html/words.ts';
import type { ActivityRow, DirectoryRow } from '../shapes.ts';

/** How many deals of an agent wait for its owner's decision, and until when the first of them does. */
export interface Waiting {
  readonly deals: number;
  /** ISO 8601. */
  readonly until: string | null;
}

/** One agent of the wallet, as everybody may see it, and how many of its deals wait. */
export interface MyAgent extends DirectoryRow {
  readonly waiting: Waiting;
}

/** What the dashboard shows of a wallet without a signature. */
export interface DashboardView {
  readonly wallet: string;
  readonly agents: readonly MyAgent[];
  readonly activity: readonly (ActivityRow & { readonly handle: string })[];
}

/** What only the owner may see of one agent. */
export interface OwnAgent {
  readonly handle: string;
  readonly deals: readonly DealShown[];
  readonly orders: readonly OrderShown[];
  readonly funds: Parameters<typeof orderTable>[2];
}

const AGENTS: readonly Column<MyAgent>[] = [
  { head: 'Agent', cell: (a) => handleLink(a.handle) },
  { head: 'State', cell: (a) => label(a.status, a.status === 'active' ? 'clean' : 'waiting') },
  {
    head: 'Waits for you',
    cell: ({ waiting }) =>
      waiting.deals === 0
        ? 'nothing'
        : html`${label(`${waiting.deals} to decide`, 'waiting')}${waiting.until !== null && html` until ${when(waiting.until)}`}`,
  },
  { head: 'Account', cell: (a) => hex(a.account) },
  {
    head: 'Do',
    cell: (a) =>
      html`<a href="/agent/${segment(a.handle)}#act">Fund or withdraw<span class="hidden">: ${a.handle}</span></a> · <a href="/desk/mandate?handle=${segment(a.handle)}">Edit<span class="hidden"> ${a.handle}</span></a> · <a href="/desk/session?handle=${segment(a.handle)}&action=pause">Pause<span class="hidden"> ${a.handle}</span></a>`,
  },
];

/** The page of an owner before a wallet is known. */
export function welcomePage(): Html {
  const body = html`<h1>Dashboard</h1>
<p class="lead">Your agents, what waits for you, what they earned. Connect the wallet that owns them: no account, no password.</p>
<owner-dashboard></owner-dashboard>
<form class="ask" action="/dashboard" method="get">
<div class="wide">${textField({ name: 'wallet', label: 'Your wallet', value: '', code: true, required: true, know: 'wallet' })}</div>
<button>Show</button></form>
<p class="acts"><a class="button second" href="/agents/new">Make an agent</a></p>
${allActs('')}`;
  return page('Dashboard', body, '/dashboard');
}

/** The page of an owner: what everybody may see at once, and what is theirs alone after one signature. */
export function dashboardPage({ wallet, agents, activity }: DashboardView): Html {
  const waiting = agents.reduce((sum, a) => sum + a.waiting.deals, 0);
  const trading = agents.filter((a) => a.status === 'active').length;
  const body = html`<h1>Dashboard</h1>
<p class="lead">The agents of ${hex(wallet)}</p>
<div data-live="what waits for you" id="waits" data-events="only=activity,match">${waiting > 0 && waitingNotice(agents, waiting)}
<ul class="figures"><li><strong>${trading} of ${agents.length}</strong><span>agents trade now</span></li><li><strong>${waiting}</strong><span>deals wait for you</span></li></ul></div>
<h2>My agents</h2>
<div data-live="my agents" id="agents">${table('Agents of this wallet, newest first', AGENTS, agents, emptyState(WORDS.empty.ownAgents))}</div>
<p class="acts"><a class="button" href="/agents/new">Make an agent</a> ${agents.length > 0 && html`<a class="button danger" href="/desk/pause-all?wallet=${wallet}">Stop all my agents</a>`}</p>
<h2>What happened</h2>
<div data-live="what happened" id="happened">${happened(wallet, activity)}</div>
${allActs(wallet)}
<h2>Yours alone</h2>
<owner-dashboard wallet="${wallet}"></owner-dashboard>`;
  return page('Dashboard', body, '/dashboard');
}

/** A notice without details: what was found, and about which lot, only the owner may read. */
function waitingNotice(agents: readonly MyAgent[], deals: number): Html {
  const untils = agents.flatMap(({ waiting }) => waiting.until ?? []).sort();
  const which = deals === 1 ? 'A deal waits for you' : `${deals} deals wait for you`;
  return html`<section class="card attention"><h2>${which}</h2>
<p>${untils[0] !== undefined && html`Decide until ${when(untils[0])}: after that it is stopped. `}What was found stands beside your choice.</p>
<p class="acts">${agents.filter((a) => a.waiting.deals > 0).map((a) => html`<a class="button second" href="/desk/deals?handle=${segment(a.handle)}">See it, and decide<span class="hidden">: ${a.handle}</span></a>`)}</p></section>`;
}

function happened(wallet: string, activity: DashboardView['activity']): Html {
  if (activity.length === 0)
    return html`<div class="card empty"><p>${emptyState(WORDS.empty.happened)}</p></div>`;
  return html`<since-seen wallet="${wallet}"><p class="soft" role="status">The newest first.</p><ul class="card ticker">${activity.map(
    (a) =>
      html`<li><span>${recordLink(a.recordId, a.summary)} ${handleLink(a.handle)}</span><span class="soft">${when(a.at)}</span></li>`,
  )}</ul></since-seen>`;
}

/** Everything that an owner can do, folded: each act also stands at what it acts on. */
function allActs(wallet: string): Html {
  const query = wallet === '' ? '' : `?wallet=${wallet}`;
  return html`<details><summary>Everything you can do</summary><div class="groups">${DESK_GROUPS.map(
    ({ title, commands }) => html`<section class="card"><h2>${title}</h2>
<ul>${commands.map((command) => html`<li><a href="/desk/${command.id}${query}">${command.title}</a></li>`)}</ul></section>`,
  )}</div></details>`;
}
