import {
  type Column,
  categoryName,
  emptyState,
  handleLink,
  hex,
  label,
  pager,
  recordLink,
  type Titles,
  table,
  titledLot,
  when,
} from '../html/components.ts';
import { categoryFilter, type FilterChoice, type Filters, filterForm, isNarrowed } from '../html/filters.ts';
import { type Html, html, segment } from '../html/html.ts';
import { page } from '../html/layout.ts';
import type { List } from '../schemas.ts';
import type { ActivityRow, DirectoryRow } from '../shapes.ts';
import { ACTIVITY as DONE, AGENTS as LISTED } from '../words/agent.ts';
import { WORDS } from '../words/every-page.ts';
import { activityState, activitySummary } from './activity-words.ts';

const AGENTS: readonly Column<DirectoryRow>[] = [
  { head: LISTED.columns.agent, cell: (r) => handleLink(r.handle) },
  { head: LISTED.columns.tier, short: true, cell: (r) => r.tier },
  { head: LISTED.columns.state, cell: (r) => label(r.status, r.status === 'active' ? 'clean' : 'waiting') },
  { head: LISTED.columns.account, cell: (r) => hex(r.account) },
  { head: LISTED.columns.owner, cell: (r) => hex(r.owner) },
  {
    head: LISTED.columns.categories,
    cell: (r) => (r.categories.length === 0 ? LISTED.anyCategory : r.categories.map(categoryName).join(', ')),
  },
  { head: LISTED.columns.since, cell: (r) => when(r.since) },
];

const CHOICES: readonly FilterChoice[] = [
  {
    name: 'status',
    label: LISTED.columns.state,
    options: Object.entries(LISTED.states),
  },
  { name: 'tier', label: LISTED.columns.tier, options: ['AGENT', 'EXECUTOR'].map((t) => [t, t] as const) },
];

/** The page that lists all agents. */
export function directoryPage(list: List<DirectoryRow>, filters: Filters = {}): Html {
  const body = html`<h1>${LISTED.heading}</h1>
<p class="lead">${LISTED.lead}</p>
<p class="acts"><a class="button" href="/agents/new">${LISTED.make}</a></p>
${categoryFilter('/agents/directory', filters)}
${filterForm('/agents/directory', filters, CHOICES)}
<div data-live="${LISTED.told}" id="agents" data-events="only=activity">${table(LISTED.caption, AGENTS, list.items, emptyState(isNarrowed(filters) ? WORDS.empty.narrowedAgents : WORDS.empty.agents))}</div>
${pager('/agents/directory', filters, list)}`;
  return page(LISTED.heading, body, '/agents/directory');
}

const activityColumns = (titles?: Titles): readonly Column<ActivityRow>[] => [
  {
    head: DONE.columns.record,
    cell: (r) =>
      html`${recordLink(r.recordId, activitySummary(r), titles)}<br><span class="soft">${r.kind.replaceAll('-', ' ')}</span>`,
  },
  { head: DONE.columns.state, cell: activityState },
  { head: DONE.columns.subject, cell: (r) => titledLot(r.subject, titles ?? new Map()) },
  { head: DONE.columns.when, cell: (r) => when(r.at) },
  {
    head: DONE.columns.anchored,
    cell: (r) => (r.ledger ? hex(r.ledger.tx) : html`<span class="soft">${DONE.notYet}</span>`),
  },
];

/** The page of an agent's activity records, from filing to anchoring. */
export function activityPage(
  handle: string,
  list: List<ActivityRow>,
  filters: Filters = {},
  titles?: Titles,
): Html {
  const path = `/agent/${segment(handle)}/activity`;
  const body = html`<h1>${DONE.heading(handle)}</h1>
<p class="lead">${DONE.lead}</p>
<p><a href="/agent/${segment(handle)}">${DONE.about}</a></p>
<div data-live="${DONE.told}" id="activity" data-events="only=activity&handle=${segment(handle)}">${table(DONE.caption, activityColumns(titles), list.items, emptyState([DONE.none, [`/agent/${segment(handle)}#act`, DONE.fund]]))}</div>
${pager(path, filters, list)}`;
  return page(DONE.heading(handle), body, '/agents/directory');
}
