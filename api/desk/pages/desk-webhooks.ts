import type { Static } from 'typebox';
import { type Column, code, facts, label, table, waysOn, when } from '../../html/components.ts';
import { type Html, html, segment } from '../../html/html.ts';
import type { Delivery, NotificationKind, Subscription } from '../../webhooks/webhook-shapes.ts';
import { NEWS } from '../../words/desk/answers.ts';
import { NOTIFICATIONS } from '../../words/desk/webhooks.ts';

type SubscriptionShown = Static<typeof Subscription>;

const toldOf = ({ events }: SubscriptionShown): string =>
  events.length === 0 ? NEWS.everything : events.map((kind) => NOTIFICATIONS[kind] ?? kind).join('; ');

/** A new subscription with its secret, which is shown only this once. */
export function subscribed(made: SubscriptionShown & { readonly secret: string }): Html {
  return html`<section class="card good"><h2>${NEWS.secret}</h2>
<p><code class="hex secret">${made.secret}</code></p>
<p>${NEWS.verifies}</p></section>
${facts([
  [NEWS.subscription, code(made.subscriptionId)],
  [NEWS.address, code(made.url)],
  [NEWS.told, toldOf(made)],
])}
${waysOn(
  [
    `/desk/deliveries?subscriptionId=${segment(made.subscriptionId)}&wallet=${segment(made.wallet)}`,
    NEWS.sent,
  ],
  [
    `/desk/unsubscribe?subscriptionId=${segment(made.subscriptionId)}&wallet=${segment(made.wallet)}`,
    NEWS.end,
  ],
)}`;
}

/** A table of a wallet's subscriptions. */
export function subscriptions({ items }: { readonly items: readonly SubscriptionShown[] }): Html {
  const to = (command: string, s: SubscriptionShown) =>
    `/desk/${command}?subscriptionId=${segment(s.subscriptionId)}&wallet=${segment(s.wallet)}`;
  const columns: readonly Column<SubscriptionShown>[] = [
    { head: NEWS.address, cell: (s) => code(s.url) },
    {
      head: NEWS.state,
      cell: (s) =>
        html`${label(s.status)}${s.failingSince !== null && NEWS.nothingTaken(when(s.failingSince))}${s.reason !== null && html`<br>${s.reason}`}`,
    },
    { head: NEWS.told, wide: true, cell: toldOf },
    {
      head: NEWS.subscription,
      cell: (s) =>
        html`${code(s.subscriptionId)}<br><a href="${to('deliveries', s)}">${NEWS.sentTo(s.url)}</a> · <a href="${to('unsubscribe', s)}">${NEWS.endOf(s.url)}</a>`,
    },
    { head: NEWS.since, cell: (s) => when(s.createdAt) },
  ];
  return table(NEWS.caption, columns, items, NEWS.none);
}

type DeliveryShown = Static<typeof Delivery>;

const DELIVERIES: readonly Column<DeliveryShown>[] = [
  { head: NEWS.columns.message, cell: (d) => code(d.webhookId) },
  { head: NEWS.columns.about, cell: (d) => NOTIFICATIONS[d.kind as NotificationKind] ?? d.kind },
  {
    head: NEWS.state,
    cell: (d) => html`${label(d.status)}${d.nextAttemptAt !== null && NEWS.nextTry(when(d.nextAttemptAt))}`,
  },
  { head: NEWS.columns.tries, numeric: true, cell: (d) => String(d.attempts) },
  {
    head: NEWS.columns.answered,
    wide: true,
    cell: (d) => d.error ?? (d.answered === null ? NEWS.notAnswered : NEWS.status(d.answered)),
  },
  { head: NEWS.columns.made, cell: (d) => when(d.createdAt) },
];

/** A table of what was sent to a subscription. */
export function deliveries({ items }: { readonly items: readonly DeliveryShown[] }): Html {
  return table(NEWS.deliveries, DELIVERIES, items, NEWS.noDeliveries);
}
