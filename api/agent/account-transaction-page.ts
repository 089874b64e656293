import { chainName, facts, hex } from '../html/components.ts';
import { type Html, html, segment } from '../html/html.ts';
import { page } from '../html/layout.ts';
import { AGENT } from '../words/agent.ts';
import type { AccountAct, AccountTransaction } from './account-transaction-shapes.ts';

/** The page with a transaction that is sent by a wallet elsewhere. */
export function transactionPage(act: AccountAct, told: AccountTransaction): Html {
  const { handle, chainId, from, says, to, value, data } = told;
  const path = `/agent/${segment(handle)}`;
  const [title] = AGENT.things[act];
  const { columns, anybody, lead } = AGENT.elsewhere;
  const body = html`<p class="way"><a href="${path}#act">${handle}</a></p>
<h1>${title}</h1>
<p class="lead">${lead}</p>
<p class="card says">${says}</p>
${facts([
  [columns.chain, `${chainName(`eip155:${chainId}`)} (${chainId})`],
  [columns.from, from === null ? anybody : hex(from)],
  [columns.to, html`<code class="hex">${to}</code>`],
  [columns.value, value],
  [columns.data, html`<code class="hex">${data}</code>`],
])}
<p class="acts"><a class="button second" href="${path}">${AGENT.elsewhere.back(handle)}</a></p>`;
  return page(title, body, '/agents/directory');
}
