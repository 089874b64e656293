import { sentences } from '../../agents/mandate/terms/describe.ts';
import type { Mandate } from '../../agents/mandate/terms/schema.ts';
import type { Holdings } from '../../runtime/agent/holdings.ts';
import { chainsById, type WalletChain } from '../desk/wallet-chains.ts';
import {
  document,
  facts,
  hex,
  label,
  money,
  recordLink,
  shortened,
  type Titles,
  when,
} from '../html/components.ts';
import { type ExplorerSite, onChain } from '../html/explorers.ts';
import { textField } from '../html/fields.ts';
import { type Html, html, segment } from '../html/html.ts';
import { page, partsNav } from '../html/layout.ts';
import type { ActivityRow, AgentDocument } from '../shapes.ts';
import { AGENT } from '../words/agent.ts';
import type { AccountAct } from './account-transaction-shapes.ts';
import { aboutLot, activityState, activityStep } from './activity-words.ts';
import { capGauge } from './cap-gauge.ts';
import { CONTRACT_REFUSALS } from './contract-refusals.ts';
import { holdingsTable } from './holdings-table.ts';
import { stateChart } from './state-chart.ts';

/** What the page shows beside the agent itself. */
export interface AgentPlace {
  /** Of the chain on which it lives. */
  readonly explorer: ExplorerSite;
  readonly baseUrl: string;
  /** Null where the chain cannot be read. */
  readonly holdings: Holdings | null;
  /** Newest first. */
  readonly activity: readonly ActivityRow[];
  /** Of the lots that its activity names. */
  readonly titles?: Titles;
  /** The contract that settles deals, which an owner approves for what stays in the owner's hands. */
  readonly settlement: string;
  /** The token in which it pays and is paid. */
  readonly usdc: string;
  readonly chains: readonly WalletChain[];
}

/** The page of one agent: who it is, what it has, what it may do, and what it has done. */
export function agentPage(agent: AgentDocument, place: AgentPlace): Html {
  const path = `/agent/${segment(agent.handle)}`;
  const query = `handle=${segment(agent.handle)}`;
  const body = html`<div class="who"><div><h1>${agent.displayName ?? agent.handle}</h1>
<p class="lead">${label(agent.status, agent.status === 'active' ? 'clean' : 'waiting')} ${label(agent.tier)}${agent.displayName !== undefined && html` <code>${agent.handle}</code>`}</p>
${agent.heldBy && html`<p class="card">${AGENT.holds(agent.heldBy.map((hold) => AGENT.held[hold]).join('; '))}</p>`}
${agent.about && html`<p>${agent.about}</p>`}
<p class="acts"><a class="button" href="#act">${AGENT.acts.money}</a> <a class="button second" href="/desk/mandate?${query}">${AGENT.acts.edit}</a> <a class="button second" href="/desk/session?${query}&action=${agent.status === 'paused' ? 'resume' : 'pause'}">${agent.status === 'paused' ? AGENT.acts.resume : AGENT.acts.pause}</a> <a class="button second" href="/desk/list?${query}">${AGENT.acts.sell}</a> <a class="button second" href="/desk/profile?${query}">${AGENT.acts.profile}</a></p></div>
<img src="/metadata/${agent.chainId}/${segment(agent.tokenId)}/portrait.svg" alt="${AGENT.portrait(agent.handle)}" width="240" height="240"></div>
${partsNav([
  ['caps', AGENT.limits],
  ['holds', AGENT.holdings.heading],
  ['may', AGENT.may],
  ['stands', AGENT.stands],
  ['act', AGENT.things.heading],
  ['did', AGENT.did],
  ['on-chain', AGENT.onChain.heading],
])}
<div data-live="${AGENT.capsTold}" id="caps" data-events="only=match,activity&handle=${segment(agent.handle)}">${balance(agent)}</div>
<h2 id="holds">${AGENT.holdings.heading}</h2>
<div data-live="${AGENT.holdings.told}" id="holdings">${holdingsTable(agent.caps, place.holdings)}</div>
<h2 id="may">${AGENT.may}</h2>
<div class="sides"><section class="card"><h3>${AGENT.ownWords}</h3><blockquote><p>${agent.mandate.text}</p></blockquote></section>
<section class="card"><h3>${AGENT.enforced}</h3><ul>${sentences(agent.mandate.structured as Mandate).map((s) => html`<li>${shortened(s)}</li>`)}</ul></section></div>
<h2 id="stands">${AGENT.stands}</h2>
${stateChart(agent)}
${owners(agent, place)}
<h2 id="did">${AGENT.did}</h2>
<div data-live="${AGENT.didTold}" id="activity">${timeline(place.activity, place.titles)}</div>
<p><a href="${path}/activity">${AGENT.everything}</a></p>
<h2 id="on-chain">${AGENT.onChain.heading}</h2>
${facts([
  [AGENT.onChain.owner, onChain(place.explorer, 'address', agent.owner)],
  [AGENT.onChain.account, onChain(place.explorer, 'address', agent.account)],
  [AGENT.onChain.token, AGENT.onChain.tokenOf(agent.tokenId, hex(agent.contract), agent.chainId)],
  [AGENT.onChain.minted, onChain(place.explorer, 'tx', agent.issued.mintTx)],
  [AGENT.onChain.mandate, AGENT.onChain.version(agent.mandate.version, hex(agent.mandate.hash))],
  [AGENT.onChain.mandateOnChain, mandateOnChain(agent)],
  [AGENT.onChain.orders, agent.issued.orders],
  [AGENT.onChain.deals, agent.issued.matches],
  [AGENT.onChain.looks, agent.depth ?? AGENT.onChain.byChecks],
  [AGENT.onChain.since, when(agent.since)],
])}
<details><summary>${AGENT.asHashed}</summary>${document(agent.mandate.structured, AGENT.structured)}</details>`;
  const description = AGENT.description(agent.mandate.text);
  const picture = `${place.baseUrl}${path}/share.png`;
  return page(agent.handle, body, '/agents/directory', { description, picture });
}

