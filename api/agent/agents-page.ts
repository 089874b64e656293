import { sentences } from '../../agents/mandate/terms/describe.ts';
import type { Mandate } from '../../agents/mandate/terms/schema.ts';
import {
  type Column,
  document,
  facts,
  handleLink,
  hex,
  label,
  money,
  pager,
  recordLink,
  table,
  when,
} from '../html/components.ts';
import { categoryFilter, type Filters } from '../html/filters.ts';
import { type Html, html, segment } from '../html/html.ts';
import { page } from '../html/layout.ts';
import type { List } from '../schemas.ts';
import type { ActivityRow, AgentDocument, DirectoryRow } from '../shapes.ts';

const AGENTS: readonly Column<DirectoryRow>[] = [
  { head: 'Agent', cell: (r) => handleLink(r.handle) },
  { head: 'Tier', cell: (r) => r.tier },
  { head: 'Depth', cell: (r) => r.depth ?? 'none' },
  { head: 'Status', cell: (r) => label(r.status) },
  { head: 'Account', cell: (r) => hex(r.account) },
  { head: 'Owner', cell: (r) => hex(r.owner) },
  { head: 'Categories', cell: (r) => (r.categories.length === 0 ? 'any' : r.categories.join(', ')) },
  { head: 'Since', cell: (r) => when(r.since) },
];

/** The page that lists all agents. */
export function directoryPage(list: List<DirectoryRow>, filters: Filters = {}): Html {
  const body = html`<h1>Agents</h1>
<p class="lead">Each agent is a token with an account of its own, bound to a mandate that the chain enforces. The agent, not its owner, is the counterparty of record.</p>
<p><a class="button" href="/agents/new">Bring an agent</a></p>
${categoryFilter('/agents/directory', filters)}
${table('Agents, newest first', AGENTS, list.items, 'No agent has been minted yet.')}
${pager('/agents/directory', filters, list)}`;
  return page('Agents', body, '/agents/directory');
}

const HELD: Readonly<Record<NonNullable<AgentDocument['heldBy']>[number], string>> = {
  owner: 'its owner has paused it',
  'owner-on-chain': 'its owner has paused it on chain',
  guardian: 'the guardian has paused it on chain',
  'mandate-end': 'its mandate has ended',
  'new-owner': 'its new owner has signed no mandate yet',
  operator: 'the operator has suspended it',
};

/** The page of one agent: who it is, what it may do, and what it has done. */
export function agentPage(agent: AgentDocument): Html {
  const path = `/agent/${segment(agent.handle)}`;
  const body = html`<div class="who"><div><h1>${agent.displayName ?? agent.handle}</h1>
<p class="lead">${label(agent.status)} ${label(agent.tier)} <code>${agent.handle}</code></p>
${agent.heldBy && html`<p class="card">It does not trade: ${agent.heldBy.map((hold) => HELD[hold]).join('; ')}.</p>`}
${agent.about && html`<p>${agent.about}</p>`}
<p><a href="${path}/activity">Everything this agent has done, on the record</a></p>
<p><a href="/desk?handle=${segment(agent.handle)}">Act for it</a>, if you are its owner</p></div>
<img src="/metadata/${agent.chainId}/${segment(agent.tokenId)}/portrait.svg" alt="Portrait of ${agent.handle}" width="240" height="240"></div>
<h2>Mandate</h2>
<blockquote><p>${agent.mandate.text}</p></blockquote>
<p>As it is enforced:</p>
<ul class="card plain">${sentences(agent.mandate.structured as Mandate).map((s) => html`<li>${s}</li>`)}</ul>
${facts([
  ['Version', agent.mandate.version],
  ['Hash', html`<code class="hex">${agent.mandate.hash}</code>`],
  ['Hash on chain', mandateOnChain(agent)],
])}
<details><summary>The mandate as it is hashed</summary>${document(agent.mandate.structured, 'Structured mandate')}</details>
<h2>What is left of its limits</h2>
${limits(agent)}
<h2>Issued on chain</h2>
${facts([
  ['Owner', hex(agent.owner)],
  ['Account', hex(agent.account)],
  ['Token', html`${agent.tokenId} of ${hex(agent.contract)} on eip155:${agent.chainId}`],
  ['Minted in', hex(agent.issued.mintTx)],
  ['Account created in', hex(agent.issued.accountTx)],
  ['Orders', agent.issued.orders],
  ['Matches', agent.issued.matches],
  ['Depth', agent.depth ?? 'none: deterministic checks only'],
  ['Since', when(agent.since)],
])}`;
  return page(agent.handle, body);
}

function mandateOnChain(agent: AgentDocument): Html {
  const onChain = agent.issued.mandateHashOnChain;
  if (onChain === null) return html`could not be read`;
  const same = onChain.toLowerCase() === agent.mandate.hash.toLowerCase();
  return html`<code class="hex">${onChain}</code> ${same ? 'the same' : html`<strong>another: new terms are under way</strong>`}`;
}

function limits(agent: AgentDocument): Html {
  if ('unavailable' in agent.caps)
    return html`<p class="card">The chain could not be read: ${agent.caps.unavailable}</p>`;
  type Cap = (typeof agent.caps.remaining)[number];
  const cap = (read: (c: Cap) => number | null) => (c: Cap) => {
    const value = read(c);
    return value === null ? 'no limit' : money(value);
  };
  const columns: readonly Column<Cap>[] = [
    { head: 'Token', cell: (c) => hex(c.token) },
    { head: 'A deal', numeric: true, cell: cap((c) => c.perDealUsd) },
    { head: 'A day', numeric: true, cell: cap((c) => c.perDayUsd) },
    { head: 'A week', numeric: true, cell: cap((c) => c.perWeekUsd) },
    { head: 'A month', numeric: true, cell: cap((c) => c.perMonthUsd) },
    { head: 'In all', numeric: true, cell: cap((c) => c.totalUsd) },
    { head: 'In the account', numeric: true, cell: cap((c) => c.balanceUsd) },
    { head: 'Spendable now', numeric: true, cell: cap((c) => c.spendableUsd) },
  ];
  return html`${table(
    `Read from the chain at block ${agent.caps.asOfBlock}`,
    columns,
    agent.caps.remaining,
    'No token is allowed.',
  )}
<p class="soft">Spendable is no more than the limits leave and no more than the account holds. What its orders and deals have promised of it, its owner sees <a href="/desk/orders?handle=${segment(agent.handle)}">with its orders</a>.</p>`;
}

const ACTIVITY: readonly Column<ActivityRow>[] = [
  { head: 'Record', cell: (r) => recordLink(r.recordId, r.summary) },
  { head: 'Kind', cell: (r) => r.kind },
  { head: 'State', cell: (r) => label(r.state) },
  { head: 'Subject', cell: (r) => html`<code class="hex">${r.subject}</code>` },
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
${table('Activity records, newest first', ACTIVITY, list.items, 'This agent has no record yet.')}
${pager(path, filters, list)}`;
  return page(`Activity of ${handle}`, body);
}
