import type { Static } from 'typebox';
import type { NotificationKind } from '../../../runtime/webhooks/messages.ts';
import { type Column, code, emptyState, facts, label, table, waysOn, when } from '../../html/components.ts';
import { type Html, html, segment } from '../../html/html.ts';
import type { Delivery, Subscription } from '../../webhooks/webhook-shapes.ts';
import { SUBSCRIBED } from '../../words/desk/answers.ts';
import { NOTIFICATIONS } from '../../words/desk/webhooks.ts';
import { WORDS } from '../../words/every-page.ts';

type SubscriptionShown = Static<typeof Subscription>;

const toldOf = ({ events }: SubscriptionShown): string =>
  events.length === 0 ? SUBSCRIBED.everything : events.map((kind) => NOTIFICATIONS[kind] ?? kind).join('; ');

/** A new subscription with its secret, which is shown only this once. */
export function subscribed(made: SubscriptionShown & { readonly secret: string }): Html {
  return html`<section class="card good"><h2>${SUBSCRIBED.secret}</h2>
<p><code class="hex secret">${made.secret}</code></p>
<p>${SUBSCRIBED.verifies}</p></section>
${facts([
  [SUBSCRIBED.subscription, code(made.subscriptionId)],
  [SUBSCRIBED.address, code(made.url)],
  [SUBSCRIBED.told, toldOf(made)],
])}
${waysOn(
  [
    `/desk/deliveries?subscriptionId=${segment(made.subscriptionId)}&wallet=${segment(made.wallet)}`,
    SUBSCRIBED.sent,
  ],
  [
    `/desk/unsubscribe?subscriptionId=${segment(made.subscriptionId)}&wallet=${segment(made.wallet)}`,
    SUBSCRIBED.end,
  ],
)}`;
}

/** A table of a wallet's subscriptions. */
export function subscriptions({ items }: { readonly items: readonly SubscriptionShown[] }): Html {
  const to = (command: string, s: SubscriptionShown) =>
    `/desk/${command}?subscriptionId=${segment(s.subscriptionId)}&wallet=${segment(s.wallet)}`;
  const columns: readonly Column<SubscriptionShown>[] = [
    { head: SUBSCRIBED.address, cell: (s) => code(s.url) },
    {
      head: SUBSCRIBED.state,
      cell: (s) =>
        html`${label(s.status)}${s.failingSince !== null && SUBSCRIBED.nothingTaken(when(s.failingSince))}${s.reason !== null && html`<br>${s.reason}`}`,
    },
    { head: SUBSCRIBED.told, wide: true, cell: toldOf },
    {
      head: SUBSCRIBED.subscription,
      cell: (s) =>
        html`${code(s.subscriptionId)}<br><a href="${to('deliveries', s)}">${SUBSCRIBED.sentTo(s.url)}</a> · <a href="${to('unsubscribe', s)}">${SUBSCRIBED.endOf(s.url)}</a>`,
    },
    { head: SUBSCRIBED.since, cell: (s) => when(s.createdAt) },
  ];
  return table(SUBSCRIBED.caption, columns, items, emptyState(WORDS.empty.notifications));
}

type DeliveryShown = Static<typeof Delivery>;

const DELIVERIES: readonly Column<DeliveryShown>[] = [
  { head: SUBSCRIBED.columns.message, cell: (d) => code(d.webhookId) },
  { head: SUBSCRIBED.columns.about, cell: (d) => NOTIFICATIONS[d.kind as NotificationKind] ?? d.kind },
  {
    head: SUBSCRIBED.state,
    cell: (d) =>
      html`${label(d.status)}${d.nextAttemptAt !== null && SUBSCRIBED.nextTry(when(d.nextAttemptAt))}`,
  },
  { head: SUBSCRIBED.columns.tries, numeric: true, cell: (d) => String(d.attempts) },
  {
    head: SUBSCRIBED.columns.answered,
    wide: true,
    cell: (d) => d.error ?? (d.answered === null ? SUBSCRIBED.notAnswered : SUBSCRIBED.status(d.answered)),
  },
  { head: SUBSCRIBED.columns.made, cell: (d) => when(d.createdAt) },
];

/** A table of what was sent to a subscription. */
export function deliveries({ items }: { readonly items: readonly DeliveryShown[] }): Html {
  return table(SUBSCRIBED.deliveries, DELIVERIES, items, emptyState(WORDS.empty.deliveries));
}
