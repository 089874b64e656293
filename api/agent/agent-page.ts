import { sentences } from '../../agents/mandate/terms/describe.ts';
import type { Mandate } from '../../agents/mandate/terms/schema.ts';
import { chainsById, type WalletChain } from '../desk/wallet-chains.ts';
import { document, facts, hex, label, money, recordLink, when } from '../html/components.ts';
import { textField } from '../html/fields.ts';
import { type Html, html, segment } from '../html/html.ts';
import { page } from '../html/layout.ts';
import type { ActivityRow, AgentDocument } from '../shapes.ts';
import { capGauge } from './cap-gauge.ts';
import { stateChart } from './state-chart.ts';

/** What the page shows beside the agent itself. */
export interface AgentPlace {
  readonly baseUrl: string;
  /** Newest first. */
  readonly activity: readonly ActivityRow[];
  /** The contract that settles deals, which an owner approves for what stays in the owner's hands. */
  readonly settlement: string;
  readonly chains: readonly WalletChain[];
}

const HELD: Readonly<Record<NonNullable<AgentDocument['heldBy']>[number], string>> = {
  owner: 'its owner has paused it',
  'owner-on-chain': 'its owner has paused it on chain',
  guardian: 'the guardian has paused it on chain',
  'mandate-end': 'its mandate has ended',
  'new-owner': 'its new owner has signed no mandate yet',
  operator: 'the operator has suspended it',
};

/** The page of one agent: who it is, what it has, what it may do, and what it has done. */
export function agentPage(agent: AgentDocument, place: AgentPlace): Html {
  const path = `/agent/${segment(agent.handle)}`;
  const query = `handle=${segment(agent.handle)}`;
  const body = html`<div class="who"><div><h1>${agent.displayName ?? agent.handle}</h1>
<p class="lead">${label(agent.status, agent.status === 'active' ? 'clean' : 'waiting')} ${label(agent.tier)}${agent.displayName !== undefined && html` <code>${agent.handle}</code>`}</p>
${agent.heldBy && html`<p class="card">It does not trade: ${agent.heldBy.map((hold) => HELD[hold]).join('; ')}.</p>`}
${agent.about && html`<p>${agent.about}</p>`}
<p class="acts"><a class="button" href="#act">Fund or withdraw</a> <a class="button second" href="/desk/mandate?${query}">Edit what it may do</a> <a class="button second" href="/desk/session?${query}&action=${agent.status === 'paused' ? 'resume' : 'pause'}">${agent.status === 'paused' ? 'Resume it' : 'Pause it'}</a> <a class="button second" href="/desk/list?${query}">Sell something</a> <a class="button second" href="/desk/profile?${query}">Say who it is</a></p></div>
<img src="/metadata/${agent.chainId}/${segment(agent.tokenId)}/portrait.svg" alt="Portrait of ${agent.handle}" width="240" height="240"></div>
<div data-live="balance and limits" id="caps" data-events="only=match,activity&handle=${segment(agent.handle)}">${balance(agent)}</div>
<h2>What it may do</h2>
<div class="sides"><section class="card"><h3>In its owner’s words</h3><blockquote><p>${agent.mandate.text}</p></blockquote></section>
<section class="card"><h3>As it is enforced</h3><ul>${sentences(agent.mandate.structured as Mandate).map((s) => html`<li>${s}</li>`)}</ul></section></div>
<h2>Where it stands</h2>
${stateChart(agent)}
${owners(agent, place)}
<h2>What it did</h2>
<div data-live="what it did" id="activity">${timeline(place.activity)}</div>
<p><a href="${path}/activity">Everything this agent has done, on the record</a></p>
<h2>On chain</h2>
${facts([
  ['Owner', hex(agent.owner)],
  ['Account', hex(agent.account)],
  ['Token', html`${agent.tokenId} of ${hex(agent.contract)} on eip155:${agent.chainId}`],
  ['Minted in', hex(agent.issued.mintTx)],
  ['Mandate', html`version ${agent.mandate.version}, hash ${hex(agent.mandate.hash)}`],
  ['Mandate on chain', mandateOnChain(agent)],
  ['Orders', agent.issued.orders],
  ['Deals', agent.issued.matches],
  ['Looks', agent.depth ?? 'by deterministic checks only'],
  ['Since', when(agent.since)],
])}
<details><summary>The mandate as it is hashed</summary>${document(agent.mandate.structured, 'Structured mandate')}</details>`;
  const description = `An agent of Safe Handshake: ${agent.mandate.text}`;
  const picture = `${place.baseUrl}${path}/share.png`;
  return page(agent.handle, body, '/agents/directory', { description, picture });
}