function balance(agent: AgentDocument): Html {
  if ('unavailable' in agent.caps) return html`<p class="card">${AGENT.unread(agent.caps.unavailable)}</p>`;
  const { asOfBlock, remaining } = agent.caps;
  return html`${remaining.map((left) => {
    const spendable = left.spendableUsd === null ? AGENT.noLimit : money(left.spendableUsd);
    return html`<ul class="figures"><li><strong>${money(left.balanceUsd)}</strong><span>${AGENT.balance}</span></li><li><strong>${spendable}</strong><span>${AGENT.spendable}</span></li></ul>
<section class="card" aria-label="${AGENT.limits}">${capGauge(agent.mandate.structured as Mandate, left)}
<p class="soft">${AGENT.asOf(asOfBlock, `/desk/orders?handle=${segment(agent.handle)}`)}</p></section>`;
  })}`;
}

/** What only its owner can do with its account; the wallet sends each as a transaction of its own. */
function owners(agent: AgentDocument, { settlement, usdc, chains }: AgentPlace): Html {
  const known = html` account="${agent.account}" token="${usdc}" settlement="${settlement}" chain="${agent.chainId}" handle="${agent.handle}" data-chains="${chainsById(chains)}"`;
  const amount = (id: string) =>
    textField({
      ...{ id, name: 'amountUsd', label: AGENT.things.dollars, value: '' },
      ...{ inputMode: 'decimal', required: true },
    });
  const act = (kind: AccountAct, fields: Html) => {
    const [title, words, button] = AGENT.things[kind];
    return html`<section class="card"><h3>${title}</h3><p class="soft">${words}</p><wallet-act kind="${kind}"${known}><form action="/agent/${segment(agent.handle)}/transactions/${kind}" method="get">${fields}<button>${button}</button></form><p role="status"></p></wallet-act></section>`;
  };
  const thing = (
    id: string,
  ) => html`${textField({ id: `${id}-contract`, name: 'contract', label: AGENT.things.contract, value: '', code: true, required: true })}
${textField({ id: `${id}-tokenId`, name: 'tokenId', label: AGENT.things.number, value: '', code: true, required: true })}`;
  return html`<h2 id="act">${AGENT.things.heading}</h2>
<p class="soft">${AGENT.things.words}</p>
<div class="groups narrow-cards" data-refusals="${JSON.stringify(CONTRACT_REFUSALS)}">
${act('fund', amount('fund'))}
${act('withdraw', amount('withdraw'))}
${act('deposit', thing('deposit'))}
${act('approve', thing('approve'))}
</div>`;
}

/** Records from inscribing to anchored. */
function timeline(activity: readonly ActivityRow[], titles?: Titles): Html {
  if (activity.length === 0) return html`<div class="card empty"><p>${AGENT.didNothing}</p></div>`;
  return html`<step-timeline><ol>${activity.map(
    (a) =>
      html`<li class="${activityStep(a)}">${recordLink(a.recordId, aboutLot(a, titles), titles)} ${activityState(a)} <span class="soft">${when(a.at)}</span></li>`,
  )}</ol></step-timeline>`;
}

function mandateOnChain(agent: AgentDocument): Html | string {
  const onChain = agent.issued.mandateHashOnChain;
  if (onChain === null) return AGENT.onChain.unread;
  const same = onChain.toLowerCase() === agent.mandate.hash.toLowerCase();
  return same ? AGENT.onChain.same : AGENT.onChain.another(hex(onChain));
}
