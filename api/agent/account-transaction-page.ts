import { chainName, facts, hex } from '../html/components.ts';
import { type Html, html, segment } from '../html/html.ts';
import { page } from '../html/layout.ts';
import { AGENT } from '../words/agent.ts';

const ACCOUNT_ACTS = ['fund', 'withdraw', 'deposit', 'approve'] as const;

/** What a wallet does about an agent's account by a transaction of its own. */
export type AccountAct = (typeof ACCOUNT_ACTS)[number];

export function isAccountAct(act: string): act is AccountAct {
  return ACCOUNT_ACTS.some((one) => one === act);
}

interface TransactionView {
  readonly handle: string;
  readonly chainId: number;
  /** The wallet that must send it; null where any may. */
  readonly from: string | null;
  readonly says: string;
  readonly to: string;
  readonly data: string;
}

/** The page with a transaction that is sent by a wallet elsewhere. */
export function transactionPage(act: AccountAct, view: TransactionView): Html {
  const { handle, chainId, from, says, to, data } = view;
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
  [columns.value, '0'],
  [columns.data, html`<code class="hex">${data}</code>`],
])}
<p class="acts"><a class="button second" href="${path}">${AGENT.elsewhere.back(handle)}</a></p>`;
  return page(title, body, '/agents/directory');
}
