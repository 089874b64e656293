import { type Column, hex, label, money, table, when } from './components.ts';
import { type Html, html, segment } from './html.ts';

interface Deal {
  readonly dealId: string;
  readonly lot: string;
  readonly role: string;
  readonly priceUsd: number;
  readonly state: string;
  readonly deadline: string | null;
  readonly findings: readonly {
    readonly determination?: string;
    readonly verdict?: string;
    readonly reasons?: readonly string[];
  }[];
  readonly reason: string | null;
  readonly tx: string | null;
}

interface Order {
  readonly orderId: string;
  readonly side: string;
  readonly lot: string;
  readonly limitUsd: number;
  readonly status: string;
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** An owner's deals; one that waits leads to the decision about it. */
export function dealTable(handle: string, deals: readonly Deal[]): Html {
  const columns: readonly Column<Deal>[] = [
    { head: 'Deal', cell: (d) => html`<code class="hex">${d.dealId}</code>` },
    { head: 'State', cell: (d) => state(handle, d) },
    { head: 'You are', cell: (d) => d.role },
    { head: 'Price', numeric: true, cell: (d) => money(d.priceUsd) },
    { head: 'What was found', cell: found },
    { head: 'Lot', cell: (d) => html`<code class="hex">${d.lot}</code>` },
    { head: 'Transaction', cell: (d) => (d.tx === null ? '' : hex(d.tx)) },
  ];
  return table(`Deals of ${handle}`, columns, deals, 'This agent has made no deal yet.');
}

function state(handle: string, deal: Deal): Html {
  if (deal.state !== 'awaiting-owner') return label(deal.state);
  const to = `/desk/decision?handle=${segment(handle)}&dealId=${segment(deal.dealId)}`;
  return html`${label('waits for you')} <a href="${to}">Decide</a>${deal.deadline !== null && html` until ${when(deal.deadline)}`}`;
}

function found(deal: Deal): Html {
  const flagged = deal.findings.filter((f) => f.verdict !== undefined && f.verdict !== 'CLEAN');
  const lines = flagged.flatMap((f) => [`${f.determination ?? ''} ${f.verdict}:`, ...(f.reasons ?? [])]);
  if (lines.length > 0) return html`${lines.map((line) => html`${line}<br>`)}`;
  return html`${deal.reason ?? 'nothing'}`;
}

/** An owner's orders; one that rests can be taken back. */
export function orderTable(handle: string, orders: readonly Order[]): Html {
  const columns: readonly Column<Order>[] = [
    { head: 'Order', cell: (o) => html`<code class="hex">${o.orderId}</code>` },
    {
      head: 'State',
      cell: (o) =>
        o.status === 'resting'
          ? html`${label(o.status)} <a href="/desk/cancel?handle=${segment(handle)}&orderId=${segment(o.orderId)}">Take it back</a>`
          : label(o.status),
    },
    { head: 'Side', cell: (o) => o.side },
    { head: 'Limit', numeric: true, cell: (o) => money(o.limitUsd) },
    { head: 'Lot', cell: (o) => html`<code class="hex">${o.lot}</code>` },
    { head: 'Placed', cell: (o) => when(o.createdAt) },
    { head: 'Ends', cell: (o) => when(o.expiresAt) },
  ];
  return table(`Orders of ${handle}`, columns, orders, 'This agent has placed no order yet.');
}
