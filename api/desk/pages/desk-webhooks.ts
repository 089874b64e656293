import type { Static } from 'typebox';
import { type Column, code, facts, label, table, waysOn, when } from '../../html/components.ts';
import { type Html, html, segment } from '../../html/html.ts';
import {
  type Delivery,
  NOTIFICATION_WORDS,
  type NotificationKind,
  type Subscription,
} from '../../webhooks/webhook-shapes.ts';

type SubscriptionShown = Static<typeof Subscription>;

const toldOf = ({ events }: SubscriptionShown): string =>
  events.length === 0 ? 'everything' : events.map((kind) => NOTIFICATION_WORDS[kind] ?? kind).join('; ');

/** A new subscription with its secret, which is shown only this once. */
export function subscribed(made: SubscriptionShown & { readonly secret: string }): Html {
  return html`<section class="card good"><h2>The secret, shown this once</h2>
<p><code class="hex secret">${made.secret}</code></p>
<p>Any library of Standard Webhooks verifies the messages with it.</p></section>
${facts([
  ['Subscription', code(made.subscriptionId)],
  ['Address', code(made.url)],
  ['Told', toldOf(made)],
])}
${waysOn(
  [
    `/desk/deliveries?subscriptionId=${segment(made.subscriptionId)}&wallet=${segment(made.wallet)}`,
    'See what was sent',
  ],
  [
    `/desk/unsubscribe?subscriptionId=${segment(made.subscriptionId)}&wallet=${segment(made.wallet)}`,
    'End it',
  ],
)}`;
}

/** A table of a wallet's subscriptions. */
export function subscriptions({ items }: { readonly items: readonly SubscriptionShown[] }): Html {
  const to = (command: string, s: SubscriptionShown) =>
    `/desk/${command}?subscriptionId=${segment(s.subscriptionId)}&wallet=${segment(s.wallet)}`;
  const columns: readonly Column<SubscriptionShown>[] = [
    { head: 'Address', cell: (s) => code(s.url) },
    {
      head: 'State',
      cell: (s) =>
        html`${label(s.status)}${s.failingSince !== null && html`<br>nothing taken since ${when(s.failingSince)}`}${s.reason !== null && html`<br>${s.reason}`}`,
    },
    { head: 'Told', wide: true, cell: toldOf },
    {
      head: 'Subscription',
      cell: (s) =>
        html`${code(s.subscriptionId)}<br><a href="${to('deliveries', s)}">What was sent<span class="hidden"> to ${s.url}</span></a> · <a href="${to('unsubscribe', s)}">End it<span class="hidden">: ${s.url}</span></a>`,
    },
    { head: 'Since', cell: (s) => when(s.createdAt) },
  ];
  return table('Where news goes', columns, items, 'News of this wallet goes nowhere yet.');
}

type DeliveryShown = Static<typeof Delivery>;

const DELIVERIES: readonly Column<DeliveryShown>[] = [
  { head: 'Message', cell: (d) => code(d.webhookId) },
  { head: 'About', cell: (d) => NOTIFICATION_WORDS[d.kind as NotificationKind] ?? d.kind },
  {
    head: 'State',
    cell: (d) =>
      html`${label(d.status)}${d.nextAttemptAt !== null && html`<br>next try ${when(d.nextAttemptAt)}`}`,
  },
  { head: 'Tries', numeric: true, cell: (d) => String(d.attempts) },
  {
    head: 'Answered',
    wide: true,
    cell: (d) => d.error ?? (d.answered === null ? 'nothing yet' : `HTTP ${d.answered}`),
  },
  { head: 'Made', cell: (d) => when(d.createdAt) },
];

/** A table of what was sent to a subscription. */
export function deliveries({ items }: { readonly items: readonly DeliveryShown[] }): Html {
  return table('What was sent', DELIVERIES, items, 'Nothing was sent there yet.');
}