function balance(agent: AgentDocument): Html {
  if ('unavailable' in agent.caps)
    return html`<p class="card">The chain could not be read: ${agent.caps.unavailable}</p>`;
  const { asOfBlock, remaining } = agent.caps;
  return html`${remaining.map((left) => {
    const spendable = left.spendableUsd === null ? 'no limit' : money(left.spendableUsd);
    return html`<ul class="figures"><li><strong>${money(left.balanceUsd)}</strong><span>in its account</span></li><li><strong>${spendable}</strong><span>the most that one payment may be now</span></li></ul>
<section class="card" aria-label="Limits">${capGauge(agent.mandate.structured as Mandate, left)}
<p class="soft">Read from the chain at block ${asOfBlock}. What its orders have promised of it, its owner sees <a href="/desk/orders?handle=${segment(agent.handle)}">with its orders</a>.</p></section>`;
  })}`;
}

/** What only its owner can do with its account; the wallet sends each as a transaction of its own. */
function owners(agent: AgentDocument, { settlement, chains }: AgentPlace): Html {
  const token = 'unavailable' in agent.caps ? '' : (agent.caps.remaining[0]?.token ?? '');
  const known = html` account="${agent.account}" token="${token}" settlement="${settlement}" chain="${agent.chainId}" handle="${agent.handle}" data-chains="${chainsById(chains)}"`;
  const amount = (id: string) =>
    textField({ name: id, label: 'Dollars', value: '', inputMode: 'decimal', required: true });
  const act = (kind: string, title: string, words: string, fields: Html, button: string) =>
    html`<section class="card"><h3>${title}</h3><p class="soft">${words}</p><wallet-act kind="${kind}"${known}><form>${fields}<button>${button}</button></form><p role="status"></p></wallet-act></section>`;
  const thing = (
    id: string,
  ) => html`${textField({ name: `${id}-contract`, label: 'Token contract', value: '', code: true, required: true })}
${textField({ name: `${id}-tokenId`, label: 'Token number', value: '', code: true, required: true })}`;
  return html`<h2 id="act">Money and things</h2>
<p class="soft">Each is a transaction of your wallet, straight to the chain. Anybody may fund; the rest is its owner’s.</p>
<div class="groups narrow-cards">
${act('fund', 'Fund', 'Send test USDC from your wallet to its account.', amount('fund'), 'Send the money')}
${act('withdraw', 'Withdraw', 'Take test USDC out of its account, to your wallet.', amount('withdraw'), 'Take it out')}
${act('deposit', 'Deposit a token', 'Give a token to its account, so that it can sell it.', thing('deposit'), 'Deposit it')}
${act('approve', 'Approve a token', 'Keep a token, and let the Settlement contract deliver it when it is sold.', thing('approve'), 'Approve it')}
</div>`;
}

/** Records from inscribing to anchored. */
function timeline(activity: readonly ActivityRow[]): Html {
  if (activity.length === 0)
    return html`<div class="card empty"><p>It has done nothing yet. Fund it, and it looks for lots inside its mandate.</p></div>`;
  return html`<step-timeline><ol>${activity.map(
    (a) =>
      html`<li class="${a.state === 'anchored' ? 'done' : 'now'}">${recordLink(a.recordId, a.summary)} ${label(a.state, a.state === 'anchored' ? 'clean' : 'waiting')} <span class="soft">${when(a.at)}</span></li>`,
  )}</ol></step-timeline>`;
}

function mandateOnChain(agent: AgentDocument): Html {
  const onChain = agent.issued.mandateHashOnChain;
  if (onChain === null) return html`could not be read`;
  const same = onChain.toLowerCase() === agent.mandate.hash.toLowerCase();
  return same ? html`the same` : html`${hex(onChain)} <strong>another: new terms are under way</strong>`;
}
