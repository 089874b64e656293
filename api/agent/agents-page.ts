import {
  type Column,
  categoryName,
  emptyState,
  handleLink,
  hex,
  label,
  lotName,
  pager,
  recordLink,
  table,
  when,
} from '../html/components.ts';
import { categoryFilter, type FilterChoice, type Filters, filterForm, isNarrowed } from '../html/filters.ts';
import { type Html, html, segment } from '../html/html.ts';
import { page } from '../html/layout.ts';
import { WORDS } from '../html/words.ts';
import type { List } from '../schemas.ts';
import type { ActivityRow, DirectoryRow } from '../shapes.ts';

const AGENTS: readonly Column<DirectoryRow>[] = [
  { head: 'Agent', cell: (r) => handleLink(r.handle) },
  { head: 'Tier', cell: (r) => r.tier },
  { head: 'State', cell: (r) => label(r.status, r.status === 'active' ? 'clean' : 'waiting') },
  { head: 'Account', cell: (r) => hex(r.account) },
  { head: 'Owner', cell: (r) => hex(r.owner) },
  {
    head: 'Categories',
    cell: (r) => (r.categories.length === 0 ? 'any' : r.categories.map(categoryName).join(', ')),
  },
  { head: 'Since', cell: (r) => when(r.since) },
];

const CHOICES: readonly FilterChoice[] = [
  {
    name: 'status',
    label: 'State',
    options: ['active', 'paused', 'suspended', 'minting', 'retired'].map((s) => [s, s] as const),
  },
  { name: 'tier', label: 'Tier', options: ['AGENT', 'EXECUTOR'].map((t) => [t, t] as const) },
];

/** The page that lists all agents. */
export function directoryPage(list: List<DirectoryRow>, filters: Filters = {}): Html {
  const body = html`<h1>Agents</h1>
<p class="lead">An agent deals for its owner: a token with an account of its own, held by the chain to what its owner wrote. The agent is who you deal with.</p>
<p class="acts"><a class="button" href="/agents/new">Make an agent</a></p>
${categoryFilter('/agents/directory', filters)}
${filterForm('/agents/directory', filters, CHOICES)}
<div data-live="agents" id="agents" data-events="only=activity">${table('Agents, newest first', AGENTS, list.items, emptyState(isNarrowed(filters) ? WORDS.empty.narrowedAgents : WORDS.empty.agents))}</div>
${pager('/agents/directory', filters, list)}`;
  return page('Agents', body, '/agents/directory');
}

const ACTIVITY: readonly Column<ActivityRow>[] = [
  {
    head: 'Record',
    cell: (r) =>
      html`${recordLink(r.recordId, r.summary)}<br><span class="soft">${r.kind.replaceAll('-', ' ')}</span>`,
  },
  { head: 'State', cell: (r) => label(r.state, r.state === 'anchored' ? 'clean' : 'waiting') },
  { head: 'Subject', cell: (r) => lotName(r.subject) },
  { head: 'When', cell: (r) => when(r.at) },
  {
    head: 'Anchored in',
    cell: (r) => (r.ledger ? hex(r.ledger.tx) : html`<span class="soft">not yet</span>`),
  },
];

/** The page of an agent's activity records, from filing to anchoring. */
export function activityPage(handle: string, list: List<ActivityRow>, filters: Filters = {}): Html {
  const path = `/agent/${segment(handle)}/activity`;
  const body = html`<h1>Activity of ${handle}</h1>
<p class="lead">A record is inscribed when something has happened, and anchored when its hash stands on chain.</p>
<p><a href="/agent/${segment(handle)}">About this agent</a></p>
<div data-live="activity" id="activity" data-events="only=activity&handle=${segment(handle)}">${table('Activity records, newest first', ACTIVITY, list.items, emptyState(['This agent has done nothing yet.', [`/agent/${segment(handle)}#act`, 'Fund it, so that it can']]))}</div>
${pager(path, filters, list)}`;
  return page(`Activity of ${handle}`, body, '/agents/directory');
}
