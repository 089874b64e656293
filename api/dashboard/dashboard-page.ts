import { aboutLot } from '../agent/activity-words.ts';
import { DESK_GROUPS } from '../desk/commands.ts';
import type { DealShown, OrderShown, orderTable } from '../desk/pages/desk-lists.ts';
import {
  type Column,
  emptyState,
  handleLink,
  hex,
  label,
  recordLink,
  type Titles,
  table,
  when,
} from '../html/components.ts';
import { textField } from '../html/fields.ts';
import { type Html, html, segment } from '../html/html.ts';
import { page } from '../html/layout.ts';
import type { ActivityRow, DirectoryRow } from '../shapes.ts';
import { ACT } from '../words/acts.ts';
import { DASHBOARD } from '../words/dashboard.ts';
import { WORDS } from '../words/every-page.ts';

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
  /** It owns more agents than these. */
  readonly more?: boolean;
  /** Of how many of them `activity` tells; of all where left out. */
  readonly toldOf?: number;
  readonly activity: readonly (ActivityRow & { readonly handle: string })[];
  /** Of the lots that the activity names. */
  readonly titles?: Titles;
}

/** What only the owner may see of one agent. */
export interface OwnAgent {
  readonly handle: string;
  readonly deals: readonly DealShown[];
  readonly orders: readonly OrderShown[];
  readonly funds: Parameters<typeof orderTable>[2];
}

const AGENTS: readonly Column<MyAgent>[] = [
  { head: DASHBOARD.columns.agent, cell: (a) => handleLink(a.handle) },
  {
    head: DASHBOARD.columns.state,
    cell: (a) => label(a.status, a.status === 'active' ? 'clean' : 'waiting'),
  },
  {
    head: DASHBOARD.columns.waits,
    cell: ({ waiting }) =>
      waiting.deals === 0
        ? DASHBOARD.nothing
        : html`${label(DASHBOARD.toDecide(waiting.deals), 'waiting')}${waiting.until !== null && DASHBOARD.until(when(waiting.until))}`,
  },
  { head: DASHBOARD.columns.account, cell: (a) => hex(a.account) },
  {
    head: DASHBOARD.columns.act,
    cell: (a) =>
      html`<a href="/agent/${segment(a.handle)}#act">${DASHBOARD.acts.money}<span class="hidden">: ${a.handle}</span></a> · <a href="/desk/mandate?handle=${segment(a.handle)}">${DASHBOARD.acts.edit}<span class="hidden"> ${a.handle}</span></a> · <a href="/desk/session?handle=${segment(a.handle)}&action=${a.status === 'paused' ? 'resume' : 'pause'}">${DASHBOARD.acts[a.status === 'paused' ? 'resume' : 'pause']}<span class="hidden"> ${a.handle}</span></a>`,
  },
];

/** The page of an owner before a wallet is known. @param typed what was given for one, and is none */
export function welcomePage(typed = ''): Html {
  const body = html`<h1>${DASHBOARD.heading}</h1>
<p class="lead">${DASHBOARD.lead}</p>
<owner-dashboard></owner-dashboard>
<form class="ask" action="/dashboard" method="get">
<div class="wide">${textField({ name: 'wallet', label: DASHBOARD.wallet, value: typed, problem: typed === '' ? undefined : ACT.address, code: true, required: true, know: 'wallet' })}</div>
<button>${DASHBOARD.show}</button></form>
<p class="acts"><a class="button second" href="/agents/new">${DASHBOARD.make}</a></p>
${allActs('')}`;
  return page(typed === '' ? DASHBOARD.heading : ACT.wrong(DASHBOARD.heading), body, '/dashboard');
}

/** The page of an owner: what everybody may see at once, and what is theirs alone after one signature. */
export function dashboardPage(view: DashboardView): Html {
  const { wallet, agents, activity, titles, more = false, toldOf = agents.length } = view;
  const waiting = agents.reduce((sum, a) => sum + a.waiting.deals, 0);
  const trading = agents.filter((a) => a.status === 'active').length;
  const body = html`<h1>${DASHBOARD.heading}</h1>
<p class="lead">${DASHBOARD.agentsOf(hex(wallet))}</p>
<div data-live="${DASHBOARD.waitsTold}" id="waits" data-events="only=activity,match">${waiting > 0 && waitingNotice(agents, waiting)}
<ul class="figures"><li><strong>${DASHBOARD.ofAll(trading, agents.length, more)}</strong><span>${DASHBOARD.trade}</span></li><li><strong>${waiting}</strong><span>${DASHBOARD.dealsWait}</span></li></ul></div>
<h2>${DASHBOARD.agents}</h2>
<div data-live="${DASHBOARD.agentsTold}" id="agents">${table(DASHBOARD.caption, AGENTS, agents, emptyState(WORDS.empty.ownAgents))}</div>
${more && html`<p class="soft">${DASHBOARD.newest(agents.length)} <a href="/agents/directory?owner=${wallet}">${DASHBOARD.allAgents}</a></p>`}
<p class="acts"><a class="button" href="/agents/new">${DASHBOARD.make}</a> ${agents.length > 0 && html`<a class="button danger" href="/desk/pause-all?wallet=${wallet}">${DASHBOARD.stopAll}</a>`}</p>
<h2>${DASHBOARD.happened}</h2>
${toldOf < agents.length && html`<p class="soft">${DASHBOARD.happenedOf(toldOf)}</p>`}
<div data-live="${DASHBOARD.happenedTold}" id="happened">${happened(wallet, activity, titles)}</div>
${allActs(wallet)}
<h2>${DASHBOARD.own}</h2>
<owner-dashboard wallet="${wallet}"></owner-dashboard>`;
  return page(DASHBOARD.heading, body, '/dashboard');
}

/** A notice without details: what was found, and about which lot, only the owner may read. */
function waitingNotice(agents: readonly MyAgent[], deals: number): Html {
  const untils = agents.flatMap(({ waiting }) => waiting.until ?? []).sort();
  const which = deals === 1 ? DASHBOARD.one : DASHBOARD.several(deals);
  return html`<section class="card attention"><h2>${which}</h2>
<p>${untils[0] !== undefined && DASHBOARD.decideUntil(when(untils[0]))}${DASHBOARD.beside}</p>
<p class="acts">${agents.filter((a) => a.waiting.deals > 0).map((a) => html`<a class="button second" href="/desk/deals?handle=${segment(a.handle)}">${DASHBOARD.decideOf(a.handle)}</a>`)}</p></section>`;
}

function happened(wallet: string, activity: DashboardView['activity'], titles?: Titles): Html {
  if (activity.length === 0)
    return html`<div class="card empty"><p>${emptyState(WORDS.empty.happened)}</p></div>`;
  return html`<since-seen wallet="${wallet}"><p class="soft" role="status">${DASHBOARD.newestFirst}</p><ul class="card ticker">${activity.map(
    (a) =>
      html`<li><span>${recordLink(a.recordId, aboutLot(a, titles), titles)} ${handleLink(a.handle)}</span><span class="soft">${when(a.at)}</span></li>`,
  )}</ul></since-seen>`;
}

/** Everything that an owner can do, folded: each act also stands at what it acts on. */
function allActs(wallet: string): Html {
  const query = wallet === '' ? '' : `?wallet=${wallet}`;
  return html`<details><summary>${DASHBOARD.everything}</summary><div class="groups">${DESK_GROUPS.map(
    ({ title, commands }) => html`<section class="card"><h2>${title}</h2>
<ul>${commands.map((command) => html`<li><a href="/desk/${command.id}${query}">${command.title}</a></li>`)}</ul></section>`,
  )}</div></details>`;
}
