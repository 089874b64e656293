import type { Static } from 'typebox';
import { type Delivery, NEWS_WORDS, type News, type Subscription } from '../webhook-shapes.ts';
import { type Column, code, facts, label, table, waysOn, when } from './components.ts';
import { type Html, html, segment } from './html.ts';

type SubscriptionShown = Static<typeof Subscription>;

const newsOf = ({ events }: SubscriptionShown): string =>
  events.length === 0 ? 'everything' : events.map((kind) => NEWS_WORDS[kind] ?? kind).join('; ');

/** A subscription that was made: its secret, this once. */
export function subscribed(made: SubscriptionShown & { readonly secret: string }): Html {
  return html`<section class="card good"><h2>The secret, shown this once</h2>
<p><code class="hex secret">${made.secret}</code></p>
<p>Any library of Standard Webhooks verifies the messages with it.</p></section>
${facts([
  ['Subscription', code(made.subscriptionId)],
  ['Address', code(made.url)],
  ['Told', newsOf(made)],
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

/** Where the news of a wallet goes. */
export function subscriptions({ items }: { readonly items: readonly SubscriptionShown[] }): Html {
  const to = (act: string, s: SubscriptionShown) =>
    `/desk/${act}?subscriptionId=${segment(s.subscriptionId)}&wallet=${segment(s.wallet)}`;
  const columns: readonly Column<SubscriptionShown>[] = [
    { head: 'Address', cell: (s) => code(s.url) },
    {
      head: 'State',
      cell: (s) =>
        html`${label(s.status)}${s.failingSince !== null && html`<br>nothing taken since ${when(s.failingSince)}`}${s.reason !== null && html`<br>${s.reason}`}`,
    },
    { head: 'Told', wide: true, cell: newsOf },
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
  { head: 'About', cell: (d) => NEWS_WORDS[d.kind as News] ?? d.kind },
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

/** What was sent to a subscription. */
export function deliveries({ items }: { readonly items: readonly DeliveryShown[] }): Html {
  return table('What was sent', DELIVERIES, items, 'Nothing was sent there yet.');
}
