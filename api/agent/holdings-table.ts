import type { Holdings } from '../../runtime/agent/holdings.ts';
import { type Column, lotName, money, table } from '../html/components.ts';
import { type Html, html, segment } from '../html/html.ts';
import type { AgentDocument } from '../shapes.ts';
import { AGENT } from '../words/agent.ts';

interface Held {
  readonly token: Html | string;
  readonly amount: Html | string;
  /** Undefined for money, which is never for sale. */
  readonly listingRef?: string | null;
}

const SAID = AGENT.holdings;

const COLUMNS: readonly Column<Held>[] = [
  { head: SAID.columns.token, cell: (h) => h.token },
  { head: SAID.columns.amount, numeric: true, cell: (h) => h.amount },
  {
    head: SAID.columns.sale,
    cell: (h) =>
      h.listingRef === undefined
        ? ''
        : h.listingRef === null
          ? SAID.notForSale
          : html`<a href="/lots/${segment(h.listingRef)}">${SAID.forSale}</a>`,
  },
];

/** What is in an agent's account, by token: its dollars first. @param holdings null where they cannot be read */
export function holdingsTable(caps: AgentDocument['caps'], holdings: Holdings | null): Html {
  const dollars = 'unavailable' in caps ? [] : caps.remaining.map((left) => money(left.balanceUsd));
  if (holdings === null) return html`<p class="card">${SAID.unread}</p>`;
  const rows: readonly Held[] = [
    ...dollars.map((amount) => ({ token: SAID.dollars, amount })),
    ...holdings.tokens.map(({ key, description, listingRef }) => ({
      token: html`${description}<br><span class="soft">${lotName(key)}</span>`,
      amount: SAID.one,
      listingRef,
    })),
  ];
  return html`${table(SAID.caption, COLUMNS, rows, SAID.unread)}
<p class="soft">${SAID.limits(holdings.asOfBlock)}</p>`;
}
